package graph

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"github.com/ludozero/ludozero/model"
)

// architectures are the networks that the tests build: every branch of the
// description on and off, boards that are square, oblong and smaller than the
// input.
var architectures = map[string]model.Network{
	"bare": {
		Shape:  model.Shape{Planes: 3, Height: 3, Width: 3, MaskPlane: -1, PolicyPlanes: 1},
		Config: model.Config{Blocks: 0, Channels: 8, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 8}},
	"plain": {
		Shape:  model.Shape{Planes: 5, Height: 6, Width: 7, MaskPlane: -1, PolicyPlanes: 2},
		Config: model.Config{Blocks: 1, Channels: 16, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 16}},
	"pooled": {
		Shape:  model.Shape{Planes: 9, Height: 4, Width: 5, Globals: 6, MaskPlane: -1, PolicyPlanes: 3, PolicyGlobals: 4},
		Config: model.Config{Blocks: 2, Channels: 8, PoolEvery: 1, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 8}},
	"masked": {
		Shape:  model.Shape{Planes: 7, Height: 5, Width: 5, Globals: 3, MaskPlane: 2, PolicyPlanes: 4, PolicyGlobals: 2},
		Config: model.Config{Blocks: 2, Channels: 8, PoolEvery: 2, PolicyChannels: 16, ValueChannels: 8, ValueHidden: 24}},
	"largest": {
		Shape:  model.Shape{Planes: 4, Height: model.MaxHeight, Width: model.MaxWidth, Globals: 2, MaskPlane: -1, PolicyPlanes: 2, PolicyGlobals: 1},
		Config: model.Config{Blocks: 1, Channels: 8, PoolEvery: 1, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 8}},
	"reply": {
		Shape:  model.Shape{Planes: 5, Height: 4, Width: 4, MaskPlane: -1, PolicyPlanes: 2},
		Config: model.Config{Blocks: 1, Channels: 8, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 8, Reply: true}},
	"masked reply": {
		Shape:  model.Shape{Planes: 7, Height: 5, Width: 6, Globals: 3, MaskPlane: 2, PolicyPlanes: 4, PolicyGlobals: 2},
		Config: model.Config{Blocks: 1, Channels: 8, PoolEvery: 1, PolicyChannels: 16, ValueChannels: 8, ValueHidden: 24, Reply: true}},
}

func options(batch, threads int) Options {
	return Options{Batch: batch, Threads: threads, PolicyWeight: 1, ValueWeight: 0.7, TurnsWeight: 0.4, ReplyWeight: 0.6, Momentum: 0.1}
}

// randomWeights are weights in which no scale is 0, so that every path of the
// network has a gradient.
func randomWeights(net model.Network, seed uint64) *model.Weights {
	rng := rand.New(rand.NewPCG(seed, 1))
	w := model.NewWeights(net)
	w.Init(rng)
	for i, s := range w.Specs() {
		d := w.Data(i)
		for j := range d {
			switch {
			case s.Role == model.RunningVar:
				d[j] = 0.5 + rng.Float32()
			case s.Role == model.Scale:
				d[j] = 0.6 + 0.8*rng.Float32()
			case s.Role == model.Weight && s.Init.Std == 0:
				d[j] = 0.2 * float32(rng.NormFloat64())
			case s.Role != model.Weight:
				d[j] = 0.3 * float32(rng.NormFloat64())
			}
		}
	}
	return w
}

// randomBatch has rows with and without policy and value targets, boards of
// different sizes if the network is masked, and actions that share a cell.
func randomBatch(net model.Network, rows int, seed uint64) *Batch {
	rng := rand.New(rand.NewPCG(seed, 2))
	s := net.Shape
	const most = 7
	b := NewBatch(s, rows, most)
	for row := range rows {
		h, w := s.Height, s.Width
		if s.MaskPlane >= 0 {
			h, w = 3+row%(s.Height-2), 3+(row/2)%(s.Width-2)
		}
		var board []int
		for y := range h {
			for x := range w {
				board = append(board, y*s.Width+x)
			}
		}
		for _, cell := range board {
			at := (row*s.Cells() + cell) * s.Planes
			for p := range s.Planes {
				b.Planes[at+p] = float32(rng.NormFloat64())
				if p == s.MaskPlane {
					b.Planes[at+p] = 1
				}
			}
		}
		// actions appends a random policy target.
		actions := func(cells []int32, probs []float32) ([]int32, []float32) {
			sum := float32(0)
			from := len(probs)
			for i := range 1 + rng.IntN(most) {
				cell := rng.IntN(s.PolicyPlanes)*s.Cells() + board[rng.IntN(len(board))]
				if s.PolicyGlobals > 0 && rng.IntN(3) == 0 {
					cell = s.PolicyPlanes*s.Cells() + rng.IntN(s.PolicyGlobals)
				}
				if i > 0 && rng.IntN(4) == 0 {
					cell = int(cells[len(cells)-1])
				}
				cells, probs = append(cells, int32(cell)), append(probs, rng.Float32())
				sum += probs[len(probs)-1]
			}
			for i := from; i < len(probs); i++ {
				probs[i] /= sum
			}
			return cells, probs
		}
		b.Cells, b.Policy = actions(b.Cells, b.Policy)
		b.Offsets = append(b.Offsets, int32(len(b.Cells)))
		if net.Config.Reply && row%4 != 1 {
			b.ReplyCells, b.ReplyPolicy = actions(b.ReplyCells, b.ReplyPolicy)
			b.ReplyWeight[row] = float32(row%4) / 2
		}
		b.ReplyOffsets = append(b.ReplyOffsets, int32(len(b.ReplyCells)))
		b.Value[row*3+rng.IntN(3)] = 1
		b.Turns[row] = 150 * rng.Float32()
		b.PolicyWeight[row] = float32(row%3) / 2
		b.ValueWeight[row] = float32((row+1)%4) / 2
		b.TurnsWeight[row] = float32((row+2)%3) / 2
	}
	for i := range b.Globals {
		b.Globals[i] = float32(rng.NormFloat64())
	}
	return b
}

