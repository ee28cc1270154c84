package report

import (
	"fmt"
	"math"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/train/rundir"
)

// reliabilityGames is how many games a reliability curve needs: some hundred in a bin,
// for an error of some hundredths.
const reliabilityGames = 1000

// reliability sums up the curves of the newest generations, at most a quarter of the
// run, whose networks are similar. Their games differ, so that their errors are
// independent.
func reliability(rows []rundir.Metrics) *Reliability {
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
		r.Games += m.NewGames - m.TaughtGames
		r.Network = addBins(r.Network, m.ValueBins)
		r.Search = addBins(r.Search, m.RootBins)
	}
	return r
}

// chart shows the curves. r may be nil.
func (r *Reliability) chart() chart {
	c := chart{
		ID: "reliability", Title: "Reliability of values", unit: "mean outcome", plain: "value of the position, to the player who acts", low: -1, high: 1, digits: 2, tabled: true,
	}
	if r == nil {
		return c
	}
	c.About = fmt.Sprintf("Outcomes of positions by their values: -1 lost, 1 won. On the dotted line values are right. The bands are two standard errors; over %s learned from in generations %d to %d.",
		count(r.Games, "game"), r.First, r.Last)
	for _, curve := range []struct {
		name string
		bins []rundir.ValueBin
	}{{"network", r.Network}, {"search", r.Search}} {
		l := line{name: curve.name}
		for _, b := range curve.bins {
			if b.Positions > 0 {
				l.points = append(l.points, point{across: b.Predicted, v: b.Outcome, low: b.Outcome - 2*b.Error, high: b.Outcome + 2*b.Error})
			}
		}
		c.lines = append(c.lines, l)
	}
	none := math.NaN()
	c.lines = append(c.lines, line{name: "right", bound: true, points: []point{{across: -1, v: -1, low: none, high: none}, {across: 1, v: 1, low: none, high: none}}})
	return c
}

// addBins joins the bins of different games.
func addBins(sum, more []rundir.ValueBin) []rundir.ValueBin {
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
		*a = rundir.ValueBin{
			Positions: a.Positions + b.Positions, Games: a.Games + b.Games,
			Predicted: p*a.Predicted + q*b.Predicted, Outcome: p*a.Outcome + q*b.Outcome,
			Error: math.Hypot(p*a.Error, q*b.Error),
		}
	}
	return sum
}

// table is the bins with positions.
func (r *Reliability) table() table {
	t := table{Title: "Reliability of values", Left: 1, Head: []string{"value", "positions", "network says", "outcome", "search says", "outcome"}}
	t.Notes = []string{fmt.Sprintf("Values and what became of the positions, over %s learned from in generations %d to %d; ± is two standard errors.", count(r.Games, "game"), r.First, r.Last)}
	for i := range r.Network {
		a, b := &r.Network[i], rundir.ValueBin{}
		if i < len(r.Search) {
			b = r.Search[i]
		}
		if a.Positions+b.Positions == 0 {
			continue
		}
		cells := []string{fmt.Sprintf("%+.1f to %+.1f", -1+0.2*float64(i), -0.8+0.2*float64(i)), wording.Grouped(a.Positions)}
		for _, bin := range []*rundir.ValueBin{a, &b} {
			if bin.Positions == 0 {
				cells = append(cells, "-", "-")
				continue
			}
			cells = append(cells, fmt.Sprintf("%+.2f", bin.Predicted), fmt.Sprintf("%+.2f ± %.2f", bin.Outcome, 2*bin.Error))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}
