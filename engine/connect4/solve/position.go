package solve

import "github.com/ludozero/ludozero/engine/connect4"

// The board is laid out as in package connect4: bit 7·column + row.
const (
	rows   = 6
	cols   = 7
	stride = rows + 1
	cells  = rows * cols

	bottom uint64 = 1 | 1<<7 | 1<<14 | 1<<21 | 1<<28 | 1<<35 | 1<<42
	board  uint64 = bottom * (1<<rows - 1)
	column uint64 = 1<<rows - 1
)

// position is the stones of the player to move and all stones. Nobody has a line of four.
type position struct {
	own, taken uint64
	stones     int
}

// play lets the mover take the cells of one bit.
func (p position) play(move uint64) position {
	return position{own: p.own ^ p.taken, taken: p.taken | move, stones: p.stones + 1}
}

// open are the cells that can be played to, one in every column that is not full.
func (p position) open() uint64 { return (p.taken + bottom) & board }

// key is a number of 49 bits that no other position has: in every column the
// mover's stones, below a 1 just above the topmost stone. The number of stones
// tells who the mover is.
func (p position) key() uint64 { return p.taken + bottom + p.own }

// threats are the cells in which the opponent would complete a line.
func (p position) threats() uint64 { return connect4.Lines(p.own^p.taken, p.taken) }

// wins are the cells with which the mover wins at once.
func (p position) wins() uint64 { return connect4.Lines(p.own, p.taken) & p.open() }

// safe are the moves after which the opponent, who would complete lines in
// threats, cannot win at once. The mover must have no winning move.
func (p position) safe(threats uint64) uint64 {
	moves := p.open()
	if forced := moves & threats; forced != 0 {
		if forced&(forced-1) != 0 {
			return 0 // two threats cannot be parried
		}
		moves = forced
	}
	return moves &^ (threats >> 1) // nor play below a threat
}

// mirror reverses the columns.
func mirror(x uint64) uint64 {
	const c = uint64(1<<stride - 1)
	return x>>(6*stride)&c | x>>(4*stride)&(c<<stride) | x>>(2*stride)&(c<<(2*stride)) | x&(c<<(3*stride)) |
		x<<(2*stride)&(c<<(4*stride)) | x<<(4*stride)&(c<<(5*stride)) | x<<(6*stride)&(c<<(6*stride))
}
