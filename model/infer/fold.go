package infer

import (
	"fmt"
	"math"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/kernel"
)

// valueOutputs is the width of the last value layer: win, draw, loss and turns
// left, which are one matrix product here.
const valueOutputs = 4

// layer is a convolution or linear layer with its bias.
type layer struct {
	w    *kernel.Packed
	bias []float32
}

// block is one residual block; pool.w is nil if it has no pooling branch.
type block struct {
	conv1, pool, conv2 layer
}

// layers is a network ready to be computed. It is read-only and may be shared.
type layers struct {
	net model.Network
	// stem.bias is added where there are no globals; globals, a linear layer
	// whose bias is stem.bias, takes its place where there are.
	stem, globals             layer
	blocks                    []block
	policy1, policy2, more1   layer
	value1, hidden1, outcomes layer
	// eight replaces stem to policy1 and value1 in eight bits; else nil.
	eight *layers8
	// scratch is what the convolutions need, in values.
	scratch int
	heads   []headCell // of each head cell
}

// headCell is where the logit of a head cell is found.
type headCell struct {
	cell  int32 // of the board, or -1 for one of the policy globals
	plane int32 // the policy plane, or the number of the global
}

// folder collects the first error, so that the layers can be listed plainly.
type folder struct {
	w        *model.Weights
	batch    int  // of a call, usually
	bfloat16 bool // in the 3×3 convolutions
	err      error
}

// fold folds batch normalisation into the weights before it:
//
//	bn(x · w) = x · (w · f) + (shift - mean · f),  f = scale / sqrt(var + ε)
//
// computed in float64 and rounded once. The weights are packed for calls with
// about batch positions, 3×3 convolutions in bfloat16 if that is set.
func fold(w *model.Weights, batch int, bfloat16 bool) (*layers, error) {
	net := w.Network()
	s, c := net.Shape, net.Config
	f := &folder{w: w, batch: batch, bfloat16: bfloat16}
	l := &layers{net: net, blocks: make([]block, c.Blocks)}

	l.stem = f.conv("stem.conv.weight", "stem.bn", 3, s.Planes, c.Channels)
	if s.Globals > 0 {
		l.globals = f.conv("stem.globals.weight", "stem.bn", 1, s.Globals, c.Channels)
	}
	for i := range l.blocks {
		b, name := &l.blocks[i], fmt.Sprintf("block.%d.", i)
		b.conv1 = f.conv(name+"conv1.weight", name+"bn1", 3, c.Channels, c.Channels)
		if c.Pooled(i) {
			b.pool = f.plain(name+"pool", 3*c.Channels, c.Channels)
		}
		b.conv2 = f.conv(name+"conv2.weight", name+"bn2", 3, c.Channels, c.Channels)
	}
	l.policy1 = f.conv("policy.conv1.weight", "policy.bn", 1, c.Channels, c.PolicyChannels)
	l.value1 = f.conv("value.conv.weight", "value.bn", 1, c.Channels, c.ValueChannels)
	l.scratch = l.stem.w.Scratch()
	for _, b := range l.blocks {
		l.scratch = max(l.scratch, b.conv1.w.Scratch(), b.conv2.w.Scratch())
	}
	f.ends(l)
	return l, f.err
}

// ends completes the heads behind their first layers.
func (f *folder) ends(l *layers) {
	s, c := l.net.Shape, l.net.Config
	l.policy2 = f.plain("policy.conv2", c.PolicyChannels, s.PolicyPlanes)
	if s.PolicyGlobals > 0 {
		l.more1 = f.plain("policy.globals", 3*c.Channels, s.PolicyGlobals)
	}
	l.hidden1 = f.plain("value.hidden", s.Cells()*c.ValueChannels, c.ValueHidden)
	l.outcomes = f.outcomes(c.ValueHidden)
	l.heads = headCells(s)
}

// conv packs the weights of that name with the normalisation called norm.
func (f *folder) conv(name, norm string, k, in, out int) layer {
	w, bias := f.folded(name, norm)
	return layer{kernel.PackConv(w, f.shape(k, in, out)), bias}
}

// folded folds the normalisation called norm into the weights of that name.
func (f *folder) folded(name, norm string) (folded, bias []float32) {
	w := f.w.Tensor(name)
	scale, shift := f.w.Tensor(norm+".scale"), f.w.Tensor(norm+".shift")
	mean, variance := f.w.Tensor(norm+".mean"), f.w.Tensor(norm+".var")
	out := len(scale)
	factor := make([]float64, out)
	bias = make([]float32, out)
	for j := range out {
		factor[j] = float64(scale[j]) / math.Sqrt(float64(variance[j])+model.BatchNormEpsilon)
		bias[j] = float32(float64(shift[j]) - float64(mean[j])*factor[j])
	}
	folded = make([]float32, len(w))
	for i, x := range w {
		folded[i] = float32(float64(x) * factor[i%out])
	}
	f.check(name, folded)
	f.check(norm, bias)
	return folded, bias
}

// shape is the board's for k = 3. For k = 1 it is a linear layer's, for any number of
// rows.
func (f *folder) shape(k, in, out int) kernel.ConvShape {
	s := kernel.ConvShape{K: k, In: in, Out: out, H: 1, W: 1}
	if k == 3 {
		board := f.w.Network().Shape
		s.H, s.W, s.Batch, s.BFloat16 = board.Height, board.Width, f.batch, f.bfloat16
	}
	return s
}

// check records an error if folding has overflowed float32.
func (f *folder) check(name string, v []float32) {
	for _, x := range v {
		if math.IsInf(float64(x), 0) && f.err == nil {
			f.err = fmt.Errorf("tensor %s: folding batch normalisation overflows", name)
		}
	}
}

func (f *folder) plain(name string, in, out int) layer {
	bias := append([]float32(nil), f.w.Tensor(name+".bias")...)
	return layer{kernel.PackConv(f.w.Tensor(name+".weight"), f.shape(1, in, out)), bias}
}

// outcomes joins the layers of win, draw, loss and of turns left.
func (f *folder) outcomes(in int) layer {
	wdl, turns := f.w.Tensor("value.wdl.weight"), f.w.Tensor("value.turns.weight")
	w := make([]float32, 0, in*valueOutputs)
	for i := range in {
		w = append(append(w, wdl[3*i:3*i+3]...), turns[i])
	}
	bias := append(append([]float32(nil), f.w.Tensor("value.wdl.bias")...), f.w.Tensor("value.turns.bias")...)
	return layer{kernel.PackConv(w, f.shape(1, in, valueOutputs)), bias}
}

// headCells lists the head cells: those of the board by planes, then the globals.
func headCells(s model.Shape) []headCell {
	h := make([]headCell, 0, s.HeadCells())
	for plane := range s.PolicyPlanes {
		for cell := range s.Cells() {
			h = append(h, headCell{int32(cell), int32(plane)})
		}
	}
	for j := range s.PolicyGlobals {
		h = append(h, headCell{-1, int32(j)})
	}
	return h
}
