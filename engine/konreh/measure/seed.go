package measure

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// Threat is how soon opp can capture a piece of side on one square.
type Threat struct {
	// R is the fewest own turns of opp after which its Blue could capture the piece by a
	// special that it has left, at once or after a slide; 1 on its next turn. Inf if S is
	// 0, Blue is off the board or no way leads there.
	R int
	// ReachAny is the fewest own turns of opp after which one of its pieces but Blue could
	// capture it by displacement; Inf if none ever could.
	ReachAny int
	// S are the specials left to opp's Blue, Barred says that the Cross is barred to
	// it.
	S      int
	Barred bool
	// Screens counts the pieces of side in the way of the nearest attackers, which are
	// those that share the smaller of R and ReachAny: pieces of side, not the one on the
	// square, whose ZoC covers a square where such an attacker may rest on a way to
	// capture on that turn, not counting where it starts. Of pieces that stand on one lane
	// with each other, whatever is between them, one counts: the measure is the most
	// pieces of which no two share a letter or a digit. 0 if nobody ever comes.
	// BlueScreens counts those against opp's Blue.
	Screens, BlueScreens int
}

// Threat returns the threat to square q. If no piece of side stands there, one is taken
// to, in place of what does.
func (m *Meter) Threat(side engine.Side, q int) Threat {
	var t attack
	m.on(side, q, m.armies[side&1].own, &t)
	r, n := m.reach(&t)
	path := uint64(0)
	if r < Inf {
		path = m.bluePath(&t, r, n)
	}
	x := Threat{
		R: r, ReachAny: m.reachAny(&t, Inf), S: t.blueLeft(), Barred: t.kind[konreh.Blue] != 0 && t.life.Exclusion > 0,
		BlueScreens: m.screens(&t, path),
	}
	if x.R > x.ReachAny {
		path = 0
	}
	if x.ReachAny <= x.R {
		path |= m.pathAny(&t, x.ReachAny)
	}
	x.Screens = m.screens(&t, path)
	return x
}

// pathAny is the squares where pieces but Blue may rest on ways to capture on that
// turn, the one that reachAny has just found.
func (m *Meter) pathAny(t *attack, turns int) uint64 {
	if turns == Inf {
		return 0
	}
	path := uint64(0)
	for i := range m.runners {
		if r := &m.runners[i]; m.walk(r, t.target, 0, turns) == turns {
			path |= m.path(r, t.target, turns)
		}
	}
	return path
}

// screens is the most pieces of the attacked side next to squares of path of which
// no two share a letter or a digit.
func (m *Meter) screens(t *attack, path uint64) int {
	near := uint64(0)
	for ; path != 0; path &= path - 1 {
		near |= m.game.Around(squareOf(path))
	}
	near &= t.side
	// A matching of letters with digits: each in turn takes a digit, for which those
	// before it may have to take another.
	var holder [8]int8 // 1 + letter
	n := 0
	for letter := range 8 {
		tried := uint64(0)
		if match(near, &holder, letter, &tried) {
			n++
		}
	}
	return n
}

func match(pieces uint64, holder *[8]int8, letter int, tried *uint64) bool {
	for row := pieces >> (8 * letter) & 0xff &^ *tried; row != 0; row = row & (row - 1) &^ *tried {
		digit := bits.TrailingZeros64(row)
		*tried |= 1 << digit
		if h := holder[digit]; h == 0 || match(pieces, holder, int(h)-1, tried) {
			holder[digit] = int8(letter) + 1
			return true
		}
	}
	return false
}

// SSI is how safe a piece of side is on square q, meant for a Green on a Sanctum:
//
//	0  if S ≥ 1 and R ≤ 1, or ReachAny ≤ 1
//	2  if S = 0 or R ≥ 2, and ReachAny ≥ 2, and there is a screen or R and ReachAny
//	   are both 3 or more
//	1  otherwise
//
// with S the specials of opp's Blue and screens as [Threat] counts them. If no
// piece of side stands on q, one is taken to: then it is the safety of a Green that
// would be there now. Blue's way to the other Sanctum is no part of it.
func (m *Meter) SSI(side engine.Side, q int) int {
	var t attack
	m.on(side, q, m.armies[side&1].own, &t)
	r, n := m.reach(&t)
	if r <= 1 {
		return 0
	}
	path := uint64(0)
	if r == 2 {
		path = m.bluePath(&t, r, n)
	}
	// Nearer than 3 turns is 2 turns here, once 1 is excluded.
	switch any := m.reachAny(&t, 2); {
	case any <= 1:
		return 0
	case any == 2:
		path |= m.pathAny(&t, 2)
	case r > 2:
		return 2
	}
	if m.screens(&t, path) > 0 {
		return 2
	}
	return 1
}

// SSI is [Meter.SSI] of the square.
func (x *Threat) SSI() int {
	switch {
	case x.R <= 1 || x.ReachAny <= 1:
		return 0
	case x.Screens > 0 || min(x.R, x.ReachAny) >= 3:
		return 2
	}
	return 1
}

// Advice is a line of the book's table on when to seed, from worst to best.
type Advice uint8

// The lines of the table. The borderline case is decided by what the table names: for
// a Seed speak two independent screens or that opp's Blue is barred from the Cross.
const (
	DoNotSeed         Advice = iota // R ≤ 1
	BorderlineAgainst               // S = 1, R = 2 and neither
	BorderlineFor                   // S = 1, R = 2 and one of them
	UsuallySeed                     // S ≥ 1, R ≥ 2
	DoSeed                          // S = 0
)

func (a Advice) String() string {
	return [...]string{"do not seed", "borderline, rather not", "borderline, rather yes", "usually seed", "seed"}[min(int(a), int(DoSeed))]
}

// WhenToSeed is the book's table: s specials of opp's Blue and r its R for the square
// of the Green; screens are those against that Blue, of pieces of which no two are on
// one lane, and barred says that the Cross is barred to it. The line for s = 1, r = 2 goes
// before the wider one for r ≥ 2.
func WhenToSeed(s, r, screens int, barred bool) Advice {
	switch {
	case s == 0:
		return DoSeed
	case r <= 1:
		return DoNotSeed
	case s > 1 || r > 2:
		return UsuallySeed
	case screens >= 2 || barred:
		return BorderlineFor
	}
	return BorderlineAgainst
}

// Advice is the table's answer for a Green on the square. It looks at opp's Blue alone, as
// the table does; SSI knows the other pieces.
func (x *Threat) Advice() Advice { return WhenToSeed(x.S, x.R, x.BlueScreens, x.Barred) }

// CCA is the advantage in Greens for side: own less opp's, and half a Green more for
// the one that could be first to fill the cap. Only where one more Seed fills it can
// anybody be first: the one with the fewer [Meter.SeedTurns], or with equal ones the
// one whose turn comes first. Otherwise, and where neither could, nothing is added.
// The rules always have a cap; where it is never reached it does not matter.
func (m *Meter) CCA(side engine.Side) float64 {
	a, opp := &m.armies[side&1], &m.armies[1-side&1]
	own, their := bits.OnesCount64(a.kind[konreh.Green]), bits.OnesCount64(opp.kind[konreh.Green])
	cca := float64(own - their)
	if own+their+1 != m.game.GreenCap() {
		return cca
	}
	mine, yours := m.SeedTurns(side), m.SeedTurns(1-side)
	switch {
	case mine == Inf && yours == Inf:
	case mine < yours || mine == yours && a.acts:
		cca += 0.5
	default:
		cca -= 0.5
	}
	return cca
}
