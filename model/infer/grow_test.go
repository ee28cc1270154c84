package infer

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model"
)

// grownRandomly enlarges some of the parts of a network.
func grownRandomly(n model.Network, rng *rand.Rand) model.Network {
	c := &n.Config
	more := func(width *int, step int) { *width += step * rng.IntN(3) }
	more(&c.Blocks, 1)
	more(&c.Channels, 8)
	more(&c.PolicyChannels, 8)
	more(&c.ValueChannels, 8)
	more(&c.ValueHidden, 8)
	if c.PoolEvery != 1 && rng.IntN(3) == 0 {
		c.PoolEvery = 1 // every block, whichever had a branch before
	}
	return n
}

// TestGrownNetworkPlaysTheSame grows networks of the shapes of all games, and of
// the shapes above, three times by random steps, from weights in which nothing
// is 0. Outputs agree to 1e-5 of the largest: sums have another order in wider
// kernels.
func TestGrownNetworkPlaysTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	starts := map[string]model.Network{}
	for name, n := range networks {
		starts[name] = n
	}
	for _, f := range games.All() {
		g, err := f.Parse("")
		if err != nil {
			t.Fatal(err)
		}
		i := g.Info()
		starts[i.Name] = model.Network{
			Shape: model.Shape{
				Planes: i.Features.Planes, Height: i.Features.Height, Width: i.Features.Width, Globals: i.Features.Globals,
				MaskPlane: i.Features.MaskPlane, PolicyPlanes: i.Policy.Planes, PolicyGlobals: i.Policy.Globals,
			},
			Config: model.Config{Blocks: 2, Channels: 16, PoolEvery: 2, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 16},
		}
	}
	for name, n := range starts {
		w := randomWeights(n, rng)
		b := randomBatch(n.Shape, 5, rng)
		b.forward(t, newNetFor(t, w, 5))
		logits, wdl, turns := append([]float32(nil), b.logits...), append([]float32(nil), b.wdl...), append([]float32(nil), b.turns...)
		for step := range 3 {
			n = grownRandomly(n, rng)
			var err error
			if w, err = model.Grow(w, n, rng); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			b.forward(t, newNetFor(t, w, 5))
			same(t, name, step, "logits", b.logits, logits)
			same(t, name, step, "wdl", b.wdl, wdl)
			same(t, name, step, "turns", b.turns, turns)
		}
	}
}

func same(t *testing.T, name string, step int, what string, got, want []float32) {
	t.Helper()
	largest := 1.0
	for _, x := range want {
		largest = max(largest, math.Abs(float64(x)))
	}
	for i, x := range want {
		if d := math.Abs(float64(got[i] - x)); !(d <= tolerance*largest) {
			t.Errorf("%s, step %d: %s[%d] = %g, was %g; the largest was %g", name, step, what, i, got[i], x, largest)
			return
		}
	}
}
