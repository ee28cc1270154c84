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

// allFirst finds all openings of the turns, breadth first: a step takes every
// action, and every outcome of chance, at all positions reached so far; the new
// positions that a game can be begun from are openings. Games that end on the way
// drop out.
func allFirst(ctx context.Context, t *table, turns int) ([]Opening, error) {
	var list []Opening
	reached := [][]engine.Action{nil}
	child := t.game.NewState()
	var possible []engine.Action
	var outcomes []engine.Weighted
	for len(reached) > 0 {
		var further [][]engine.Action
		for _, path := range reached {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			t.state.Start(t.history)
			for _, a := range path {
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
				line := append(append(make([]engine.Action, 0, len(path)+1), path...), a)
				if child.Actor() != engine.Chance && long(child, turns) {
					list = append(list, Opening{Actions: line, Turn: child.Turn()})
				} else {
					further = append(further, line)
				}
			}
			if len(list)+len(further) > maxFirst {
				return nil, fmt.Errorf("first:turns=%d: more than %d openings: ask for fewer turns, or draw some with random:turns=%d", turns, maxFirst, turns)
			}
		}
		reached = further
	}
	return list, nil
}
