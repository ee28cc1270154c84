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
	b.Flags(ruleBits, words>>48)
}

// ruleBits are the options on or off, in the order of rules.words.
var ruleBits = []string{
	"contact_capture", "target_zoc_exempt", "slide_special", "rooted through-next-turn",
	"seed", "mobilization", "progress speed", "buyback", "stalemate loss",
}

// Steps in which counters are seen that run for long.
const (
	quietSteps = 16
	turnSteps  = 8
)

// blueNames are the names of what showBlue writes.
type blueNames [11]string

var ownBlue, otherBlue = blueNames{
	"own Hop", "own Displacement", "own Rooted", "own stay", "own exclusion", "own Reforge",
	"own Sanctum ban", "own Blue has left Home", "own buyback used", "own Seeds", "own Greens",
}, blueNames{
	"other Hop", "other Displacement", "other Rooted", "other stay", "other exclusion", "other Reforge",
	"other Sanctum ban", "other Blue has left Home", "other buyback used", "other Seeds", "other Greens",
}

// showBlue writes a side's Blue state, as that side sees it, and its number of Greens.
func (s *State) showBlue(name *blueNames, side engine.Side, greens int, b *kit.Bits) {
	x := s.blues[side&1]
	if side == sideB {
		x = x.turned()
	}
	b.Flag(name[0], x&hasHop != 0)
	b.Flag(name[1], x&hasStep != 0)
	b.Count(name[2], x.rooted(), 2)
	b.Count(name[3], x.stay(), 4)
	b.Count(name[4], x.exclusion(), 4)
	b.Count(name[5], x.reforge(), 5)
	b.Count(name[6], x.ban(), 2)
	b.Count(name[7], x.left(), 2)
	b.Flag(name[8], x.bought())
	b.Count(name[9], x.seeds(), 4)
	b.Count(name[10], greens, 6)
}
