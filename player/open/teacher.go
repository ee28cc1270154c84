package open

import (
	"context"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/selfplay"
)

// TeacherOf reads the description of a player that is to teach (selfplay.TeacherConfig).
// canonical names a network by its hash, so that the games can be played again later. A
// player limited by time is refused, and so is another program: neither plays the same
// game twice.
func (p *Players) TeacherOf(text string) (makeTeacher func(engine.Game) (selfplay.Teacher, error), canonical string, err error) {
	spec, err := p.Parse(text)
	switch {
	case err != nil:
		return nil, "", err
	case StartsProgram(spec):
		return nil, "", fmt.Errorf("player %s: another program may not play the same game twice: want a player of this program", text)
	case spec.ByTime:
		return nil, "", fmt.Errorf("player %s: limited by time it plays other games each time: want a limit such as depth=2 or sims=200", text)
	}
	if canonical = text; spec.ByNetwork {
		canonical = spec.ByHash()
	}
	return func(g engine.Game) (selfplay.Teacher, error) {
		made, err := spec.New(g)
		return &teacher{made}, err
	}, canonical, nil
}

// teacher is a player that teaches.
type teacher struct{ match.Player }

// Choose implements selfplay.Teacher. Shares of the visits of a tree search are a
// distribution to learn; that a search to a depth found one move best is none.
func (t *teacher) Choose(ctx context.Context, s engine.State, h *engine.History, legal []engine.Action) (engine.Action, []float32, error) {
	a, err := t.Think(ctx, s, h, match.Bounds{})
	if err != nil {
		return 0, nil, err
	}
	visits, policy := 0, make([]float32, len(legal))
	for i, m := range a.Moves {
		if len(a.Moves) != len(legal) || m.Action != legal[i] {
			return 0, nil, errors.New("its analysis is not of the legal actions")
		}
		visits += m.Visits
		policy[i] = float32(m.Prob)
	}
	if visits == 0 {
		policy = nil
	}
	return a.Choice, policy, nil
}

// EndGame implements selfplay.Teacher.
func (t *teacher) EndGame() {
	if r, ok := t.Player.(match.Rester); ok {
		r.Rest()
	}
}
