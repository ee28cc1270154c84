package elements

import "github.com/ludozero/ludozero/engine/kit"

// Squares are 9·row + column, row 0 at the top, also on boards with fewer rows or
// columns.
const (
	size    = 9
	squares = size * size
)

// set is a set of squares.
type set = kit.Set

// Directions as the rules page numbers them: 0 is one row less, then clockwise. Even
// ones are orthogonal.
var (
	rowStep  = [8]int{-1, -1, 0, 1, 1, 1, 0, -1}
	colStep  = [8]int{0, 1, 1, 1, 0, -1, -1, -1}
	dirNames = [8]string{"up", "up-right", "right", "down-right", "down", "down-left", "left", "up-left"}
)

// offset is the square rows and cols away from sq, -1 beyond the edge.
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
				t[sq] = t[sq].Or(kit.Single(to))
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
					exact[n][sq] = exact[n][sq].Or(kit.Single(int(to)))
				}
			}
			upto[n][sq] = exact[n][sq]
			if n > 0 {
				upto[n][sq] = upto[n][sq].Or(upto[n-1][sq])
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
				t[d][sq] = t[d][sq].Or(kit.Single(int(to)))
			}
		}
	}
	return t
}()

// firstOn is the first square of b seen from sq in direction d, -1 without one.
func firstOn(b set, sq, d int) int {
	b = b.And(rays[d][sq])
	switch {
	case b.Empty():
		return -1
	case d >= 2 && d <= 5: // towards higher squares
		return b.First()
	}
	return b.Last()
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
		if beyond >= 0 && !taken.Has(int(over)) {
			to = to.Or(kit.Single(int(beyond)))
		}
	}
	return to
}

func squareName(sq int) string { return string(appendSquare(nil, sq)) }

// appendSquare appends the name of a square: row and column.
func appendSquare(dst []byte, sq int) []byte {
	return append(dst, '0'+byte(sq/size), '0'+byte(sq%size))
}
