package opening

import (
	"context"
	"fmt"

	"github.com/ludozero/ludozero/engine"
)

// maxFirst is how many openings "first" makes at most, more than anyone plays
// pairs.
const maxFirst = 10_000

// listSource hands out openings that are all known.
type listSource struct{ rest []Opening }

func (l *listSource) next(context.Context) (Opening, bool, error) {
	if len(l.rest) == 0 {
		return Opening{}, false, nil
	}
	o := l.rest[0]
	l.rest = l.rest[1:]
	return o, true, nil
}

// node is a line of play that "first" has reached, and how long it is as an
// opening.
type node struct {
	line   []engine.Action
	length length
}

// allFirst finds all openings of the spec, breadth first: a step takes every
// action, and every outcome of chance, at all positions reached so far; the new
// positions that a game can be begun from are openings. Games that end on the way
// drop out.
func allFirst(ctx context.Context, t *table, spec Spec) ([]Opening, error) {
	var list []Opening
	var further []node
	// found notes the new position s.
	found := func(s engine.State, n node) {
		player := s.Actor() == engine.First || s.Actor() == engine.Second
		if player && n.length.enough(s) {
			list = append(list, Opening{Actions: n.line, Turn: s.Turn()})
		} else {
			further = append(further, n)
		}
	}
	t.state.Start(t.history)
	found(t.state, node{length: length{spec: spec}})

	child := t.game.NewState()
	var possible []engine.Action
	var outcomes []engine.Weighted
	for len(further) > 0 {
		reached := further
		further = nil
		for _, n := range reached {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			t.state.Start(t.history)
			for _, a := range n.line {
				t.state.Apply(a, t.history)
			}
			possible = engine.AppendPossible(possible[:0], &outcomes, t.state, t.history)
			if a, ok := engine.Neutral(t.state); ok {
				possible = append(possible[:0], a)
			}
			mark := t.history.Len()
			for _, a := range possible {
				child.CopyFrom(t.state)
				child.Apply(a, t.history)
				t.history.Truncate(mark)
				if child.Actor() == engine.Nobody || !t.isNew(child) {
					continue
				}
				line := append(append(make([]engine.Action, 0, len(n.line)+1), n.line...), a)
				found(child, node{line, n.length})
			}
			if len(list)+len(further) > maxFirst {
				return nil, fmt.Errorf("%v: more than %d openings: ask for fewer turns, or draw some with random:turns=%d", spec, maxFirst, spec.Turns)
			}
		}
	}
	return list, nil
}
