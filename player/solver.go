package player

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/connect4/solve"
	"github.com/ludozero/ludozero/match"
)

// The words of a solver's option play.
const (
	playBest = "best" // the quickest win, the slowest loss
	playAny  = "any"  // whatever keeps the game value
)

// solver plays Connect Four without error, the seed deciding between equals. What
// it has found out it keeps from game to game; that changes no move.
type solver struct {
	rng    source
	solver *solve.Solver
	judge  func(context.Context, *connect4.State) ([solve.Columns]solve.Score, error)
	best   []engine.Action
}

// newSolver returns a player with a table of that many bytes.
func newSolver(g engine.Game, bytes int, play string) (match.Player, error) {
	if _, ok := g.NewState().(*connect4.State); !ok {
		return nil, fmt.Errorf("it knows %s, not %s", connect4.Family.Name, g.Info().Name)
	}
	p := &solver{solver: solve.New(bytes), best: make([]engine.Action, 0, solve.Columns)}
	p.judge = p.solver.Scores
	if play == playAny {
		p.judge = p.solver.Outcomes
	}
	return p, nil
}

func (p *solver) NewGame(_ context.Context, seed uint64) error {
	p.rng.reseed(seed)
	return nil
}

// Think implements match.Player. Values are the game's, without the time a
// win takes. The line of an analysis shows that: it continues to the end with the
// leftmost of the best columns.
func (p *solver) Think(ctx context.Context, s engine.State, h *engine.History, b match.Bounds) (*match.Analysis, error) {
	columns, err := p.scores(ctx, s, h)
	if err != nil {
		return nil, err
	}
	best := solve.Best(columns)
	a := &match.Analysis{Choice: p.best[p.rng.below(len(p.best))], Value: float64(best.Outcome()), Judged: true, Solved: true}
	if !b.Analyze {
		return a, nil
	}
	for c, x := range columns {
		if x == solve.Full {
			continue
		}
		m := match.Move{Action: engine.Action(c), Value: float64(x.Outcome()), Judged: true}
		if x == best {
			m.Prob = 1 / float64(len(p.best))
		}
		a.Moves = append(a.Moves, m)
	}
	at := *s.(*connect4.State)
	for action := a.Choice; ; action = p.best[0] {
		a.Line = append(a.Line, action)
		if at.Apply(action, h); at.Actor() == engine.Nobody {
			return a, nil
		}
		if _, err := p.scores(ctx, &at, h); err != nil {
			return nil, err
		}
	}
}

// scores returns the scores of the columns of s and leaves the best columns in p.best.
func (p *solver) scores(ctx context.Context, s engine.State, h *engine.History) ([solve.Columns]solve.Score, error) {
	var columns [solve.Columns]solve.Score
	list, err := legal(p.best[:0], s, h)
	if err != nil {
		return columns, err
	}
	columns, err = p.judge(ctx, s.(*connect4.State))
	best := solve.Best(columns)
	p.best = slices.DeleteFunc(list, func(a engine.Action) bool { return columns[a] != best })
	return columns, err
}

func solverKind() Kind {
	const most = 16 << 10 // MiB
	return Kind{
		Doc: "plays Connect Four without error; from 12 stones on well within a second a move, on an empty board for many minutes",
		Options: []Option{
			{Name: "play", Doc: "best: the quickest win, the slowest loss; any: whatever keeps the game value, which is found sooner",
				Default: playBest, Values: []string{playBest, playAny}},
			{Name: "table", Doc: "MiB of memory for positions; changes the time it takes, no move", Default: strconv.Itoa(solve.DefaultTable >> 20),
				Min: 1, Max: most, Quiet: true},
		},
		Make: func(v Values) (Factory, error) {
			return func(g engine.Game) (match.Player, error) {
				return newSolver(g, v.Int("table")<<20, v.Text("play"))
			}, nil
		},
	}
}
