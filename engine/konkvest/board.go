package konkvest

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine/kit"
)

// The board, as side 0 sees it: rows a (nearest) to m, hexes numbered row by row from the
// left, 0 to 113. A square is a hex's number and 7: squares 7 to 120 of 0 to 127, so that
// square 127-i = i^127 is where the other side sees square i, and a set of squares is
// turned by reversing its bits. Square 0 stands for what is beyond the edge.
//
//	m              108 109 110 111 112 113            base of side 1: l4 = 104
//	g    51 52 53 54 55 56 57 58 59 60 61 62          the divider
//	b            6   7   8   9  10  11  12            base of side 0: b4 = 9
//	a              0   1   2   3   4   5
const (
	hexes   = 114
	rows    = 13
	divider = 6 // row g
	squares = 128
	first   = 7 // the square of hex 0
	flip    = squares - 1
	base    = first + 9 // of the side that looks, and base^flip of the other
)

var hex = kit.NewHex(6, 7, 8, 9, 10, 11, 12, 11, 10, 9, 8, 7, 6)

// starts are the first hexes of the rows, and at last their number.
var starts = func() (t [rows + 1]int) {
	for i := range hexes {
		t[hex.Row(i)+1] = i + 1
	}
	return
}()

// set is a set of squares, bit i of lo and hi together for square i.
type set struct{ lo, hi uint64 }

// bit and has rely on shifts by 64 and more, as by a negative number made unsigned, being
// 0.
func bit(sq int) set { return set{1 << uint(sq), 1 << uint(sq-64)} }

func (a set) or(b set) set    { return set{a.lo | b.lo, a.hi | b.hi} }
func (a set) and(b set) set   { return set{a.lo & b.lo, a.hi & b.hi} }
func (a set) minus(b set) set { return set{a.lo &^ b.lo, a.hi &^ b.hi} }
func (a set) none() bool      { return a.lo|a.hi == 0 }
func (a set) has(sq int) bool { return (a.lo>>uint(sq)|a.hi>>uint(sq-64))&1 != 0 }
func (a set) count() int      { return bits.OnesCount64(a.lo) + bits.OnesCount64(a.hi) }
func (a set) turned() set     { return set{bits.Reverse64(a.hi), bits.Reverse64(a.lo)} }

// lowest is the lowest square of a set that is not empty, highest the highest.
func (a set) lowest() int {
	if a.lo != 0 {
		return bits.TrailingZeros64(a.lo)
	}
	return 64 + bits.TrailingZeros64(a.hi)
}

func (a set) highest() int {
	if a.hi != 0 {
		return 127 - bits.LeadingZeros64(a.hi)
	}
	return 63 - bits.LeadingZeros64(a.lo)
}

// rest is a set without its lowest square.
func (a set) rest() set {
	if a.lo != 0 {
		return set{a.lo & (a.lo - 1), a.hi}
	}
	return set{0, a.hi & (a.hi - 1)}
}

// window is a set of squares around one: bit i is square i-here from it. All moves but
// slides stay in it.
type window uint64

const here = 32

// padded is a set with a word of nothing on each side.
type padded [4]uint64

func (a set) padded() padded { return padded{0, a.lo, a.hi, 0} }

// around is the window of a set at a square.
func (a *padded) around(sq int) window {
	i, k := (sq+here)>>6&3, uint(sq+here)&63
	return window(a[i]>>k | a[(i+1)&3]<<1<<(^k&63))
}

// set is the set that is a window at a square.
func (w window) set(sq int) set {
	x, by := uint64(w), sq-here
	return set{x<<uint(by) | x>>uint(-by), x<<uint(by-64) | x>>uint(64-by)}
}

// step is the square that a way leads to, 0 beyond the edge.
func step(sq int, by kit.Way) int {
	if to := hex.Next(sq-first, by); to >= 0 {
		return first + to
	}
	return 0
}

// The ways of the rules page, as the mover sees them.
var (
	left       = kit.Way{X: -2}
	right      = kit.Way{X: 2}
	frontLeft  = kit.Way{X: -1, Y: 1}
	frontRight = kit.Way{X: 1, Y: 1}
	backLeft   = kit.Way{X: -1, Y: -1}
	backRight  = kit.Way{X: 1, Y: -1}
	ahead      = kit.Way{Y: 2}
	behind     = kit.Way{Y: -2}
)

func times(w kit.Way, n int) kit.Way { return kit.Way{X: n * w.X, Y: n * w.Y} }

func plus(v, w kit.Way) kit.Way { return kit.Way{X: v.X + w.X, Y: v.Y + w.Y} }

// everywhere are all squares of the board, beyond those from the divider on, setup the
// squares of the formation.
var everywhere, beyond, setup = func() (all, far, two set) {
	for i := range hexes {
		all = all.or(bit(first + i))
		if hex.Row(i) >= divider {
			far = far.or(bit(first + i))
		}
		if hex.Row(i) < 2 {
			two = two.or(bit(first + i))
		}
	}
	return
}()

// Directions of slides.
const (
	toRight = iota
	toFrontLeft
	toFrontRight
	toLeft // the only one with falling numbers
	directions
)

// rays are the squares from one on in a direction.
var rays = func() (t [directions][squares]set) {
	for d, by := range [directions]kit.Way{right, frontLeft, frontRight, left} {
		for sq := first; sq < first+hexes; sq++ {
			for to := step(sq, by); to != 0; to = step(to, by) {
				t[d][sq] = t[d][sq].or(bit(to))
			}
		}
	}
	return
}()

// slide are the squares that a slide from one reaches: up to the first that is taken, and
// with it.
func slide(d, sq int, taken set) set {
	ray := rays[d][sq]
	in := ray.and(taken)
	if in.none() {
		return ray
	}
	end := 0
	if d == toLeft {
		end = in.highest()
	} else {
		end = in.lowest()
	}
	return ray.minus(rays[d][end])
}

// mirrored is the mirror image of a square.
var mirrored = func() (t [squares]uint8) {
	for i := range hexes {
		t[first+i] = uint8(first + hex.Mirror(i))
	}
	return
}()

// seen is a square as the other side numbers it for side 1, itself for side 0.
func seen(side uint8, sq int) int { return sq ^ int(side)*flip }

// cellOf is the cell of the layout, and the hex of the rules page, of a square.
func cellOf(sq int) int { return sq - first }
