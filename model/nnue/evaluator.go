package nnue

import (
	"math/bits"
	"slices"

	"github.com/ludozero/ludozero/internal/invariants"
	"github.com/ludozero/ludozero/model/kernel"
)

// Evaluator evaluates positions with a network. It is used by one goroutine at a time and
// does not allocate.
//
// It remembers first layers in slots: a position is updated from what its slot held last,
// whatever that was, by the bits in which the two differ. A caller that evaluates near
// positions by one slot, such as siblings of a search, has few of them. Builds with the tag
// invariants compare every first layer with one computed afresh.
type Evaluator struct {
	w        *Whole
	slots    []slot
	add, sub []int32
	wide     []int32
	input    []int16 // of the second layer, with a zero if their number is odd
	second   [Second]int32
	third    [Third]int32
	hidden   [Second]int16
	changed  int64
	updates  int64
}

// slot is a view and its first layer: modulo 1<<16, which is all of it unless more than mostSet
// bits are set.
type slot struct {
	words []uint64
	set   int // bits
	sums  []int16
}

// NewEvaluator returns an evaluator with a number of slots.
func (w *Whole) NewEvaluator(slots int) *Evaluator {
	e := &Evaluator{
		w: w, slots: make([]slot, slots),
		add: make([]int32, 0, 64*w.shape.Words), sub: make([]int32, 0, 64*w.shape.Words),
		wide: make([]int32, w.shape.Units), input: make([]int16, (w.shape.inputs()+1)&^1),
	}
	for i := range e.slots {
		// No bit is set: the sums are the bias.
		e.slots[i] = slot{words: make([]uint64, w.shape.Words), sums: slices.Clone(w.firstBias)}
	}
	return e
}

// first sets dst to the first layer of a view, clipped, and leaves it in a slot.
func (e *Evaluator) first(dst []int16, slot int, words []uint64) {
	s := e.update(slot, words)
	if s.set <= mostSet {
		kernel.ClipWhole(dst, s.sums, int16(e.w.one))
		return
	}
	for i, x := range e.w.firstBias {
		e.wide[i] = int32(x)
	}
	for i, x := range words {
		for ; x != 0; x &= x - 1 {
			row := e.w.first[(i<<6+bits.TrailingZeros64(x))*len(e.wide):][:len(e.wide)]
			for u, weight := range row {
				e.wide[u] += int32(weight)
			}
		}
	}
	for i, x := range e.wide {
		dst[i] = int16(max(0, min(e.w.one, x)))
	}
}

// update brings a slot to a view and returns it.
func (e *Evaluator) update(number int, words []uint64) *slot {
	s := &e.slots[number]
	add, sub := e.add[:0], e.sub[:0]
	for i, now := range words {
		was := s.words[i]
		if was == now {
			continue
		}
		for x := now &^ was; x != 0; x &= x - 1 {
			add = append(add, int32(i<<6+bits.TrailingZeros64(x)))
		}
		for x := was &^ now; x != 0; x &= x - 1 {
			sub = append(sub, int32(i<<6+bits.TrailingZeros64(x)))
		}
		s.words[i] = now
	}
	s.set += len(add) - len(sub)
	kernel.AddWholeRows(s.sums, e.w.first, add, sub)
	e.changed += int64(len(add) + len(sub))
	e.updates++
	if invariants.Enabled {
		fresh := slices.Clone(e.w.firstBias)
		kernel.AddWholeRows(fresh, e.w.first, AppendBits(nil, words), nil)
		if !slices.Equal(fresh, s.sums) {
			panic("BUG: a first layer that was updated differs from one computed afresh")
		}
	}
	return s
}

// Value is the logit of the expected score of the side to move, in parts of a nat by
// Whole.Scale. own and other are the views of its seat and of the other's, ownSlot and
// otherSlot the slots that they are updated in, terms the counts in its view.
func (e *Evaluator) Value(ownSlot int, own []uint64, otherSlot int, other []uint64, terms []int32) int64 {
	w := e.w
	units := w.shape.Units
	e.first(e.input[:units], ownSlot, own)
	e.first(e.input[units:2*units], otherSlot, other)
	rest := e.input[2*units:]
	for i, c := range terms {
		x := w.shape.scaled(i, c)
		if w.termShift >= 0 {
			x <<= w.termShift
		} else {
			x >>= -w.termShift
		}
		rest[i] = int16(x)
	}
	kernel.AffineWhole(e.second[:], e.input, w.second, w.secondBias)
	for i := range Straight {
		e.hidden[i] = w.clip(e.second[i])
	}
	kernel.AffineWhole(e.third[:], e.hidden[:], w.third, w.thirdBias)
	sum := int64(w.outputBias) + int64(e.second[Straight])
	for i, x := range &e.third {
		sum += int64(w.clip(x)) * int64(w.output[i])
	}
	return sum
}

// clip rounds a sum of a small layer to units of 1/one and clips it to [0, 1].
func (w *Whole) clip(x int32) int16 {
	return int16(max(0, min(w.one, (x+1<<(w.fine-1))>>w.fine)))
}

// Changes returns the mean number of bits by which a view differed from what its slot held.
func (e *Evaluator) Changes() float64 { return float64(e.changed) / float64(max(1, e.updates)) }
