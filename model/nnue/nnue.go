// Package nnue computes small networks that judge positions within an alpha-beta search,
// after Nasu 2018 (efficiently updatable neural networks). A network sees a position as
// bits, from the seat of either side, and as terms, numbers that a program counts. It knows
// nothing of the rules that these come from.
//
//	bits of the own seat   --+
//	                         first layer: Units for each seat, the same weights
//	bits of the other seat --+            |
//	                                      | clipped to [0, 1], own seat first
//	terms, scaled ------------------------+
//	                                      second layer: 16, of which the last goes
//	                                      |      straight to the output
//	                                      | clipped to [0, 1]
//	                                      third layer: 32
//	                                      | clipped to [0, 1]
//	                                      output: logit of the expected score
//
// The first layer is a sum of rows of weights, one for each bit that is set. From one
// position to the next few bits change, so the sums are updated by the rows of these alone.
//
// [Network] holds the weights in float32, as they are learned and stored, and is the
// reference. [Whole] holds them in integers, with proof that no sum overflows, for
// play: its results are the same bits on every machine.
package nnue

import (
	"fmt"
	"math"
	"math/bits"
)

// Sizes of the small layers, and bounds of what a network may have.
const (
	Second = 16
	Third  = 32
	// Straight is the output of the second layer that is added to the logit.
	Straight = Second - 1
	// UnitStep divides the number of units: kernels work on that many.
	UnitStep = 64
	MaxUnits = 1024
	MaxWords = 256
	MaxTerms = 4096
	// MaxTermShift bounds Shape.TermShifts.
	MaxTermShift = 8
	// TermUnit is the count that is 1 after scaling, and termClip the largest magnitude of
	// a scaled term.
	TermUnit = 256
	termClip = 8
)

// Shape is the size of a network.
type Shape struct {
	// Words of 64 bits are what a seat sees.
	Words int
	// Units of the first layer, for each seat: a multiple of UnitStep.
	Units int
	// TermShifts scale the terms, one for each: a count c is seen as c·2^shift / TermUnit,
	// clipped to ±8.
	TermShifts []uint8
}

// Check reports the first size that is not allowed.
func (s *Shape) Check() error {
	switch {
	case s.Words < 1 || s.Words > MaxWords:
		return fmt.Errorf("words = %d: want 1 to %d", s.Words, MaxWords)
	case s.Units < UnitStep || s.Units > MaxUnits || s.Units%UnitStep != 0:
		return fmt.Errorf("units = %d: want a multiple of %d from %d to %d", s.Units, UnitStep, UnitStep, MaxUnits)
	case len(s.TermShifts) > MaxTerms:
		return fmt.Errorf("terms = %d: want at most %d", len(s.TermShifts), MaxTerms)
	}
	for i, x := range s.TermShifts {
		if x > MaxTermShift {
			return fmt.Errorf("shift of term %d = %d: want at most %d", i, x, MaxTermShift)
		}
	}
	return nil
}

// inputs is the number of inputs of the second layer.
func (s *Shape) inputs() int { return 2*s.Units + len(s.TermShifts) }

// scaled is a count of term i in units of 1/TermUnit.
func (s *Shape) scaled(i int, count int32) int32 {
	shift := s.TermShifts[i] & 15
	most := int32(termClip * TermUnit >> shift) // exact, since the shift is at most 8
	return max(-most, min(most, count)) << shift
}

// Network is a network in float32. Layers are [in][out], the last index fastest.
type Network struct {
	Shape
	First       []float32 // [64·Words][Units]
	FirstBias   []float32 // [Units]
	Second      []float32 // [2·Units + terms][Second]
	SecondBias  []float32 // [Second]
	Third       []float32 // [Straight][Third]
	ThirdBias   []float32 // [Third]
	Output      []float32 // [Third]
	OutputBias  []float32 // [1]
	description [8]Part
}

// Part is a named array of weights.
type Part struct {
	Name   string
	Shape  []int
	Values []float32
}

// New returns a network of zeros. The shape must pass Check.
func New(s Shape) *Network {
	n := &Network{Shape: s}
	for i, p := range []struct {
		name  string
		to    *[]float32
		shape []int
	}{
		{"first.weight", &n.First, []int{64 * s.Words, s.Units}},
		{"first.bias", &n.FirstBias, []int{s.Units}},
		{"second.weight", &n.Second, []int{s.inputs(), Second}},
		{"second.bias", &n.SecondBias, []int{Second}},
		{"third.weight", &n.Third, []int{Straight, Third}},
		{"third.bias", &n.ThirdBias, []int{Third}},
		{"output.weight", &n.Output, []int{Third}},
		{"output.bias", &n.OutputBias, []int{1}},
	} {
		size := 1
		for _, d := range p.shape {
			size *= d
		}
		*p.to = make([]float32, size)
		n.description[i] = Part{p.name, p.shape, *p.to}
	}
	return n
}

// Parts are all weights in the order of files. They alias the network's.
func (n *Network) Parts() []Part { return n.description[:] }

// Scratch is the activations of one position, for Forward and for what learns from it.
type Scratch struct {
	// Input of the second layer: the clipped first layer of both seats, then the terms.
	Input []float32
	// Second and Third are the layers before clipping.
	Second [Second]float32
	Third  [Third]float32
	Logit  float32
}

// Forward computes the logit of the expected score of the side to move: 1/(1+exp(-logit)).
// own and other are the indices of the bits that are set in the views of its seat and of
// the other's, terms the counts in its view.
func (n *Network) Forward(own, other []int32, terms []int32, s *Scratch) float32 {
	s.Input = append(s.Input[:0], n.FirstBias...)
	s.Input = append(s.Input, n.FirstBias...)
	for seat, set := range [2][]int32{own, other} {
		sums := s.Input[seat*n.Units : (seat+1)*n.Units]
		for _, bit := range set {
			row := n.First[int(bit)*n.Units : (int(bit)+1)*n.Units]
			for i, w := range row {
				sums[i] += w
			}
		}
		for i, x := range sums {
			sums[i] = min(1, max(0, x))
		}
	}
	for i, c := range terms {
		s.Input = append(s.Input, float32(n.scaled(i, c))/TermUnit)
	}
	copy(s.Second[:], n.SecondBias)
	for i, x := range s.Input {
		if x == 0 {
			continue
		}
		row := (*[Second]float32)(n.Second[i*Second:])
		for o := range s.Second {
			s.Second[o] += x * row[o]
		}
	}
	copy(s.Third[:], n.ThirdBias)
	for i := range Straight {
		x := min(1, max(0, s.Second[i]))
		if x == 0 {
			continue
		}
		row := (*[Third]float32)(n.Third[i*Third:])
		for o := range s.Third {
			s.Third[o] += x * row[o]
		}
	}
	s.Logit = n.OutputBias[0] + s.Second[Straight]
	for i, x := range s.Third {
		s.Logit += min(1, max(0, x)) * n.Output[i]
	}
	return s.Logit
}

// AppendBits appends the indices of the bits of words, ascending.
func AppendBits(dst []int32, words []uint64) []int32 {
	for i, w := range words {
		for ; w != 0; w &= w - 1 {
			dst = append(dst, int32(i<<6+bits.TrailingZeros64(w)))
		}
	}
	return dst
}

// finite reports whether all weights are numbers.
func (n *Network) finite() bool {
	for _, p := range n.Parts() {
		for _, x := range p.Values {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return false
			}
		}
	}
	return true
}
