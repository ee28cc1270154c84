package analysis

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// Position is what is asked about. Its state and history must not change while it is.
type Position struct {
	Game    engine.Game
	State   engine.State
	History *engine.History
}

// SetUp sets up the position of q in g; words splits what stands in q.Moves.
func (q *Query) SetUp(g engine.Game, words func(g engine.Game, moves string) []string) (*Position, error) {
	p := &Position{g, g.NewState(), g.NewHistory()}
	if err := engine.SetUp(p.State, p.History, q.Pos); err != nil {
		return nil, err
	}
	if err := engine.PlayWords(p.State, p.History, words(g, q.Moves)); err != nil {
		return nil, err
	}
	return p, nil
}

// Over says that there is nothing to decide in p any more, if so.
func (p *Position) Over() error {
	if o := p.State.Outcome(); o.Over {
		return fmt.Errorf("the game is over: %s", o.Reason)
	}
	return nil
}

// Asked returns the player that q asks, spec with the limits of q instead of its own,
// and the bounds of its search of p.
func (q *Request) Asked(spec *player.Spec, p *Position) (*player.Spec, match.Bounds, error) {
	spec, b, err := q.apply(spec)
	if err == nil {
		err = p.Over()
	}
	if err != nil {
		return nil, b, err
	}
	if spec.ByClock {
		return nil, b, fmt.Errorf("player %s: there is no clock: want time=1s or the like", spec.Text)
	}
	if p.State.Actor() == engine.Chance {
		if len(q.Consider)+len(q.Avoid) > 0 {
			return nil, b, errors.New("consider, avoid: chance decides here")
		}
		return spec, b, nil
	}
	b.Analyze, b.Draws = true, true
	if q.Lines > 1 {
		b.Lines = q.Lines
	}
	b.Only, err = q.only(p.State, p.History)
	return spec, b, err
}

// Ask has one answer the question of p within b, as the first position of a game with
// seed. report, if not nil, is told what is known every now and then, as b.Every says.
// If b.Partial is set, the end of the context is no error where a search has begun.
func (q *Request) Ask(ctx context.Context, one match.Player, seed uint64, p *Position, b match.Bounds, report func(*Answer)) (*Answer, error) {
	if err := p.Over(); err != nil {
		return nil, err
	}
	if err := one.NewGame(ctx, seed); err != nil {
		return nil, err
	}
	if p.State.Actor() == engine.Chance {
		mean, list, err := player.Outcomes(ctx, one, p.Game, p.State, p.History, match.Bounds{Analyze: true, Simulations: b.Simulations, Depth: b.Depth})
		if err != nil {
			return nil, err
		}
		return rolled(p.State, mean, list), nil
	}
	if _, ok := one.(player.Limited); !ok && (len(b.Only) > 0 || b.Simulations > 0 || b.Depth > 0) {
		return nil, errors.New("this player searches by one limit and considers all moves")
	}
	if report != nil {
		b.Every = max(leastReport, b.Every)
		b.Report = func(x *match.Analysis) { report(answer(p.Game, p.State, p.History, x, q.Lines)) }
	}
	x, err := one.Think(ctx, p.State, p.History, b)
	if err != nil {
		return nil, err
	}
	return answer(p.Game, p.State, p.History, x, q.Lines), nil
}

// every is how often the answer so far is told; 0: not at all.
func (q *Request) every() time.Duration {
	d, _ := time.ParseDuration(q.ReportEvery)
	return d
}
