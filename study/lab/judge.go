package lab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/study/luck"
)

// stakeShare is the share of the turns at which is asked what playing at random loses.
const stakeShare = 1. / 8

// judge says how games of one ruleset stood. Not safe for concurrent use.
type judge struct {
	player        match.Player
	luck          *luck.Judge // nil without dice
	state, beside engine.State
	history       *engine.History
	legal         []engine.Action
	outcomes      []engine.Weighted
}

// newJudge returns a judge that asks p, which nobody else asks, and of dice another player,
// nil if the game has none.
func newJudge(g engine.Game, p, dice match.Player) *judge {
	j := &judge{player: p, state: g.NewState(), beside: g.NewState(), history: g.NewHistory()}
	if dice != nil {
		j.luck = luck.NewJudge(g, dice)
	}
	return j
}

// curve judges the game m. The answer is a function of the judge's player, of run and of m;
// with an error it is what was judged before.
func (j *judge) curve(ctx context.Context, run uint64, m *match.Game) (*Curve, error) {
	number := uint64(m.Number)
	c := &Curve{Values: []float64{}, Stakes: []float64{}}
	if err := j.player.NewGame(ctx, seed.Number(run, "lab judge", number)); err != nil {
		return c, err
	}
	rng := rand.New(seed.Stream(run, "lab stakes", number))
	s, h := j.state, j.history
	if err := engine.SetUp(s, h, m.Start); err != nil {
		return c, err
	}
	turn := -1
	words := strings.Fields(m.Moves)
	for i, word := range words {
		a, err := s.ParseAction(word, h)
		if err != nil {
			return c, fmt.Errorf("move %d, %q: %w", i+1, word, err)
		}
		if p := s.Actor(); p != engine.Chance && s.Turn() != turn {
			turn = s.Turn()
			v, err := j.value(ctx, s)
			if err != nil {
				return c, fmt.Errorf("move %d: %w", i+1, err)
			}
			c.Values = append(c.Values, rounded(v))
			if rng.Float64() < stakeShare {
				after, err := j.randomTurn(ctx, rng)
				if err != nil {
					return c, fmt.Errorf("move %d: %w", i+1, err)
				}
				lost := v - after
				if p == engine.Second {
					lost = -lost
				}
				c.Stakes = append(c.Stakes, rounded(lost/2))
			}
		}
		s.Apply(a, h)
	}
	result := 2*m.Points - 1
	if !m.AFirst {
		result = -result
	}
	c.Values = append(c.Values, result)
	if j.luck == nil {
		return c, nil
	}
	g, err := j.luck.Game(ctx, seed.Number(run, "lab luck", number), luck.Moves{Start: m.Start, Words: words, RollsOnly: true})
	if err != nil {
		return c, err
	}
	net := rounded(g.Net())
	c.Luck = &net
	return c, nil
}

// value is the expected result of s in the first player's view, by the player if one of the
// two is to decide.
func (j *judge) value(ctx context.Context, s engine.State) (float64, error) {
	if s.Actor() == engine.Nobody {
		return float64(s.Outcome().Value(engine.First)), nil
	}
	a, err := j.player.Think(ctx, s, j.history, match.Bounds{Analyze: true})
	if err != nil {
		return 0, err
	}
	if !a.Judged {
		return 0, errors.New("it says no value of the position: want another --judge")
	}
	v := player.Expected(a)
	if s.Actor() == engine.Second {
		v = -v
	}
	return v, nil
}

// randomTurn plays the turn that begins in j.state at random and returns the value behind
// it, where the next player's decision is.
func (j *judge) randomTurn(ctx context.Context, rng *rand.Rand) (float64, error) {
	mark := j.history.Len()
	defer j.history.Truncate(mark)
	s := j.beside
	s.CopyFrom(j.state)
	for turn := s.Turn(); s.Actor() != engine.Nobody && (s.Turn() == turn || s.Actor() == engine.Chance); {
		if s.Actor() == engine.Chance {
			j.outcomes = s.Chance(j.outcomes[:0])
			s.Apply(engine.Draw(j.outcomes, rng.Float64()), j.history)
			continue
		}
		j.legal = s.Legal(j.legal[:0], j.history)
		s.Apply(j.legal[rng.IntN(len(j.legal))], j.history)
	}
	return j.value(ctx, s)
}

// rounded is x as the folder keeps it: what is read back makes the same figures.
func rounded(x float64) float64 { return math.Round(x*1e4) / 1e4 }
