package onnx

import (
	"fmt"
	"math"
)

// round marks the activation x, [batch, channels, H, W]. In a float32 model it
// is x itself. In an int8 model it is x rounded to 256 evenly spaced values,
//
//	x' = (clamp(roundToEven(x / step) + zero, 0, 255) - zero) · step
//
// which hold all of its range and 0 exactly. An activation that is never below
// 0 has zero = 0, so that the rounding does the work of a ReLU as well.
func (b *builder) round(x string, channels int) string {
	b.rounded = append(b.rounded, x)
	if b.opt.Inner {
		b.output(x, "", batchDim, channels, b.net.Shape.Height, b.net.Shape.Width)
	}
	if b.opt.Int8 == nil {
		return x
	}
	r, ok := b.opt.Int8[x]
	if !ok {
		b.fail(fmt.Errorf("range of %s: missing", x))
		return x
	}
	lo, hi := min(float64(r.Min), 0), max(float64(r.Max), 0)
	if !(r.Min <= r.Max) || math.IsInf(hi-lo, 0) {
		b.fail(fmt.Errorf("range of %s: %g to %g: want finite numbers, the first not larger", x, r.Min, r.Max))
		return x
	}
	step := float32((hi - lo) / 255)
	if step == 0 { // nothing was ever there
		step = 1
	}
	zero := uint8(math.RoundToEven(min(-lo/float64(step), 255)))
	args := []string{scalar(b, x+".step", step), scalar(b, x+".zero", zero)}
	q := b.node("QuantizeLinear", x+".u8", append([]string{x}, args...))
	y := b.node("DequantizeLinear", x+".rounded", append([]string{q}, args...))
	b.scales[y] = step
	return y
}

// roundedWeights rounds w, [out, …] of that shape, to -127 … 127 steps of each
// output channel's own, and the bias to steps of what the products are counted
// in. They return as arguments of a convolution. A nil bias is none. The bias is less what
// the rounding adds on average, away from the edge, where the inputs have these means
// (Nagel et al. 2019, Data-Free Quantization Through Weight Equalization and Bias
// Correction, section 4.2); nil means are 0.
func (b *builder) roundedWeights(name string, shape []int, w, bias []float32, inputStep float32, means []float32) []string {
	out, size := shape[0], len(w)/shape[0]
	steps, sums := make([]float32, out), make([]float32, out)
	rounded, offsets := make([]int8, len(w)), make([]int32, out)
	taps := shape[2] * shape[3]
	for o := range out {
		top := 0.0
		for _, x := range w[o*size:][:size] {
			top = max(top, math.Abs(float64(x)))
		}
		steps[o] = float32(top / 127)
		if steps[o] == 0 {
			steps[o] = 1
		}
		added := 0.0
		for i, x := range w[o*size:][:size] {
			q := max(-127, min(127, math.RoundToEven(float64(x)/float64(steps[o]))))
			rounded[o*size+i] = int8(q)
			if means != nil {
				added += (q*float64(steps[o]) - float64(x)) * float64(means[i/taps])
			}
		}
		if sums[o] = steps[o] * inputStep; sums[o] == 0 {
			b.fail(fmt.Errorf("tensor %s: weights of channel %d are too small for int8", name, o))
			return nil
		}
		offset := -added
		if bias != nil {
			offset += float64(bias[o])
		}
		offsets[o] = int32(max(math.MinInt32, min(math.MaxInt32, math.RoundToEven(offset/float64(sums[o])))))
	}
	args := []string{b.node("DequantizeLinear", name+".rounded", []string{constant(b, name+".s8", shape, rounded),
		vector(b, name+".step", steps...), vector(b, name+".zero", make([]int8, out)...)}, intAttribute("axis", 0))}
	if bias == nil && means == nil {
		return args
	}
	return append(args, b.node("DequantizeLinear", name+".offset", []string{vector(b, name+".offset.s32", offsets...),
		vector(b, name+".offset.step", sums...), vector(b, name+".offset.zero", make([]int32, out)...)}, intAttribute("axis", 0)))
}
