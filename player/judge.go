package player

import (
	"context"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/opening"
)

// Judge has players of this description judge whether openings of g are balanced.
// It refuses those that say nothing of a position's value, and those limited by
// time: openings would differ from run to run.
func (s *Spec) Judge(g engine.Game) (opening.Judge, error) {
	p, err := s.New(g)
	if err != nil {
		return opening.Judge{}, err
	}
	if byTime(p) {
		return opening.Judge{}, fmt.Errorf("player %s: limited by time, so that the openings would be others each time: limit it by simulations or depth", s.Text)
	}
	if _, ok := p.(Analyst); !ok {
		return opening.Judge{}, fmt.Errorf("player %s: says nothing of the value of a position", s.Text)
	}
	return opening.Judge{Name: s.Text, New: func() (opening.Valuer, error) {
		p, err := s.New(g)
		if err != nil {
			return nil, err
		}
		return valuer{p.(Analyst)}, nil
	}}, nil
}

// byTime tells whether p is limited by time.
func byTime(p match.Player) bool {
	t, ok := p.(match.Timed)
	if !ok {
		return false
	}
	e := t.Effort()
	return e.Timed()
}

type valuer struct{ analyst Analyst }

// Value implements opening.Valuer.
func (v valuer) Value(ctx context.Context, s engine.State, h *engine.History, seed uint64) (float64, error) {
	v.analyst.NewGame(seed)
	a, err := v.analyst.Analyze(ctx, s, h)
	if err != nil {
		return 0, err
	}
	if !a.Judged {
		return 0, errors.New("it does not say what the position is worth")
	}
	return a.Value, nil
}
