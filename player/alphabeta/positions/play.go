package positions

import (
	"context"
	"math/rand/v2"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/player/alphabeta"
)

// Play says how games are played for learning.
type Play struct {
	Game engine.Game
	// Depth is how many player turns engines look ahead. Games begin with up to RandomTurns
	// random turns, and with no less than a quarter of them.
	Depth, RandomTurns int
	// Blunder says that one later decision in Blunder is random, so that unequal positions
	// come up; 0: none.
	Blunder int
	Seed    uint64
}

// Decision is asked who decides, with the state, before each decision that is not random;
// begins tells whether a turn begins with it. heard, which may be nil, is told what the engine found.
type Decision func(s engine.State, begins bool) (e *alphabeta.Engine, heard func(alphabeta.Result))

// Run plays one game, which begins with a number of random turns, and returns who won. The
// engines that choose returns must know nothing of games before.
func (p *Play) Run(ctx context.Context, rng *rand.Rand, turns int, choose Decision) (engine.Player, error) {
	s, h := p.Game.NewState(), p.Game.NewHistory()
	s.Start(h)
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
		if s.Turn() < turns || p.Blunder > 0 && rng.IntN(p.Blunder) == 0 {
			s.Apply(list[0], h)
			continue
		}
		e, heard := choose(s, begins)
		r := e.Search(s, h, list, p.Depth, nil)
		if heard != nil {
			heard(r)
		}
		s.Apply(r.Action, h)
	}
}

// Opening draws how many random turns a game begins with.
func (p *Play) Opening(rng *rand.Rand) int {
	least := p.RandomTurns / 4
	return least + rng.IntN(p.RandomTurns-least+1)
}

// Stream is the random numbers of game number of those played for a purpose.
func (p *Play) Stream(purpose string, number int) *rand.Rand {
	return rand.New(seed.Stream(p.Seed, purpose, uint64(number)))
}

// Share calls do for the numbers below n on all cores, each with engines of its own from
// open, and tells step, in no order, how many are done.
func Share(ctx context.Context, n int, open func() []*alphabeta.Engine, step func(done int), do func(ctx context.Context, number int, e []*alphabeta.Engine) error) error {
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
			engines := open()
			for i := range numbers {
				for _, e := range engines {
					e.NewGame()
				}
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
				step(done)
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return nil
	})
	return group.Wait()
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
