package model

import (
	"errors"
	"fmt"
)

// Spent is the cost of training a network, over all runs that led to it.
type Spent struct {
	// Runs is the number of runs, each but the first continuing the one before;
	// Generations the number of networks they trained in all.
	Runs        int `json:"runs"`
	Generations int `json:"generations"`
	// LearnedSeconds is the wall time of training, CoreSeconds its processor time over
	// all cores; null if part of it was done by an earlier program, which did not count
	// it. Neither includes matches for rating.
	LearnedSeconds float64  `json:"learned_seconds"`
	CoreSeconds    *float64 `json:"core_seconds"`
	// Games is the number of self-play games, Positions of recorded positions, Samples
	// of positions trained on, with repeats.
	Games     int64 `json:"games"`
	Positions int64 `json:"positions"`
	Samples   int64 `json:"samples"`
}

// CoreHours writes CoreSeconds in hours, or "unknown".
func (s *Spent) CoreHours() string {
	if s == nil || s.CoreSeconds == nil {
		return "unknown"
	}
	return CoreHours(*s.CoreSeconds)
}

// CoreHours writes seconds of cores in hours, with three digits or all before the
// point.
func CoreHours(seconds float64) string {
	switch h := seconds / 3600; {
	case h < 0.1:
		return fmt.Sprintf("%.4f", h)
	case h < 10:
		return fmt.Sprintf("%.2f", h)
	case h < 100:
		return fmt.Sprintf("%.1f", h)
	default:
		return fmt.Sprintf("%.0f", h)
	}
}

func (s *Spent) validate() error {
	if s == nil {
		return nil
	}
	if s.Runs < 0 || s.Generations < 0 || s.Games < 0 || s.Positions < 0 || s.Samples < 0 || !(s.LearnedSeconds >= 0) || s.CoreSeconds != nil && !(*s.CoreSeconds >= 0) {
		return errors.New("spent: want no number below 0")
	}
	return nil
}
