package player

import (
	"context"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
)

// Verdicts returns a move for each action of list, the legal ones of s, with its
// proven value in the view of who decides. The best ones, and no others, have a share
// of the policy; a game's own solver may count more than the value, such as the time
// that a win takes.
type Verdicts func(ctx context.Context, s engine.State, list []engine.Action) ([]match.Move, error)

// Oracle plays one of the best moves that verdicts find, the seed deciding between
// equals.
type Oracle struct {
	rng      source
	game     engine.Game
	verdicts Verdicts
	legal    []engine.Action
	best     []match.Move
}

// NewOracle returns a player of g by verdicts, which nobody else uses.
func NewOracle(g engine.Game, verdicts Verdicts) *Oracle { return &Oracle{game: g, verdicts: verdicts} }

// NewGame implements match.Player: seed decides between equal actions.
func (o *Oracle) NewGame(_ context.Context, seed uint64) error {
	o.rng.reseed(seed)
	return nil
}

// Think implements match.Player with an action that keeps the value of the position.
// The line of an analysis follows the first of the best actions to the end or to a
// chance decision.
func (o *Oracle) Think(ctx context.Context, s engine.State, h *engine.History, b match.Bounds) (*match.Analysis, error) {
	moves, err := o.judge(ctx, s, h)
	if err != nil {
		return nil, err
	}
	chosen := o.best[o.rng.below(len(o.best))]
	a := &match.Analysis{Choice: chosen.Action, Value: chosen.Value, Judged: true, Solved: true, Moves: moves}
	if !b.Analyze {
		return a, nil
	}
	at, action := o.game.NewState(), a.Choice
	for at.CopyFrom(s); ; action = o.best[0].Action {
		a.Line = append(a.Line, action)
		at.Apply(action, nil)
		if at.Actor() != engine.First && at.Actor() != engine.Second {
			return a, nil
		}
		if _, err := o.judge(ctx, at, nil); err != nil {
			return nil, err
		}
	}
}

// judge returns the verdicts on s and leaves the best in o.best.
func (o *Oracle) judge(ctx context.Context, s engine.State, h *engine.History) (moves []match.Move, err error) {
	if o.legal, err = legal(o.legal[:0], s, h); err != nil {
		return nil, err
	}
	if moves, err = o.verdicts(ctx, s, o.legal); err != nil {
		return nil, err
	}
	o.best = slices.DeleteFunc(append(o.best[:0], moves...), func(m match.Move) bool { return m.Prob == 0 })
	return moves, nil
}
