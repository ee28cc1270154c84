package model

import (
	"errors"
	"fmt"
)

// Spent is what it took to train a network, over all runs behind it.
type Spent struct {
	// Runs is the number of runs, of which each but the first went on from the one
	// before; Generations of networks they trained in all.
	Runs        int `json:"runs"`
	Generations int `json:"generations"`
	// LearnedSeconds is wall time of learning, CoreSeconds what processors spent on
	// that, each core by itself; null if an earlier program, which did not count
	// it, has a part in it. Matches for rating are in neither.
	LearnedSeconds float64  `json:"learned_seconds"`
	CoreSeconds    *float64 `json:"core_seconds"`
	// Games were played for it, with Positions recorded, of which Samples were
	// trained on, repeats counted.
	Games     int64 `json:"games"`
	Positions int64 `json:"positions"`
	Samples   int64 `json:"samples"`
}

// CoreHours words CoreSeconds, "unknown" if they are.
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
