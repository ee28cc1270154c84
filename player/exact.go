package player

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
)

// maxSolved bounds the memory of an Exact player: some 100 bytes a position.
const maxSolved = 1_000_000

// ErrTooLarge is returned for a game that Exact cannot solve.
var ErrTooLarge = errors.New("the game is too large to solve")

// Exact knows the value of every position that can still arise, by searching to
// the ends and remembering positions by their packed bytes. Repetition rules
// play no part: a game in which a position can come back is refused. It plays
// as an [Oracle] of these values; it does not hurry a win.
type Exact struct {
	*Oracle
	solved map[string]float64 // value in First's view
	open   map[string]bool    // positions on the path being searched
	levels []exactLevel
	key    []byte
	game   engine.Game
	room   int // positions
}

type exactLevel struct {
	state   engine.State
	actions []engine.Action
	chance  []engine.Weighted
}

// NewExact returns a player that has solved nothing yet. What it solves it
// keeps from game to game, as long as there is room.
func NewExact(g engine.Game) *Exact {
	e := &Exact{game: g, solved: map[string]float64{}, open: map[string]bool{}, room: maxSolved}
	e.Oracle = NewOracle(g, e.values)
	return e
}

// CheckStart plays samples random games at once, until the pairs among those that go on are
// no more than enough times maxSolved. Were there only maxSolved positions after some number
// of decisions, one pair of games in maxSolved would have met in the same, and more where
// some positions are likelier than others. It has to be less than an eighth of that: the
// chance of an error is then below one in 100,000.
const samples, enough = 1 << 14, 16

// CheckStart refuses a position from which far more positions can arise than an Exact
// player keeps, judged by how seldom random games meet. It takes some hundredths of a second.
func (e *Exact) CheckStart(ctx context.Context, s engine.State) error {
	games, rng := make([]engine.State, samples), rand.New(rand.NewPCG(1, 1))
	for i := range games {
		games[i] = e.game.NewState()
		games[i].CopyFrom(s)
	}
	var list []engine.Action
	var scratch []engine.Weighted
	seen := map[uint64]int{}
	for range 1000 { // a game whose positions come back may not end
		clear(seen)
		met, left := 0, games[:0]
		for _, one := range games {
			list = engine.AppendPossible(list[:0], &scratch, one, nil)
			if len(list) == 0 {
				continue
			}
			one.Apply(list[rng.IntN(len(list))], nil)
			met += seen[one.Hash()]
			seen[one.Hash()]++
			left = append(left, one)
		}
		games = left
		pairs := len(left) * (len(left) - 1) / 2
		switch {
		case pairs < enough*maxSolved:
			return nil
		case 8*met*maxSolved < pairs:
			info := e.game.Info()
			return fmt.Errorf("%w: from %q of %s, %s, more than %d positions can arise, and exact keeps no more", ErrTooLarge, s.AppendPosition(nil), info.Name, e.game.Rules(), maxSolved)
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
	}
	return nil
}

// values implements [Verdicts]. Where there is no room beside what is known of other
// positions, that is forgotten.
func (e *Exact) values(ctx context.Context, s engine.State, list []engine.Action) ([]match.Move, error) {
	known := len(e.solved)
	moves, err := e.valuesOf(ctx, s, list)
	if known > 0 && errors.Is(err, ErrTooLarge) {
		clear(e.solved)
		moves, err = e.valuesOf(ctx, s, list)
	}
	return moves, err
}

func (e *Exact) valuesOf(ctx context.Context, s engine.State, list []engine.Action) ([]match.Move, error) {
	actor := s.Actor()
	child := e.game.NewState()
	moves := make([]match.Move, len(list))
	for i, a := range list {
		child.CopyFrom(s)
		child.Apply(a, nil)
		v, err := e.Value(ctx, child)
		if err != nil {
			return nil, err
		}
		if actor == engine.Second {
			v = -v
		}
		moves[i] = match.Move{Action: a, Value: v, Judged: true}
	}
	shareBest(moves)
	return moves, nil
}

// Value is the value of s in First's view under best play: -1, 0 or 1 without
// chance, an expectation with it.
func (e *Exact) Value(ctx context.Context, s engine.State) (float64, error) {
	clear(e.open)
	return e.solve(ctx, s, 0)
}

// solve works at depth, the index of the level that it may overwrite.
func (e *Exact) solve(ctx context.Context, s engine.State, depth int) (float64, error) {
	actor := s.Actor()
	if actor == engine.Nobody {
		return float64(s.Outcome().Value(engine.First)), nil
	}
	e.key = s.Pack(e.key[:0])
	if v, ok := e.solved[string(e.key)]; ok {
		return v, nil
	}
	key := string(e.key)
	switch {
	case len(e.solved)+len(e.open) >= e.room:
		return 0, fmt.Errorf("%w: more than %d positions", ErrTooLarge, e.room)
	case e.open[key]:
		return 0, fmt.Errorf("%w: %q can come back", ErrTooLarge, s.AppendPosition(nil))
	case ctx.Err() != nil:
		return 0, context.Cause(ctx)
	}
	if depth == len(e.levels) {
		e.levels = append(e.levels, exactLevel{state: e.game.NewState()})
	}
	e.open[key] = true
	v, err := e.combine(ctx, s, actor, depth)
	if err != nil {
		return 0, err
	}
	delete(e.open, key)
	e.solved[key] = v
	return v, nil
}

// combine takes the best or the mean over what follows s.
func (e *Exact) combine(ctx context.Context, s engine.State, actor engine.Player, depth int) (float64, error) {
	// Deeper calls may move e.levels: the level is kept by value and its slices
	// are written back for their memory.
	l := e.levels[depth]
	next := func(a engine.Action) (float64, error) {
		l.state.CopyFrom(s)
		l.state.Apply(a, nil)
		return e.solve(ctx, l.state, depth+1)
	}
	if actor == engine.Chance {
		l.chance = s.Chance(l.chance[:0])
		e.levels[depth] = l
		mean := 0.0
		for _, w := range l.chance {
			v, err := next(w.Code)
			if err != nil {
				return 0, err
			}
			mean += w.Prob * v
		}
		return mean, nil
	}
	l.actions = s.Legal(l.actions[:0], nil)
	e.levels[depth] = l
	sign := 1.0
	if actor == engine.Second {
		sign = -1
	}
	best := -2.0
	for _, a := range l.actions {
		v, err := next(a)
		if err != nil {
			return 0, err
		}
		best = max(best, sign*v)
	}
	return sign * best, nil
}
