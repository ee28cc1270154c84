package alphabeta

import "github.com/ludozero/ludozero/engine/konreh"

// Facts counts each term in a position where a turn begins, the side to act less
// the other; their sum, weighted by Weights, is the value of the position in a
// search. ok is false where a position says little about weights: because a capture or
// plant is about to change its value, or because a side has no runners.
func (e *Engine) Facts(s *konreh.State) (f [numTerms]float64, ok bool) {
	var n facts
	seen := e.eval.measure(s, &n)
	if seen.danger || seen.ownBare || seen.otherBare {
		return f, false
	}
	e.hist.Clear()
	e.root, e.start, e.stop, e.out = s.Actor(), s.Turn(), nil, false
	value, _ := e.value(s)
	if e.quiesce(s, -infinity, infinity, 0, 0) != value {
		return f, false
	}
	share := 1.0
	if quiet, limit := s.Quiet(); limit > 0 {
		share = float64(2*limit-min(quiet, limit)) / float64(2*limit)
	}
	for i, c := range n {
		f[i] = share * float64(c)
	}
	return f, true
}
