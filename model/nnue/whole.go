package nnue

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ludozero/ludozero/model/kernel"
)

// Fraction bits that are tried, of the first layer and of the weights of the small layers, the
// most precise first.
const (
	mostUnitBits    = 11
	leastUnitBits   = 6
	mostWeightBits  = 12
	leastWeightBits = 10
)

// Whole is a network in integers. It is read by any number of goroutines.
//
// Activations and scaled terms are in units of 1/one. Sums of the first layer stay within
// an int16 whichever bits are set, up to mostSet of them, and those of the small layers within an
// int32, partial sums included: Quantize proves it or fails.
type Whole struct {
	shape     Shape
	one       int32 // 1, and the shift that it is
	shift     uint
	fine      uint // fraction bits of the weights of the small layers
	termShift int  // of a scaled term to units of 1/one; less than 0: to the right

	first      []int16 // [64·Words][Units]
	firstBias  []int16
	second     []int16 // packed by kernel.PackWhole
	secondBias []int32
	third      []int16
	thirdBias  []int32
	output     [Third]int32
	outputBias int32
}

// ErrOverflow is wrapped where weights are too large for integers.
var ErrOverflow = errors.New("weights are too large for integers")

// Quantize rounds n to integers. The first layer gets as many fraction bits as its sums
// leave room for.
func Quantize(n *Network) (*Whole, error) {
	if err := n.Check(); err != nil {
		return nil, err
	}
	if !n.finite() {
		return nil, errors.New("a weight is no number")
	}
	for shift := uint(mostUnitBits); ; shift-- {
		for fine := uint(mostWeightBits); fine >= leastWeightBits; fine-- {
			w, err := quantize(n, shift, fine)
			if err == nil || shift == leastUnitBits && fine == leastWeightBits {
				return w, err
			}
		}
	}
}

func quantize(n *Network, shift, fine uint) (*Whole, error) {
	w := &Whole{shape: n.Shape, one: 1 << shift, shift: shift, fine: fine, termShift: int(shift) - 8} // TermUnit is 1<<8
	var err error
	narrow := func(part string, x []float32, scale float64) []int16 {
		list := make([]int16, len(x))
		for i, v := range x {
			r := math.Round(float64(v) * scale)
			if math.Abs(r) > math.MaxInt16 && err == nil {
				err = fmt.Errorf("%s: weight %d is %g: %w", part, i, v, ErrOverflow)
			}
			list[i] = int16(max(-math.MaxInt16, min(math.MaxInt16, r)))
		}
		return list
	}
	wide := func(part string, x []float32, scale float64) []int32 {
		list := make([]int32, len(x))
		for i, v := range x {
			r := math.Round(float64(v) * scale)
			if math.Abs(r) > math.MaxInt32 && err == nil {
				err = fmt.Errorf("%s: bias %d is %g: %w", part, i, v, ErrOverflow)
			}
			list[i] = int32(max(-math.MaxInt32, min(math.MaxInt32, r)))
		}
		return list
	}
	one, small := float64(w.one), float64(int(1)<<fine)
	w.first, w.firstBias = narrow("first.weight", n.First, one), narrow("first.bias", n.FirstBias, one)
	second, third, output := narrow("second.weight", n.Second, small), narrow("third.weight", n.Third, small), narrow("output.weight", n.Output, small)
	w.secondBias, w.thirdBias = wide("second.bias", n.SecondBias, one*small), wide("third.bias", n.ThirdBias, one*small)
	w.outputBias = wide("output.bias", n.OutputBias, one*small)[0]
	for i, x := range output {
		w.output[i] = int32(x)
	}
	if err != nil {
		return nil, err
	}
	if err := w.proveFirst(); err != nil {
		return nil, err
	}
	limits := make([]int64, n.inputs())
	for i := range limits {
		if limits[i] = int64(w.one); i >= 2*n.Units {
			limits[i] *= termClip
		}
	}
	if err := w.prove("second", second, w.secondBias, limits); err != nil {
		return nil, err
	}
	if err := w.prove("third", third, w.thirdBias, limits[:Straight]); err != nil {
		return nil, err
	}
	w.second, w.third = kernel.PackWhole(second, n.inputs(), Second), kernel.PackWhole(third, Straight, Third)
	return w, nil
}

// mostSet is how many bits of a view may be set for the sums of the first layer to be kept in
// int16: more than games have pieces. Views with more are summed afresh, in int32.
const mostSet = 96

// proveFirst bounds the sums of each unit by its mostSet largest and its mostSet least weights.
func (w *Whole) proveFirst() error {
	units := w.shape.Units
	column := make([]int16, len(w.first)/units)
	for u := range units {
		for i := range column {
			column[i] = w.first[i*units+u]
		}
		slices.Sort(column)
		least, most := int64(w.firstBias[u]), int64(w.firstBias[u])
		for i := range min(mostSet, len(column)) {
			least, most = least+min(0, int64(column[i])), most+max(0, int64(column[len(column)-1-i]))
		}
		if least < math.MinInt16 || most > math.MaxInt16 {
			return fmt.Errorf("first layer: unit %d may reach %d to %d: %w", u, least, most, ErrOverflow)
		}
	}
	return nil
}

// prove bounds the sums of a small layer, of weights [in][out], for inputs up to limits in
// magnitude: also of each part of a sum, in whatever order.
func (w *Whole) prove(layer string, weights []int16, bias []int32, limits []int64) error {
	outs := len(bias)
	for o := range outs {
		sum := max(int64(bias[o]), -int64(bias[o]))
		for i, limit := range limits {
			x := int64(weights[i*outs+o])
			sum += max(x, -x) * limit
		}
		// Rounding adds half of what is shifted out.
		if sum+1<<(w.fine-1) > math.MaxInt32 {
			return fmt.Errorf("%s layer: output %d may reach %d: %w", layer, o, sum, ErrOverflow)
		}
	}
	return nil
}

// Units is the number of units for each seat.
func (w *Whole) Units() int { return w.shape.Units }

// Scale is how much of Evaluator.Value is one nat.
func (w *Whole) Scale() int64 { return int64(w.one) << w.fine }
