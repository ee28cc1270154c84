package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// larger is small with every width another one.
func larger() Network {
	n := small
	n.Config = Config{Blocks: 4, Channels: 16, PoolEvery: 1, PolicyChannels: 24, ValueChannels: 32, ValueHidden: 40, Reply: true}
	return n
}

func mustGrow(t testing.TB, w *Weights, to Network, rng *rand.Rand) *Weights {
	t.Helper()
	g, err := Grow(w, to, rng)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestGrowKeepsEveryValue looks each old value up at its place among the new
// ones, by name of the layer and what it connects.
func TestGrowKeepsEveryValue(t *testing.T) {
	w := randomWeights(small)
	for i := range w.All() {
		w.All()[i] = float32(i + 1) // no two alike, none 0
	}
	g := mustGrow(t, w, larger(), testRNG())
	if g.Network() != larger() {
		t.Fatalf("grown to %+v", g.Network())
	}
	if err := g.Check(); err != nil {
		t.Error(err)
	}
	c, d := small.Config, larger().Config
	value := func(name string, at int) float32 { return g.Tensor(name)[at] }
	old := func(name string, at int) float32 { return w.Tensor(name)[at] }
	for _, x := range []struct {
		name    string
		old, at int
	}{
		{"stem.conv.weight", (4*5+3)*c.Channels + 7, (4*5+3)*d.Channels + 7},
		{"stem.globals.weight", 2*c.Channels + 5, 2*d.Channels + 5},
		{"block.1.conv2.weight", (8*c.Channels+7)*c.Channels + 6, (8*d.Channels+7)*d.Channels + 6},
		{"block.1.pool.weight", (2*c.Channels+3)*c.Channels + 1, (2*d.Channels+3)*d.Channels + 1},
		{"block.1.bn2.var", 7, 7},
		{"policy.conv2.weight", 7*2 + 1, 7*2 + 1},
		{"policy.globals.weight", 1*c.Channels + 4, 1*d.Channels + 4},
		{"value.hidden.weight", (41*c.ValueChannels+7)*c.ValueHidden + 15, (41*d.ValueChannels+7)*d.ValueHidden + 15},
		{"value.wdl.weight", 15*3 + 2, 15*3 + 2},
		{"value.turns.bias", 0, 0},
	} {
		if got, want := value(x.name, x.at), old(x.name, x.old); got != want {
			t.Errorf("%s[%d] = %g, want %g", x.name, x.at, got, want)
		}
	}
	found := map[float32]int{}
	for _, x := range g.All() {
		found[x]++
	}
	for _, x := range w.All() {
		if found[x] == 0 {
			t.Fatalf("value %g is lost", x)
		}
	}
	// What reads a new unit on the way to an old one is silent.
	for _, x := range []struct {
		name string
		at   int
	}{
		{"block.0.conv1.weight", (3*d.Channels + c.Channels) * d.Channels},
		{"block.1.pool.weight", (d.Channels + c.Channels) * d.Channels},
		{"policy.conv2.weight", c.PolicyChannels * 2},
		{"value.hidden.weight", (5*d.ValueChannels + c.ValueChannels) * d.ValueHidden},
		{"value.wdl.weight", c.ValueHidden * 3},
		{"block.0.bn2.scale", c.Channels}, {"block.3.bn2.scale", 0}, {"block.0.pool.weight", 0}, {"block.0.pool.bias", 0},
	} {
		if got := value(x.name, x.at); got != 0 {
			t.Errorf("%s[%d] = %g, want 0", x.name, x.at, got)
		}
	}
	// New statistics equal a fresh network's.
	if m, v := value("stem.bn.mean", c.Channels), value("stem.bn.var", c.Channels); m != 0 || v != 1 {
		t.Errorf("a new channel has mean %g and variance %g, want 0 and 1", m, v)
	}
}

// TestGrowDrawsAsAFreshNetwork holds the spread of new values to that of Init.
func TestGrowDrawsAsAFreshNetwork(t *testing.T) {
	to := larger()
	to.Config.Channels = 64
	g := mustGrow(t, randomWeights(small), to, testRNG())
	std := func(v []float32) float64 {
		sum := 0.0
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		return math.Sqrt(sum / float64(len(v)))
	}
	for _, name := range []string{"block.3.conv2.weight", "block.2.conv1.weight"} {
		want := math.Sqrt(2 / (9 * 64.0))
		if got := std(g.Tensor(name)); math.Abs(got/want-1) > 0.03 {
			t.Errorf("%s spreads by %g, want %g", name, got, want)
		}
	}
	var fresh []float32 // block.0.conv1 from all inputs to new outputs
	for row := range 9 * 64 {
		fresh = append(fresh, g.Tensor("block.0.conv1.weight")[row*64+8:(row+1)*64]...)
	}
	if got, want := std(fresh), math.Sqrt(2/(9*64.0)); math.Abs(got/want-1) > 0.03 {
		t.Errorf("new outputs spread by %g, want %g", got, want)
	}
}

func TestGrowIsReproducible(t *testing.T) {
	w := randomWeights(small)
	before := w.Clone()
	a, b := mustGrow(t, w, larger(), testRNG()), mustGrow(t, w, larger(), testRNG())
	if !a.Equal(b) {
		t.Error("equal generators grow differently")
	}
	if c := mustGrow(t, w, larger(), rand.New(rand.NewPCG(7, 7))); c.Equal(a) {
		t.Error("another generator grows the same")
	}
	if !w.Equal(before) {
		t.Error("what was grown has changed")
	}
	rng := testRNG()
	if same := mustGrow(t, w, small, rng); !same.Equal(w) || rng.Uint64() != testRNG().Uint64() {
		t.Error("growing to the same network changes it or draws")
	}
}

func TestGrowRefusesByKey(t *testing.T) {
	w := mustGrow(t, randomWeights(small), larger(), testRNG())
	for _, c := range []struct {
		change func(*Network)
		want   string
	}{
		{func(n *Network) { n.Config.Blocks = 3 }, "blocks = 3: want at least 4"},
		{func(n *Network) { n.Config.Channels = 8 }, "channels = 8: want at least 16"},
		{func(n *Network) { n.Config.PolicyChannels = 16 }, "policy_channels = 16: want at least 24"},
		{func(n *Network) { n.Config.ValueChannels = 24 }, "value_channels = 24: want at least 32"},
		{func(n *Network) { n.Config.ValueHidden = 32 }, "value_hidden = 32: want at least 40"},
		{func(n *Network) { n.Config.PoolEvery = 2 }, "pool_every = 2: block 0"},
		{func(n *Network) { n.Config.PoolEvery = 0 }, "pool_every = 0: block 0"},
		{func(n *Network) { n.Config.Reply = false }, "reply = false"},
		{func(n *Network) { n.Config.Channels = 20 }, "channels = 20: want a multiple of 8"},
		{func(n *Network) { n.Shape.Planes++ }, "shape"},
	} {
		to := larger()
		c.change(&to)
		if _, err := Grow(w, to, testRNG()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Grow = %v, want %q", err, c.want)
		}
	}
	to := larger()
	to.Config.Blocks, to.Config.Channels = 1, 8
	if err := larger().CanGrow(to); err == nil || !strings.Contains(err.Error(), "blocks") || !strings.Contains(err.Error(), "channels") {
		t.Errorf("CanGrow = %v, want both problems", err)
	}
}

// TestGroupsAreSet: with widths that no factor of a layer can hide, the inputs
// of each layer in a group are one of them. A layer that forgets its groups
// would be torn apart in growing.
func TestGroupsAreSet(t *testing.T) {
	n := small
	n.Shape.Globals, n.Shape.Planes = 11, 13
	n.Config = Config{Blocks: 2, Channels: 8 * 17, PoolEvery: 1, PolicyChannels: 8 * 19, ValueChannels: 8 * 23, ValueHidden: 8 * 29, Reply: true}
	widths := []int{11, 13, 8 * 17, 8 * 19, 8 * 23, 8 * 29}
	for _, s := range n.Tensors() {
		groups, in, out := s.layout()
		if groups*in*out != s.Len() {
			t.Errorf("%s: layout %d × %d × %d of shape %v", s.Name, groups, in, out, s.Shape)
		}
		if s.Role == Weight && !slices.Contains(widths, in) {
			t.Errorf("%s: shape %v with %d groups leaves %d inputs in each, which is no width", s.Name, s.Shape, s.Groups, in)
		}
	}
}
