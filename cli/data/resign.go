package data

import (
	"fmt"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/selfplay/census"
)

// wrongResignations says how many resignations were wrong in short, for a table.
func wrongResignations(r *census.Resignations) string {
	if r == nil || r.ErrorRate == nil {
		return "-"
	}
	return fmt.Sprintf("%d/%d (%.1f to %.1f %%)", r.Wrong, r.PlayedOn, 100*r.ErrorRate.Low, 100*r.ErrorRate.High)
}

// printResignations prints lines that begin with a name.
func printResignations(r *census.Resignations, games int, line func(name, format string, args ...any)) {
	if r == nil {
		return
	}
	if r.ErrorRate == nil {
		line("resignations", "%d (%s); no such game was played on", r.Resigned, wording.PercentOf(r.Resigned, games))
		return
	}
	line("resignations", "%d (%s); of %d games played on, %d not lost: %s wrong (%.1f to %.1f %%)", r.Resigned, wording.PercentOf(r.Resigned, games),
		r.PlayedOn, r.Wrong, wording.Percent(r.ErrorRate.Value), 100*r.ErrorRate.Low, 100*r.ErrorRate.High)
	if r.Advice != "" {
		line("", "%s: players resign games that they would not lose", r.Advice)
	}
}

// resignColumns reports whether a table of the groups needs columns for it.
func resignColumns(d *census.Groups) bool {
	for _, g := range d.Groups {
		if g.Resignations != nil {
			return true
		}
	}
	return false
}
