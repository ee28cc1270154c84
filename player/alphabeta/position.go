package alphabeta

import "github.com/ludozero/ludozero/engine"

// position is a state as the search sees it.
type position = engine.Searched

// positionOf is s, wrapped if the game answers nothing that a search asks.
func positionOf(s engine.State) position {
	if p, ok := s.(position); ok {
		return p
	}
	return &unsearched{State: s, begins: true}
}

// bare is the state of a position, for judges and guides.
func bare(s position) engine.State {
	if u, ok := s.(*unsearched); ok {
		return u.State
	}
	return s
}

// unsearched is a state of a game that is no engine.Searched: turns begin where Turn
// changes, what a network is shown is all that matters, and nothing is loud.
type unsearched struct {
	engine.State
	begins bool
}

func (u *unsearched) BeginsTurn() bool { return u.begins }

func (u *unsearched) SearchKey() uint64 {
	switch u.Actor() {
	case engine.First:
		return u.EncodingHash()
	case engine.Second:
		return ^u.EncodingHash()
	}
	return u.Hash() // chance, whose values are not stored
}

func (u *unsearched) RepeatedSince(*engine.History, int) bool { return false }

func (u *unsearched) Loudness(engine.Action) (rank int32, loud bool) { return 0, false }

func (u *unsearched) Apply(a engine.Action, h *engine.History) {
	turn := u.Turn()
	u.State.Apply(a, h)
	u.begins = u.Turn() != turn
}

func (u *unsearched) CopyFrom(src engine.State) {
	from := src.(*unsearched)
	u.State.CopyFrom(from.State)
	u.begins = from.begins
}

// BeginsTurn reports whether a turn begins with the decision in s, the one before having
// been in turn last, -1 for none. The state is asked if it knows.
func BeginsTurn(s engine.State, last int) bool {
	if p, ok := s.(position); ok {
		return p.BeginsTurn()
	}
	return s.Turn() != last
}
