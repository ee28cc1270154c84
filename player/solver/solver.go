// Package solver is the kind of players that know every position of Connect Four. What
// a solver has found out it keeps from game to game; that changes no move.
package solver

import (
	"context"
	"fmt"
	"strconv"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/connect4/solve"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// KindName is what the kind is called in descriptions of players.
const KindName = "solver"

// The words of the option play.
const (
	playBest = "best" // the quickest win, the slowest loss
	playAny  = "any"  // whatever keeps the game value
)

// Kind plays without error, the seed deciding between equals.
func Kind() player.Kind {
	const most = 16 << 10 // MiB
	return player.Kind{
		Doc: "plays Connect Four without error; from 12 stones on well within a second a move, on an empty board for many minutes",
		Options: []player.Option{
			{Name: "play", Doc: "best: the quickest win, the slowest loss; any: whatever keeps the game value, which is found sooner",
				Default: playBest, Values: []string{playBest, playAny}},
			{Name: "table", Doc: "MiB of memory for positions; changes the time it takes, no move", Default: strconv.Itoa(solve.DefaultTable >> 20),
				Min: 1, Max: most, Quiet: true},
		},
		Make: func(v player.Values) (player.Factory, error) {
			return func(g engine.Game) (match.Player, error) {
				if _, ok := g.NewState().(*connect4.State); !ok {
					return nil, fmt.Errorf("it knows %s, not %s", connect4.Family.Name, g.Info().Name)
				}
				judge := solve.New(v.Int("table") << 20)
				scores := judge.Scores
				if v.Text("play") == playAny {
					scores = judge.Outcomes
				}
				return player.NewOracle(g, verdicts(scores)), nil
			}, nil
		},
	}
}

// verdicts rates moves by the scores of their columns. A move's value is the game's
// result, however long a win takes; the moves with the highest score are the best.
func verdicts(scores func(context.Context, *connect4.State) ([solve.Columns]solve.Score, error)) player.Verdicts {
	return func(ctx context.Context, s engine.State, list []engine.Action) ([]match.Move, error) {
		columns, err := scores(ctx, s.(*connect4.State))
		if err != nil {
			return nil, err
		}
		best, equals := solve.Best(columns), 0
		for _, a := range list {
			if columns[a] == best {
				equals++
			}
		}
		moves := make([]match.Move, len(list))
		for i, a := range list {
			moves[i] = match.Move{Action: a, Value: float64(columns[a].Outcome()), Judged: true}
			if columns[a] == best {
				moves[i].Prob = 1 / float64(equals)
			}
		}
		return moves, nil
	}
}
