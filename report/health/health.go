// Package health says in words where the figures of a training run are off. It
// reads run.Metrics and the configuration and nothing else: no file, no clock,
// no network, so that a display and a report say the same.
//
// There is one rule a figure. A rule compares a generation with what a run that
// learns should show, in units that do not depend on the game where that can be
// had (standard errors, shares, nats), and it has to hold for a number of
// generations in a row before anything is said, since the figures of a few
// dozen games are noisy. Thresholds are loose on purpose: a warning that healthy
// runs give is not read. Which runs they were tried on, healthy and broken on
// purpose, is in docs/health.md. A figure that is not there, as in runs of earlier
// programs, gives no warning.
package health

import (
	"cmp"
	"slices"

	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// Severity tells how bad a warning is.
type Severity string

const (
	// Alarm says that the run learns nothing of use as long as this holds.
	Alarm Severity = "alarm"
	// Warn says that the run learns, but worse than it could.
	Warn Severity = "warning"
)

// Warning is one thing that is off.
type Warning struct {
	// Code names the rule: a short word with hyphens that does not change.
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	// First and Last are the generations, as in run.Metrics.Generation, from the
	// first to the last of a row in which the rule held without a gap.
	First int32 `json:"first_generation"`
	Last  int32 `json:"last_generation"`
	// Text says what is off in generation Last and by how much, what was to be
	// expected and what to try: some plain sentences without a line break.
	Text string `json:"text"`
}

// Check applies every rule to the generations of a run, in ascending order as
// run.ReadMetrics returns them. The warnings are ordered by First, then alarms
// before warnings, then by Code. What is off now has the Last of the last row;
// others are past.
func Check(rows []rundir.Metrics, cfg *plan.Config) []Warning {
	var list []Warning
	for i := range rules {
		list = append(list, rules[i].check(rows, cfg)...)
	}
	slices.SortStableFunc(list, func(a, b Warning) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Code, b.Code))
	})
	return list
}

// Current are the warnings of Check that hold in the last generation.
func Current(rows []rundir.Metrics, cfg *plan.Config) []Warning {
	if len(rows) == 0 {
		return nil
	}
	last := rows[len(rows)-1].Generation
	return slices.DeleteFunc(Check(rows, cfg), func(w Warning) bool { return w.Last != last })
}

// rule is a check of one figure.
type rule struct {
	code     string
	severity Severity
	// from is the first generation that is looked at, streak in how many in a row
	// the rule must hold.
	from, streak int32
	// off says in words what is wrong in the last of rows, or nothing.
	off func(rows []rundir.Metrics, cfg *plan.Config) string
}

// Events is a run.Options.Check for a run with the configuration cfg: it says what is off
// now.
func Events(cfg *plan.Config) func([]rundir.Metrics) []rundir.WarningEvent {
	return func(rows []rundir.Metrics) []rundir.WarningEvent {
		var list []rundir.WarningEvent
		for _, w := range Current(rows, cfg) {
			list = append(list, rundir.WarningEvent{Code: w.Code, Severity: string(w.Severity), FirstGeneration: int(w.First), Text: w.Text})
		}
		return list
	}
}

// check finds the spans of generations in which the rule holds. Rows of
// generations that retention removed are missing and end no span.
func (r *rule) check(rows []rundir.Metrics, cfg *plan.Config) (list []Warning) {
	var open *Warning
	held := int32(0)
	for i := range rows {
		text := ""
		if rows[i].Generation >= r.from {
			text = r.off(rows[:i+1], cfg)
		}
		if text == "" {
			open, held = nil, 0
			continue
		}
		if open == nil {
			open = &Warning{Code: r.code, Severity: r.severity, First: rows[i].Generation}
		}
		held++
		open.Last, open.Text = rows[i].Generation, text
		switch {
		case held == r.streak:
			list = append(list, *open)
		case held > r.streak:
			list[len(list)-1] = *open
		}
	}
	return list
}
