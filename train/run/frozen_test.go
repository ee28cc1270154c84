package run

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

func gameByRules(t testing.TB, name, rules string) engine.Game {
	t.Helper()
	f, err := games.All().ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestFrozenSetsAreFrozen pins the positions: figures of one set say nothing
// beside those of another. Where rules or a constant were changed on purpose,
// the sums change.
func TestFrozenSetsAreFrozen(t *testing.T) {
	for _, c := range []struct{ game, rules, want string }{
		{"tictactoe", "standard", "6a8c6e13b0248323"},
		{"connect4", "standard", "a103e312715fc464"},
		{"konreh", "micro,max_turns=200", "eecec627201dafc4"},
	} {
		g := gameByRules(t, c.game, c.rules)
		set, err := frozenSet(g)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.New()
		seen, turns, last := map[uint64]bool{}, 0, 0
		for _, s := range set {
			sum.Write(s.Pack(nil))
			if n := len(s.Legal(nil, nil)); n < 2 || seen[s.Hash()] {
				t.Errorf("%s: a position with %d actions, or a second time:\n%s", c.game, n, s.Board(false))
			}
			seen[s.Hash()] = true
			turns += s.Turn()
			last = max(last, s.Turn())
		}
		if got := fmt.Sprintf("%x", sum.Sum(nil)[:8]); got != c.want {
			t.Errorf("%s: the sum is %s, want %s", c.game, got, c.want)
		}
		if len(set) != 2*frozenHalf {
			t.Errorf("%s: %d positions, want %d", c.game, len(set), 2*frozenHalf)
		}
		if mean := turns / len(set); mean < last/8 || mean > last*3/4 {
			t.Errorf("%s: they are of turn %d on average, the last of turn %d: want them spread", c.game, mean, last)
		}
	}
}

// TestProbeAgreesWithTheNetwork: prior and value are what the network says,
// whatever is asked beside, and the same again.
func TestProbeAgreesWithTheNetwork(t *testing.T) {
	g := gameByRules(t, "connect4", "standard")
	c := tiny()
	w := model.NewWeights(model.Network{Shape: plan.Shape(g.Info()), Config: c.Model})
	w.Init(rand.New(rand.NewPCG(1, 1)))
	p, err := newProbe(g)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := p.ask(w, 1)
	if err != nil {
		t.Fatal(err)
	}
	searched, err := p.ask(w, frozenSimulations)
	if err != nil {
		t.Fatal(err)
	}
	for i := range alone {
		a, b := alone[i], searched[i]
		if !slices.Equal(a.prior, b.prior) || !slices.Equal(a.target, a.prior) || a.root != a.value || a.value != b.value {
			t.Fatalf("position %d: alone %+v, searched %+v", i, a, b)
		}
		sum, visits := 0.0, 0.0
		for k := range b.prior {
			sum += float64(b.prior[k])
			visits += float64(b.target[k])
		}
		if math.Abs(sum-1) > 1e-5 || math.Abs(visits-1) > 1e-5 {
			t.Errorf("position %d: priors sum to %g, targets to %g", i, sum, visits)
		}
	}
	fresh, err := newProbe(g)
	if err != nil {
		t.Fatal(err)
	}
	again, err := fresh.ask(w, frozenSimulations)
	if err != nil {
		t.Fatal(err)
	}
	for i := range again {
		if b := searched[i]; !slices.Equal(again[i].target, b.target) || again[i].root != b.root || again[i].value != b.value {
			t.Fatalf("position %d: %+v, asked again %+v", i, b, again[i])
		}
	}
	var same, other rundir.Metrics
	setFrozen(&same, alone, searched)
	if same.FrozenPositions != 128 || same.FrozenDrift != 0 || same.FrozenValueDrift != 0 || !(same.FrozenDivergence > 0.01) || !(same.FrozenValueGap > 0) {
		t.Errorf("of one network: %+v", same)
	}
	w.Init(rand.New(rand.NewPCG(2, 2)))
	is, err := p.ask(w, frozenSimulations)
	if err != nil {
		t.Fatal(err)
	}
	if setFrozen(&other, alone, is); !(other.FrozenDrift > 1e-5) || !(other.FrozenValueDrift > 1e-4) {
		t.Errorf("of two networks: %+v", other)
	}
}

// TestFrozenByHand: two positions, worked out on paper.
func TestFrozenByHand(t *testing.T) {
	var m rundir.Metrics
	setFrozen(&m, []opinion{
		{prior: []float32{0.5, 0.5}, value: 0.5},
		{prior: []float32{0.25, 0.25, 0.5}, value: 0},
	}, []opinion{
		{prior: []float32{0.5, 0.5}, target: []float32{1, 0}, value: 0.25, root: -0.25},
		{prior: []float32{0.5, 0.25, 0.25}, target: []float32{0.5, 0.25, 0.25}, value: 0.5, root: 0.75},
	})
	want := rundir.Metrics{
		FrozenPositions: 2, FrozenDivergence: math.Ln2 / 2, FrozenEntropy: (math.Ln2 + 1.5*math.Ln2) / 2, FrozenSearchEntropy: 0.75 * math.Ln2,
		FrozenValueGap: 0.375, FrozenDrift: 0.25 * math.Ln2 / 2, FrozenValueDrift: 0.375,
	}
	for _, c := range [][2]float64{
		{m.FrozenDivergence, want.FrozenDivergence}, {m.FrozenEntropy, want.FrozenEntropy}, {m.FrozenSearchEntropy, want.FrozenSearchEntropy},
		{m.FrozenValueGap, want.FrozenValueGap}, {m.FrozenDrift, want.FrozenDrift}, {m.FrozenValueDrift, want.FrozenValueDrift}, {float64(m.FrozenPositions), 2},
	} {
		if !closeTo(c[0], c[1]) {
			t.Errorf("frozen = %+v, want %+v", m, want)
			break
		}
	}
}

func BenchmarkProbe(b *testing.B) {
	for _, c := range []struct{ game, rules string }{{"connect4", "standard"}, {"konreh", "standard,max_turns=600"}} {
		g := gameByRules(b, c.game, c.rules)
		network := model.DefaultConfig()
		network.Blocks, network.Channels = 4, 32
		w := model.NewWeights(model.Network{Shape: plan.Shape(g.Info()), Config: network})
		w.Init(rand.New(rand.NewPCG(1, 1)))
		b.Run(c.game+"/set", func(b *testing.B) {
			for b.Loop() {
				if _, err := frozenSet(g); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.game+"/ask", func(b *testing.B) {
			p, err := newProbe(g)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := p.ask(w, frozenSimulations); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
