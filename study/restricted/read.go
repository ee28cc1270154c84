package restricted

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// Use counts, over all games of a match, what the restriction denied.
type Use struct {
	// Denied are decisions of the restricted player at which it was denied an action.
	Denied int `json:"denied"`
	// Forced are those at which the rules left it nothing else.
	Forced int `json:"forced"`
	// Other are the actions of the kind that its opponent took.
	Other int `json:"other"`
}

// reader counts the use of a kind in games.
type reader struct {
	kind         int
	state, after engine.State
	history      *engine.History
	legal        []engine.Action
	sorts        []int
	use          Use
}

func newReader(g engine.Game, kind string) (*reader, error) {
	_, at, err := player.KindsOf(g, kind)
	if err != nil {
		return nil, err
	}
	return &reader{kind: at[0], state: g.NewState(), after: g.NewState(), history: g.NewHistory()}, nil
}

// read plays m through, a game whose A was restricted. It fails if A took an action of the
// kind where it had another: then these are not games of that player.
func (r *reader) read(m *match.Game) error {
	restricted := engine.Second
	if m.AFirst {
		restricted = engine.First
	}
	r.state.Start(r.history)
	for i, word := range strings.Fields(m.Moves) {
		a, err := r.state.ParseAction(word, r.history)
		if err != nil {
			return fmt.Errorf("game %d: move %d, %q: %w", m.Number, i+1, word, err)
		}
		switch r.state.Actor() {
		case engine.Chance:
		case restricted:
			r.legal = r.state.Legal(r.legal[:0], r.history)
			barred := 0
			for _, other := range r.legal {
				if r.is(other) {
					barred++
				}
			}
			switch {
			case barred == len(r.legal):
				r.use.Forced++
			case barred > 0:
				r.use.Denied++
			}
			if barred < len(r.legal) && r.is(a) {
				return fmt.Errorf("game %d: move %d, %q: the restricted player had other actions", m.Number, i+1, word)
			}
		default:
			if r.is(a) {
				r.use.Other++
			}
		}
		r.state.Apply(a, r.history)
	}
	return nil
}

// is reports whether legal action a is of the kind.
func (r *reader) is(a engine.Action) bool {
	r.after.CopyFrom(r.state)
	r.after.Apply(a, nil)
	r.sorts = r.state.(engine.Classifier).AppendKinds(r.sorts[:0], a, r.after)
	return slices.Contains(r.sorts, r.kind)
}
