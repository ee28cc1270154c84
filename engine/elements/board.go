package elements

import "math/bits"

// Squares are 9·row + column, row 0 at the top, also on boards with fewer rows or
// columns.
const (
	size    = 9
	squares = size * size
)

// set is a set of squares: 0 to 63 in lo, 64 to 80 in hi.
type set struct{ lo, hi uint64 }

func single(sq int) set {
	if sq < 64 {
		return set{lo: 1 << sq}
	}
	return set{hi: 1 << (sq - 64)}
}

func (b set) and(c set) set   { return set{b.lo & c.lo, b.hi & c.hi} }
func (b set) or(c set) set    { return set{b.lo | c.lo, b.hi | c.hi} }
func (b set) minus(c set) set { return set{b.lo &^ c.lo, b.hi &^ c.hi} }
func (b set) empty() bool     { return b.lo|b.hi == 0 }
func (b set) count() int      { return bits.OnesCount64(b.lo) + bits.OnesCount64(b.hi) }

func (b set) has(sq int) bool {
	if sq < 64 {
		return b.lo>>sq&1 != 0
	}
	return b.hi>>(sq-64)&1 != 0
}

// first is the lowest square, last the highest of a set that is not empty.
func (b set) first() int {
	if b.lo != 0 {
		return bits.TrailingZeros64(b.lo)
	}
	return 64 + bits.TrailingZeros64(b.hi)
}

func (b set) last() int {
	if b.hi != 0 {
		return 127 - bits.LeadingZeros64(b.hi)
	}
	return 63 - bits.LeadingZeros64(b.lo)
}

// rest is the set without its lowest square.
func (b set) rest() set {
	if b.lo != 0 {
		b.lo &= b.lo - 1
	} else {
		b.hi &= b.hi - 1
	}
	return b
}

// Directions as the rules page numbers them: 0 is one row less, then clockwise. Even
// ones are orthogonal.
var (
	rowStep  = [8]int{-1, -1, 0, 1, 1, 1, 0, -1}
	colStep  = [8]int{0, 1, 1, 1, 0, -1, -1, -1}
	dirNames = [8]string{"up", "up-right", "right", "down-right", "down", "down-left", "left", "up-left"}
)

// offset is the square so many rows and columns away, -1 beyond the edge.
func offset(sq, rows, cols int) int {
	r, c := sq/size+rows, sq%size+cols
	if r < 0 || r >= size || c < 0 || c >= size {
		return -1
	}
	return size*r + c
}

// step[n-1][sq][d] is the square n steps from sq in direction d, -1 beyond the edge.
var step = func() (t [3][squares][8]int8) {
	for n := range t {
		for sq := range squares {
			for d := range 8 {
				t[n][sq][d] = int8(offset(sq, (n+1)*rowStep[d], (n+1)*colStep[d]))
			}
		}
	}
	return t
}()

// Squares around each: all eight, by parity of the direction, a knight's leap away, and
// the boxes of 5×5 and 7×7, the latter with the square itself.
var (
	around = disc(func(r, c int) bool { return max(r, c) == 1 })
	beside = [2][squares]set{disc(func(r, c int) bool { return r+c == 1 }), disc(func(r, c int) bool { return r*c == 1 })}
	knight = disc(func(r, c int) bool { return r*c == 2 })
	box5   = disc(func(r, c int) bool { return max(r, c) == 1 || max(r, c) == 2 })
	box7   = disc(func(r, c int) bool { return max(r, c) <= 3 })
)

// disc collects for each square those that are r rows and c columns away.
func disc(in func(r, c int) bool) (t [squares]set) {
	for sq := range squares {
		for to := range squares {
			if in(abs(sq/size-to/size), abs(sq%size-to%size)) {
				t[sq] = t[sq].or(single(to))
			}
		}
	}
	return t
}

func abs(x int) int { return max(x, -x) }

// lines[n] are the squares up to n+1 steps away orthogonally, exactly[n] those at n+1
// steps.
var exactly, lines = func() (exact, upto [3][squares]set) {
	for n := range exact {
		for sq := range squares {
			for d := 0; d < 8; d += 2 {
				if to := step[n][sq][d]; to >= 0 {
					exact[n][sq] = exact[n][sq].or(single(int(to)))
				}
			}
			upto[n][sq] = exact[n][sq]
			if n > 0 {
				upto[n][sq] = upto[n][sq].or(upto[n-1][sq])
			}
		}
	}
	return
}()

// rays[d][sq] are the squares from sq to the edge in direction d.
var rays = func() (t [8][squares]set) {
	for d := range t {
		for sq := range squares {
			for to := step[0][sq][d]; to >= 0; to = step[0][to][d] {
				t[d][sq] = t[d][sq].or(single(int(to)))
			}
		}
	}
	return t
}()

// firstOn is the first square of b seen from sq in direction d, -1 without one.
func firstOn(b set, sq, d int) int {
	b = b.and(rays[d][sq])
	switch {
	case b.empty():
		return -1
	case d >= 2 && d <= 5: // towards higher squares
		return b.first()
	}
	return b.last()
}

// slide are the squares up to two steps away in the directions of one parity, over and
// onto squares that are not taken, and onto the first that is; with exact only those at
// two steps.
func slide(sq, parity int, taken set, exact bool) set {
	near := beside[parity][sq]
	to := near
	if exact {
		to = set{}
	}
	for d := parity; d < 8; d += 2 {
		over, beyond := step[0][sq][d], step[1][sq][d]
		if beyond >= 0 && !taken.has(int(over)) {
			to = to.or(single(int(beyond)))
		}
	}
	return to
}

func squareName(sq int) string { return string(appendSquare(nil, sq)) }

// appendSquare appends the name of a square: row and column.
func appendSquare(dst []byte, sq int) []byte {
	return append(dst, '0'+byte(sq/size), '0'+byte(sq%size))
}
