package knaw

import (
	"math/bits"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// The grid of an observation: a row for each sixteenth of the board, clockwise from the
// top as the acting side sees it from below, a column for each space of it from the hub
// on. Twelve cells have no space.
const (
	wedges = 16
	slots  = 7
	cells  = wedges * slots
)

// place is where a space stands on the grid.
func place(x int) (wedge, slot int) {
	q := &quarterSpaces[x%quarter]
	return q.wedge + x/quarter*wedges/4, q.slot
}

var cellOf = table(func(x int) uint8 {
	wedge, slot := place(x)
	return uint8(wedge*slots + slot)
})

// scoreScale divides scores for the network.
const scoreScale = 30

// decisions are the phases that a network is told apart by; else it is post.
var decisions = [...]phase{phaseDeclare, phaseMove, phaseSecond, phaseErrand, phasePath}

func features() engine.Features {
	both := []string{"own ", "enemy "}
	constant := append(tierNames[:], "black", "board")
	planes := slices.Concat(
		kit.Names(both, pieceNames[:]...), constant[:tiers+1],
		kit.Names(both, "influence"), kit.Names(both, "roll at a point of contention"), kit.Names(both, "connected pieces"),
		[]string{"piece on an errand or Path, or moved first", "piece that lost its errand", "challenged", "board"},
	)
	var globals []string
	for _, p := range decisions {
		globals = append(globals, "phase "+phaseNames[p])
	}
	globals = append(append(globals, kit.Names([]string{"die ", "second die "}, "1", "2", "3", "4", "5", "6")...),
		"errand with the second die", "own score / 30", "enemy score / 30", "turn / limit", "resolution bonus / 30")
	globals = append(globals, variantNames...)
	f := kit.Features(wedges, slots, len(planes)-1, planes, globals)
	f.Constant = constant
	return f
}

// variantNames name what is shown of the options: the variants of a Game.
var variantNames = []string{
	"two dice", "Paths pass points of contention only", "locked out by influence all around", "defender wins ties", "mover wins ties",
	"dice are kept", "connections compulsory", "limit draws",
}

// fixed are the planes that are always the same, the tiers, black and the board, as bits
// of the grid.
var fixed = func() (t [tiers + 2][2]uint64) {
	for x, cell := range cellOf {
		for i := range t {
			if i < tiers && tier[i].has(x) || i == tiers && quarterSpaces[x%quarter].black || i == tiers+1 {
				t[i][cell>>6] |= 1 << (cell & 63)
			}
		}
	}
	return t
}()

// observe writes what the acting side sees.
func (s *State) observe(o *kit.Observation) {
	both := [sides]uint8{s.side, 1 - s.side}
	seat := func(x uint8) int {
		if s.side == 1 {
			x = uint8(opposite(int(x)))
		}
		return int(cellOf[x])
	}
	one := func(x uint8, on bool) {
		if first := o.Plane(cells); on {
			o.Set(first + seat(x))
		}
	}
	many := func(b set) {
		if s.side == 1 {
			b = b.turned()
		}
		first := o.Plane(cells)
		for w := b.lo; w != 0; w &= w - 1 {
			o.Set(first + int(cellOf[bits.TrailingZeros64(w)]))
		}
		for w := b.hi; w != 0; w &= w - 1 {
			o.Set(first + int(cellOf[half+bits.TrailingZeros64(w)]))
		}
	}
	always := func(b [2]uint64) {
		first := o.Plane(cells)
		o.SetBits(first, b[0])
		o.SetBits(first+64, b[1])
	}
	var connected [sides]set
	for i, side := range both {
		first := o.Plane(pieces * cells)
		for piece, x := range s.at[side] {
			if o.Set(first + piece*cells + seat(x)); s.connected(side, piece) {
				connected[i] = connected[i].or(single(int(x)))
			}
		}
	}
	for _, b := range fixed[:tiers+1] {
		always(b)
	}
	many(s.influence[both[0]])
	many(s.influence[both[1]])
	many(s.rolled[both[0]])
	many(s.rolled[both[1]])
	many(connected[0])
	many(connected[1])
	at := &s.at[s.side]
	one(at[s.piece%pieces], s.piece != noPiece)
	one(at[s.barred%pieces], s.barred != noPiece)
	one(s.space, s.phase == phasePath)
	always(fixed[tiers+1])

	o.OneOf(slices.Index(decisions[:], s.phase), len(decisions))
	o.OneOf(int(max(s.dice[0], s.carried))-1, 6)
	o.OneOf(int(s.dice[1])-1, 6)
	o.Flags(s.die != 0)
	o.Number(float32(s.score(both[0])) / scoreScale)
	o.Number(float32(s.score(both[1])) / scoreScale)
	o.Number(float32(s.turn) / float32(s.game.maxTurns))
	o.Number(float32(s.game.bonus) / maxBonus)
	o.Flags(s.game.variants...)
}

// Encode implements engine.State.
func (s *State) Encode(planes, globals []float32) {
	var o kit.Observation
	s.observe(&o)
	o.Write(planes, globals)
}

// EncodingHash implements engine.State.
func (s *State) EncodingHash() uint64 {
	var o kit.Observation
	s.observe(&o)
	return o.Hash(&info.Features)
}

// policyHead: a move stands on the space where it ends, a Path on the one that it
// challenges, by piece; no two actions share a logit.
func policyHead() engine.PolicyHead {
	h := kit.NewHead(numActions, cells)
	spatial := func(name string, first int) {
		for piece, who := range pieceNames {
			h.Plane(name + " " + who)
			for x, cell := range cellOf {
				h.Set(int(cell), engine.Action(first+spaces*piece+x))
			}
		}
	}
	spatial("move", firstMove)
	spatial("Path of", firstPath)
	spatial("move by the second die", firstSecond)
	h.Global("go", actionGo)
	for piece, name := range pieceNames {
		h.Global("errand of "+name, engine.Action(firstErrand+piece))
		h.Global("errand by the second die of "+name, engine.Action(secondErrand+piece))
	}
	return h.Policy()
}
