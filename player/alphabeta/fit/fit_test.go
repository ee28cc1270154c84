package fit

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/player/alphabeta"
	"github.com/ludozero/ludozero/player/alphabeta/positions"
)

func open(t *testing.T, f *engine.Family, rules string) engine.Game {
	t.Helper()
	g, err := f.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestRunIsAFunctionOfTheSeed, and of nothing else.
func TestRunIsAFunctionOfTheSeed(t *testing.T) {
	c := Config{Play: positions.Play{Game: open(t, &konreh.Family, "standard,max_turns=600"), Depth: 1, RandomTurns: 16, Blunder: 20, Seed: 5}, Rounds: 2, Games: 10, Check: 2}
	run := func() []Round {
		t.Helper()
		w, r, err := Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		want := c.Start
		for _, x := range r {
			if x.Kept != (x.Check.First >= x.Check.Second) {
				t.Errorf("kept %v after %+v", x.Kept, x.Check)
			}
			if x.Kept {
				want = x.Weights
			}
		}
		if !slices.Equal(w, want) {
			t.Errorf("weights %v, want those of the last round kept, %v", w, want)
		}
		return r
	}
	first := run()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	if second := run(); !reflect.DeepEqual(first, second) {
		t.Errorf("other results with another number of workers:\n%+v\n%+v", first, second)
	}
	if c.Seed++; reflect.DeepEqual(first, run()) {
		t.Error("another seed, yet the same results")
	}
	for i, r := range first {
		if r.Results.Games() != 10 || r.Check.Games() != 4 || r.Samples < 50*(i+1) || r.HeldOut < 5 {
			t.Errorf("round %d: %+v", i+1, r)
		}
	}
}

// TestEveryGameCanBeFitted, with terms of its own or without, at dice too.
func TestEveryGameCanBeFitted(t *testing.T) {
	for _, f := range []*engine.Family{&connect4.Family, &racegame.Family} {
		g := open(t, f, "")
		_, r, err := Run(t.Context(), Config{Play: positions.Play{Game: g, Depth: 2, RandomTurns: 6, Blunder: 60, Seed: 1}, Rounds: 1, Games: 500, Check: 10})
		if err != nil {
			t.Fatal(err)
		}
		if r[0].HeldLoss >= r[0].MeanLoss-0.01 {
			t.Errorf("%s: held-out loss %.4f, of the mean result %.4f: nothing was learned", f.Name, r[0].HeldLoss, r[0].MeanLoss)
		}
		if names := alphabeta.TermsOf(g).Names; len(r[0].Weights) != len(names) { // whether ten games keep them is luck
			t.Errorf("%s: %d weights, want %d", f.Name, len(r[0].Weights), len(names))
		}
	}
}

// TestRunStops when it is told to.
func TestRunStops(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	c := Config{Play: positions.Play{Game: open(t, &connect4.Family, ""), Depth: 2, RandomTurns: 8, Seed: 1}, Rounds: 1, Games: 100_000}
	c.Step = func(_ string, done, _ int, _ string) {
		if done == 3 {
			cancel(why)
		}
	}
	if _, _, err := Run(ctx, c); !errors.Is(err, why) {
		t.Errorf("%v, want %v", err, why)
	}
}

// TestStoppedFitKeepsTheBestSoFar: a fit that has begun, checked or not.
func TestStoppedFitKeepsTheBestSoFar(t *testing.T) {
	for _, at := range []string{"penalties", "check"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("enough")
		c := Config{Play: positions.Play{Game: open(t, &connect4.Family, ""), Depth: 1, RandomTurns: 8, Seed: 1}, Rounds: 2, Games: 100, Check: 100}
		told := ""
		c.Step = func(stage string, done, _ int, text string) {
			told = cmp.Or(told, text)
			if stage == at && done == 2 {
				cancel(why)
			}
		}
		w, r, err := Run(ctx, c)
		if !errors.Is(err, why) || len(r) != 1 || !r[0].Stopped || !r[0].Kept || r[0].Check.Games() != 0 || r[0].HeldLoss >= r[0].StartLoss || !slices.Equal(w, r[0].Weights) {
			t.Errorf("stopped at %s: %v, %+v", at, err, r)
		}
		if !strings.HasPrefix(told, "penalty 1, step 1, loss 0.") {
			t.Errorf("the fit says %q", told)
		}
	}
}

// silent hears of no step.
func silent(int, string) {}

// truth are samples of three terms whose results follow weights of 100, 400 and 300 at
// 400 a nat; a fourth term says nothing and a fifth never occurs.
func truth(n int) []Sample {
	rng := rand.New(rand.NewPCG(1, 2))
	list := make([]Sample, n)
	for i := range list {
		s := Sample{Game: i / 10, Terms: []int32{0, 1, 2, 3}, Counts: make([]float32, 4)}
		z := 0.0
		for k := range s.Counts {
			s.Counts[k] = float32(rng.IntN(7) - 3)
			z += []float64{0.25, 1, 0.75, 0}[k] * float64(s.Counts[k])
		}
		if rng.Float64() < 1/(1+math.Exp(-z)) {
			s.Result = 1
		}
		list[i] = s
	}
	return list
}

// TestRegressFindsWeights from nothing and from a start; a heavy penalty holds the start.
func TestRegressFindsWeights(t *testing.T) {
	samples := truth(20_000)
	f, err := regress(t.Context(), samples, 5, nil, 0, silent)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int32{100, 400, 300, 0, 0} {
		if got := f.Weights[i]; got < want-25 || got > want+25 {
			t.Errorf("weights %v, want 100 400 300 0 0", f.Weights)
			break
		}
	}
	if f.HeldLoss >= f.MeanLoss-0.2 || math.Abs(f.HeldLoss-f.TrainLoss) > 0.03 || f.Samples != 16_000 || f.HeldOut != 4_000 {
		t.Errorf("%+v", f)
	}
	start := []int32{200, 800, 600, 10, 77}
	f, err = regress(t.Context(), samples, 5, start, 0, silent)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(f.Scale-800) > 60 || f.Weights[4] != 77 {
		t.Errorf("scale %.0f, weights %v: want a scale of about 800 and the term that never occurs as it was", f.Scale, f.Weights)
	}
	if f, err = regress(t.Context(), samples, 5, start, 1e6, silent); err != nil || !slices.Equal(f.Weights, start) {
		t.Errorf("%+v, %v: want the start, to which the weights are tied", f, err)
	}
	if _, err := regress(t.Context(), samples[:30], 5, nil, 0, silent); !errors.Is(err, errTooFew) {
		t.Errorf("three games: %v, want %v", err, errTooFew)
	}
}

// TestHeldOutLossChoosesThePenalty: with more terms than games tell about, a larger one
// than with games enough, and by far better than the least.
func TestHeldOutLossChoosesThePenalty(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	samples := truth(20_000)
	for i := range samples {
		for term := range int32(60) {
			samples[i].Terms = append(samples[i].Terms, 5+term)
			samples[i].Counts = append(samples[i].Counts, float32(rng.IntN(3)-1))
		}
	}
	many, err := regress(t.Context(), samples, 65, nil, 0, silent)
	if err != nil {
		t.Fatal(err)
	}
	few, err := regress(t.Context(), samples[:300], 65, nil, 0, silent)
	if err != nil {
		t.Fatal(err)
	}
	least, err := regress(t.Context(), samples[:300], 65, nil, leastPenalty, silent)
	if err != nil {
		t.Fatal(err)
	}
	if few.Penalty <= many.Penalty || few.HeldLoss > least.HeldLoss-0.1 {
		t.Errorf("few games: penalty %g, held-out loss %.3f; the least: %.3f; many games: %g, %.3f", few.Penalty, few.HeldLoss, least.HeldLoss, many.Penalty, many.HeldLoss)
	}
}

// TestGradientIsThatOfTheLoss, by differences.
func TestGradientIsThatOfTheLoss(t *testing.T) {
	samples := truth(100)
	x, grad := []float64{0.3, -0.2, 0.5, 0.1, 0}, make([]float64, 5)
	loss(samples, x, grad)
	for i := range x {
		const h = 1e-5
		up, down := slices.Clone(x), slices.Clone(x)
		up[i] += h
		down[i] -= h
		if want := (loss(samples, up, nil) - loss(samples, down, nil)) / (2 * h); math.Abs(grad[i]-want) > 1e-7 {
			t.Errorf("derivative %d is %g, want %g", i, grad[i], want)
		}
	}
}

// TestShippedWeightsWin against none, where a game without terms brings some.
func TestShippedWeightsWin(t *testing.T) {
	for _, f := range []*engine.Family{&connect4.Family, &tictactoe.Family} {
		g := open(t, f, "")
		a := arena{Play: positions.Play{Game: g, Depth: 1, RandomTurns: 8, Seed: 3}, terms: alphabeta.TermsOf(g), step: silent}
		tally, err := a.compare(t.Context(), 100, a.terms.Shipped, make([]int32, len(a.terms.Names)))
		if err != nil {
			t.Fatal(err)
		}
		if tally.First < tally.Second+10 {
			t.Errorf("%s: %+v: the weights in use do not win", f.Name, tally)
		}
	}
}
