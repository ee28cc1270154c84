package mcts

import (
	"math"

	"github.com/ludozero/ludozero/engine"
)

// Network evaluates a batch of positions. planes is [B, Planes, Height, Width]
// and globals [B, Globals]; row i asks for the logits of the policy head's
// cells[offsets[i]:offsets[i+1]], which logits receives in that order. wdl
// [B, 3] receives the logits of win, draw and loss in the view of the player to
// act, turns [B] the expected number of turns left; turns may be nil.
type Network interface {
	Forward(planes, globals []float32, offsets, cells []int32, logits, wdl, turns []float32) error
}

// Batch gathers positions for one call of a Network. It is filled with Add,
// evaluated, read with Logits and Value, and emptied by Clear. It grows to the
// largest batch seen and then allocates no more.
type Batch struct {
	info            *engine.Info
	planes, globals []float32
	offsets, cells  []int32
	logits, wdl     []float32
	n               int
}

// NewBatch returns an empty batch for positions of the family info describes.
func NewBatch(info *engine.Info) *Batch {
	return &Batch{info: info, offsets: []int32{0}}
}

// Len is the number of positions.
func (b *Batch) Len() int { return b.n }

// Clear empties the batch.
func (b *Batch) Clear() {
	b.n, b.offsets, b.cells = 0, b.offsets[:1], b.cells[:0]
}

// Add encodes position s, which has these legal actions, and returns its place
// in the batch. s may change afterwards.
func (b *Batch) Add(s engine.State, legal []engine.Action) int {
	f := &b.info.Features
	p, g := f.Planes*f.Cells(), f.Globals
	i := b.n
	b.n++
	b.planes = extend(b.planes, b.n*p)
	b.globals = extend(b.globals, b.n*g)
	s.Encode(b.planes[i*p:b.n*p], b.globals[i*g:b.n*g])
	for _, a := range legal {
		b.cells = append(b.cells, b.info.Policy.Cells[a])
	}
	b.offsets = append(b.offsets, int32(len(b.cells)))
	return i
}

// Evaluate runs the network over all positions.
func (b *Batch) Evaluate(net Network) error {
	if b.n == 0 {
		return nil
	}
	f := &b.info.Features
	b.logits = extend(b.logits, len(b.cells))
	b.wdl = extend(b.wdl, 3*b.n)
	return net.Forward(b.planes[:b.n*f.Planes*f.Cells()], b.globals[:b.n*f.Globals], b.offsets, b.cells, b.logits[:len(b.cells)], b.wdl[:3*b.n], nil)
}

// Logits returns the policy logits of the legal actions of position i.
func (b *Batch) Logits(i int) []float32 { return b.logits[b.offsets[i]:b.offsets[i+1]] }

// Value returns the network's value of position i in the view of its player.
func (b *Batch) Value(i int) float32 { return Value(b.wdl[3*i : 3*i+3]) }

// ByNetwork is the Evaluator that asks a network, which it must not share.
func ByNetwork(info *engine.Info, network Network) Evaluator {
	return &byNetwork{NewBatch(info), network}
}

type byNetwork struct {
	batch   *Batch
	network Network
}

func (e *byNetwork) Evaluate(leaves []Leaf, offsets []int32, logits, values []float32) error {
	e.batch.Clear()
	for i := range leaves {
		e.batch.Add(leaves[i].State, leaves[i].Actions)
	}
	if err := e.batch.Evaluate(e.network); err != nil {
		return err
	}
	for i := range leaves {
		copy(logits[offsets[i]:offsets[i+1]], e.batch.Logits(i))
		values[i] = e.batch.Value(i)
	}
	return nil
}

// Value turns logits of win, draw and loss into a value in [-1, 1]: the
// probability of a win less that of a loss.
func Value(wdl []float32) float32 {
	m := max(wdl[0], wdl[1], wdl[2])
	w := math.Exp(float64(wdl[0] - m))
	d := math.Exp(float64(wdl[1] - m))
	l := math.Exp(float64(wdl[2] - m))
	return float32((w - l) / (w + d + l))
}

// extend returns s with room for n floats, its contents kept.
func extend(s []float32, n int) []float32 {
	if n <= cap(s) {
		return s[:n]
	}
	t := make([]float32, n, n+n/2)
	copy(t, s)
	return t
}
