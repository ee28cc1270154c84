package konkvest

import (
	"encoding/binary"
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// toPlace is the number of decisions of the formation, most what a reserve holds.
const (
	toPlace = 16
	most    = 14
)

// formation has the kinds of a side's decisions in the formation, two of each.
var formation = [toPlace / 4]uint8{rook, guard, lanser, general}

// State is a position. Side 0 is always First. A side's own squares are as it sees the
// board.
type State struct {
	kit.Plain
	game *Game
	hash uint64
	// at is what stands on the squares that side 0 sees: 0, or 1 + kind + 16·side; off the
	// board it is 255.
	at [squares]uint8
	// of are a side's own squares with a piece; pawns and sliders those with pawns, and
	// with rooks, lansers and champions; wake what is in the wake of its pawns and Queen.
	of, pawns, sliders, wake [2]set
	queens                   [2]uint8 // own squares, 0 without a Queen
	reserve                  [2][hands]uint8
	held                     [2]uint8  // pieces in reserve
	runs                     [2]uint16 // turns in a row that ended with an attack on the Queen
	ply                      uint16    // actions after the formation
	side                     uint8
	step                     uint8 // decisions of the formation made, toPlace after it
	seen                     uint8 // earlier occurrences of this position, up to 255
	end                      ending
}

var _ engine.State = (*State)(nil)

// ending is a reason for which a game has ended, 0 while it goes on.
type ending uint8

const (
	endToppled ending = 1 + iota
	endOccupied
	endBlocked
	endCycle
	endRepetition
	endLength
)

var reasons = [...]string{"", "toppled", "occupation", "blocked", "queen-cycle", "repetition", "max-plies"}

// endings are those that the rules page calls otherwise.
var endings = map[string]string{"toppled": "queen toppled", "queen-cycle": "queen cycle", "max-plies": "length"}

// piece is what at holds for a piece.
func piece(side uint8, kind int) uint8 { return uint8(1+kind) | side<<4 }

// pieceAt is the kind of what stands on a square as side 0 sees it, -1 for nothing, and
// its side.
func (s *State) pieceAt(sq int) (kind int, side uint8) {
	x := s.at[sq]
	return int(x&15) - 1, x >> 4
}

// kindOf is the kind of a piece on a square that a side sees.
func (s *State) kindOf(side uint8, sq int) int { return int(s.at[seen(side, sq)]&15) - 1 }

// put stands a piece on a side's square, take takes it off. Both leave the wake to
// refresh.
func (s *State) put(side uint8, kind, sq int) {
	at := seen(side, sq)
	s.at[at] = piece(side, kind)
	s.hash ^= pieceHash(piece(side, kind), at)
	b := kit.Single(sq)
	s.of[side] = s.of[side].Or(b)
	switch kind {
	case pawn:
		s.pawns[side] = s.pawns[side].Or(b)
	case queen:
		s.queens[side] = uint8(sq)
	case rook, lanser, promoted + rook, promoted + lanser:
		s.sliders[side] = s.sliders[side].Or(b)
	}
}

func (s *State) take(side uint8, kind, sq int) {
	at := seen(side, sq)
	s.hash ^= pieceHash(s.at[at], at)
	s.at[at] = 0
	b := kit.Single(sq)
	s.of[side] = s.of[side].Minus(b)
	switch kind {
	case pawn:
		s.pawns[side] = s.pawns[side].Minus(b)
	case queen:
		s.queens[side] = 0
	case rook, lanser, promoted + rook, promoted + lanser:
		s.sliders[side] = s.sliders[side].Minus(b)
	}
}

// keep changes the number of pieces of a kind in a reserve.
func (s *State) keep(side uint8, kind, by int) {
	n := s.reserve[side][kind]
	s.hash ^= reserveHash(side, kind, n) ^ reserveHash(side, kind, n+uint8(by))
	s.reserve[side][kind] += uint8(by)
	s.held[side] += uint8(by)
}

func pieceHash(p uint8, at int) uint64 { return kit.Mix(uint64(p)<<8 | uint64(at)) }

func reserveHash(side uint8, kind int, n uint8) uint64 {
	return kit.Mix(1<<16 | uint64(side)<<12 | uint64(kind)<<8 | uint64(n))
}

// refresh brings the wake of a side up to date.
func (s *State) refresh(side uint8) {
	w := s.game.wakes[s.queens[side]] // none of square 0
	for b := s.pawns[side].Lo; b != 0; b &= b - 1 {
		w = w.Or(s.game.wakes[bits.TrailingZeros64(b)])
	}
	for b := s.pawns[side].Hi; b != 0; b &= b - 1 {
		w = w.Or(s.game.wakes[64+bits.TrailingZeros64(b)])
	}
	s.wake[side] = w
}

// captured is the captured territory of a side, promotional where its pieces may
// promote, both as the side sees the board.
func (s *State) captured(side uint8) set { return s.wake[side].Minus(s.wake[1-side].Turned()) }

func (s *State) promotional(side uint8) set {
	if c := s.captured(side); s.pawns[side].Empty() {
		return c // the last stand
	} else {
		return c.And(beyond)
	}
}

// Actor implements engine.State.
func (s *State) Actor() engine.Player {
	if s.end != 0 {
		return engine.Nobody
	}
	return engine.Player(s.side)
}

// Side implements engine.State.
func (s *State) Side() engine.Side { return engine.Side(s.side) }

// Outcome implements engine.State.
func (s *State) Outcome() engine.Outcome {
	if s.end == 0 {
		return engine.Outcome{}
	}
	o := engine.Outcome{Over: true, Winner: engine.Nobody, Reason: reasons[s.end]}
	switch {
	case s.end == endToppled && s.queens[1] == 0, s.end == endOccupied && s.queens[0] == base^flip:
		o.Winner = engine.First
	case s.end == endToppled, s.end == endOccupied:
		o.Winner = engine.Second
	case s.end == endBlocked && !s.game.blockedDraws:
		o.Winner = engine.Player(1 - s.side)
	case s.end == endCycle:
		o.Winner = engine.Player(s.side) // the other has made the attack
	}
	return o
}

// Turn implements engine.State: a decision of the formation is a turn too.
func (s *State) Turn() int {
	if s.game.fixed {
		return int(s.ply)
	}
	return int(s.step) + int(s.ply)
}

// keyWords is the size of a position's key in a History.
const keyWords = squares/8 + 1

// key is what makes two positions the same: board, reserves and who is to act.
func (s *State) key() (k [keyWords]uint64) {
	for i := range squares / 8 {
		k[i] = binary.LittleEndian.Uint64(s.at[8*i:])
	}
	last := uint64(s.side)
	for side := range s.reserve {
		for _, n := range s.reserve[side] {
			last = last<<4 | uint64(n)
		}
	}
	k[squares/8] = last
	return k
}

// Hash implements engine.State.
func (s *State) Hash() uint64 { return s.hash ^ (uint64(s.side)|uint64(s.step)<<1)*0x9e3779b97f4a7c15 }

// CopyFrom implements engine.State.
func (s *State) CopyFrom(src engine.State) { *s = *src.(*State) }

// Start implements engine.State.
func (s *State) Start(h *engine.History) {
	s.clear()
	for side := range uint8(2) {
		s.put(side, queen, base)
		for i := range 8 {
			s.put(side, pawn, first+6+7+i)
		}
		s.keep(side, support, 3)
		if s.game.fixed {
			for i, kind := range [...]int{rook, lanser, general, general, lanser, rook} {
				s.put(side, kind, first+i)
			}
			s.put(side, guard, base-1)
			s.put(side, guard, base+1)
			s.step = toPlace
		}
		s.refresh(side)
	}
	s.Begin(h)
}

// clear takes everything off the board.
func (s *State) clear() {
	*s = State{game: s.game}
	for sq := range s.at {
		if !everywhere.Has(sq) {
			s.at[sq] = 255
		}
	}
}

// Begin implements engine.State.
func (s *State) Begin(h *engine.History) {
	h.Clear()
	s.enter(h)
}

// enter pushes the position, unless it belongs to the formation, and returns how often it
// was there before.
func (s *State) enter(h *engine.History) int {
	if s.step < toPlace || h == nil {
		return 0
	}
	k := s.key()
	return h.Push(s.Hash(), k[:]) - 1
}
