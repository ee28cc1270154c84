package main

import (
	"fmt"

	"github.com/ludozero/ludozero/selfplay/record"
)

// resignJSON is what became of resigning in games where players may.
type resignJSON struct {
	// Resigned games ended by it. PlayedOn games went on although a player would
	// have resigned, who then drew or won Wrong of them: ErrorRate, with Wilson's
	// interval of 95 %; nil if no game was played on.
	Resigned  int        `json:"resigned"`
	PlayedOn  int        `json:"played_on"`
	Wrong     int        `json:"wrong"`
	ErrorRate *scoreJSON `json:"error_rate"`
	// Advice says in words that the error rate is too high, if it is.
	Advice string `json:"advice,omitempty"`
}

// resignSummary is nil if nobody resigned or would have.
func resignSummary(n record.Resignations) *resignJSON {
	if n == (record.Resignations{}) {
		return nil
	}
	r := &resignJSON{Resigned: n.Resigned, PlayedOn: n.PlayedOn, Wrong: n.Wrong, Advice: n.Advice()}
	if n.PlayedOn > 0 {
		rate, low, high := n.ErrorRate()
		r.ErrorRate = &scoreJSON{rate, low, high}
	}
	return r
}

// wrong says how many resignations were wrong in short, for a table.
func (r *resignJSON) wrong() string {
	if r == nil || r.ErrorRate == nil {
		return "-"
	}
	return fmt.Sprintf("%d/%d (%.1f to %.1f %%)", r.Wrong, r.PlayedOn, 100*r.ErrorRate.Low, 100*r.ErrorRate.High)
}

// print prints lines that begin with a name.
func (r *resignJSON) print(games int, line func(name, format string, args ...any)) {
	if r == nil {
		return
	}
	if r.ErrorRate == nil {
		line("resignations", "%d (%s); no such game was played on", r.Resigned, percent(r.Resigned, games))
		return
	}
	line("resignations", "%d (%s); of %d games played on, %d not lost: %s wrong (%.1f to %.1f %%)", r.Resigned, percent(r.Resigned, games),
		r.PlayedOn, r.Wrong, percentOf(r.ErrorRate.Value), 100*r.ErrorRate.Low, 100*r.ErrorRate.High)
	if r.Advice != "" {
		line("", "%s: players resign games that they would not lose", r.Advice)
	}
}

// resignColumns reports whether a table of the groups needs columns for it.
func (d *dataStats) resignColumns() bool {
	for _, g := range d.Groups {
		if g.Resignations != nil {
			return true
		}
	}
	return false
}
