package onnx

import (
	"fmt"
	"math"
	"slices"
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

// weights8 adds w, groups of size weights, in eight bits, with a step and a zero
// for each group, and makes float32 of them again:
//
//	w' = (q - zero) · step,  q and zero in -128 … 127
func (b *builder) weights8(name string, size int, w []float32) string {
	groups := len(w) / size
	steps, zeros, rounded := make([]float32, groups), make([]int8, groups), make([]int8, len(w))
	for g := range groups {
		steps[g], zeros[g] = roundGroup(w[g*size:][:size], rounded[g*size:][:size])
	}
	return b.node("DequantizeLinear", name+".rounded", []string{constant(b, name+".s8", []int{groups, size}, rounded),
		vector(b, name+".step", steps...), vector(b, name+".zero", zeros...)}, intAttribute("axis", 0))
}

// The steps tried for a group: from the smallest that covers its range to a quarter
// more.
const (
	stepTrials = 48
	trialWidth = 0.005
)

// roundGroup rounds w to q with the step and the zero that cost least: the sum of
// squared errors and the square of their sum. The weights of a group meet inputs
// that are similar, as neighbouring cells are, so that errors that cancel out do
// little harm.
func roundGroup(w []float32, q []int8) (step float32, zero int8) {
	lo, hi := min(0, float64(slices.Min(w))), max(0, float64(slices.Max(w)))
	least, trial := math.Inf(1), make([]float64, len(w))
	step = 1
	for i := range stepTrials {
		s := float32((hi - lo) / 255 * (1 + trialWidth*float64(i)))
		if s == 0 {
			break // all are, or too small for float32
		}
		for _, z := range []float64{math.Floor(-128 - lo/float64(s)), math.Ceil(-128 - lo/float64(s))} {
			z = max(-128, min(127, z))
			if cost := roundTo(trial, w, float64(s), z); cost < least {
				least, step, zero = cost, s, int8(z)
				for k, x := range trial {
					q[k] = int8(x)
				}
			}
		}
	}
	return step, zero
}

// roundTo rounds w to q = w / step + zero so that the errors add up to half a step at
// most, if that can be: those are rounded the other way whose errors that changes
// least. It returns the cost.
func roundTo(q []float64, w []float32, step, zero float64) float64 {
	sum := 0.0
	off := func(i int) float64 { return q[i] - zero - float64(w[i])/step }
	for i, x := range w {
		q[i] = max(-128, min(127, math.RoundToEven(float64(x)/step)+zero))
		sum += off(i)
	}
	for math.Abs(sum) > 0.5 {
		d, best := -math.Copysign(1, sum), -1
		for i := range q {
			if to := q[i] + d; to >= -128 && to <= 127 && (best < 0 || d*off(i) < d*off(best)) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		q[best] += d
		sum += d
	}
	cost := sum * sum
	for i := range q {
		cost += off(i) * off(i)
	}
	return cost * step * step
}

// roundedWeights rounds w, [out, …] of that shape, to -127 … 127 steps of each
// output channel's own, and the bias to steps of what the products are counted
// in. They return as arguments of a convolution. A nil bias is none.
func (b *builder) roundedWeights(name string, shape []int, w, bias []float32, inputStep float32) []string {
	out, size := shape[0], len(w)/shape[0]
	steps, sums := make([]float32, out), make([]float32, out)
	rounded, offsets := make([]int8, len(w)), make([]int32, out)
	for o := range out {
		top := 0.0
		for _, x := range w[o*size:][:size] {
			top = max(top, math.Abs(float64(x)))
		}
		steps[o] = float32(top / 127)
		if steps[o] == 0 {
			steps[o] = 1
		}
		for i, x := range w[o*size:][:size] {
			rounded[o*size+i] = int8(max(-127, min(127, math.RoundToEven(float64(x)/float64(steps[o])))))
		}
		if sums[o] = steps[o] * inputStep; sums[o] == 0 {
			b.fail(fmt.Errorf("tensor %s: weights of channel %d are too small for int8", name, o))
			return nil
		}
		if bias != nil {
			offsets[o] = int32(max(math.MinInt32, min(math.MaxInt32, math.RoundToEven(float64(bias[o])/float64(sums[o])))))
		}
	}
	args := []string{b.node("DequantizeLinear", name+".rounded", []string{constant(b, name+".s8", shape, rounded),
		vector(b, name+".step", steps...), vector(b, name+".zero", make([]int8, out)...)}, intAttribute("axis", 0))}
	if bias == nil {
		return args
	}
	return append(args, b.node("DequantizeLinear", name+".offset", []string{vector(b, name+".offset.s32", offsets...),
		vector(b, name+".offset.step", sums...), vector(b, name+".offset.zero", make([]int32, out)...)}, intAttribute("axis", 0)))
}
