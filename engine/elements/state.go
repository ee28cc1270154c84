package elements

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// phase says what a turn has come to.
type phase uint8

const (
	phaseAct   phase = iota // an own piece acts
	phaseLeaf               // Leaf has swapped and may move
	phaseMoon               // Moon has pulled and may move
	phasePush               // Power has moved and may push
	phaseWind               // Wind has moved, or stays, and lets another piece move
	phaseFire               // Fire has captured and may step on
	phasePlace              // a piece is placed or drafted
	phaseDraft              // more are drafted
	phaseCopy               // Mirror was placed and may put its copy
	phases
)

var phaseNames = [phases]string{"act", "leaf-move", "moon-move", "power-push", "wind", "fire", "place", "draft", "copy"}

// actors are the pieces that the phases between act and place belong to, and that of
// the copy.
var actors = [phases]int{phaseLeaf: leaf, phaseMoon: moon, phasePush: power, phaseWind: wind, phaseFire: fire, phaseCopy: mirror}

// Where a piece is that stands on no square.
const (
	inReserve = squares // and the side
	inDraft   = squares + 2
)

// State is a position. Side 0 is always First.
type State struct {
	kit.Plain
	game *Game
	// at is the piece on each square, and of are the squares of each side's pieces.
	at [squares]piece
	of [2]set
	// where is the square of the piece of each kind but copies, or inReserve or inDraft.
	where   [kinds]uint8
	copies  set       // squares of copies of Mirror
	reserve [2]uint32 // kinds in each reserve
	draft   uint32    // kinds in the draft area
	// under is the piece on the goal that another of its side has landed on, which ends
	// the game.
	under  piece
	phase  phase
	side   uint8
	slot   uint8
	lead   bool  // Leadership has given its action to the others
	fresh  bool  // the turn begins with this decision
	drafts uint8 // left in the phase draft
	turn   uint16
	seen   uint8  // earlier turns that began with this position
	hash   uint64 // of all pieces
}

var _ engine.State = (*State)(nil)

// The reasons for which a game ends.
const (
	reasonStacked    = "goal-stacked"
	reasonControlled = "goal-controlled"
	reasonRepetition = "repetition"
	reasonLength     = "max-turns"
)

// endings are their names on the rules page.
var endings = map[string]string{reasonStacked: "goal stacked", reasonControlled: "goal controlled", reasonLength: "length"}

func (s *State) onBoard(kind int) bool { return s.where[kind] < squares }

// owned tells whether the piece of a kind is on the board and of a side.
func (s *State) owned(kind int, side uint8) bool {
	return s.onBoard(kind) && s.at[s.where[kind]].side() == side
}

// cold are the squares around Ice.
func (s *State) cold() set {
	if s.onBoard(ice) {
		return around[s.where[ice]]
	}
	return set{}
}

// active tells whether the piece of a kind is on the board with a passive ability that
// Ice can silence: those of Lotus, Shield and Portal.
func (s *State) active(kind int) bool {
	return s.onBoard(kind) && !(s.game.silence && s.cold().Has(int(s.where[kind])))
}

// put places a piece on an empty square; remove takes one off and says which.
func (s *State) put(p piece, sq int) {
	b := kit.Single(sq)
	s.at[sq] = p
	s.of[p.side()] = s.of[p.side()].Or(b)
	if p.copy() {
		s.copies = s.copies.Or(b)
	} else {
		s.where[p.kind()] = uint8(sq)
	}
	s.hash ^= key(p, sq)
}

func (s *State) remove(sq int) piece {
	p := s.at[sq]
	b := kit.Single(sq)
	s.at[sq] = 0
	s.of[p.side()] = s.of[p.side()].Minus(b)
	if p.copy() {
		s.copies = s.copies.Minus(b)
	}
	s.hash ^= key(p, sq)
	return p
}

// store and unstore put a kind that is not on the board into a side's reserve and take it
// out.
func (s *State) store(kind int, side uint8) {
	s.reserve[side] |= 1 << kind
	s.where[kind] = inReserve + side
	s.hash ^= key(pieceOf(kind, side), inReserve)
}

func (s *State) unstore(kind int, side uint8) {
	s.reserve[side] &^= 1 << kind
	s.hash ^= key(pieceOf(kind, side), inReserve)
}