func newGraph(t testing.TB, net model.Network, w *model.Weights, opt Options) *Graph {
	t.Helper()
	g, err := New(net, w, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g
}

func mustRun(t testing.TB, g *Graph, b *Batch) Losses {
	t.Helper()
	l, err := g.Run(b)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func gradient(t testing.TB, g *Graph, i int) []float32 {
	t.Helper()
	v, err := g.Learnables()[i].Grad()
	if err != nil {
		t.Fatal(err)
	}
	return v.(*tensor.Dense).Float32s()
}

// near compares float32 results with the reference: the largest difference may
// be tolerance times the largest reference value, or times floor if that is
// more.
func near(t *testing.T, name string, got []float32, want []float64, tolerance, floor float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s has %d values, want %d", name, len(got), len(want))
		return
	}
	largest := floor
	for _, v := range want {
		largest = max(largest, math.Abs(v))
	}
	for i, v := range want {
		if !(math.Abs(float64(got[i])-v) <= tolerance*largest) {
			t.Errorf("%s[%d] = %g, want %g; the largest is %g", name, i, got[i], v, largest)
			return
		}
	}
}

// TestForwardMatchesFormulas holds outputs, losses and running statistics to
// the formulas of package model. float32 keeps 7 digits and sums here have up
// to a thousand terms, so 1e-4 of the largest value leaves an order of magnitude.
func TestForwardMatchesFormulas(t *testing.T) {
	const tolerance = 1e-4
	for name, net := range architectures {
		t.Run(name, func(t *testing.T) {
			w, opt := randomWeights(net, 3), options(11, 2)
			batch := randomBatch(net, opt.Batch, 4)
			g := newGraph(t, net, w, opt)
			for _, m := range []mode{evaluation, training} {
				r := newReference(net, w, opt, m == training)
				want := r.run(batch)
				got, err := g.run(batch, m)
				if err != nil {
					t.Fatal(err)
				}
				o := g.Outputs()
				near(t, "policy", o.Policy, r.policy, tolerance, 1)
				near(t, "reply", o.Reply, r.reply, tolerance, 1)
				near(t, "cells", o.Cells, r.cells, tolerance, 1)
				near(t, "more", o.More, r.more, tolerance, 1)
				near(t, "wdl", o.WDL, r.wdl, tolerance, 1)
				near(t, "turns", o.Turns, r.turns, tolerance, 1)
				near(t, "losses", []float32{float32(got.Total), float32(got.Policy), float32(got.Value), float32(got.Turns), float32(got.Reply)},
					[]float64{want.Total, want.Policy, want.Value, want.Turns, want.Reply}, tolerance, 1)
				if m == evaluation {
					if !g.Weights().Equal(w) {
						t.Error("an evaluation has changed the weights")
					}
					continue
				}
				after := g.Weights()
				for bn := range r.mean {
					for _, s := range []struct {
						tensor string
						batch  []float64
					}{{bn + ".mean", r.mean[bn]}, {bn + ".var", r.vari[bn]}} {
						old := wide(w.Tensor(s.tensor))
						for j := range old {
							old[j] += opt.Momentum * (s.batch[j] - old[j])
						}
						near(t, s.tensor, after.Tensor(s.tensor), old, tolerance, 1)
					}
				}
			}
		})
	}
}

// TestGradientMatchesFiniteDifferences compares the gradient by every tensor
// with central differences of the float64 reference. With steps of 1e-5 those
// are good to 1e-9 but where a step crosses the corner of a relu or a maximum,
// which the seeds avoid; the tolerance allows for float32 sums over the batch.
func TestGradientMatchesFiniteDifferences(t *testing.T) {
	const step, tolerance, perTensor = 1e-5, 3e-4, 6
	for name, net := range architectures {
		t.Run(name, func(t *testing.T) {
			w, opt := randomWeights(net, 5), options(5, 1)
			batch := randomBatch(net, opt.Batch, 6)
			g := newGraph(t, net, w, opt)
			mustRun(t, g, batch)
			r := newReference(net, w, opt, true)
			rng := rand.New(rand.NewPCG(7, 7))
			for i, n := range g.Learnables() {
				if n.Name() != g.LearnableSpecs()[i].Name {
					t.Fatalf("learnable %d is %s, its description %s", i, n.Name(), g.LearnableSpecs()[i].Name)
				}
				all, x := gradient(t, g, i), r.tensor[n.Name()]
				if len(all) != len(x) {
					t.Fatalf("%s: gradient of %d values for %d", n.Name(), len(all), len(x))
				}
				var got []float32
				var want []float64
				for range min(perTensor, len(x)) {
					j := rng.IntN(len(x))
					old := x[j]
					x[j] = old + step
					up := r.run(batch).Total
					x[j] = old - step
					down := r.run(batch).Total
					x[j] = old
					got, want = append(got, all[j]), append(want, (up-down)/(2*step))
				}
				near(t, n.Name(), got, want, tolerance, 0.01)
			}
		})
	}
}

func TestErrorsNameTheProblem(t *testing.T) {
	net := architectures["masked"]
	_, err := New(net, model.NewWeights(net), Options{Batch: 0, Threads: 9, PolicyWeight: -1, ReplyWeight: math.Inf(1), Momentum: 2})
	for _, want := range []string{"batch = 0", "threads = 9", "policy weight = -1", "reply weight = +Inf", "momentum = 2"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New: %v, want it to name %q", err, want)
		}
	}
	if _, err := New(net, model.NewWeights(architectures["bare"]), options(2, 1)); err == nil {
		t.Error("New took weights of another network")
	}
	withReply := architectures["masked reply"]
	g := newGraph(t, net, randomWeights(net, 1), options(2, 1))
	answers := newGraph(t, withReply, randomWeights(withReply, 1), options(2, 1))
	for want, spoil := range map[string]func(b *Batch){
		"reply offsets has":           func(b *Batch) { b.ReplyOffsets = nil },
		"reply policy weight has":     func(b *Batch) { b.ReplyWeight = b.ReplyWeight[1:] },
		"reply row 1 has no legal":    func(b *Batch) { b.ReplyWeight[1] = 1 },
		"reply offset 1 is -1":        func(b *Batch) { b.ReplyOffsets[1] = -1 },
		"reply action 0 stands in":    func(b *Batch) { b.ReplyCells[0] = -1 },
		"reply policy has 1 values":   func(b *Batch) { b.ReplyPolicy = b.ReplyPolicy[:1] },
		"reply offsets run from 0 to": func(b *Batch) { b.ReplyOffsets[2]-- },
		"reply loss NaN":              func(b *Batch) { b.ReplyPolicy[0] = float32(math.NaN()); b.ReplyWeight[0] = 1 },
	} {
		b := randomBatch(withReply, 2, 2)
		spoil(b)
		if _, err := answers.Run(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Run = %v, want it to say %q", err, want)
		}
	}
	for want, spoil := range map[string]func(b *Batch){
		"planes has":           func(b *Batch) { b.Planes = b.Planes[1:] },
		"turns weight has":     func(b *Batch) { b.TurnsWeight = nil },
		"offsets run from":     func(b *Batch) { b.Offsets[2]-- },
		"row 1 has no legal":   func(b *Batch) { b.Offsets[1] = b.Offsets[2] },
		"stands in head cell":  func(b *Batch) { b.Cells[0] = int32(net.Shape.HeadCells()) },
		"policy has":           func(b *Batch) { b.Policy = b.Policy[1:] },
		"turns loss NaN":       func(b *Batch) { b.Turns[0] = float32(math.NaN()); b.TurnsWeight[0] = 1 },
		"policy loss NaN":      func(b *Batch) { b.Planes[0] = float32(math.NaN()); b.PolicyWeight[1] = 1 },
		"stands in head cell ": func(b *Batch) { b.Cells[0] = -1 },
	} {
		b := randomBatch(net, 2, 1)
		spoil(b)
		if _, err := g.Run(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Run = %v, want it to say %q", err, want)
		}
	}
}

func BenchmarkRun(bm *testing.B) {
	shape := model.Shape{Planes: 48, Height: 8, Width: 8, Globals: 16, MaskPlane: -1, PolicyPlanes: 27, PolicyGlobals: 11}
	for _, size := range []struct{ blocks, channels int }{{4, 32}, {6, 64}} {
		net := model.Network{Shape: shape, Config: model.DefaultConfig()}
		net.Config.Blocks, net.Config.Channels = size.blocks, size.channels
		for _, threads := range []int{1, 2} {
			bm.Run(fmt.Sprintf("%dx%d/threads=%d", size.blocks, size.channels, threads), func(bm *testing.B) {
				const rows = 256
				g := newGraph(bm, net, randomWeights(net, 1), options(rows, threads))
				batch := randomBatch(net, rows, 1)
				mustRun(bm, g, batch)
				bm.ResetTimer()
				for range bm.N {
					mustRun(bm, g, batch)
				}
				bm.ReportMetric(float64(rows*bm.N)/bm.Elapsed().Seconds(), "samples/s")
			})
		}
	}
}
