package engine

// Perft counts the sequences of depth decisions that start at s, chance
// outcomes included; a game that ends earlier counts as one sequence. It is the
// usual check of a rules implementation against another. h is the history of s
// and is left as it was; nil turns repetition off.
func Perft(g Game, s State, h *History, depth int) uint64 {
	if depth == 0 || s.Outcome().Over {
		return 1
	}
	p := &perft{h: h}
	p.levels = make([]perftLevel, depth)
	for i := range p.levels {
		p.levels[i].state = g.NewState()
	}
	return p.count(s, depth)
}

// CountPerft counts as Perft does, in the game's own faster way if it has one.
func CountPerft(g Game, s State, h *History, depth int) uint64 {
	if p, ok := s.(interface {
		Perft(h *History, depth int) uint64
	}); ok {
		return p.Perft(h, depth)
	}
	return Perft(g, s, h, depth)
}

type perft struct {
	h      *History
	levels []perftLevel
}

type perftLevel struct {
	state   State
	actions []Action
	chance  []Weighted
}

func (p *perft) count(s State, depth int) uint64 {
	l := &p.levels[depth-1]
	l.actions = AppendPossible(l.actions[:0], &l.chance, s, p.h)
	if depth == 1 {
		return uint64(max(1, len(l.actions)))
	}
	if len(l.actions) == 0 {
		return 1
	}
	var n uint64
	mark := p.h.Len()
	for _, a := range l.actions {
		l.state.CopyFrom(s)
		l.state.Apply(a, p.h)
		n += p.count(l.state, depth-1)
		p.h.Truncate(mark)
	}
	return n
}
