package train

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// pair is a tensor with a gradient.
type pair struct{ value, grad *tensor.Dense }

func (p pair) Value() G.Value         { return p.value }
func (p pair) Grad() (G.Value, error) { return p.grad, nil }

func newPair(value, grad []float32) pair {
	return pair{tensor.New(tensor.WithShape(len(value)), tensor.WithBacking(value)),
		tensor.New(tensor.WithShape(len(grad)), tensor.WithBacking(grad))}
}

var testAdam = AdamConfig{WeightDecay: 0.1, Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-8}

// TestAdamWByHand takes two steps of rate 0.1 with gradients 0.5 and -1. By hand:
//
//	step 1: m = 0.05, v = 0.0025; m̂ = 0.5, v̂ = 0.25; w -= 0.1 · 0.5/0.5
//	step 2: m = 0.045 - 0.1 = -0.055, v = 0.002475 + 0.01 = 0.012475;
//	        m̂ = -0.055/0.19, v̂ = 0.012475/0.0199; w += 0.1 · 0.289474/0.791757
//
// The first tensor decays by 0.1 · 0.1 before each.
func TestAdamWByHand(t *testing.T) {
	a := NewAdamW(testAdam, []Parameter{{Name: "w", Len: 1, Decay: true}, {Name: "b", Len: 1}})
	a.SetLearningRate(0.1)
	w, b := []float32{2}, []float32{2}
	gw, gb := []float32{0.5}, []float32{0.5}
	model := []G.ValueGrad{newPair(w, gw), newPair(b, gb)}
	want := [][2]float64{
		{2*0.99 - 0.1, 2 - 0.1},
		{(2*0.99-0.1)*0.99 + 0.0365609, 2 - 0.1 + 0.0365609},
	}
	for i, grad := range []float32{0.5, -1} {
		gw[0], gb[0] = grad, grad
		if err := a.Step(model); err != nil {
			t.Fatal(err)
		}
		if math.Abs(float64(w[0])-want[i][0]) > 1e-6 || math.Abs(float64(b[0])-want[i][1]) > 1e-6 {
			t.Errorf("after step %d: %.7f, %.7f, want %.7f, %.7f", i+1, w[0], b[0], want[i][0], want[i][1])
		}
	}
	if norm := math.Sqrt2; math.Abs(a.GradientNorm()-norm) > 1e-12 {
		t.Errorf("gradient norm %g, want %g", a.GradientNorm(), norm)
	}
}

// TestClippingIsOfTheWholeGradient: 3 and 4 in two tensors have norm 5; clipped
// to 1 they are 0.6 and 0.8, so their first moments 0.06 and 0.08.
func TestClippingIsOfTheWholeGradient(t *testing.T) {
	cfg := testAdam
	cfg.ClipNorm = 1
	a := NewAdamW(cfg, []Parameter{{Name: "x", Len: 1}, {Name: "y", Len: 1}})
	if err := a.Step([]G.ValueGrad{newPair([]float32{0}, []float32{3}), newPair([]float32{0}, []float32{4})}); err != nil {
		t.Fatal(err)
	}
	if a.GradientNorm() != 5 {
		t.Errorf("gradient norm %g, want 5", a.GradientNorm())
	}
	for i, want := range []float64{0.06, 0.08, 0.01 * 0.36, 0.01 * 0.64} {
		if got := float64(a.all[i]); math.Abs(got-want) > 1e-8 {
			t.Errorf("moment %d = %g, want %g", i, got, want)
		}
	}
}

func TestAdamWRefusesWhatIsNotFinite(t *testing.T) {
	a := NewAdamW(testAdam, []Parameter{{Name: "x", Len: 2}})
	a.SetLearningRate(0.1)
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1))} {
		value := []float32{1, 2}
		err := a.Step([]G.ValueGrad{newPair(value, []float32{0, bad})})
		if !errors.Is(err, ErrNotFinite) {
			t.Errorf("Step with gradient %g = %v, want ErrNotFinite", bad, err)
		}
		if !slices.Equal(value, []float32{1, 2}) || a.Steps() != 0 || a.all[0] != 0 {
			t.Errorf("Step with gradient %g has moved something", bad)
		}
	}
	if err := a.Step(nil); err == nil {
		t.Error("Step took no tensors")
	}
	if err := a.Step([]G.ValueGrad{newPair([]float32{1}, []float32{1})}); err == nil || !strings.Contains(err.Error(), "x") {
		t.Errorf("Step with a short tensor = %v, want its name", err)
	}
}

func TestAdamWStateRoundTrip(t *testing.T) {
	params := []Parameter{{Name: "x", Len: 2}, {Name: "y", Len: 1}}
	a, b := NewAdamW(testAdam, params), NewAdamW(testAdam, params)
	copy(a.all, []float32{1, -2, 3, 4e-40, 5, 6})
	a.step = 7
	state, err := a.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.UnmarshalBinary(state); err != nil || !slices.Equal(a.all, b.all) || b.step != 7 {
		t.Fatalf("restored %v at step %d (%v), want %v at 7", b.all, b.step, err, a.all)
	}
	for i := range state {
		damaged := slices.Clone(state)
		damaged[i] ^= 4
		if b.UnmarshalBinary(damaged) == nil {
			t.Errorf("byte %d of the state may be anything", i)
		}
		if b.UnmarshalBinary(state[:i]) == nil {
			t.Errorf("the first %d bytes pass for a state", i)
		}
	}
	other := NewAdamW(testAdam, []Parameter{{Name: "x", Len: 1}, {Name: "y", Len: 2}})
	if err := other.UnmarshalBinary(state); err == nil || !strings.Contains(err.Error(), "not of the 2 tensors") {
		t.Errorf("a solver of other tensors: %v", err)
	}
	if !slices.Equal(a.all, b.all) {
		t.Error("a refused state has changed the solver")
	}
}

func TestAdamWStepDoesNotAllocate(t *testing.T) {
	a := NewAdamW(testAdam, []Parameter{{Name: "x", Len: 100}})
	model := []G.ValueGrad{newPair(make([]float32, 100), make([]float32, 100))}
	if n := testing.AllocsPerRun(50, func() { _ = a.Step(model) }); n != 0 {
		t.Errorf("a step allocates %g times", n)
	}
}
