package train

import (
	"errors"
	"fmt"
	"math"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/ludozero/ludozero/model/kernel"
)

// ErrNotFinite means that a gradient or a loss is not a finite number. The
// weights are as before the step.
var ErrNotFinite = errors.New("not finite")

// AdamConfig are the constants of AdamW. The learning rate comes with each
// step.
type AdamConfig struct {
	// WeightDecay is the share of a decaying weight, per unit of learning rate,
	// that every step takes away; >= 0.
	WeightDecay float64
	// Beta1 and Beta2 are the decays of the moments; in [0, 1).
	Beta1, Beta2 float64
	// Epsilon is added to the root of the second moment; > 0.
	Epsilon float64
	// ClipNorm is the largest norm of the gradient of all tensors together;
	// larger ones are scaled down to it. 0: no limit.
	ClipNorm float64
}

// Parameter names one tensor that AdamW moves.
type Parameter struct {
	Name  string
	Len   int
	Decay bool // weight decay applies
}

// AdamW is Adam with decoupled weight decay (Kingma, Ba 2015; Loshchilov,
// Hutter 2019, algorithm 2). With g the gradient after clipping, step t counted
// from 1 and rate the learning rate of the step,
//
//	w -= rate · WeightDecay · w                 if the tensor decays
//	m  = Beta1 · m + (1 - Beta1) · g
//	v  = Beta2 · v + (1 - Beta2) · g²
//	w -= rate · m/(1-Beta1^t) / (√(v/(1-Beta2^t)) + Epsilon)
//
// It implements gorgonia.Solver. gorgonia's own cannot be saved, so that a run
// resumed would not be the run it was. Not safe for concurrent use.
type AdamW struct {
	cfg        AdamConfig
	params     []Parameter
	rate       float64
	step       uint64
	norm       float64
	m, v       [][]float32
	all        []float32 // the memory of m, then that of v
	values     [][]float32
	gradients  [][]float32
	parameters int

	squares      kernel.Squares // of the gradient
	coefficients kernel.AdamW   // of the present step
}

var _ G.Solver = (*AdamW)(nil)

// NewAdamW returns a solver for tensors in this order, with zero moments and a
// learning rate of 0.
func NewAdamW(cfg AdamConfig, params []Parameter) *AdamW {
	a := &AdamW{cfg: cfg, params: params}
	for _, p := range params {
		a.parameters += p.Len
	}
	a.all = make([]float32, 2*a.parameters)
	m, v := a.all[:a.parameters], a.all[a.parameters:]
	for _, p := range params {
		a.m, m = append(a.m, m[:p.Len:p.Len]), m[p.Len:]
		a.v, v = append(a.v, v[:p.Len:p.Len]), v[p.Len:]
	}
	a.values, a.gradients = make([][]float32, len(params)), make([][]float32, len(params))
	return a
}

// SetLearningRate sets the rate of the steps to come.
func (a *AdamW) SetLearningRate(rate float64) { a.rate = rate }

// Steps is the number of steps taken.
func (a *AdamW) Steps() uint64 { return a.step }

// GradientNorm is the norm of the last step's gradient before clipping.
func (a *AdamW) GradientNorm() float64 { return a.norm }

// Step moves the tensors by their gradients. model lists the tensors that
// NewAdamW was told of, in that order. If the gradient is not finite Step
// returns ErrNotFinite and changes nothing.
func (a *AdamW) Step(model []G.ValueGrad) error {
	if len(model) != len(a.params) {
		return fmt.Errorf("adamw: %d tensors, want %d", len(model), len(a.params))
	}
	for i, n := range model {
		grad, err := n.Grad()
		if err != nil {
			return fmt.Errorf("adamw: %s: %w", a.params[i].Name, err)
		}
		value, ok1 := n.Value().(*tensor.Dense)
		dense, ok2 := grad.(*tensor.Dense)
		if !ok1 || !ok2 {
			return fmt.Errorf("adamw: %s: value is a %T, gradient a %T, want dense tensors", a.params[i].Name, n.Value(), grad)
		}
		a.values[i], a.gradients[i] = value.Float32s(), dense.Float32s()
		if k, l := len(a.values[i]), len(a.gradients[i]); k != a.params[i].Len || l != k {
			return fmt.Errorf("adamw: %s: %d values with %d gradients, want %d", a.params[i].Name, k, l, a.params[i].Len)
		}
	}
	return a.apply()
}

func (a *AdamW) apply() error {
	a.squares = kernel.Squares{}
	for _, grad := range a.gradients {
		a.squares.Add(grad)
	}
	norm := math.Sqrt(a.squares.Sum())
	if math.IsNaN(norm) || math.IsInf(norm, 0) {
		return fmt.Errorf("adamw: gradient norm %g: %w", norm, ErrNotFinite)
	}
	a.norm = norm
	a.step++
	clip := 1.0
	if a.cfg.ClipNorm > 0 && norm > a.cfg.ClipNorm {
		clip = a.cfg.ClipNorm / norm
	}
	t := float64(a.step)
	// The loop is float32; m̂ / (√v̂ + ε) = m·root/correction1 / (√v + ε·root)
	// with root = √(1-Beta2^t), so that the corrections are paid once.
	root := math.Sqrt(1 - math.Pow(a.cfg.Beta2, t))
	c := &a.coefficients
	*c = kernel.AdamW{
		Beta1: float32(a.cfg.Beta1), Gain1: float32((1 - a.cfg.Beta1) * clip),
		Beta2: float32(a.cfg.Beta2), Gain2: float32((1 - a.cfg.Beta2) * clip * clip),
		Rate: float32(a.rate * root / (1 - math.Pow(a.cfg.Beta1, t))), Epsilon: float32(a.cfg.Epsilon * root),
	}
	for i, value := range a.values {
		c.Keep = 1
		if a.params[i].Decay {
			c.Keep = float32(1 - a.rate*a.cfg.WeightDecay)
		}
		c.Step(value, a.gradients[i], a.m[i], a.v[i])
	}
	return nil
}
