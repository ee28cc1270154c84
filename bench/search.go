package bench

import (
	"context"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/mcts"
)

// searchedStates are the positions that searches take turns in.
const searchedStates = 256

func (b *bench) search(ctx context.Context, s *Section) error {
	states, err := b.states(ctx, searchedStates)
	if err != nil {
		return err
	}
	net, err := b.forward(ctx, b.format, b.weights, b.cfg.SelfPlay.GamesInFlight, 1, 1)
	if err != nil {
		return err
	}
	probes := []*probe{net}
	uniform := func(int) mcts.Evaluator { return mcts.Uniform{} }
	free := func(int) mcts.Evaluator {
		batch := mcts.NewBatch(b.game.Info())
		if b.cfg.SelfPlay.FoldSymmetries {
			batch.Fold(b.game)
		}
		return mcts.ByBatch(batch, freeNetwork{})
	}
	for _, e := range []struct {
		name      string
		evaluator func(int) mcts.Evaluator
	}{{"free evaluator", uniform}, {"free network", free}} {
		for _, threads := range b.o.threads() {
			probes = append(probes, newProbe(Figure{Name: e.name, Unit: "simulations/s"}, 1,
				each(threads, func(i int) func() (float64, error) { return b.searches(states, i, e.evaluator(i)) })...))
		}
	}
	err = b.measure(ctx, probes...)
	for i, p := range probes[1:] {
		share := scaling(probes[1:], i)
		if p.threads == 1 {
			share = timeShare("the time of a simulation with this network, without a cache", p.of(0), net.of(0))
		}
		s.add(p, 0, share)
	}
	s.Notes = append(s.Notes,
		"whole searches of recorded positions as self-play is configured; a free network also costs encoding, batches and the softmax, a free evaluator does not")
	return err
}

// timeShare is the share that one unit of the first takes of the time for one of
// each, from their rates.
func timeShare(of string, first, second []float64) *Share {
	n := min(len(first), len(second))
	mine, both := make([]float64, n), make([]float64, n)
	for i := range n {
		mine[i], both[i] = 1/first[i], 1/first[i]+1/second[i]
	}
	return shareOf(of, mine, both, 1)
}

// searches searches one position after the other.
func (b *bench) searches(states []engine.State, thread int, evaluator mcts.Evaluator) func() (float64, error) {
	cfg := b.cfg.SelfPlay.Search
	tree, err := mcts.New(b.game, cfg)
	if err != nil {
		return func() (float64, error) { return 0, err }
	}
	runner, past := mcts.NewRunner(b.game, evaluator, 1), b.game.NewHistory()
	rng := rand.New(seed.Stream(b.cfg.Seed, "bench-search", uint64(thread)))
	own := b.game.NewState()
	i := thread
	return func() (float64, error) {
		own.CopyFrom(states[i%len(states)])
		own.Begin(past)
		i++
		tree.Reset(mcts.Root{State: own, History: past, Rand: rng})
		err := runner.Run(tree)
		return float64(tree.Stats().Simulations), err
	}
}
