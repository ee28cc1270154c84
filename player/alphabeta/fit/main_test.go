package main

import (
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"github.com/ludozero/ludozero/engine/konreh"
)

func game(t *testing.T) *konreh.Game {
	t.Helper()
	g, err := konreh.Family.Parse("standard,max_turns=600")
	if err != nil {
		t.Fatal(err)
	}
	return g.(*konreh.Game)
}

// TestSamplesAreAFunctionOfTheSeed, and of nothing else.
func TestSamplesAreAFunctionOfTheSeed(t *testing.T) {
	g := game(t)
	first, won := play(g, konreh.Fitted, 6, 1, 5)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	second, again := play(g, konreh.Fitted, 6, 1, 5)
	if !reflect.DeepEqual(first, second) || won != again {
		t.Error("other samples with another number of workers")
	}
	if other, _ := play(g, konreh.Fitted, 6, 1, 6); reflect.DeepEqual(first, other) {
		t.Error("another seed, yet the same samples")
	}
	results := map[float64]int{}
	for _, s := range first {
		results[s.result]++
	}
	if len(first) < 20 || len(results) < 2 {
		t.Errorf("%d samples, results %v", len(first), results)
	}
}

// TestFitFindsWeights from results that two terms decide: they are found, and the
// others stay where they were.
func TestFitFindsWeights(t *testing.T) {
	start := konreh.Weights{100, 200, 300}
	truth := konreh.Weights{100, 400, 300}
	rng := rand.New(rand.NewPCG(1, 2))
	w := make([]float64, len(truth))
	for i, v := range truth {
		w[i] = float64(v)
	}
	var samples []sample
	for range 20000 {
		s := sample{facts: make([]float64, len(truth))}
		for i := range 3 {
			s.facts[i] = float64(rng.IntN(7) - 3)
		}
		if rng.Float64() < expect(s.facts, w, 400) {
			s.result = 1
		}
		samples = append(samples, s)
	}
	got := fit(samples, start, 0)
	// The scale is start's; the ratios tell what was found.
	for i, want := range []float64{0, 4, 3} {
		if ratio := float64(got[i]) / float64(got[0]); i > 0 && math.Abs(ratio-want) > 0.3 {
			t.Errorf("weights %v: term %d is worth %.2f of the first, want %.0f", got[:3], i, ratio, want)
		}
	}
	for _, v := range got[3:] {
		if v != 0 {
			t.Errorf("weights %v: a term that never occurs has a weight", got)
		}
	}
	if held := fit(samples, start, 1e3); held != start {
		t.Errorf("weights %v: want those of the start, to which they are tied", held)
	}
}
