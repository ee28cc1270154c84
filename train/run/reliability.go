package run

import (
	"math"

	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/rundir"
)

// valueBins is the number of bins of a reliability curve. Ten of width 0.2 are
// as fine as some hundred games can fill.
const valueBins = 10

// reliability sums up how a value fared against the outcomes of games. A
// resigned game counts as lost by the player who resigned.
type reliability struct {
	bins  [valueBins]binSums
	games []moments
	gaps  float64 // squared differences of outcome and value
}

// binSums are the sums of a bin: of values and outcomes, and over games of squares
// and products of the game's number of positions n and its sum s of outcome less
// value, for the error.
type binSums struct {
	positions, games   int64
	predicted, outcome float64
	ss, ns, nn         float64
}

// moments are the sums of a game: positions, values x, outcomes z, and products.
type moments struct{ n, x, z, xx, xz, zz float64 }

func (m *moments) add(o *moments) {
	m.n += o.n
	m.x += o.x
	m.z += o.z
	m.xx += o.xx
	m.xz += o.xz
	m.zz += o.zz
}

// add takes the rows of a game; value reads the value in question.
func (r *reliability) add(rows []record.Row, value func(*record.Row) float32) {
	var here [valueBins]struct{ n, s float64 }
	var m moments
	for i := range rows {
		// Rows just played have not been rounded yet.
		x, z := float64(record.RoundValue(value(&rows[i]))), float64(rows[i].Outcome)
		k := min(int((x+1)*valueBins/2), valueBins-1)
		b := &r.bins[k]
		b.positions++
		b.predicted += x
		b.outcome += z
		here[k].n++
		here[k].s += z - x
		r.gaps += (z - x) * (z - x)
		m.add(&moments{1, x, z, x * x, x * z, z * z})
	}
	for k := range here {
		if h := &here[k]; h.n > 0 {
			b := &r.bins[k]
			b.games++
			b.ss += h.s * h.s
			b.ns += h.n * h.s
			b.nn += h.n * h.n
		}
	}
	if m.n > 0 {
		r.games = append(r.games, m)
	}
}

// points are the bins as they are told of, nil without a position.
func (r *reliability) points() []rundir.ValueBin {
	if len(r.games) == 0 {
		return nil
	}
	list := make([]rundir.ValueBin, valueBins)
	for k := range list {
		s := &r.bins[k]
		if s.positions == 0 {
			continue
		}
		n := float64(s.positions)
		p := &list[k]
		p.Positions, p.Games, p.Predicted, p.Outcome, p.Error = s.positions, s.games, s.predicted/n, s.outcome/n, 1
		if g := float64(s.games); g > 1 {
			mean := p.Outcome - p.Predicted
			p.Error = math.Sqrt(max(0, s.ss-2*mean*s.ns+mean*mean*s.nn)*g/(g-1)) / n
		}
	}
	return list
}

// figures summarize all positions together.
type figures struct{ explained, calibration, slope, slopeError float64 }

func (r *reliability) figures() (f figures) {
	var t moments
	for i := range r.games {
		t.add(&r.games[i])
	}
	if t.n == 0 {
		return f
	}
	for k := range r.bins {
		f.calibration += math.Abs(r.bins[k].outcome-r.bins[k].predicted) / t.n
	}
	x, z := t.x/t.n, t.z/t.n
	gap := z - x
	if outcomes := t.zz/t.n - z*z; outcomes > leastVariance {
		f.explained = 1 - (r.gaps/t.n-gap*gap)/outcomes
	}
	spread := t.xx - t.n*x*x
	if spread <= leastVariance*t.n {
		return f
	}
	f.slope = (t.xz - t.n*x*z) / spread
	squares, g := 0.0, float64(len(r.games))
	for i := range r.games {
		m := &r.games[i]
		// The game's sum of (value - x) · (what the line leaves of its outcomes).
		s := m.xz - x*m.z - z*m.x + m.n*x*z - f.slope*(m.xx-2*x*m.x+m.n*x*x)
		squares += s * s
	}
	f.slopeError = 1
	if g > 1 {
		f.slopeError = math.Sqrt(squares*g/(g-1)) / spread
	}
	return f
}

// leastVariance is a variance of values or outcomes so small that it comes from rounding,
// 1/4096², and no ratio to it means anything.
const leastVariance = 1.0 / (1 << 24)
