// Package luck tells apart what dice and what decisions did in games with chance.
//
// A player judges positions, as the result that it expects. The worth of a roll is what
// the position is worth after it, less the mean over all outcomes before; a decision loses
// what the better of the judge's choice and the move played is worth beyond the latter. The
// worths of the rolls of a game sum to its luck, whose mean is 0 whoever judges, as long as
// a judgement does not depend on the outcome that came: a bad judge makes luck look small,
// and never favours a player. So result less luck has the mean of the result, and often
// much less variance. Backgammon programs call that luck-adjusted results; in general it is
// an advantage sum (Zinkevich, Bowling, Bard, Kan and Billings 2006, "Optimal unbiased
// estimators for evaluating agent performance").
//
// Package luck reads no files and starts no games. Values are in [-1, 1], +1 a win.
package luck

import (
	"context"
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// DefaultJudge describes who judges where nobody is named: a player of every game.
const DefaultJudge = "alphabeta:depth=1"

// Judge judges positions of one ruleset. Not safe for concurrent use.
type Judge struct {
	game   engine.Game
	player match.Player
}

// NewJudge returns a judge who asks p, which nobody else asks then.
func NewJudge(g engine.Game, p match.Player) *Judge {
	return &Judge{game: g, player: p}
}

// value is the expected result of s in First's view; h is the history of s.
func (j *Judge) value(ctx context.Context, s engine.State, h *engine.History) (float64, error) {
	return player.ExpectedOf(ctx, j.player, j.game, s, h, match.Bounds{Analyze: true})
}

// firstView turns a value in the view of p into First's, or back.
func firstView(p engine.Player, v float64) float64 {
	if p == engine.Second {
		return -v
	}
	return v
}

// after is the value of s after the action a.
func (j *Judge) after(ctx context.Context, s engine.State, h *engine.History, a engine.Action) (float64, error) {
	next, mark := j.game.NewState(), h.Len()
	next.CopyFrom(s)
	next.Apply(a, h)
	v, err := j.value(ctx, next, h)
	h.Truncate(mark)
	return v, err
}

// decision is what a player's decision a in s lost, in the view of who decides, and what
// would have been better, if anything.
func (j *Judge) decision(ctx context.Context, s engine.State, h *engine.History, a engine.Action) (lost float64, better engine.Action, err error) {
	x, err := j.player.Think(ctx, s, h, match.Bounds{Analyze: true})
	if err != nil || x.Choice == a {
		return 0, a, err
	}
	best, err := j.after(ctx, s, h, x.Choice)
	if err != nil {
		return 0, a, err
	}
	played, err := j.after(ctx, s, h, a)
	if err != nil {
		return 0, a, err
	}
	const rounding = 1e-9
	if lost = firstView(s.Actor(), best-played); lost < rounding {
		return 0, a, nil
	}
	return lost, x.Choice, nil
}

// Moves is a game to judge.
type Moves struct {
	// Start is the position line that it began from, empty for the start.
	Start string
	// Words are all decisions from there, chance included; Skip of them are the opening,
	// which nobody chose and which is not judged.
	Words []string
	Skip  int
	// RollsOnly leaves decisions unjudged, for who asks for luck alone.
	RollsOnly bool
}

// Game judges every roll and every decision of m. The answer is a function of the judge's
// player, of seed and of m.
func (j *Judge) Game(ctx context.Context, seed uint64, m Moves) (*Game, error) {
	s, h := j.game.NewState(), j.game.NewHistory()
	if err := engine.SetUp(s, h, m.Start); err != nil {
		return nil, err
	}
	if err := j.player.NewGame(ctx, seed); err != nil {
		return nil, err
	}
	game := &Game{Rolls: []Roll{}, Losses: []Loss{}}
	for i, word := range m.Words {
		a, err := s.ParseAction(word, h)
		if err != nil {
			return nil, fmt.Errorf("move %d, %q: %w", i+1, word, err)
		}
		if i >= m.Skip && (s.Actor() == engine.Chance || !m.RollsOnly) {
			if err := j.step(ctx, game, s, h, a, i+1); err != nil {
				return nil, fmt.Errorf("move %d, %q: %w", i+1, word, err)
			}
		}
		s.Apply(a, h)
	}
	if o := s.Outcome(); o.Over {
		v := float64(o.Value(engine.First))
		game.Result = &v
	}
	return game, nil
}

// step judges a in s, the decision of that number.
func (j *Judge) step(ctx context.Context, game *Game, s engine.State, h *engine.History, a engine.Action, number int) error {
	p, turn, word := s.Actor(), s.Turn()+1, string(s.AppendAction(nil, a))
	if p == engine.Chance {
		mean, list, err := player.Outcomes(ctx, j.player, j.game, s, h, match.Bounds{Analyze: true})
		if err != nil || len(list) < 2 {
			return err
		}
		owner, value := player.OwnerOfRoll(s), list[slices.IndexFunc(list, func(o player.Outcome) bool { return o.Code == a })].Value
		worth := firstView(owner, value-mean)
		game.Rolls = append(game.Rolls, Roll{number, turn, owner.String(), word, mean, value, worth})
		game.Luck[owner] += worth
		return nil
	}
	if len(s.Legal(nil, h)) < 2 {
		return nil
	}
	lost, better, err := j.decision(ctx, s, h, a)
	if err != nil {
		return err
	}
	game.Decisions++
	if lost > 0 {
		game.Losses = append(game.Losses, Loss{number, turn, p.String(), word, lost, string(s.AppendAction(nil, better))})
		game.Lost[p] += lost
	}
	return nil
}
