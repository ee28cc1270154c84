// Package fit learns evaluations for alpha-beta (package player/nnue) from the games that
// self-play leaves: from quiet positions, by the mean of what the search at the root
// expected and the result of the game.
//
// Only some thirty of several hundred bits are set, so the gradient of the first layer
// touches few rows. Gorgonia has no operation for that and would multiply by all the
// zeros; package model/nnue goes forward, the backward pass is here, and package
// model/kernel has AdamW. The same samples and configuration give the same bytes on any
// number of cores, interrupted or not.
package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/model/kernel"
	model "github.com/ludozero/ludozero/model/nnue"
	"github.com/ludozero/ludozero/player/alphabeta"
	"github.com/ludozero/ludozero/player/nnue"
)

// Config says how a network is fitted.
type Config struct {
	// Units of the first layer for each seat.
	Units int `json:"units"`
	// Epochs is how often all positions are gone through, Batch how many make a step.
	Epochs int `json:"epochs"`
	Batch  int `json:"batch"`
	// Rate is the learning rate at first; it falls to a hundredth of that along a cosine.
	Rate float64 `json:"rate"`
	// Decay is the weight decay, per unit of learning rate.
	Decay float64 `json:"decay"`
	// Seed draws the first weights and the order of positions.
	Seed uint64 `json:"seed"`
}

// Start is what a network begins with.
type Start struct {
	Words int // of 64 bits, that a seat sees
	// Weights of the terms, each in nats of the odds; the network begins as their sum.
	// All 0: it begins with nothing.
	Weights []float64
}

// Epoch is how a fit stands.
type Epoch struct {
	Number int
	// Losses are mean cross-entropies in nats: of the epoch while it learned, and on what is
	// held out.
	TrainLoss, HeldLoss float64
}

// parts is how many parts a batch has, each with a gradient of its own: their number
// decides how sums are rounded, so it does not depend on the machine.
const parts = 8

// errTooFew refuses a fit without positions of either kind.
var errTooFew = errors.New("too few positions to learn from and to hold out: want more games")

// Fit is a fit under way. It is used by one goroutine at a time.
type Fit struct {
	config  Config
	samples *Samples
	network *model.Network
	moments [2]*model.Network
	workers [parts]*worker

	learn, out []int32
	epoch      int // epochs done
	step       int
}

// New begins a fit to samples.
func New(samples *Samples, start Start, c Config) (*Fit, error) {
	f := &Fit{config: c, samples: samples}
	f.learn, f.out = samples.split()
	if len(f.learn) == 0 || len(f.out) == 0 {
		return nil, fmt.Errorf("%d and %d positions: %w", len(f.learn), len(f.out), errTooFew)
	}
	s := model.Shape{Words: start.Words, Units: c.Units, TermShifts: shifts(samples, len(start.Weights))}
	if err := s.Check(); err != nil {
		return nil, err
	}
	f.network = begin(s, start.Weights, c.Seed)
	f.clearUnseen()
	for i := range f.moments {
		f.moments[i] = model.New(s)
	}
	for i := range f.workers {
		f.workers[i] = newWorker(s)
	}
	return f, nil
}

// shifts scales each of n terms to a root mean square of at most a half, and to no more
// than what is clipped.
func shifts(m *Samples, n int) []uint8 {
	list := make([]uint8, n)
	for t := range list {
		squares, most := 0.0, 1.0
		for i := t; i < len(m.terms); i += n {
			c := math.Abs(float64(m.terms[i]))
			squares, most = squares+c*c, max(most, c)
		}
		rms := max(1e-9, math.Sqrt(squares/float64(m.Len())))
		room := min(math.Log2(model.TermUnit/2/rms), math.Log2(8*model.TermUnit/most))
		list[t] = uint8(max(0, min(model.MaxTermShift, math.Floor(room))))
	}
	return list
}

