// Package infer computes a network's forward pass on the kernels, for search.
//
// The formulas are in package model; batch normalisation is folded into the
// convolutions. A batch goes through the whole network a few positions at a
// time, so that activations stay in the cache and scratch memory does not grow
// with the batch. The package starts no goroutine and knows no game: planes in,
// logits out.
package infer

import (
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/model/precision"
)

// ErrShape is wrapped when the arguments of Forward do not fit together.
var ErrShape = errors.New("shape mismatch")

// Net evaluates positions with one network. It is not safe for concurrent use:
// each worker owns one, and Fork makes more that share the weights.
type Net struct {
	*layers
	maxBatch int
	watch    *watch // nil but in a Calibrator

	// Scratch for chunk positions.
	input  []float32 // [chunk][cells][planes]
	mask   []float32 // [chunk][cells], nil without a mask plane
	tower  []float32 // [chunk][cells][channels], t in package model
	inner  []float32 // [chunk][cells][channels], a in package model
	eights scratch8  // in place of input, tower and inner
	vector []float32 // [chunk][channels], what a branch adds to every cell
	pooled []float32 // [chunk][3·channels]
	picked []int32   // [chunk·cells], the cells, of all positions, that logits are asked of
	rows   []int32   // [chunk][cells], 1 + the place of a cell in picked, or 0
	policy []float32 // [chunk·cells][policy channels], by picked
	logits []float32 // [chunk·cells][policy planes], by picked
	more   []float32 // [chunk][policy globals]
	value  []float32 // [chunk][cells·value channels]
	hidden []float32 // [chunk][value hidden]
	out    []float32 // [chunk][valueOutputs]
	conv   []float32 // what convolutions work in
}

// chunkBytes is what the tower's two activation arrays may take. 288 KiB, nine
// positions of 8×8 cells and 64 channels, were best of 192 KiB to 1.5 MiB with a
// second-level cache of 2 MiB, which they share with what a convolution works in
// (kernel's blocks, best of the same size) and with its weights; twice as much
// costs 2 %, four times 5 %. In eight bits that is 36 positions: 32 are 4 % faster
// than 8 with AMX's kernels and as fast as 64; without AMX all are alike.
const chunkBytes = 288 << 10

// maxChunk bounds the chunk of tiny networks, where a call costs little already.
const maxChunk = 64

// Options say how a network is computed.
type Options struct {
	// MaxBatch is the largest batch that Forward takes, at least 1. Small boards
	// and towers of few channels may be computed by another method, with other
	// last digits, if it is below 8 (kernel.ConvShape.Batch).
	MaxBatch int
	// Precision is the number format of the tower.
	Precision precision.Precision
	// Calibration has the ranges of activations, needed for precision.Int8.
	Calibration *model.Calibration
}

// ErrCalibration is wrapped when a precision needs a calibration and there is
// none.
var ErrCalibration = errors.New("the weights have no calibration; `ludozero calibrate` measures it")

// New folds and packs the weights w of net, of which it keeps nothing. The kernel
// variant in use is checked here.
func New(net model.Network, w *model.Weights, o Options) (*Net, error) {
	if o.MaxBatch < 1 {
		return nil, fmt.Errorf("inference: batch of %d, want at least 1", o.MaxBatch)
	}
	if net != w.Network() {
		return nil, fmt.Errorf("inference: weights of network %+v, want %+v", w.Network(), net)
	}
	if err := errors.Join(net.Validate(), w.Check(), kernel.Check()); err != nil {
		return nil, fmt.Errorf("inference: %w", err)
	}
	l, err := layersOf(w, o)
	if err != nil {
		return nil, fmt.Errorf("inference: %w", err)
	}
	return newNet(l, o.MaxBatch), nil
}

func layersOf(w *model.Weights, o Options) (*layers, error) {
	switch {
	case o.Precision == precision.F32:
		return fold(w, chunkOf(w.Network(), o.MaxBatch, floatBytes), false)
	case o.Precision == precision.BF16:
		if err := kernel.CheckBFloat16(); err != nil {
			return nil, fmt.Errorf("precision %s: %w", o.Precision, err)
		}
		return fold(w, chunkOf(w.Network(), o.MaxBatch, floatBytes), true)
	case o.Precision != precision.Int8:
		return nil, fmt.Errorf("precision: %d is none of %v", o.Precision, precision.Names())
	case o.Calibration == nil:
		return nil, fmt.Errorf("precision %s: %w", o.Precision, ErrCalibration)
	}
	if err := o.Calibration.Fits(w.Network()); err != nil {
		return nil, err
	}
	return quantize(w, o.Calibration)
}

// Fork returns a Net for another worker: the same weights, scratch of its own.
// It may be called while n is at work.
func (n *Net) Fork() *Net { return newNet(n.layers, n.maxBatch) }

// MaxBatch is the largest batch that Forward takes.
func (n *Net) MaxBatch() int { return n.maxBatch }

// Network is the architecture that n computes.
func (n *Net) Network() model.Network { return n.net }

// chunkOf is the number of positions that go through the network together. bytes is
// the size of an activation.
func chunkOf(net model.Network, maxBatch, bytes int) int {
	chunk := min(max(1, chunkBytes/(2*bytes*net.Shape.Cells()*net.Config.Channels)), maxChunk, maxBatch)
	if chunk > 2*fill {
		chunk -= chunk % fill
	}
	return chunk
}

// fill divides the size of larger chunks: such batches fill the kernels' groups of
// rows on most boards.
const fill = 6

// Bytes of an activation.
const (
	floatBytes = 4
	eightBytes = 1
)

func newNet(l *layers, maxBatch int) *Net {
	s, c := l.net.Shape, l.net.Config
	cells, bytes := s.Cells(), floatBytes
	if l.eight != nil {
		bytes = eightBytes
	}
	chunk := chunkOf(l.net, maxBatch, bytes)
	n := &Net{
		layers: l, maxBatch: maxBatch,
		vector: kernel.Alloc(chunk * c.Channels),
		pooled: kernel.Alloc(chunk * 3 * c.Channels),
		picked: make([]int32, chunk*cells),
		rows:   make([]int32, chunk*cells),
		policy: kernel.Alloc(chunk * cells * c.PolicyChannels),
		logits: kernel.Alloc(chunk * cells * s.PolicyPlanes),
		more:   kernel.Alloc(chunk * s.PolicyGlobals),
		value:  kernel.Alloc(chunk * cells * c.ValueChannels),
		hidden: kernel.Alloc(chunk * c.ValueHidden),
		out:    kernel.Alloc(chunk * valueOutputs),
		conv:   kernel.Alloc(l.scratch),
	}
	if l.eight != nil {
		n.eights = newScratch8(chunk, n.eight.stem.w.In, c.Channels, cells)
	} else {
		n.input = kernel.Alloc(chunk * cells * s.Planes)
		n.tower = kernel.Alloc(chunk * cells * c.Channels)
		n.inner = kernel.Alloc(chunk * cells * c.Channels)
	}
	if s.MaskPlane >= 0 {
		n.mask = kernel.Alloc(chunk * cells)
	}
	return n
}

// chunk is the number of positions that the scratch has room for.
func (n *Net) chunk() int { return len(n.out) / valueOutputs }
