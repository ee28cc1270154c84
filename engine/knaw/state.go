package knaw

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// The pieces of a side: the two of a type differ in the last bit.
const (
	pieces  = 6
	noPiece = pieces
)

var pieceNames = [pieces]string{"bard-a", "bard-b", "fool-a", "fool-b", "herald-a", "herald-b"}

// startSpaces are where the pieces of each side begin.
var startSpaces = [sides][pieces]string{
	{"F20", "F12", "R12", "R8", "R11", "R9"},
	{"F4", "F28", "R2", "R18", "R1", "R19"},
}

// phase says what a turn has come to.
type phase uint8

const (
	phaseDeclare    phase = iota // a Path may be declared
	phaseRoll                    // the turn's dice are rolled
	phaseMove                    // a piece moves, or asks for an errand
	phaseSecond                  // a second piece moves
	phaseErrandRoll              // the opponent rolls against an errand
	phaseErrand                  // the piece goes on its errand
	phasePathRoll                // both roll for a Path
	phasePath                    // the piece follows its Path
	phasePostRoll                // a roll after the other's resolution
	phasePost                    // a piece may connect then
	phaseOver
	phases
)

var phaseNames = [phases]string{
	"declare", "roll", "move", "second", "errand-roll", "errand", "path-roll", "path", "post-roll", "post", "over",
}

// State is a position. Side 0 is always First.
type State struct {
	kit.Plain // but for Chance
	game      *Game
	at        [sides][pieces]uint8
	// taken and influence follow from at.
	taken, influence [sides]set
	// rolled are the points of contention at which a side has rolled since they came up.
	rolled [sides]set
	// dice are what was rolled for this turn, or this move; 0 is none.
	dice [2]uint8
	// die is which of the dice an errand is for.
	die uint8
	// carried is the die that the side to act keeps from a Path that it won, else 0.
	carried uint8
	// piece is on an errand or Path, or has moved first; else noPiece. barred has lost its
	// errand in this turn, else noPiece.
	piece, barred uint8
	space         uint8 // that a Path challenges, else 0
	phase         phase
	side          uint8
	resolver      int8 // the side that has resolved, else -1
	turn          uint16
}

var (
	_ engine.State    = (*State)(nil)
	_ engine.Margined = (*State)(nil)
)

// The reasons for which a game ends.
const (
	reasonResolved = "resolved"
	reasonLength   = "max-turns"
)

// endings are those that the rules page calls otherwise.
var endings = map[string]string{reasonLength: "length"}

// settle computes what follows from where the pieces of a side stand.
func (s *State) settle(side uint8) {
	taken, influence := set{}, set{}
	for _, x := range s.at[side] {
		taken = taken.or(single(int(x)))
		influence = influence.or(beside[x])
	}
	s.taken[side], s.influence[side] = taken, influence
}

func (s *State) settleBoth() {
	s.settle(0)
	s.settle(1)
}

func (s *State) occupied() set { return s.taken[0].or(s.taken[1]) }

// contention are the spaces that both sides influence.
func (s *State) contention() set { return s.influence[0].and(s.influence[1]) }

// matured are the points of contention at which a Path may be declared.
func (s *State) matured() set { return s.rolled[0].and(s.rolled[1]) }

// connected tells whether both pieces of a type, those of a piece and its fellow, stand
// on opposite spaces.
func (s *State) connected(side uint8, piece int) bool {
	return opposite(int(s.at[side][piece])) == int(s.at[side][piece^1])
}

// connections is how many types are connected.
func (s *State) connections(side uint8) (n int) {
	for piece := 0; piece < pieces; piece += 2 {
		if s.connected(side, piece) {
			n++
		}
	}
	return n
}

// resolved tells whether all types of a side are connected, on three different tiers
// outside the center.
func (s *State) resolved(side uint8) bool {
	if s.connections(side) < pieces/2 {
		return false
	}
	at := &s.at[side]
	a, b, c := places[at[0]], places[at[2]], places[at[4]]
	for k := second; k < tiers; k++ {
		for l := second; l < tiers; l++ {
			if m := second + first + rim - k - l; k != l && a>>k&(b>>l)&(c>>m)&1 != 0 {
				return true
			}
		}
	}
	return false
}

