package konreh

import "github.com/ludozero/ludozero/engine"

// Perft counts the sequences of depth decisions from s, as [engine.Perft] does,
// without playing the last decision of any. It allocates a few buffers a call
// and nothing a position.
func (s *State) Perft(h *engine.History, depth int) uint64 {
	if depth == 0 || s.phase == phaseOver {
		return 1
	}
	w := perftWalk{h: h, levels: make([]perftLevel, depth)}
	w.levels[0].state = *s
	if depth == 1 {
		return uint64(s.CountLegal())
	}
	return w.below(0, depth-1)
}

type perftWalk struct {
	h      *engine.History
	levels []perftLevel
}

type perftLevel struct {
	state   State
	actions [maxLegal]engine.Action
}

// below counts the sequences from the state of level i, which has n levels
// below it, n at least 1.
func (w *perftWalk) below(i, n int) uint64 {
	s, next := &w.levels[i].state, &w.levels[i+1].state
	mark := w.h.Len()
	var sum uint64
	for _, a := range s.Legal(w.levels[i].actions[:0], w.h) {
		*next = *s
		if n > 1 {
			next.Apply(a, w.h)
		} else {
			next.decide(a, w.h) // a stalemate counts 1 either way
		}
		switch {
		case next.phase == phaseOver:
			sum++
		case n == 1:
			sum += uint64(max(1, next.CountLegal()))
		default:
			sum += w.below(i+1, n-1)
		}
		if w.h != nil {
			w.h.Truncate(mark)
		}
	}
	return sum
}
