package konreh

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

// geometry depends only on the size of the board.
type geometry struct {
	size int
	// last is the highest square, B's Home Apex; side B's view of square s is
	// last-s.
	last     uint8
	board    uint64
	cross    uint64
	homes    [2]uint8 // Home Apex of A and B
	sanctums [2]uint8 // A's left Sanctum, A's right
	// lanes are the steps along each side's lanes.
	lanes [2][4]step
	// ray5 is the first five squares from a square along a lane of A, ray4 the
	// first four, fifth the fifth alone.
	ray5, ray4, fifth [4][64]uint64
	// around is the squares a step away, the ZoC of a piece.
	around [64]uint64
	// turnedCells is turned(sideB, s) for every square of the board and s for
	// the others.
	turnedCells [64]int32
	// start is the set-up: occ and kind of State.
	startOcc, startKind [2]uint64
}

// step moves a whole bitboard one step: rotate it left by turn, then keep the
// squares of land, which drops what left the board.
type step struct {
	turn int
	land uint64
}

// of is the squares one step from the squares of b.
func (p *step) of(b uint64) uint64 { return bits.RotateLeft64(b, p.turn) & p.land }

var (
	geometry8 = newGeometry(8, "BOORGRRRRR")
	geometry6 = newGeometry(6, "BORRRR")
)

// deltas is what a step along A's lanes adds to (a, b).
var deltas = [4][2]int{{1, 0}, {0, 1}, {0, -1}, {-1, 0}}

// newGeometry builds the board of the given size. setup lists A's pieces rank
// by rank from the Home Apex, left to right from A's view.
func newGeometry(size int, setup string) geometry {
	square := func(a, b int) uint8 { return uint8(8*a + b) }
	g := geometry{
		size:     size,
		last:     square(size-1, size-1),
		homes:    [2]uint8{square(0, 0), square(size-1, size-1)},
		sanctums: [2]uint8{square(size-1, 0), square(0, size-1)},
	}
	on := func(a, b int) bool { return a >= 0 && a < size && b >= 0 && b < size }
	for a := range size {
		for b := range size {
			g.board |= 1 << square(a, b)
		}
	}
	for _, a := range []int{size/2 - 1, size / 2} {
		for _, b := range []int{size/2 - 1, size / 2} {
			g.cross |= 1 << square(a, b)
		}
	}
	for d, delta := range deltas {
		p := step{turn: 8*delta[0] + delta[1]}
		for a := range size {
			for b := range size {
				from := square(a, b)
				x, y := a+delta[0], b+delta[1]
				if on(x, y) {
					p.land |= 1 << square(x, y)
					g.around[from] |= 1 << square(x, y)
				}
				for k := 1; k <= 5 && on(x, y); k, x, y = k+1, x+delta[0], y+delta[1] {
					to := uint64(1) << square(x, y)
					g.ray5[d][from] |= to
					if k <= 4 {
						g.ray4[d][from] |= to
					} else {
						g.fifth[d][from] = to
					}
				}
			}
		}
		g.lanes[sideA][d], g.lanes[sideB][3-d] = p, p
	}
	for c := range g.turnedCells {
		g.turnedCells[c] = int32(c)
		if on(c>>3, c&7) {
			g.turnedCells[c] = int32(g.turned(sideB, uint8(c)))
		}
	}
	i := 0
	for rank := 0; i < len(setup); rank++ {
		for a := rank; a >= 0; a-- {
			k := map[byte]kind{'R': red, 'O': orange, 'G': green, 'B': blue}[setup[i]]
			for side, sq := range [2]uint8{square(a, rank-a), g.last - square(a, rank-a)} {
				g.startOcc[side] |= 1 << sq
				g.startKind[0] |= uint64(k&1) << sq
				g.startKind[1] |= uint64(k>>1) << sq
			}
			i++
		}
	}
	return g
}

// direction is the direction of a side's lane.
func direction(side engine.Side, l lane) int { return int(l) ^ int(3*side) }

// turned converts a square to side's view, and back.
func (g *geometry) turned(side engine.Side, sq uint8) uint8 {
	if side == sideA {
		return sq
	}
	return g.last - sq
}

// inCross reports whether a square belongs to the Cross.
func (g *geometry) inCross(sq uint8) bool { return g.cross>>sq&1 != 0 }

// squareOf is the square of a bitboard of one.
func squareOf(b uint64) uint8 { return uint8(bits.TrailingZeros64(b)) }