// key is the part of a piece in the hash.
func key(p piece, sq int) uint64 { return kit.Mix(uint64(p)<<8 | uint64(sq)) }

// room is how many more pieces a side's reserve takes.
func (s *State) room(side uint8) int {
	return s.game.reserveMax - bits.OnesCount32(s.reserve[side])
}

// territory is the territory whose turn it is, -1 in a player's own turn.
func (s *State) territory() int { return int(s.game.cycle[s.slot]) - 2 }

// controls tells whether a side controls a territory.
func (s *State) controls(side uint8, territory int) bool {
	b := s.game.zone[territory]
	n := s.of[side].And(b).Count() - s.of[1-side].And(b).Count()
	if s.onBoard(sun) && b.Has(int(s.where[sun])) {
		if n++; s.at[s.where[sun]].side() != side {
			n -= 2
		}
	}
	return n >= 2 && !(s.onBoard(chaos) && b.Has(int(s.where[chaos])))
}

// Actor implements engine.State.
func (s *State) Actor() engine.Player {
	if s.Outcome().Over {
		return engine.Nobody
	}
	return engine.Player(s.side)
}

// Side implements engine.State.
func (s *State) Side() engine.Side { return engine.Side(s.side) }

// Turn implements engine.State.
func (s *State) Turn() int { return int(s.turn) }

// Outcome implements engine.State.
func (s *State) Outcome() engine.Outcome {
	switch {
	case s.under != 0:
		return engine.Outcome{Over: true, Winner: engine.Player(s.under.side()), Reason: reasonStacked}
	case int(s.where[sun]) == s.game.goal && !s.game.sunOne:
		return engine.Outcome{Over: true, Winner: engine.Player(s.at[s.game.goal].side()), Reason: reasonControlled}
	case int(s.turn) >= s.game.maxTurns:
		return engine.Outcome{Over: true, Winner: engine.Nobody, Reason: reasonLength}
	case int(s.seen)+1 >= s.game.repetition:
		return engine.Outcome{Over: true, Winner: engine.Nobody, Reason: reasonRepetition}
	}
	return engine.Outcome{}
}

// keyWords is the size of a position's key in a History.
const keyWords = 7

// key is what makes two beginnings of a turn the same position.
func (s *State) key() (k [keyWords]uint64) {
	for kind, sq := range s.where {
		x := uint64(sq)
		if sq < squares && s.of[1].Has(int(sq)) {
			x |= 0x80
		}
		k[kind>>3] |= x << (kind & 7 * 8)
	}
	k[2] |= uint64(s.slot)<<32 | uint64(s.side)<<40
	k[3], k[4] = s.copies.Lo&s.of[0].Lo, s.copies.Hi&s.of[0].Hi
	k[5], k[6] = s.copies.Lo&s.of[1].Lo, s.copies.Hi&s.of[1].Hi
	return k
}

// Hash implements engine.State.
func (s *State) Hash() uint64 {
	x := uint64(s.slot) | uint64(s.side)<<8 | uint64(s.phase)<<16 | uint64(s.drafts)<<24 | uint64(s.under)<<32
	if s.lead {
		x |= 1 << 40
	}
	return kit.Mix(s.hash ^ x*0x9e3779b97f4a7c15)
}

// CopyFrom implements engine.State.
func (s *State) CopyFrom(src engine.State) { *s = *src.(*State) }

// Start implements engine.State.
func (s *State) Start(h *engine.History) {
	*s = *s.game.undrafted()
	s.phase, s.fresh = phasePlace, true
	s.Begin(h)
}

// undrafted returns a state with all pieces in the draft area.
func (g *Game) undrafted() *State {
	s := &State{game: g, draft: 1<<kinds - 1}
	for kind := range s.where {
		s.where[kind] = inDraft
	}
	return s
}

// Begin implements engine.State.
func (s *State) Begin(h *engine.History) {
	h.Clear()
	if s.fresh {
		s.enter(h)
	}
}

// enter pushes the position at the start of a turn, and returns how often it was there
// before.
func (s *State) enter(h *engine.History) int {
	k := s.key()
	return h.Push(s.Hash(), k[:]) - 1
}
