package diamondchess

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine/kit"
)

const (
	size    = 8
	squares = size * size
)

// The kinds of pieces, in the order of the source's table after the town.
const (
	town = iota
	cani
	gormoror
	khtsoyis
	herethroy
	orren
	rassimel
	sleeth
	ziri
	kinds
)

var kindNames = [kinds]string{"town", "cani", "gormoror", "khtsoyis", "herethroy", "orren", "rassimel", "sleeth", "zi ri"}

// fullSet is how many pieces of a kind a player has.
var fullSet = [kinds]int{1, 3, 1, 1, 1, 1, 1, 1, 1}

// toPlace is how many pieces a player sets up; the town stands already.
const toPlace = 10

// fill are the squares that the sides set up on, in order; homes those of the towns.
var (
	fill = [2][toPlace]int{
		{1, 9, 8, 16, 17, 18, 10, 2, 3, 24},
		{62, 54, 55, 61, 53, 45, 46, 47, 39, 60},
	}
	homes = [2]int{0, 63}
)

// listed is the order of kinds on fill in the listed set-up.
var listed = [toPlace]int{cani, cani, cani, gormoror, khtsoyis, herethroy, orren, rassimel, sleeth, ziri}

const (
	river uint64 = 0x0102040810204080 // row + column = 7
	edge  uint64 = 0xff818181818181ff
)

// sides are the squares of the home sides: row + column below and above 7.
var sides = func() (t [2]uint64) {
	for sq := range squares {
		switch d := sq>>3 + sq&7; {
		case d < 7:
			t[0] |= 1 << sq
		case d > 7:
			t[1] |= 1 << sq
		}
	}
	return t
}()

// Directions as the rules page numbers them: 0 is one row less, then clockwise. Even
// ones are orthogonal.
var (
	rowStep = [8]int{-1, -1, 0, 1, 1, 1, 0, -1}
	colStep = [8]int{0, 1, 1, 1, 0, -1, -1, -1}
)

// next is the neighbour of a square in a direction, -1 beyond the edge.
var next = func() (t [squares][8]int8) {
	for sq := range squares {
		for d := range 8 {
			t[sq][d] = int8(kit.Offset(size, size, sq, rowStep[d], colStep[d]))
		}
	}
	return t
}()

// knight are a zi ri's leaps by row and column.
var knight = [8][2]int{{-2, -1}, {-2, 1}, {-1, 2}, {1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}}

var leaps = func() (t [squares]uint64) {
	for sq := range squares {
		for _, k := range knight {
			if to := kit.Offset(size, size, sq, k[0], k[1]); to >= 0 {
				t[sq] |= 1 << to
			}
		}
	}
	return t
}()

// neighbours are the squares around one, beside those orthogonally beside it.
var neighbours, beside = func() (all, orthogonal [squares]uint64) {
	for sq := range squares {
		for d, n := range next[sq] {
			if n < 0 {
				continue
			}
			all[sq] |= 1 << n
			if d&1 == 0 {
				orthogonal[sq] |= 1 << n
			}
		}
	}
	return
}()

// fords is the square across the ford of a bank square; all diagonal steps from bank to
// bank are fords.
var fords = func() (t [squares]uint64) {
	for sq := range squares {
		for side := range sides {
			if sides[side]>>sq&1 != 0 {
				t[sq] |= neighbours[sq] &^ beside[sq] & sides[1-side]
			}
		}
	}
	return t
}()

func turnBoard(b uint64) uint64 { return bits.Reverse64(b) }

func mirrorSquare(sq int) int { return sq&7<<3 | sq>>3 }
