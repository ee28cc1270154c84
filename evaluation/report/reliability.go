package report

import (
	"math"

	"github.com/ludozero/ludozero/train/run"
)

// reliabilityGames is how many games a reliability curve is of, if there are as
// many: some hundred in a bin, so that its error is some hundredths.
const reliabilityGames = 1000

// reliability sums up the curves of the newest generations, at most a quarter of
// the run, whose networks are much the same. They are of different games, so that
// their errors are independent.
func reliability(rows []run.Metrics) *Reliability {
	var r *Reliability
	for i := len(rows) - 1; i >= 0; i-- {
		m := &rows[i]
		if !hasBins(m) || r != nil && (r.Games >= reliabilityGames || 4*(len(rows)-i) > len(rows)) {
			break
		}
		if r == nil {
			r = &Reliability{Last: int(m.Generation)}
		}
		r.First = int(m.Generation)
		r.Games += m.NewGames
		r.Network = addBins(r.Network, m.ValueBins)
		r.Search = addBins(r.Search, m.RootBins)
	}
	return r
}

// addBins joins the bins of different games.
func addBins(sum, more []run.ValueBin) []run.ValueBin {
	if sum == nil {
		return append(sum, more...)
	}
	for i := range min(len(sum), len(more)) {
		a, b := &sum[i], &more[i]
		n, m := float64(a.Positions), float64(b.Positions)
		if m == 0 {
			continue
		}
		p, q := n/(n+m), m/(n+m)
		*a = run.ValueBin{
			Positions: a.Positions + b.Positions, Games: a.Games + b.Games,
			Predicted: p*a.Predicted + q*b.Predicted, Outcome: p*a.Outcome + q*b.Outcome,
			Error: math.Hypot(p*a.Error, q*b.Error),
		}
	}
	return sum
}