// begin returns the network that a fit begins with: random, and the sum of the terms by
// weights.
func begin(s model.Shape, weights []float64, of uint64) *model.Network {
	n, rng := model.New(s), rand.New(seed.Stream(of, "fit-evaluation weights", 0))
	normal := func(values []float32, deviation float64) {
		for i := range values {
			values[i] = float32(deviation * rng.NormFloat64())
		}
	}
	normal(n.First, 0.1) // some thirty bits are set
	for i := range n.FirstBias {
		n.FirstBias[i] = 0.25
	}
	normal(n.Second, 1/math.Sqrt(float64(2*s.Units)))
	for i := range n.SecondBias {
		n.SecondBias[i] = 0.25
	}
	normal(n.Third, 1/math.Sqrt(model.Straight))
	normal(n.Output, 0.1)
	// Straight begins as the terms, and learns the rest.
	for i := range 2*s.Units + len(weights) {
		n.Second[i*model.Second+model.Straight] = 0
	}
	n.SecondBias[model.Straight] = 0
	for t, w := range weights {
		scale := float64(model.TermUnit) / float64(int(1)<<s.TermShifts[t])
		n.Second[(2*s.Units+t)*model.Second+model.Straight] = float32(w * scale)
	}
	return n
}

// Untrained returns a judge of positions of g by a network as a fit begins with it, to measure
// how fast a search with a fitted one is.
func Untrained(g engine.Game, units int, seed uint64) (*nnue.Judge, error) {
	in, err := nnue.InputsOf(g)
	if err != nil {
		return nil, err
	}
	s := model.Shape{Words: engine.BitWords(in.Bits), Units: units, TermShifts: make([]uint8, len(in.Terms))}
	for i := range s.TermShifts {
		s.TermShifts[i] = 5 // counts up to 64
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	n := begin(s, OwnWeights(g, in), seed)
	bound(n)
	w, err := model.Quantize(n)
	if err != nil {
		return nil, err
	}
	return nnue.NewJudge(in, w), nil
}

// OwnWeights returns the weights that the game ships for the terms of in, in nats; zeros if it
// ships none.
func OwnWeights(g engine.Game, in *nnue.Inputs) []float64 {
	list := make([]float64, len(in.Terms))
	if own := alphabeta.TermsOf(g).Shipped; len(own) == len(list) {
		for i, w := range own {
			list[i] = float64(w) / alphabeta.Nat
		}
	}
	return list
}

// clearUnseen takes away the first weights of bits that no position has: they would stay
// noise, and room for their sums would cost the others precision.
func (f *Fit) clearUnseen() {
	seen := make([]bool, 64*f.network.Words)
	for _, bit := range f.samples.bits {
		seen[bit] = true
	}
	for bit, ok := range seen {
		if !ok {
			clear(f.network.First[bit*f.network.Units : (bit+1)*f.network.Units])
		}
	}
}

// Network is the network as it stands.
func (f *Fit) Network() *model.Network { return f.network }

// Learned is the number of positions learned from, HeldOut of those held out.
func (f *Fit) Learned() int { return len(f.learn) }

// HeldOut is the number of positions held out.
func (f *Fit) HeldOut() int { return len(f.out) }

// Epoch goes through all positions once and returns how the fit stands. tell, which may be
// nil, hears how many positions are done and their mean loss. If ctx ends, the fit must not
// be used any more; what was saved before is good.
func (f *Fit) Epoch(ctx context.Context, tell func(done int, loss float64)) (Epoch, error) {
	order := make([]int32, len(f.learn))
	for i, j := range rand.New(seed.Stream(f.config.Seed, "fit-evaluation order", uint64(f.epoch))).Perm(len(order)) {
		order[i] = f.learn[j]
	}
	steps := f.config.Epochs * ((len(order) + f.config.Batch - 1) / f.config.Batch)
	loss, done := 0.0, 0
	for done < len(order) {
		if err := ctx.Err(); err != nil {
			return Epoch{}, context.Cause(ctx)
		}
		batch := order[done:min(len(order), done+f.config.Batch)]
		loss += f.batch(batch)
		f.step++
		f.update(len(batch), f.rate(steps))
		done += len(batch)
		if tell != nil {
			tell(done, loss/float64(done))
		}
	}
	f.epoch++
	return Epoch{f.epoch, loss / float64(done), f.Loss()}, nil
}

// rate is the learning rate of the present step of that many.
func (f *Fit) rate(steps int) float64 {
	const least = 0.01
	share := float64(f.step) / float64(steps)
	return f.config.Rate * (least + (1-least)*(1+math.Cos(math.Pi*min(1, share)))/2)
}

// spread runs do for each worker and its part of list, on all cores.
func (f *Fit) spread(list []int32, do func(w *worker, part []int32)) {
	var wait sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, w := range f.workers {
		free <- struct{}{}
		wait.Go(func() {
			do(w, list[len(list)*i/parts:len(list)*(i+1)/parts])
			<-free
		})
	}
	wait.Wait()
}

// batch sums the gradient of a batch up in the first worker and returns its loss.
func (f *Fit) batch(list []int32) (loss float64) {
	terms := len(f.network.TermShifts)
	f.spread(list, func(w *worker, part []int32) {
		w.clear()
		for _, i := range part {
			f.samples.read(int(i), terms, &w.sample)
			w.add(f.network)
		}
	})
	for i, w := range f.workers {
		loss += w.loss
		if i == 0 {
			continue
		}
		for k, p := range f.workers[0].grad.Parts() {
			for j, x := range w.grad.Parts()[k].Values {
				p.Values[j] += x
			}
		}
	}
	return loss
}

// update moves the weights by AdamW, as package train does, by the gradient of n positions.
func (f *Fit) update(n int, rate float64) {
	const beta1, beta2, epsilon = 0.9, 0.999, 1e-8
	correct1, correct2 := 1-math.Pow(beta1, float64(f.step)), 1-math.Pow(beta2, float64(f.step))
	scale := 1 / float64(n)
	c := kernel.AdamW{
		Beta1: beta1, Gain1: float32((1 - beta1) * scale), Beta2: beta2, Gain2: float32((1 - beta2) * scale * scale),
		Rate: float32(rate * math.Sqrt(correct2) / correct1), Epsilon: float32(epsilon * math.Sqrt(correct2)),
	}
	for k, p := range f.network.Parts() {
		if c.Keep = 1; len(p.Shape) > 1 {
			c.Keep = float32(1 - rate*f.config.Decay)
		}
		c.Step(p.Values, f.workers[0].grad.Parts()[k].Values, f.moments[0].Parts()[k].Values, f.moments[1].Parts()[k].Values)
	}
	bound(f.network)
}

// bound clips weights to what an int16 can hold (see Quantize of package model/nnue). They are far
// smaller unless a fit diverges.
func bound(n *model.Network) {
	const most = 31
	for _, p := range n.Parts() {
		for i, x := range p.Values {
			if x > most || x < -most {
				p.Values[i] = max(-most, min(most, x))
			}
		}
	}
}

// Loss is the mean loss on what is held out.
func (f *Fit) Loss() float64 {
	return f.mean(f.out, func(w *worker) float64 {
		x := &w.sample
		loss, _ := crossEntropy(f.network.Forward(x.own, x.other, x.terms, &w.scratch), x.target)
		return loss
	})
}

// LeastLoss is the entropy of the targets held out, below which no loss can be.
func (f *Fit) LeastLoss() float64 {
	return f.mean(f.out, func(w *worker) float64 {
		p := min(1-1e-9, max(1e-9, float64(w.sample.target)))
		return -p*math.Log(p) - (1-p)*math.Log1p(-p)
	})
}

// TermsLoss is the loss on what is held out of the sum of the terms by weights in nats, at
// the scale that suits it best.
func (f *Fit) TermsLoss(weights []float64) float64 {
	best := math.Inf(1)
	for scale := 0.2; scale < 5; scale *= 1.1 {
		best = min(best, f.mean(f.out, func(w *worker) float64 {
			sum := 0.0
			for i, c := range w.sample.terms {
				sum += weights[i] * float64(c)
			}
			loss, _ := crossEntropy(float32(scale*sum), w.sample.target)
			return loss
		}))
	}
	return best
}

// mean is the mean of a loss over the positions of list.
func (f *Fit) mean(list []int32, of func(w *worker) float64) (loss float64) {
	terms := len(f.network.TermShifts)
	f.spread(list, func(w *worker, part []int32) {
		w.loss = 0
		for _, i := range part {
			f.samples.read(int(i), terms, &w.sample)
			w.loss += of(w)
		}
	})
	for _, w := range f.workers {
		loss += w.loss
	}
	return loss / float64(len(list))
}
