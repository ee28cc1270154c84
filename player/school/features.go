package school

import (
	"math/bits"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/konreh/measure"
)

// Feature is something that a position has from the seat of one side: a whole
// number that a term weighs and a condition bounds.
type Feature struct {
	Name, Doc string
	of        func(*view) int
}

// Most stands for all distances that are longer, or infinite.
const Most = 8

// features are all of them in the order of the documentation.
var features = []Feature{
	{"cross", "1 with own Blue in the Cross", func(v *view) int { return v.inCross(&v.own) }},
	{"their_cross", "1 with their Blue in the Cross", func(v *view) int { return v.inCross(&v.their) }},
	{"stay", "turns in a row that own Blue has ended in the Cross", func(v *view) int { return v.life(v.side).Stay }},
	{"exits", "XS of own Blue's square, 0 outside the Cross", func(v *view) int { return v.exits(v.side, v.own[konreh.Blue]) }},
	{"their_exits", "XS of their Blue's square, 0 outside the Cross", func(v *view) int { return v.exits(1-v.side, v.their[konreh.Blue]) }},
	{"their_room", "the greatest XS that their Blue would have on a square of the Cross", (*view).theirRoom},
	{"cover", "squares of the Cross next to an own runner", func(v *view) int { return v.cover(v.own) }},
	{"greens", "own Greens", func(v *view) int { return bits.OnesCount64(v.own[konreh.Green]) }},
	{"their_greens", "their Greens", func(v *view) int { return bits.OnesCount64(v.their[konreh.Green]) }},
	{"cca", "CCA in half Greens: 1 is the better prospect at equal numbers", func(v *view) int { return int(2 * v.measures().CCA(v.side)) }},
	{"seed_turns", "own turns until Blue could make a slide that may seed, 8 for more", func(v *view) int { return min(Most, v.measures().SeedTurns(v.side)) }},
	{"safe_greens", "SSI of own Greens on Sanctums, summed up", (*view).safeGreens},
	{"specials", "specials left to own Blue, 0 off the board", func(v *view) int { return v.specials(v.side, &v.own) }},
	{"their_specials", "specials left to their Blue, 0 off the board", func(v *view) int { return v.specials(1-v.side, &v.their) }},
	{"sri", "SRI of own Blue's square, 0 off the board", (*view).sri},
	{"blue_out", "steps of own Blue away from its Home Apex", func(v *view) int { return steps(v.own[konreh.Blue]) }},
	{"blue_edge", "1 with own Blue on an edge of the board", func(v *view) int { return min(1, bits.OnesCount64(v.own[konreh.Blue]&v.edge())) }},
	{"blue_crowd", "their runners up to two steps from own Blue", func(v *view) int { return v.near(v.own[konreh.Blue], v.theirRunners()) }},
	{"blue_guard", "own runners up to two steps from own Blue", func(v *view) int { return v.near(v.own[konreh.Blue], runners(&v.own)) }},
	{"home_guard", "own runners up to two steps from the own Home Apex", func(v *view) int { return v.near(1, runners(&v.own)) }},
	{"advance", "steps of own runners away from the own Home Apex, summed up", func(v *view) int { return steps(runners(&v.own)) }},
	{"pieces", "pieces on the board, of both sides", func(v *view) int { return bits.OnesCount64(all(&v.own) | v.theirs()) }},
	{"exposed", "own pieces that they could capture on their next turn", func(v *view) int { return v.hits(1-v.side, &v.theirSight) }},
	{"threats", "their pieces that the side could capture on its next turn", func(v *view) int { return v.hits(v.side, &v.ownSight) }},
	{"their_mobility", "slides that they have", func(v *view) int { return v.sight(1-v.side, &v.theirSight).Slides }},
	{"plant_turns", "T*: own turns until a runner could end on the enemy Home Apex, 8 for more", func(v *view) int { return v.plantTurns(v.side) }},
	{"their_plant_turns", "their T*", func(v *view) int { return v.plantTurns(1 - v.side) }},
	{"their_kappa", "κ of them within their turns left, 8 for more", func(v *view) int {
		m := v.measures()
		return min(Most, m.Kappa(1-v.side, m.TurnsLeft(1-v.side)))
	}},
}

// Features lists what terms may weigh and conditions may bound.
func Features() []Feature { return slices.Clone(features) }

func featureNamed(name string) int {
	return slices.IndexFunc(features, func(f Feature) bool { return f.Name == name })
}

// view is a position as one side sees it. What is costly is worked out on
// demand, once. The zero value is ready for set.
type view struct {
	state *konreh.State
	game  *konreh.Game
	side  engine.Side
	// own are the pieces of the side by kind from its seat, their those of the other
	// from the other's.
	own, their [4]uint64

	meter                measure.Meter
	measured             bool
	ownSight, theirSight sight
	near2                [64]uint64 // squares up to two steps from each
}

// sight are the measures of one side.
type sight struct {
	known bool
	konreh.Measures
}

