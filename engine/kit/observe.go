package kit

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

// Sizes of an [Observation].
const (
	observationWords   = 256
	observationGlobals = 160
)

// Observation is what a state shows a network, while it is written: planes of zeros and
// ones, and globals, in the order of their names in Features. One description of it gives
// both Encode and EncodingHash, so that the two cannot disagree. It lives on the stack of
// the method that uses it.
//
//	func (s *State) Encode(planes, globals []float32) {
//		var o kit.Observation
//		s.observe(&o)
//		o.Write(planes, globals)
//	}
type Observation struct {
	ones    [observationWords]uint64 // bit plane·cells + cell
	globals [observationGlobals]float32
	inputs  int // of the planes so far
	written int // globals so far
}

// Features describes observations of planes of Height × Width cells by the names of
// their inputs. mask is the plane that is 1 on the board, or -1.
func Features(height, width, mask int, planes, globals []string) engine.Features {
	if len(planes)*height*width > observationWords*64 || len(globals) > observationGlobals {
		panic("BUG: an observation of this size does not fit kit.Observation")
	}
	return engine.Features{
		Planes: len(planes), Height: height, Width: width, Globals: len(globals), MaskPlane: mask, PlaneNames: planes, GlobalNames: globals,
	}
}

// Names names inputs: each of what behind each of whose.
func Names(whose []string, what ...string) (names []string) {
	for _, w := range whose {
		for _, name := range what {
			names = append(names, w+name)
		}
	}
	return names
}

// Plane begins the next plane, of that size, and returns its first input for Set and
// SetBits.
func (o *Observation) Plane(cells int) (first int) {
	first = o.inputs
	o.inputs += cells
	return first
}

// Boards are the next planes, on a board of 64 cells; turned, by half a turn.
func (o *Observation) Boards(turned bool, boards ...uint64) {
	to := o.ones[o.inputs>>6:][:len(boards)]
	o.inputs += 64 * len(boards)
	for i, b := range boards {
		if turned {
			b = bits.Reverse64(b)
		}
		to[i] = b
	}
}

// Set sets the input of one cell: the first of its plane, and the cell.
func (o *Observation) Set(input int) { o.ones[input>>6] |= 1 << (input & 63) }

// SetBits sets the inputs first, first+1, ... whose bits 0, 1, ... are in set: a plane of a
// board of up to 64 cells from its first input.
func (o *Observation) SetBits(first int, set uint64) {
	word, shift := first>>6, first&63
	o.ones[word] |= set << shift
	if rest := set >> 1 >> (63 - shift); rest != 0 {
		o.ones[word+1] |= rest
	}
}

// Number is the next global.
func (o *Observation) Number(x float32) {
	o.globals[o.written] = x
	o.written++
}

// Flags are the next globals, 1 for what is true.
func (o *Observation) Flags(on ...bool) {
	for i, is := range on {
		if is {
			o.globals[o.written+i] = 1
		}
	}
	o.written += len(on)
}

// Bits are the next n globals: 1 for each number whose bit is set.
func (o *Observation) Bits(set uint32, n int) {
	for ; set != 0; set &= set - 1 {
		o.globals[o.written+bits.TrailingZeros32(set)] = 1
	}
	o.written += n
}

// OneOf are the next n globals: 1 for number i, 0 for the others. None is if i is -1.
func (o *Observation) OneOf(i, n int) {
	if i >= 0 {
		o.globals[o.written+i] = 1
	}
	o.written += n
}

// Write writes the inputs.
func (o *Observation) Write(planes, globals []float32) {
	o.check(len(planes), len(globals))
	clear(planes)
	for i, w := range o.ones[:(len(planes)+63)/64] {
		for ; w != 0; w &= w - 1 {
			planes[i<<6+bits.TrailingZeros64(w)] = 1
		}
	}
	copy(globals, o.globals[:])
}

// Hash covers the inputs of an observation with features f.
func (o *Observation) Hash(f *engine.Features) uint64 {
	o.check(f.Planes*f.Cells(), f.Globals)
	var h uint64
	for i, w := range o.ones[:(f.Planes*f.Cells()+63)/64] {
		if w != 0 {
			h += Mix(w ^ Mix(uint64(i)))
		}
	}
	for i, x := range o.globals[:f.Globals] {
		if x != 0 {
			h += Mix(uint64(math.Float32bits(x)) ^ Mix(uint64(i)<<32))
		}
	}
	return Mix(h)
}

// check compares what was written with the names.
func (o *Observation) check(inputs, globals int) {
	if o.inputs != inputs || o.written != globals {
		panic(fmt.Sprintf("BUG: an observation has %d inputs on planes and %d globals, and names for %d and %d", o.inputs, o.written, inputs, globals))
	}
}
