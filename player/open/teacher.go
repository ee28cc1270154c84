package open

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/selfplay"
)

// TeacherOf reads the description c.Player of a player that is to teach at c.Temperature.
// canonical names a network by its hash, so that the games can be played again later. A
// player limited by time is refused, and so is another program: neither plays the same
// game twice.
func (p *Players) TeacherOf(c *selfplay.TeacherConfig) (makeTeacher func(engine.Game) (selfplay.Teacher, error), canonical string, err error) {
	text, temperature := c.Player, c.Temperature
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
		if err != nil || temperature == 0 {
			return &teacher{made}, err
		}
		rates, ok := made.(rater)
		if !ok {
			return nil, fmt.Errorf("player %s does not value all actions, as self_play.teacher.temperature above 0 needs: want alphabeta", text)
		}
		if _, _, ok := spec.Option("depth"); !ok { // of a search cut short some actions have no value
			return nil, fmt.Errorf("player %s values all actions to a depth, as self_play.teacher.temperature above 0 needs: want one such as depth=2", text)
		}
		return &ratingTeacher{teacher{made}, rates, temperature}, nil
	}, canonical, nil
}

// teacher is a player that teaches.
type teacher struct{ match.Player }

// Choose implements selfplay.Teacher. Shares of the visits of a tree search are a
// distribution to learn; that a search to a depth found one move best is none.
func (t *teacher) Choose(ctx context.Context, s engine.State, h *engine.History, legal []engine.Action) (selfplay.Lesson, error) {
	a, err := t.Think(ctx, s, h, match.Bounds{})
	if err != nil {
		return selfplay.Lesson{}, err
	}
	visits, policy := 0, make([]float32, len(legal))
	for i, m := range a.Moves {
		if len(a.Moves) != len(legal) || m.Action != legal[i] {
			return selfplay.Lesson{}, errors.New("its analysis is not of the legal actions")
		}
		visits += m.Visits
		policy[i] = float32(m.Prob)
	}
	if visits == 0 {
		policy = nil
	}
	return selfplay.Lesson{Action: a.Choice, Policy: policy}, nil
}

// rater is a player that values all actions, as one does that searches by alpha-beta.
type rater interface {
	// Rate returns what the player chooses and the leads of the legal actions, ascending,
	// in nats; those of window or more below the greatest are upper bounds.
	Rate(ctx context.Context, s engine.State, h *engine.History, window float64) (choice engine.Action, leads []float64, err error)
}

// ratingTeacher gives a distribution and an expected result by what it thinks of all
// actions.
type ratingTeacher struct {
	teacher
	rater       rater
	temperature float64 // as selfplay.TeacherConfig.Temperature
}

// leastWeight is the logarithm of the weight, relative to the best action's, from which
// on actions have no probability: it would be below the resolution of a record.
const leastWeight = -11

// Choose implements selfplay.Teacher.
func (t *ratingTeacher) Choose(ctx context.Context, s engine.State, h *engine.History, legal []engine.Action) (selfplay.Lesson, error) {
	perNat := 1 / (4 * t.temperature) // the slope of the expected score is 1/4 where the lead is 0
	choice, leads, err := t.rater.Rate(ctx, s, h, -leastWeight/perNat)
	if err == nil && len(leads) != len(legal) {
		err = errors.New("its values are not of the legal actions")
	}
	if err != nil {
		return selfplay.Lesson{}, err
	}
	best, policy := slices.Max(leads), make([]float32, len(leads))
	for i, lead := range leads {
		if w := (lead - best) * perNat; w > leastWeight {
			policy[i] = float32(math.Exp(w))
		}
	}
	return selfplay.Lesson{Action: choice, Policy: policy, Value: float32(math.Tanh(best / 2)), Valued: true}, nil
}

// EndGame implements selfplay.Teacher.
func (t *teacher) EndGame() {
	if r, ok := t.Player.(match.Rester); ok {
		r.Rest()
	}
}