// set makes v the view of side in s, which must stay as it is while v is used.
func (v *view) set(s *konreh.State, side engine.Side) {
	if g := s.Game(); v.game != g {
		v.game = g
		for sq := range v.near2 {
			v.near2[sq] = g.Around(sq)
			for on := g.Around(sq); on != 0; on &= on - 1 {
				v.near2[sq] |= g.Around(bits.TrailingZeros64(on))
			}
		}
	}
	v.state, v.side = s, side
	v.own, v.their = s.Army(side), s.Army(1-side)
	v.measured, v.ownSight.known, v.theirSight.known = false, false, false
}

func (v *view) measures() *measure.Meter {
	if !v.measured {
		v.meter.Set(v.state)
		v.measured = true
	}
	return &v.meter
}

func (v *view) sight(side engine.Side, m *sight) *konreh.Measures {
	if !m.known {
		v.state.Measure(side, &m.Measures)
		m.known = true
	}
	return &m.Measures
}

func (v *view) life(side engine.Side) konreh.Life { return v.state.Life(side) }

// plantTurns is T*, at most Most, by the estimate of the rules, which has other pieces
// stand still, unless Blue must leave the Cross first: then no runner moves in it.
func (v *view) plantTurns(side engine.Side) int {
	n := v.state.PlantTurns(side, Most-1)
	if n == Most && v.life(side).Stay > 0 {
		n = min(Most, v.measures().PlantTurns(side))
	}
	return n
}

// cross is its squares, none where nothing counts as Cross.
func (v *view) cross() uint64 {
	if stay, _ := v.game.CrossTurns(); stay == 0 {
		return 0
	}
	return v.game.Cross()
}

func (v *view) inCross(army *[4]uint64) int {
	return bits.OnesCount64(army[konreh.Blue] & v.cross())
}

// exits is XS of a Blue of side that stands on the square of blue.
func (v *view) exits(side engine.Side, blue uint64) int {
	if blue &= v.cross(); blue == 0 {
		return 0
	}
	return v.measures().XS(side, bits.TrailingZeros64(blue))
}

func (v *view) theirRoom() int {
	if v.their[konreh.Blue] == 0 {
		return 0
	}
	best := 0
	for on := v.cross(); on != 0; on &= on - 1 {
		best = max(best, v.measures().XS(1-v.side, bits.TrailingZeros64(on)))
	}
	return best
}

// cover counts the squares of the Cross next to runners of army.
func (v *view) cover(army [4]uint64) int {
	covered := uint64(0)
	for on := runners(&army); on != 0; on &= on - 1 {
		covered |= v.game.Around(bits.TrailingZeros64(on))
	}
	return bits.OnesCount64(covered & v.cross())
}

func (v *view) safeGreens() int {
	sum := 0
	for _, at := range v.game.Sanctums() {
		if v.own[konreh.Green]&at != 0 {
			sum += v.measures().SSI(v.side, bits.TrailingZeros64(at))
		}
	}
	return sum
}

func (v *view) specials(side engine.Side, army *[4]uint64) int {
	if army[konreh.Blue] == 0 {
		return 0
	}
	return v.life(side).Specials
}

func (v *view) sri() int {
	if v.own[konreh.Blue] == 0 {
		return 0
	}
	return v.measures().SRI(v.side, bits.TrailingZeros64(v.own[konreh.Blue]))
}

// hits counts the pieces that side could capture on its next turn.
func (v *view) hits(side engine.Side, m *sight) int {
	v.sight(side, m)
	return bits.OnesCount64(m.Hits | m.SpecialHits)
}

// near counts the pieces of a set up to two steps from the one square of at, and on
// it.
func (v *view) near(at, pieces uint64) int {
	if at == 0 {
		return 0
	}
	sq := bits.TrailingZeros64(at)
	return bits.OnesCount64((v.near2[sq] | at) & pieces)
}

// theirs are their pieces from the side's seat.
func (v *view) theirs() uint64 { return v.game.Seen(1, all(&v.their)) }

func (v *view) theirRunners() uint64 { return v.game.Seen(1, runners(&v.their)) }

// edge is the squares along the edges of the board.
func (v *view) edge() uint64 {
	edge, size := uint64(0), v.game.Size()
	for i := range size {
		edge |= 1<<i | 1<<(8*i) | 1<<(8*(size-1)+i) | 1<<(8*i+size-1)
	}
	return edge
}

func all(army *[4]uint64) uint64 { return runners(army) | army[konreh.Blue] }

func runners(army *[4]uint64) uint64 {
	return army[konreh.Red] | army[konreh.Orange] | army[konreh.Green]
}

// steps is the sum of the steps of pieces away from a1.
func steps(pieces uint64) int {
	sum := 0
	for ; pieces != 0; pieces &= pieces - 1 {
		sq := bits.TrailingZeros64(pieces)
		sum += sq>>3 + sq&7
	}
	return sum
}