// score is what a side's connections and its resolution count.
func (s *State) score(side uint8) int {
	area := set{}
	for piece, x := range s.at[side] {
		if s.connected(side, piece) {
			area = area.or(beside[x])
		}
	}
	n := area.minus(s.contention()).count()
	if s.resolved(side) {
		n += s.game.bonus
	}
	return n
}

// clearLead is the lead in points that counts as clear: the median of the leads at the end
// of 120 games of alphabeta:depth=1 with one decision in ten at random.
const clearLead = 10

// Margin implements engine.Margined by the scores.
func (s *State) Margin(p engine.Player) float32 {
	return float32(s.score(uint8(p))-s.score(uint8(p.Other()))) / clearLead
}

// Actor implements engine.State.
func (s *State) Actor() engine.Player {
	switch s.phase {
	case phaseRoll, phaseErrandRoll, phasePathRoll, phasePostRoll:
		return engine.Chance
	case phaseOver:
		return engine.Nobody
	}
	return engine.Player(s.side)
}

// Side implements engine.State.
func (s *State) Side() engine.Side { return engine.Side(s.side) }

// Outcome implements engine.State.
func (s *State) Outcome() engine.Outcome {
	if s.phase != phaseOver {
		return engine.Outcome{}
	}
	o := engine.Outcome{Over: true, Winner: engine.Nobody, Reason: reasonResolved}
	if s.resolver < 0 {
		o.Reason = reasonLength
		if s.game.capDraw {
			return o
		}
	}
	switch south, north := s.score(0), s.score(1); {
	case south > north:
		o.Winner = engine.First
	case north > south:
		o.Winner = engine.Second
	}
	return o
}

// Turn implements engine.State. The turn in which a side resolves lasts until the other has
// answered; it counts once the game is over, though not in the number of the position line.
func (s *State) Turn() int {
	if s.phase == phaseOver && s.resolver >= 0 {
		return int(s.turn) + 1
	}
	return int(s.turn)
}

// Hash implements engine.State. No rule compares positions; the turn is left out.
func (s *State) Hash() uint64 {
	at := &s.at
	h := kit.Mix(word(at[0][:]) ^ uint64(s.dice[0])<<48 ^ uint64(s.dice[1])<<52 ^ uint64(s.phase)<<56 ^ uint64(s.side)<<60)
	h ^= word(at[1][:]) ^ uint64(s.piece)<<48 ^ uint64(s.barred)<<52 ^ uint64(s.die)<<56 ^ uint64(s.carried)<<57 ^ uint64(s.resolver+1)<<60
	h = kit.Mix(h)
	if b := s.rolled[0].or(s.rolled[1]); !b.empty() {
		h = kit.Mix(h ^ s.rolled[0].lo ^ uint64(s.space)<<56)
		h = kit.Mix(h ^ s.rolled[0].hi)
		h = kit.Mix(h ^ s.rolled[1].lo)
		h = kit.Mix(h ^ s.rolled[1].hi)
	}
	return h
}

// word is six bytes.
func word(b []uint8) (w uint64) {
	for i, x := range b {
		w |= uint64(x) << (8 * i)
	}
	return w
}

// CopyFrom implements engine.State.
func (s *State) CopyFrom(src engine.State) { *s = *src.(*State) }

// Start implements engine.State.
func (s *State) Start(h *engine.History) {
	*s = State{game: s.game, phase: phaseRoll, piece: noPiece, barred: noPiece, resolver: -1, at: startPlaces}
	s.settleBoth()
	s.Begin(h)
}

var startPlaces = func() (t [sides][pieces]uint8) {
	for side, list := range startSpaces {
		for piece, name := range list {
			t[side][piece] = uint8(mustNamed(name))
		}
	}
	return t
}()

// Begin implements engine.State: no position is compared later.
func (s *State) Begin(h *engine.History) { h.Clear() }
