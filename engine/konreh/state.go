package konreh

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

// A square is the bit 8a+b of a bitboard, a and b in 0..7. Seen as drawn in
// position lines, letters (a) to the right and digits (b) upwards:
//
//	8 |  7 15 23 31 39 47 55 63    63 = h8, B's Home Apex
//	7 |  6 14 22 30 38 46 54 62
//	6 |  5 13 21 29 37 45 53 61
//	5 |  4 12 20 28 36 44 52 60    27 28 35 36: the Cross
//	4 |  3 11 19 27 35 43 51 59
//	3 |  2 10 18 26 34 42 50 58
//	2 |  1  9 17 25 33 41 49 57
//	1 |  0  8 16 24 32 40 48 56    0 = a1, A's Home Apex
//	  +------------------------
//	     a  b  c  d  e  f  g  h    56 = h1 and 7 = a8: the Sanctums
//
// The 6×6 board of preset micro uses the a1–f6 corner of the same numbering.

// The sides.
const (
	sideA engine.Side = 0
	sideB engine.Side = 1
)

// A kind of piece. Bit 0 and bit 1 say in which of State.kind the piece's
// square is set.
type kind uint8

const (
	red    kind = 0
	orange kind = 1
	green  kind = 2
	blue   kind = 3
)

// A lane, named from a side's seat. A's lane l runs in the same direction as
// B's lane 3-l.
type lane uint8

const (
	onwardLeft    lane = 0
	onwardRight   lane = 1
	homewardLeft  lane = 2
	homewardRight lane = 3
)

// A phase says which decision of the turn is to be made.
type phase uint8

const (
	phaseMove    phase = iota // m: a turn begins
	phaseSecond               // d: second move of the opening double move; State.square moved first
	phaseSpecial              // f: special after Blue's slide to State.square along State.lane
	phaseSeed                 // s: Seed or not, Blue on State.square
	phasePlace                // p: where to place Blue; State.runner planted
	phaseGreen                // g: which Green pays for placing Blue on the enemy Home Apex
	phaseBuyHop               // bH: which Green pays for the Hop
	phaseBuyStep              // bD: which Green pays for the Displacement
	phasePie                  // pie: hold or swap
	phaseOver                 // over: nothing to decide; State.why says why
	numPhases
)

// A reason why a game is over.
type reason uint8

const (
	whyNone reason = iota
	whyReforge
	whyThreefold
	whyNoProgress
	whyMaxTurns
	whyStalemate
	numReasons
)

var reasonWords = [numReasons]string{"", "reforge", "threefold", "no-progress", "max-turns", "stalemate"}

// State is a Kon'reh position. See [engine.State] for its methods.
type State struct {
	game *Game
	// occ are the pieces of each side.
	occ [2]uint64
	// kind tells the kinds of pieces apart: Orange and Blue are in kind[0],
	// Green and Blue in kind[1]; both are empty where no piece stands.
	kind [2]uint64
	// zobrist is the exclusive or of the keys of all pieces on their squares.
	zobrist uint64
	// blues is the state of each side's Blue life.
	blues [2]blueState
	// quiet counts the player turns without progress, as it stood when the
	// turn began; turn the player turns played.
	quiet, turn int32
	// repetition is how often the position that began this turn has occurred,
	// that time included; 1 without history. It stops at 255.
	repetition uint8

	side  engine.Side // to act
	phase phase
	// square, lane and runner say more about the phase; 0 where it has none.
	square uint8
	lane   lane
	runner kind
	// second is set from the second move of the opening double move on, until
	// the turn ends.
	second bool
	// progress is set in mid-turn once the turn has made progress.
	progress bool
	// swapped is set when the first player owns B.
	swapped bool
	why     reason
}

// pieces are the pieces of one kind, of both sides.
func (s *State) pieces(k kind) uint64 {
	switch k {
	case red:
		return (s.occ[0] | s.occ[1]) &^ (s.kind[0] | s.kind[1])
	case orange:
		return s.kind[0] &^ s.kind[1]
	case green:
		return s.kind[1] &^ s.kind[0]
	}
	return s.kind[0] & s.kind[1]
}

func (s *State) of(side engine.Side, k kind) uint64 { return s.pieces(k) & s.occ[side&1] }

// kindAt is the kind of the piece on an occupied square.
func (s *State) kindAt(sq uint8) kind {
	return kind(s.kind[0]>>(sq&63)&1 | s.kind[1]>>(sq&63)&1<<1)
}

// blueAt is the square of a side's Blue, 64 if it is off the board.
func (s *State) blueAt(side engine.Side) uint8 {
	return uint8(bits.TrailingZeros64(s.occ[side&1] & s.kind[0] & s.kind[1]))
}

// blueState is everything about one side's Blue but its square, in the low 25
// bits of a word; it is part of position identity as it stands.
//
//	bit 0 Hop left, 1 Displacement left, 2-3 Rooted mark, 4-7 stay,
//	8-11 exclusion, 12-15 Reforge counter, 16-17 Sanctum ban (0 none, 1 the
//	Sanctum on A's left, h1 on 8×8; 2 the other), 18-19 has left Home,
//	20 buyback used, 21-24 seeds made (only counted with seed_limit)
type blueState uint32

const (
	hasHop  blueState = 1 << 0
	hasStep blueState = 1 << 1
	bought  blueState = 1 << boughtShift

	rootedShift = 2
	stayShift   = 4
	exclShift   = 8
	reforgeShft = 12
	banShift    = 16
	leftShift   = 18
	boughtShift = 20
	seedsShift  = 21

	rootedMask  blueState = 3 << rootedShift
	stayMask    blueState = 15 << stayShift
	exclMask    blueState = 15 << exclShift
	reforgeMask blueState = 15 << reforgeShft
	banMask     blueState = 3 << banShift
	leftMask    blueState = 3 << leftShift
	seedsMask   blueState = 15 << seedsShift

	blueStateBits = 25
	// newLife is a Blue that has done nothing.
	newLife = hasHop | hasStep
)

// specials is the number of specials left, 0 to 2.
func (b blueState) specials() int { return bits.OnesCount32(uint32(b & (hasHop | hasStep))) }

// rooted is the Rooted mark: above 0 on its owner's turn, Blue may not move.
func (b blueState) rooted() int { return int(b & rootedMask >> rootedShift) }

// stay is the number of own turns Blue has ended in the Cross in a row.
func (b blueState) stay() int { return int(b & stayMask >> stayShift) }

// exclusion is the number of own turns for which the Cross is barred.
func (b blueState) exclusion() int { return int(b & exclMask >> exclShift) }

// reforge is the number of own turns left to plant; 0 with Blue on the board.
func (b blueState) reforge() int { return int(b & reforgeMask >> reforgeShft) }

// ban is the Sanctum this life was reforged onto: 0 none, else 1 + index in
// geometry.sanctums.
func (b blueState) ban() int { return int(b & banMask >> banShift) }

// left is 0 before Blue's first departure from Home, 1 after it, 2 in between.
func (b blueState) left() int { return int(b & leftMask >> leftShift) }

// bought reports whether this life has used its buyback.
func (b blueState) bought() bool { return b&bought != 0 }

// seeds is the number of Seeds made, 0 unless seed_limit counts them.
func (b blueState) seeds() int { return int(b & seedsMask >> seedsShift) }

func (b blueState) with(mask blueState, shift, value int) blueState {
	return b&^mask | blueState(value)<<shift
}
