package enginetest

import "github.com/ludozero/ludozero/engine"

// Solve returns the exact value of s for First, in [-1, 1], by expectimax over
// all that can follow: both players play to win, chance is averaged. It
// remembers values by packed position, so it is right only for games in which
// the past does not matter, and it ends only if no position recurs. memo holds
// what is known between calls on states of one Game; it may be empty, not nil.
func Solve(g engine.Game, s engine.State, memo map[string]float64) float64 {
	if o := s.Outcome(); o.Over {
		return float64(o.Value(engine.First))
	}
	key := string(s.Pack(nil))
	if v, ok := memo[key]; ok {
		return v
	}
	child := g.NewState()
	after := func(a engine.Action) float64 {
		child.CopyFrom(s)
		child.Apply(a, nil)
		return Solve(g, child, memo)
	}
	var v float64
	switch s.Actor() {
	case engine.Chance:
		for _, w := range s.Chance(nil) {
			v += w.Prob * after(w.Code)
		}
	case engine.First:
		v = -1
		for _, a := range s.Legal(nil, nil) {
			v = max(v, after(a))
		}
	default:
		v = 1
		for _, a := range s.Legal(nil, nil) {
			v = min(v, after(a))
		}
	}
	memo[key] = v
	return v
}
