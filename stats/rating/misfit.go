package rating

import (
	"cmp"
	"slices"
)

// Misfit is a pairing whose own games do not agree with the ratings. One number
// for each player cannot say that A beats B, B beats C and C beats A, nor that A
// draws with B and beats C, whom B does not beat: then the fit is a compromise,
// and its intervals, which take the scale for granted, are too narrow.
type Misfit struct {
	A int `json:"a"`
	B int `json:"b"`
	// Score is A's points per game in the pairs of this pairing alone, Expected
	// what the ratings say of them.
	Score    Estimate `json:"score"`
	Expected float64  `json:"expected"`
}

// misfitFactor is how many times the distance from the score to the end of its
// 95 % interval the expected one must be away: 1.5 are some three standard
// errors, so that among the dozens of pairings of a tournament chance seldom
// makes one.
const misfitFactor = 1.5

// misfits finds the pairings within groups, where differences are finite, whose
// pairs do not agree with the maximum, the worst first.
func (f *fit) misfits(pairings []Pairing) []Misfit {
	var list []Misfit
	excess := func(m *Misfit) float64 {
		if m.Expected < m.Score.Value {
			return (m.Score.Value - m.Expected) / (m.Score.Value - m.Score.Low)
		}
		return (m.Expected - m.Score.Value) / (m.Score.High - m.Score.Value)
	}
	for k := range pairings {
		p := &pairings[k]
		counts := p.PairCounts()
		if counts.Pairs() == 0 || !f.reach[p.A][p.B] || !f.reach[p.B][p.A] {
			continue
		}
		d, seat := f.at.x[p.A+1]-f.at.x[p.B+1], f.at.x[0]
		first, second := newLaw(d+seat, f.at.nu), newLaw(d-seat, f.at.nu)
		m := Misfit{A: p.A, B: p.B, Score: counts.Score(counts.Pairs() - p.Repeated), Expected: (first.p + second.p) / 2}
		if m.Expected != m.Score.Value && excess(&m) > misfitFactor {
			list = append(list, m)
		}
	}
	slices.SortStableFunc(list, func(a, b Misfit) int { return cmp.Compare(excess(&b), excess(&a)) })
	return list
}
