package graph

import (
	"math"
	"math/rand/v2"
	"testing"

	"gorgonia.org/tensor"

	"github.com/ludozero/ludozero/model"
)

// TestGrownNetworkTrainsOn: with statistics of the batch, too, the grown network
// computes what the old one did, loss and gradients of what both have; and then
// a few steps bring gradients to every new part, though some begin behind zeros.
func TestGrownNetworkTrainsOn(t *testing.T) {
	for name, net := range architectures {
		w, b := randomWeights(net, 1), randomBatch(net, 16, 2)
		to := net
		to.Config = model.Config{Blocks: net.Config.Blocks + 1, Channels: net.Config.Channels + 8, PoolEvery: 1,
			PolicyChannels: net.Config.PolicyChannels + 8, ValueChannels: net.Config.ValueChannels + 8, ValueHidden: net.Config.ValueHidden + 8, Reply: net.Config.Reply}
		grown, err := model.Grow(w, to, rand.New(rand.NewPCG(3, 4)))
		if err != nil {
			t.Fatal(err)
		}
		old, g := newGraph(t, net, w, options(16, 1)), newGraph(t, to, grown, options(16, 2))
		was, is := mustRun(t, old, b), mustRun(t, g, b)
		for what, d := range map[string]float64{"policy": is.Policy - was.Policy, "value": is.Value - was.Value, "turns": is.Turns - was.Turns} {
			if !(math.Abs(d) < 1e-5) {
				t.Errorf("%s: %s loss has changed by %g", name, what, d)
			}
		}
		near(t, name+" policy", g.Outputs().Policy, wide(old.Outputs().Policy), 1e-5, 1)
		near(t, name+" wdl", g.Outputs().WDL, wide(old.Outputs().WDL), 1e-5, 1)
		// Values of the old network are those that a growth of other numbers finds
		// in the same places.
		marks := w.Clone()
		for i := range marks.All() {
			marks.All()[i] = math.MaxFloat32
		}
		places, err := model.Grow(marks, to, rand.New(rand.NewPCG(3, 4)))
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			for i, n := range g.Learnables() {
				v := n.Value().(*tensor.Dense).Float32s()
				for j, d := range gradient(t, g, i) {
					v[j] -= 0.02 * d
				}
			}
			mustRun(t, g, b)
		}
		for i, s := range g.LearnableSpecs() {
			place := places.Tensor(s.Name)
			moves, fresh := 0, 0
			for j, d := range gradient(t, g, i) {
				if place[j] != math.MaxFloat32 {
					fresh++
					if d != 0 {
						moves++
					}
				}
			}
			if moves < fresh*2/3 { // some hidden units are off in all rows
				t.Errorf("%s: %s: %d of %d new values have a gradient after 3 steps", name, s.Name, moves, fresh)
			}
		}
		if err := g.Weights().Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
