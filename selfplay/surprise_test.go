package selfplay

import (
	"math"
	"testing"

	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/selfplay/record"
)

func TestSurpriseByHand(t *testing.T) {
	priors := func(p ...float32) []mcts.RootAction {
		var root []mcts.RootAction
		for _, x := range p {
			root = append(root, mcts.RootAction{Prior: x})
		}
		return root
	}
	for _, c := range []struct {
		target []float32
		root   []mcts.RootAction
		want   float64
	}{
		{[]float32{0.5, 0.5}, priors(0.5, 0.5), 0},
		{[]float32{0.5, 0.5}, priors(0.25, 0.75), math.Log(2)/2 + math.Log(2.0/3)/2},
		{[]float32{1, 0}, priors(0.25, 0.75), math.Log(4)},
		{[]float32{0, 1}, priors(0, 1), 0},
		{[]float32{1, 0}, priors(0, 1), 126 * math.Ln2}, // a prior rounded to nothing
	} {
		got := surpriseOf(c.target, c.root)
		if math.Abs(float64(got)-c.want) > 1e-5 || got > record.MaxSurprise {
			t.Errorf("surpriseOf(%v, %v) = %g, want %g", c.target, c.root, got, c.want)
		}
	}
	target, root := []float32{0.5, 0.5}, priors(0.25, 0.75)
	if n := testing.AllocsPerRun(100, func() { surpriseOf(target, root) }); n != 0 {
		t.Errorf("surpriseOf allocates %v times", n)
	}
}

// TestSurpriseIsAgainstThePriorWithoutNoise: where the network takes all n
// actions to be alike, the divergence is ln n less the entropy of the target,
// whatever noise the root had. Fast searches have none.
func TestSurpriseIsAgainstThePriorWithoutNoise(t *testing.T) {
	for _, g := range testGames(t) {
		cfg := quick()
		cfg.FullShare, cfg.FastSimulations, cfg.Search.NoiseFraction = 0.5, 4, 0.75
		j := job(g, 1, 5)
		j.Source.(*Range).Player = player(flatNetwork{})
		surprised := 0
		for _, f := range play(t, cfg, j) {
			for i := range f.Rows {
				r := &f.Rows[i]
				want := 0.0
				if r.Full {
					want = math.Log(float64(len(r.Legal)))
				}
				for _, v := range r.Policy {
					if p := float64(v) / record.PolicyOne; p > 0 {
						want += p * math.Log(p)
					}
				}
				if math.Abs(float64(r.Surprise)-want) > 2e-3 { // the row's policy is in fixed point
					t.Errorf("%s: game %d, ply %d: surprise %g of policy %v, want %g", g.Info().Name, r.GameNumber, r.Ply, r.Surprise, r.Policy, want)
				}
				if r.Surprise > 0 {
					surprised++
				}
			}
		}
		if surprised == 0 {
			t.Errorf("%s: no search was a surprise", g.Info().Name)
		}
	}
}
