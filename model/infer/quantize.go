package infer

import (
	"fmt"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/kernel"
)

// steps is the number of steps from 0 to the range of an activation.
const steps = 255

// layer8 is a convolution of quantised activations. scale and bias make its
// output out of the sums, in steps of it or, if it is a float, as it is.
type layer8 struct {
	w           *kernel.Packed8
	scale, bias []float32
}

// block8 is one residual block; pool.w is nil if it has no pooling branch.
type block8 struct {
	conv1, conv2 layer8
	pool         layer   // its output is in steps of the branch's output
	step         float32 // of conv1's output
	rescale      float32 // step over the step of the branch's output
	residual     float32 // step of the block's input over the step of its output
}

// layers8 is the tower of a network and the first layers of its heads in eight
// bits. It is read-only and may be shared.
type layers8 struct {
	factor          []float32 // of the input planes: 255 over the range
	stem            layer8
	globals         layer // in steps of the stem's output; its bias is stem.bias
	blocks          []block8
	policy1, value1 layer8  // to floats
	step            float32 // of the tower's output
}

// quantize makes a network for inference in eight bits: batch normalisation goes
// into weights and biases as in fold, weights are held as one scale an output
// channel times whole numbers up to 127, activations as the calibration k says
// (Jacob et al. 2018, section 2; ReLUs leave nothing below 0, so that no zero
// point is needed). The heads begin with eight bits and end in float32.
func quantize(w *model.Weights, k *model.Calibration) (*layers, error) {
	net := w.Network()
	s, c := net.Shape, net.Config
	f := &folder{w: w}
	l := &layers8{factor: make([]float32, s.Planes), blocks: make([]block8, c.Blocks)}
	step := func(activation string) float32 { return k.Ranges[activation] / steps }

	stem, bias := f.folded("stem.conv.weight", "stem.bn")
	for p, r := range k.Planes {
		l.factor[p] = steps / r
	}
	for i := range stem { // [tap][plane][out]
		stem[i] *= k.Planes[i/c.Channels%s.Planes] / steps
	}
	means := make([]float64, s.Planes) // in steps
	for p, m := range k.Means {
		means[p] = float64(m) / float64(k.Planes[p]) * steps
	}
	bias = unbiased(stem, bias, means)
	l.step = step("stem")
	width := max(s.Planes, kernel.LeastIn8)
	l.stem = quantized(widened(stem, s.Planes, width, c.Channels), bias, 3, width, 1, l.step)
	if s.Globals > 0 {
		g, _ := f.folded("stem.globals.weight", "stem.bn")
		l.globals = layer{kernel.PackConv(scaled(g, l.step), f.shape(1, s.Globals, c.Channels)), l.stem.bias}
	}
	for i := range l.blocks {
		b, name := &l.blocks[i], fmt.Sprintf("block.%d.", i)
		b.step = step(name + "inner")
		w1, bias1 := f.folded(name+"conv1.weight", name+"bn1")
		b.conv1 = quantized(w1, bias1, 3, c.Channels, l.step, b.step)
		inner := b.step
		if c.Pooled(i) {
			inner = step(name + "pooled")
			b.rescale = b.step / inner
			b.pool = layer{
				kernel.PackConv(scaled(f.w.Tensor(name+"pool.weight"), inner), f.shape(1, 3*c.Channels, c.Channels)),
				scaled(f.w.Tensor(name+"pool.bias"), inner),
			}
		}
		out := step(name + "output")
		w2, bias2 := f.folded(name+"conv2.weight", name+"bn2")
		b.conv2 = quantized(w2, bias2, 3, c.Channels, inner, out)
		b.residual = l.step / out
		l.step = out
	}
	w1, bias1 := f.folded("policy.conv1.weight", "policy.bn")
	l.policy1 = quantized(w1, bias1, 1, c.Channels, l.step, 1)
	w1, bias1 = f.folded("value.conv.weight", "value.bn")
	l.value1 = quantized(w1, bias1, 1, c.Channels, l.step, 1)

	all := &layers{net: net, eight: l}
	f.ends(all)
	return all, f.err
}

// quantized packs a layer from activations of step in to activations of step out. bias
// is not kept.
func quantized(w, bias []float32, k, channels int, in, out float32) layer8 {
	n := len(bias)
	q, scale := make([]int8, len(w)), make([]float32, n)
	kernel.QuantizeWeights8(q, scale, w, n)
	for j := range scale {
		scale[j] *= in / out
	}
	return layer8{kernel.PackConv8(q, k, channels, n), scale, scaled(bias, out)}
}

// widened gives a convolution's weights, [tap][in][out], inputs without effect
// up to width.
func widened(w []float32, in, width, out int) []float32 {
	var all []float32
	for t := 0; t < len(w); t += in * out {
		all = append(all, w[t:t+in*out]...)
		all = append(all, make([]float32, (width-in)*out)...)
	}
	return all
}

// unbiased is the bias of a layer with weights w, [tap][in][out], less what their
// rounding adds to its outputs on average, away from the edge, where its inputs
// have these means. Many input planes are the same in all positions, so that their
// rounding errors add up to another bias (Nagel et al. 2019, Data-Free
// Quantization Through Weight Equalization and Bias Correction, section 4.2).
// In the stem that takes 11 and 24 % off the error of the values of two networks
// of Kon'reh, as much as a stem in float32; in other layers it did nothing.
func unbiased(w, bias []float32, means []float64) []float32 {
	n := len(bias)
	q, scale := make([]int8, len(w)), make([]float32, n)
	kernel.QuantizeWeights8(q, scale, w, n)
	shift := make([]float64, n)
	for i, x := range w {
		shift[i%n] += (float64(q[i])*float64(scale[i%n]) - float64(x)) * means[i/n%len(means)]
	}
	corrected := make([]float32, n)
	for j, b := range bias {
		corrected[j] = b - float32(shift[j])
	}
	return corrected
}

func scaled(v []float32, step float32) []float32 {
	w := make([]float32, len(v))
	for i, x := range v {
		w[i] = x / step
	}
	return w
}
