package konreh

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

var (
	_ engine.Bitwise  = (*Game)(nil)
	_ engine.BitState = (*State)(nil)
)

// bitInputs is what show writes.
var bitInputs = kit.BitInputs(func(b *kit.Bits) { (&State{game: &Game{geo: &geometry8}}).show(sideA, b) })

// BitInputs implements [engine.Bitwise].
func (g *Game) BitInputs() []engine.BitInput { return bitInputs }

// ViewBits implements [engine.BitState].
func (s *State) ViewBits(side engine.Side, words []uint64) {
	b := kit.NewBits(words)
	s.show(side, &b)
}

// show writes the pieces, what the Blues may and must do, and the counters that end games,
// and the rules that change what they are worth. Zones of control, slides and races are terms.
func (s *State) show(side engine.Side, b *kit.Bits) {
	g, r := s.game.geo, &s.game.rules
	k0, k1 := g.seen(side, s.kind[0]), g.seen(side, s.kind[1])
	own, other := g.seen(side, s.occ[side&1]), g.seen(side, s.occ[1-side&1])
	b.Board("own Red", own&^(k0|k1))
	b.Board("own Orange", own&k0&^k1)
	b.Board("own Green", own&k1&^k0)
	b.Board("own Blue", own&k0&k1)
	b.Board("other Red", other&^(k0|k1))
	b.Board("other Orange", other&k0&^k1)
	b.Board("other Green", other&k1&^k0)
	b.Board("other Blue", other&k0&k1)
	s.showBlue(&ownBlue, side, bits.OnesCount64(own&k1&^k0), b)
	s.showBlue(&otherBlue, 1-side, bits.OnesCount64(other&k1&^k0), b)

	quiet, turn := 0, 0
	if r.noProgress > 0 {
		quiet = int(s.quiet) * quietSteps / r.noProgress
	}
	if r.maxTurns > 0 {
		turn = int(s.turn) * turnSteps / r.maxTurns
	}
	b.Count("quiet / no_progress in sixteenths", quiet, quietSteps)
	b.Count("turn / max_turns in eighths", turn, turnSteps)
	b.Count("occurrence - 1", int(min(s.repetition, 3))-1, 2)
	b.Flag("progress this turn", s.progress)
	b.Flag("double move to come", s.doubleAhead())
	b.Flag("hold or swap to come", s.pieAhead())
	b.Flag("no captures yet", int(s.turn) < r.noCaptureTurns)
	_, words := r.words()
	b.Runs(&ruleBits, words>>48)
}

// ruleBits are the options on or off, in the order of rules.words.
var ruleBits = kit.NewRuns(
	"contact_capture", "target_zoc_exempt", "slide_special", "rooted through-next-turn",
	"seed", "mobilization", "progress speed", "buyback", "stalemate loss",
)

// Steps in which counters are seen that run for long.
const (
	quietSteps = 16
	turnSteps  = 8
)

// What showBlue writes.
var (
	ownBlue   = blueRuns("own ")
	otherBlue = blueRuns("other ")
)

func blueRuns(whose string) kit.Runs {
	return kit.NewRuns(kit.Names([]string{whose}, "Hop", "Displacement", "Rooted:2", "stay:4", "exclusion:4", "Reforge:5",
		"Sanctum ban:2", "Blue has left Home:2", "buyback used", "Seeds:4", "Greens:6")...)
}

// showBlue writes a side's Blue state, as that side sees it, and its number of Greens.
func (s *State) showBlue(runs *kit.Runs, side engine.Side, greens int, b *kit.Bits) {
	x := s.blues[side&1]
	if side == sideB {
		x = x.turned()
	}
	bought := uint64(x >> boughtShift & 1)
	b.Runs(runs, uint64(x&(hasHop|hasStep))|kit.OneHot(x.rooted(), 2)<<2|kit.OneHot(x.stay(), 4)<<4|kit.OneHot(x.exclusion(), 4)<<8|
		kit.OneHot(x.reforge(), 5)<<12|kit.OneHot(x.ban(), 2)<<17|kit.OneHot(x.left(), 2)<<19|bought<<21|kit.OneHot(x.seeds(), 4)<<22|kit.OneHot(greens, 6)<<26)
}
