package engine

import "errors"

// Describer is a State that tells a person what a decision means before it is made.
type Describer interface {
	Classifier
	// Describe describes legal action a, which leads to after, a state of the same Game.
	Describe(a Action, after State) Description
}

// Description is what a decision does.
type Description struct {
	// Kind is the most telling of its kinds, in a word of [Classifier]; empty if it has
	// none.
	Kind string
	// Uses names what it spends that does not come back by itself, such as "Hop".
	Uses []string
	// Sure says that it gives something up for good, so that a program should ask first.
	Sure bool
}

// Describe describes a decision: by the state's own words if it is a Describer, else
// by the last of its kinds.
func Describe(before State, a Action, after State) (d Description) {
	switch s := before.(type) {
	case Describer:
		return s.Describe(a, after)
	case Classifier:
		if kinds := s.AppendKinds(nil, a, after); len(kinds) > 0 {
			d.Kind = s.Kinds()[kinds[len(kinds)-1]]
		}
	}
	return d
}

// Refuser is a Pictured State that says why a person cannot do what a board suggests.
type Refuser interface {
	// WhyNot says by the rules why the player who acts may not go from one cell of the
	// layout to another, or if the cells are the same, may do nothing there. Nil: the
	// player may.
	WhyNot(from, to int, h *History) error
}

// WhyNot asks a Refuser. Of other games it reads the names of the cells as a word.
func WhyNot(s State, from, to int, h *History) error {
	if r, ok := s.(Refuser); ok {
		return r.WhyNot(from, to, h)
	}
	d, ok := s.(Pictured)
	if !ok {
		return errors.New("this game has no board to point at")
	}
	cells := d.Layout().Cells
	word := cells[from].Name
	if to != from {
		word += cells[to].Name
	}
	_, err := s.ParseAction(word, h)
	return err
}
