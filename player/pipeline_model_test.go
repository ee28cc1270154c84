package player

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/mcts"
)

func costs(serial, call, leaf float64) *PipelineCost {
	c := &PipelineCost{Serial: serial}
	for n := range c.Batch {
		c.Batch[n] = call + leaf*float64(n+1)
	}
	return c
}

// TestPipelineModelByHand: one thread does one thing after the other; many threads are as
// fast as the owner of the tree, or as all of them together.
func TestPipelineModelByHand(t *testing.T) {
	for _, c := range []struct {
		cost            *PipelineCost
		threads, leaves int
		want, within    float64 // simulations a second, relative error
	}{
		{costs(1e-6, 0, 9e-6), 1, 1, 1e5, 1e-6},
		{costs(1e-6, 8e-6, 9e-6), 1, 8, 1 / 11e-6, 1e-3},
		{costs(1e-6, 8e-6, 9e-6), 1, 1, 1 / 18e-6, 1e-3},
		{costs(1e-6, 0, 9e-6), 2, 64, 2e5, 0.02},
		{costs(1e-6, 0, 9e-6), 4, 1, 1e5, 1e-6},       // one leaf: nobody else has anything to do
		{costs(1e-6, 0, 9e-6), 64, 1024, 1e6, 0.03},   // the owner's limit
		{costs(1e-6, 0, 99e-6), 16, 512, 16e4, 0.02},  // the threads' limit
		{costs(1e-6, 0, 99e-6), 16, 16, 16e4, 0.6},    // batches of one, and the owner waits
		{costs(5e-6, 0, 5e-6), 2, 64, 2e5, 0.02},      // the owner has no time to help
		{costs(0, 0, 100e-6), 3, 8, 8 / 300e-6, 1e-3}, // three, three and two of eight
	} {
		if got := c.cost.Rate(c.threads, c.leaves); math.Abs(got/c.want-1) > c.within {
			t.Errorf("%+v with %d threads, %d leaves: %.0f/s, want %.0f", c.cost, c.threads, c.leaves, got, c.want)
		}
	}
}

// sleeper takes time for evaluations, and nothing else does where time stands still
// unless all sleep or wait.
type sleeper struct {
	mcts.Evaluator
	cost *PipelineCost
}

func (s sleeper) Evaluate(leaves []mcts.Leaf, offsets []int32, logits []float32, evaluations []mcts.Evaluation) error {
	time.Sleep(time.Duration(s.cost.Batch[len(leaves)-1] * float64(time.Second)))
	return s.Evaluator.Evaluate(leaves, offsets, logits, evaluations)
}

// TestPipelineModelIsThePipeline lets pipelines search, in time that only evaluations take.
func TestPipelineModelIsThePipeline(t *testing.T) {
	g := game(t, &konreh.Family)
	cost := costs(0, 50e-6, 100e-6)
	for _, c := range [][2]int{{1, 8}, {2, 16}, {2, 32}, {4, 64}, {16, 64}, {16, 256}, {7, 100}} {
		synctest.Test(t, func(t *testing.T) {
			more := func() (mcts.Evaluator, error) { return sleeper{&mcts.Uniform{}, cost}, nil }
			first, _ := more()
			n, err := newNet(g, evaluating{first: first, more: more, threads: c[0], leaves: c[1]}, search(6000))
			if err != nil {
				t.Fatal(err)
			}
			s, h := g.NewState(), g.NewHistory()
			s.Start(h)
			n.tree.Reset(mcts.Root{State: s, History: h})
			for range 2 { // the first leaf is alone
				if err := n.pipeline.step(n.tree, c[1]); err != nil {
					t.Fatal(err)
				}
			}
			before, began := n.tree.Simulations(), time.Now()
			n.pipeline.begin()
			for !n.tree.Done() {
				if err := n.pipeline.step(n.tree, c[1]); err != nil {
					t.Fatal(err)
				}
			}
			n.pipeline.end(n.tree)
			got := float64(n.tree.Simulations()-before) / time.Since(began).Seconds()
			if want := cost.Rate(c[0], c[1]); math.Abs(got/want-1) > 0.08 {
				t.Errorf("%d threads, %d leaves: %.0f simulations/s, by the model %.0f", c[0], c[1], got, want)
			}
		})
	}
}
