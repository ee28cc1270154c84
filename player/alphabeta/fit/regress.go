package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/player/alphabeta"
)

const (
	// usualScale is Fitted.Scale where no weights say what a hundredth is.
	usualScale = alphabeta.Nat
	// One game in held is held out.
	held = 5
	// chunks is how many parts a sum over samples has: their number decides how it is
	// rounded, so it does not depend on the machine.
	chunks = 16
	// Penalties that are tried: from most to least, each a third of the one before. The
	// path ends once the held-out loss has risen patience times in a row.
	mostPenalty, leastPenalty = 1.0, 1e-8
	patience                  = 3
	iterations                = 300
)

// Fitted is what a regression found.
type Fitted struct {
	Weights []int32 `json:"-"`
	// Samples and HeldOut are how many positions were learned from and held out.
	Samples int `json:"samples"`
	HeldOut int `json:"held_out"`
	// Scale is the lead in hundredths of the smallest piece that is worth a nat.
	Scale float64 `json:"scale"`
	// Penalty is charged for a weight that leaves the start by Scale, in nats a position.
	Penalty float64 `json:"penalty"`
	// Losses are mean cross-entropies in nats: of the weights, on what they were learned
	// from and on what was held out, and of two that know less on the latter: the start,
	// and the mean result alone.
	TrainLoss float64 `json:"train_loss"`
	HeldLoss  float64 `json:"held_out_loss"`
	StartLoss float64 `json:"start_held_out_loss"`
	MeanLoss  float64 `json:"mean_held_out_loss"`
}

// errTooFew refuses a regression without samples of either kind.
var errTooFew = errors.New("too few quiet positions to learn from and to hold out: want more games")

// penalties is how many penalties are tried at most if penalty is asked for.
func penalties(penalty float64) (n int) {
	if penalty > 0 {
		return 1
	}
	for p := mostPenalty; p >= leastPenalty; p /= 3 {
		n++
	}
	return n
}

