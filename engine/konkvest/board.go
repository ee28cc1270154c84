package konkvest

import (
	"encoding/binary"
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

// set is a set of squares.
type set = kit.Set

// window is a set of squares around one: bit i is square i-here from it, for i up to 56.
// All moves but slides stay in it.
type window uint64

const here = 28

// padded is a set as little-endian bytes with four of nothing on each side.
type padded [24]byte

func pad(a set) (p padded) {
	binary.LittleEndian.PutUint64(p[4:], a.Lo)
	binary.LittleEndian.PutUint64(p[12:], a.Hi)
	return p
}

// around is the window of a set at a square; more of the set may be in its bits from 57 on.
func (a *padded) around(sq int) window {
	from := uint(sq) + 32 - here
	i := from >> 3 & 15
	return window(binary.LittleEndian.Uint64(a[i:i+8]) >> (from & 7))
}

// set is the set in the padding.
func (a *padded) set() set {
	return set{Lo: binary.LittleEndian.Uint64(a[4:]), Hi: binary.LittleEndian.Uint64(a[12:])}
}

// set is the set that is a window at a square.
func (w window) set(sq int) set {
	x, by := uint64(w), sq-here
	return set{Lo: x<<uint(by) | x>>uint(-by), Hi: x<<uint(by-64) | x>>uint(64-by)}
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
	leftLeap   = plus(left, frontLeft)
	rightLeap  = plus(right, frontRight)
)

func times(w kit.Way, n int) kit.Way { return kit.Way{X: n * w.X, Y: n * w.Y} }

func plus(v, w kit.Way) kit.Way { return kit.Way{X: v.X + w.X, Y: v.Y + w.Y} }

// everywhere are all squares of the board, beyond those from the divider on, setup the
// squares of the formation.
var everywhere, beyond, setup = func() (all, far, two set) {
	for i := range hexes {
		all = all.Or(kit.Single(first + i))
		if hex.Row(i) >= divider {
			far = far.Or(kit.Single(first + i))
		}
		if hex.Row(i) < 2 {
			two = two.Or(kit.Single(first + i))
		}
	}
	return
}()

// How a piece slides: to both sides, to the front left and right.
const (
	slidesAside = 1 << iota
	slidesAhead
)

// asides are the squares of a row to the left and to the right of one, fronts those that
// are one after the other to its front left and front right.
var asides, fronts = func() (side [squares]struct{ left, right window }, front [squares][2]set) {
	for sq := first; sq < first+hexes; sq++ {
		for to := step(sq, left); to != 0; to = step(to, left) {
			side[sq].left |= 1 << (to - sq + here)
		}
		for to := step(sq, right); to != 0; to = step(to, right) {
			side[sq].right |= 1 << (to - sq + here)
		}
		for i, by := range [...]kit.Way{frontLeft, frontRight} {
			for to := step(sq, by); to != 0; to = step(to, by) {
				front[sq][i] = front[sq][i].Or(kit.Single(to))
			}
		}
	}
	return
}()

// slideAside are the squares that slides to the sides from one reach: up to the first that
// is taken, and with it.
func slideAside(sq int, empty window) window {
	way := &asides[sq]
	stop, bar := way.right&^empty, way.left&^empty|1
	return way.right&(stop^(stop-1)) | way.left>>(bits.Len64(uint64(bar))-1)<<(bits.Len64(uint64(bar))-1)
}

// slideAhead is slideAside to the front left and front right.
func slideAhead(sq int, taken set) set {
	way := &fronts[sq]
	return upToFirst(way[0], taken).Or(upToFirst(way[1], taken))
}

// upToFirst is a way up to its lowest square that is taken, and with it.
func upToFirst(way, taken set) set {
	stop := way.And(taken)
	lo, borrow := bits.Sub64(stop.Lo, 1, 0)
	hi, _ := bits.Sub64(stop.Hi, 0, borrow)
	return set{Lo: way.Lo & (stop.Lo ^ lo), Hi: way.Hi & (stop.Hi ^ hi)}
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
