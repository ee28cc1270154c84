package fit

import (
	"context"
	"math/rand/v2"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/player/alphabeta"
)

// Tally counts results of games.
type Tally struct {
	// First and Second count wins: of the players in games that are learned from, of the
	// new weights and the old ones in a comparison.
	First  int `json:"first"`
	Second int `json:"second"`
	Drawn  int `json:"drawn"`
}

// Games is how many games were counted.
func (t Tally) Games() int { return t.First + t.Second + t.Drawn }

func (t *Tally) add(winner engine.Player) {
	switch winner {
	case engine.First:
		t.First++
	case engine.Second:
		t.Second++
	default:
		t.Drawn++
	}
}

// arena plays games of one ruleset.
type arena struct {
	game        engine.Game
	terms       alphabeta.Terms
	depth       int
	randomTurns int
	blunder     int
	seed        uint64
	step        func(done int, text string)
}

// engine returns an engine by weights; without any, one that counts material.
func (a *arena) engine(weights []int32) *alphabeta.Engine {
	if weights == nil {
		return alphabeta.NewPlain(a.game)
	}
	return alphabeta.NewWith(a.game, a.terms.Judge(weights))
}

// share calls do for the numbers below n on all cores, each with engines of its own, and
// counts what is done.
func (a *arena) share(ctx context.Context, n int, weights [][]int32, do func(ctx context.Context, number int, e []*alphabeta.Engine) error) error {
	numbers, finished := make(chan int), make(chan struct{})
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(numbers)
		for i := range n {
			select {
			case numbers <- i:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return nil
	})
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			var engines []*alphabeta.Engine
			for _, w := range weights {
				engines = append(engines, a.engine(w))
			}
			for i := range numbers {
				if err := do(ctx, i, engines); err != nil {
					return err
				}
				select {
				case finished <- struct{}{}:
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		for done := 1; done <= n; done++ {
			select {
			case <-finished:
				a.step(done, "")
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return nil
	})
	return group.Wait()
}

// play plays the games with weights and returns their samples in order.
func (a *arena) play(ctx context.Context, games int, weights []int32) (all []Sample, tally Tally, err error) {
	lists, winners := make([][]Sample, games), make([]engine.Player, games)
	err = a.share(ctx, games, [][]int32{weights}, func(ctx context.Context, n int, e []*alphabeta.Engine) error {
		rng := rand.New(seed.Stream(a.seed, "fit-terms games", uint64(n)))
		m := newSampler(a.game, a.terms)
		var deciders []engine.Player
		opening := a.randomTurns/4 + rng.IntN(a.randomTurns-a.randomTurns/4+1)
		winner, err := a.one(ctx, rng, opening, a.blunder, func(s engine.State, begins bool) *alphabeta.Engine {
			if begins && rng.IntN(sparse) == 0 {
				if x, ok := m.sample(s, rng); ok && e[0].Calm(s) {
					x.Game = n
					lists[n], deciders = append(lists[n], x), append(deciders, s.Actor())
				}
			}
			return e[0]
		}, e)
		winners[n] = winner
		for i, p := range deciders {
			lists[n][i].Result = result(engine.Outcome{Over: true, Winner: winner}.Value(p))
		}
		return err
	})
	if err != nil {
		return nil, tally, err
	}
	for n, list := range lists {
		all = append(all, list...)
		tally.add(winners[n])
	}
	return all, tally, nil
}

// compare plays weights against others in pairs of games from the same random opening
// with seats swapped. First counts wins of weights.
func (a *arena) compare(ctx context.Context, pairs int, weights, others []int32) (tally Tally, err error) {
	winners := make([]engine.Player, 2*pairs)
	err = a.share(ctx, len(winners), [][]int32{weights, others}, func(ctx context.Context, n int, e []*alphabeta.Engine) error {
		rng := rand.New(seed.Stream(a.seed, "fit-terms compare", uint64(n/2)))
		winner, err := a.one(ctx, rng, a.randomTurns/4, 0, func(s engine.State, _ bool) *alphabeta.Engine { return e[(int(s.Actor())+n)%2] }, e)
		if winner != engine.Nobody && n%2 == 1 {
			winner = winner.Other()
		}
		winners[n] = winner
		return err
	})
	if err != nil {
		return tally, err
	}
	for _, w := range winners {
		tally.add(w)
	}
	return tally, nil
}

// one plays a game: the first turns at random, and later one decision in every blunder,
// if that is not 0. choose says which engine decides; it is told whether a turn begins.
func (a *arena) one(ctx context.Context, rng *rand.Rand, turns, blunder int, choose func(s engine.State, begins bool) *alphabeta.Engine, engines []*alphabeta.Engine) (engine.Player, error) {
	s, h := a.game.NewState(), a.game.NewHistory()
	s.Start(h)
	for _, e := range engines {
		e.NewGame()
	}
	var list []engine.Action
	var outcomes []engine.Weighted
	last := -1
	for {
		switch s.Actor() {
		case engine.Nobody:
			return s.Outcome().Winner, nil
		case engine.Chance:
			outcomes = s.Chance(outcomes[:0])
			s.Apply(draw(outcomes, rng), h)
			continue
		}
		if err := ctx.Err(); err != nil {
			return engine.Nobody, context.Cause(ctx)
		}
		begins := alphabeta.BeginsTurn(s, last)
		last = s.Turn()
		list = s.Legal(list[:0], h)
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if s.Turn() < turns || blunder > 0 && rng.IntN(blunder) == 0 {
			s.Apply(list[0], h)
			continue
		}
		s.Apply(choose(s, begins).Search(s, h, list, a.depth, nil).Action, h)
	}
}

// draw draws an outcome by its probability.
func draw(outcomes []engine.Weighted, rng *rand.Rand) engine.Action {
	x := rng.Float64()
	for _, o := range outcomes {
		if x -= o.Prob; x < 0 {
			return o.Code
		}
	}
	return outcomes[len(outcomes)-1].Code
}