// regress fits weights to samples, near start, which is nil for none. penalty 0 chooses
// one by the held-out loss. step hears how many penalties were tried and how the fit
// stands. When ctx ends, the weights are the best so far, by the held-out loss; there is
// an error if there are none.
func regress(ctx context.Context, samples []Sample, terms int, start []int32, penalty float64, step func(done int, text string)) (*Fitted, error) {
	var learn, out []Sample
	for _, s := range samples {
		if s.Game%held == held-1 {
			out = append(out, s)
		} else {
			learn = append(learn, s)
		}
	}
	if len(learn) == 0 || len(out) == 0 {
		return nil, fmt.Errorf("%d and %d positions: %w", len(learn), len(out), errTooFew)
	}
	f := &Fitted{Samples: len(learn), HeldOut: len(out), Scale: usualScale, Weights: make([]int32, terms)}
	begin := make([]float64, terms)
	for i, w := range start {
		begin[i] = float64(w)
	}
	if floats.Norm(begin, 2) > 0 {
		f.Scale = bestScale(learn, begin)
	}
	floats.Scale(1/f.Scale, begin)
	f.StartLoss, f.MeanLoss = loss(out, begin, nil), meanLoss(learn, out)

	best, at := math.Inf(1), begin
	first, tries := mostPenalty, penalties(penalty)
	if penalty > 0 {
		first = penalty
	}
	worse := 0
	for i, p := 0, first; i < tries && worse < patience && ctx.Err() == nil; i, p = i+1, p/3 {
		said := ""
		if i > 0 {
			said = fmt.Sprintf("; held-out loss %.4f", best)
		}
		x, err := minimise(learn, begin, at, p, func(steps int, loss float64) error {
			step(i, fmt.Sprintf("penalty %.2g, step %d, loss %.4f%s", p, steps, loss, said))
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
		at = x
		l := loss(out, x, nil)
		if worse++; l < best {
			best, worse = l, 0
			f.Penalty = p
			for i, v := range x {
				f.Weights[i] = int32(max(-engine.MaxWeight, min(engine.MaxWeight, math.Round(v*f.Scale))))
			}
		}
	}
	if math.IsInf(best, 1) {
		return nil, context.Cause(ctx)
	}
	rounded := make([]float64, terms)
	for i, w := range f.Weights {
		rounded[i] = float64(w) / f.Scale
	}
	f.TrainLoss, f.HeldLoss = loss(learn, rounded, nil), loss(out, rounded, nil)
	return f, nil
}

// minimise returns the weights, in nats, of the least loss on samples plus penalty times
// the square of their distance from begin. It starts at from. each hears of every step and
// its penalised loss, and ends the search there by an error.
func minimise(samples []Sample, begin, from []float64, penalty float64, each func(steps int, loss float64) error) ([]float64, error) {
	problem := optimize.Problem{
		Func: func(x []float64) float64 {
			d := floats.Distance(x, begin, 2)
			return loss(samples, x, nil) + penalty*d*d
		},
		Grad: func(grad, x []float64) {
			loss(samples, x, grad)
			for i := range grad {
				grad[i] += 2 * penalty * (x[i] - begin[i])
			}
		},
	}
	r, err := optimize.Minimize(problem, from, &optimize.Settings{
		GradientThreshold: 1e-6, MajorIterations: iterations, Converger: &optimize.FunctionConverge{Absolute: 1e-9, Iterations: 10}, Recorder: steps(each),
	}, &optimize.LBFGS{})
	// A line search that cannot get lower at the limit of rounding has arrived.
	if r == nil {
		return nil, fmt.Errorf("logistic regression: %w", err)
	}
	if math.IsInf(r.F, 1) { // it ended before its first step
		return from, nil
	}
	return r.X, nil
}

// steps is an optimize.Recorder of the steps of a search.
type steps func(steps int, loss float64) error

// Init implements optimize.Recorder.
func (s steps) Init() error { return nil }

// Record implements optimize.Recorder.
func (s steps) Record(at *optimize.Location, op optimize.Operation, stats *optimize.Stats) error {
	if op != optimize.MajorIteration {
		return nil
	}
	return s(stats.MajorIterations, at.F)
}

// loss is the mean cross-entropy of samples by weights x, in nats. grad, if not nil, is
// set to its gradient.
func loss(samples []Sample, x, grad []float64) float64 {
	var sums [chunks]float64
	var grads [chunks][]float64
	var wait sync.WaitGroup
	for c := range chunks {
		wait.Go(func() {
			part := samples[len(samples)*c/chunks : len(samples)*(c+1)/chunks]
			if grad != nil {
				grads[c] = make([]float64, len(x))
			}
			for i := range part {
				s := &part[i]
				z := 0.0
				for k, t := range s.Terms {
					z += x[t] * float64(s.Counts[k])
				}
				// ln(1+exp(z)) - result·z, without overflow.
				sums[c] += max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) - s.Result*z
				if grad == nil {
					continue
				}
				d := 1/(1+math.Exp(-z)) - s.Result
				for k, t := range s.Terms {
					grads[c][t] += d * float64(s.Counts[k])
				}
			}
		})
	}
	wait.Wait()
	n := float64(len(samples))
	if grad != nil {
		clear(grad)
		for _, g := range grads {
			floats.AddScaled(grad, 1/n, g)
		}
	}
	return floats.Sum(sums[:]) / n
}

// bestScale is the scale by which weights explain samples best.
func bestScale(samples []Sample, weights []float64) float64 {
	best, least := 0.0, math.Inf(1)
	x := make([]float64, len(weights))
	for try := 20.0; try < 5000; try *= 1.05 {
		copy(x, weights)
		floats.Scale(1/try, x)
		if l := loss(samples, x, nil); l < least {
			best, least = try, l
		}
	}
	return best
}

// meanLoss is the loss on out of the mean result of learn.
func meanLoss(learn, out []Sample) float64 {
	mean := 0.0
	for _, s := range learn {
		mean += s.Result / float64(len(learn))
	}
	mean = max(1e-9, min(1-1e-9, mean))
	sum := 0.0
	for _, s := range out {
		sum -= s.Result*math.Log(mean) + (1-s.Result)*math.Log(1-mean)
	}
	return sum / float64(len(out))
}
