package infer

import (
	"errors"
	"fmt"
	"math"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/kernel"
)

// Calibrator measures the ranges of a network's activations on given positions, computed
// in float32, for inference in eight bits. The result depends on the set of positions, not
// on their order or batches. Not safe
// for concurrent use.
//
// The range of an activation is its largest value, so that nothing of the sample
// is clipped. On three networks of Kon'reh with 4 × 32 and thousands of other
// positions, ranges that leave out the largest 10⁻⁶ or 10⁻⁵ of the values, or make
// the squared error least, gave values that were up to 5 % nearer to those in
// float32 on average or up to 11 % further off, and policies alike; leaving out
// 10⁻⁴ was 12 % worse, 10⁻³ three times as bad, ranges larger by a quarter 13 to
// 21 % worse.
type Calibrator struct {
	net       *Net
	watch     watch
	positions int
	// What asks for all cells of the board, [chunk + 1] and [chunk · cells].
	offsets, cells []int32
}

// NewCalibrator returns a Calibrator of the weights w of net, of which it keeps
// nothing.
func NewCalibrator(net model.Network, w *model.Weights) (*Calibrator, error) {
	n, err := New(net, w, Options{MaxBatch: maxChunk})
	if err != nil {
		return nil, err
	}
	c := &Calibrator{net: n, offsets: []int32{0}}
	for range n.chunk() {
		for cell := range net.Shape.Cells() {
			c.cells = append(c.cells, int32(cell)) // in the first plane
		}
		c.offsets = append(c.offsets, int32(len(c.cells)))
	}
	c.watch.planes = make([]float32, net.Shape.Planes)
	for p := range c.watch.planes {
		c.watch.planes[p] = leastPlane
	}
	c.watch.sums = make([]float64, net.Shape.Planes)
	c.watch.largest = make([]float32, len(net.Activations()))
	if net.Shape.Globals > 0 {
		c.watch.names = append(c.watch.names, "stem.board")
	}
	for i := range net.Config.Blocks {
		c.watch.names = append(c.watch.names, fmt.Sprintf("block.%d.sum2", i))
	}
	c.watch.parts = make([]Range, len(c.watch.names))
	c.watch.term = kernel.Alloc(len(n.tower))
	n.watch = &c.watch
	return c, nil
}

// Add measures batch positions: planes is [batch, P, H, W], globals
// [batch, G]. It allocates nothing. Planes must not be below 0.
func (c *Calibrator) Add(planes, globals []float32, batch int) error {
	n, s := c.net, c.net.net.Shape
	if batch < 1 || len(planes) != batch*s.Planes*s.Cells() || len(globals) != batch*s.Globals {
		return fmt.Errorf("calibration: %w: %d plane values and %d globals for %d positions of %d × %d × %d and %d", ErrShape,
			len(planes), len(globals), batch, s.Planes, s.Height, s.Width, s.Globals)
	}
	for i, v := range planes {
		if !(v >= 0) || v > math.MaxFloat32 {
			return fmt.Errorf("calibration: plane %d has the value %g: want a finite number of at least 0", i/s.Cells()%s.Planes, v)
		}
	}
	for lo := 0; lo < batch; {
		hi := min(lo+n.chunk(), batch)
		n.run(hi-lo, planes[lo*s.Planes*s.Cells():], globals[lo*s.Globals:hi*s.Globals], c.offsets[:hi-lo+1], c.cells)
		lo = hi
	}
	c.positions += batch
	return nil
}

// Calibration returns the ranges over the positions added so far.
func (c *Calibrator) Calibration() (*model.Calibration, error) {
	if c.positions == 0 {
		return nil, errors.New("calibration: no positions")
	}
	k := &model.Calibration{
		Version: model.CalibrationVersion, Positions: c.positions,
		Planes: append([]float32(nil), c.watch.planes...), Ranges: map[string]float32{},
	}
	for _, sum := range c.watch.sums {
		k.Means = append(k.Means, float32(sum/float64(c.positions*c.net.net.Shape.Cells())))
	}
	for i, name := range c.net.net.Activations() {
		k.Ranges[name] = c.watch.largest[i]
		if k.Ranges[name] == 0 {
			k.Ranges[name] = 1 // nothing is known of it
		}
	}
	if err := k.Fits(c.net.net); err != nil {
		return nil, err
	}
	return k, nil
}

// Range is from the least to the largest of some values.
type Range struct{ Min, Max float32 }

// Further returns the ranges of what a Calibration does without, over the positions added
// so far, by the names of model/onnx: of the convolutions whose output goes into a sum
// ("stem.board", "block.0.sum2", …), where that sum is above 0, since elsewhere what it is
// below 0 does not matter; and of the first layers of the heads, "policy.inner" and
// "value.inner". 0 is in all of them.
func (c *Calibrator) Further() map[string]Range {
	all := map[string]Range{
		"policy.inner": {0, c.watch.ends[0]},
		"value.inner":  {0, c.watch.ends[1]},
	}
	for i, name := range c.watch.names {
		all[name] = c.watch.parts[i]
	}
	return all
}

// leastPlane is the least range of an input plane. Most planes are 0 or 1, and
// some are 0 in all positions of a sample.
const leastPlane = 1

// watch records the activations of forward passes. A nil one does nothing.
type watch struct {
	planes  []float32 // the largest value of each
	sums    []float64 // of the planes' values
	largest []float32 // of each activation
	at      int       // the next activation

	names  []string // of parts
	parts  []Range  // of the terms of sums
	atPart int
	term   []float32  // one term of a sum, at most of a chunk
	ends   [2]float32 // the largest values of the first layers of policy and value
}

// begin takes the input of a forward pass, [rows][planes].
func (w *watch) begin(x []float32) {
	if w == nil {
		return
	}
	w.at, w.atPart = 0, 0
	for ; len(x) > 0; x = x[len(w.planes):] {
		for p := range w.planes {
			w.planes[p] = max(w.planes[p], x[p])
			w.sums[p] += float64(x[p])
		}
	}
}

// next takes the activation after the last.
func (w *watch) next(x []float32) {
	if w == nil {
		return
	}
	w.largest[w.at] = largest(w.largest[w.at], x)
	w.at++
}

// largest is the largest of top and x. Nothing is below 0, so that the bits are in the
// order of the values, with what is not a number above all.
func largest(top float32, x []float32) float32 {
	bits := math.Float32bits(top)
	for _, v := range x {
		bits = max(bits, math.Float32bits(v)&math.MaxInt32)
	}
	return math.Float32frombits(bits)
}

// part computes a convolution of x that is a term of sum, which has been through its ReLU.
func (w *watch) part(n *Net, batch int, l *layer, x, sum []float32) {
	if w == nil {
		return
	}
	term, r := w.term[:len(sum)], &w.parts[w.atPart]
	kernel.Conv(term, x, batch, l.w, l.bias, nil, false, n.conv)
	for i, v := range term {
		if sum[i] > 0 {
			r.Min, r.Max = min(r.Min, v), max(r.Max, v)
		}
	}
	w.atPart++
}

// heads takes the outputs of the heads' first layers.
func (w *watch) heads(policy, value []float32) {
	if w == nil {
		return
	}
	w.ends = [2]float32{largest(w.ends[0], policy), largest(w.ends[1], value)}
}
