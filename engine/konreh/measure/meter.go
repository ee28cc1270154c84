package measure

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// Inf stands for a number of turns or squares that is not finite: never, or no
// matter how many.
const Inf = 1 << 20

// Meter measures the position that it was set to. It holds scratch memory: one goroutine,
// one Meter. The zero value is ready for Set.
type Meter struct {
	game   *konreh.Game
	armies [2]army
	// limit is the number of turns in a row that Blue may end in the Cross, barred the
	// number for which it is barred from it afterwards; cross has its squares, none if
	// nothing counts as Cross.
	limit, exclusion int
	cross            uint64
	layers           []levels
	rings            []ring
	runners          []runner
}

// army is a side from its own seat.
type army struct {
	kind [4]uint64
	own  uint64
	life konreh.Life
	// slides and specials are the first own turns in which each may capture.
	slides, specials int
	// forced says that its Blue must leave the Cross on its next turn; acts that it
	// is the side to act.
	forced, acts bool
}

// Set sets the position to s, of which it keeps nothing.
func (m *Meter) Set(s *konreh.State) {
	m.game = s.Game()
	m.limit, m.exclusion = m.game.CrossTurns()
	m.cross = 0
	if m.limit > 0 {
		m.cross = m.game.Cross()
	} else {
		m.exclusion = 0
	}
	for side := range engine.Side(2) {
		a := &m.armies[side]
		a.kind = s.Army(side)
		a.own = a.kind[0] | a.kind[1] | a.kind[2] | a.kind[3]
		a.life = s.Life(side)
		a.slides, a.specials = s.FirstCaptures(side)
		a.forced = a.kind[konreh.Blue]&m.cross != 0 && a.life.Stay >= m.limit && a.life.Rooted == 0
		a.acts = s.Side() == side
	}
}

// turned converts a set of squares from one seat to the other.
func (m *Meter) turned(squares uint64) uint64 { return m.game.Seen(1, squares) }

// attack is opp as it faces a piece of side on one square, from opp's seat.
type attack struct {
	*army
	kind         [4]uint64
	own, enemy   uint64
	target, side uint64 // the square, and what else belongs to the side attacked
	forced       bool   // of the army, unless its Blue has given way
}

// on sets t to opp's attack on a piece of side on square q. own are the pieces of
// side; whatever else stands on q gives way.
func (m *Meter) on(side engine.Side, q int, own uint64, t *attack) {
	opp := &m.armies[1-side&1]
	t.army = opp
	t.target = m.turned(1 << (q & 63))
	t.side = m.turned(own) &^ t.target
	t.enemy = t.side | t.target
	t.own = opp.own &^ t.target
	for k := range t.kind {
		t.kind[k] = opp.kind[k] &^ t.target
	}
	t.forced = opp.forced && t.kind[konreh.Blue] != 0
}

// Specials is S: the specials left to the Blue of side, 0 to 2, and 0 while it is off
// the board. The book's S is opp's as side asks: Specials(1-side).
func (m *Meter) Specials(side engine.Side) int {
	a := &m.armies[side&1]
	if a.kind[konreh.Blue] == 0 {
		return 0
	}
	return a.life.Specials
}

// blueLeft is S of an attack: 0 if opp's Blue is off the board, or what gave way to
// the piece attacked.
func (t *attack) blueLeft() int {
	if t.kind[konreh.Blue] == 0 {
		return 0
	}
	return t.life.Specials
}

// Clocks are the five clocks of a side's Blue, in own turns but for the specials.
type Clocks struct {
	// Stay is the number of own turns in a row that have ended with Blue in the Cross,
	// of at most StayLimit; Exclusion the number for which it is barred from it.
	Stay, StayLimit, Exclusion int
	// Rooted is the number of own turns that Blue sits out, including the next one.
	Rooted int
	// Specials are left, 0 with Blue off the board, where Reforge is the number of own
	// turns left to plant.
	Specials, Reforge int
}

// Clocks returns the clocks of side as it begins a turn.
func (m *Meter) Clocks(side engine.Side) Clocks {
	l := &m.armies[side&1].life
	return Clocks{
		Stay: l.Stay, StayLimit: m.limit, Exclusion: l.Exclusion, Rooted: l.Rooted,
		Specials: m.Specials(side), Reforge: l.Reforge,
	}
}

func squareOf(b uint64) int { return bits.TrailingZeros64(b) & 63 }
