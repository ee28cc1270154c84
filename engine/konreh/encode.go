package konreh

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

// The planes of an observation. All is seen from the acting side's seat: its
// Home Apex is cell 0, and cell 8a+b is square (a, b) turned for B.
const (
	inOwn          = 0 // 0-3: own Red, Orange, Green, Blue
	inOther        = 4 // 4-7: the other side's
	inBoard        = 8
	inOwnBan       = 9  // Sanctum from which the own Blue life may not seed
	inOtherBan     = 10 // the other side's
	inMovedFirst   = 11 // the piece that moved first in the opening double move
	inPending      = 12 // Blue, while a special or Seed is to be decided
	inOwnZoC       = 13
	inOtherZoC     = 14
	inCross        = 15 // empty if the Cross timers are off
	inOwnHome      = 16
	inOtherHome    = 17
	inSanctums     = 18
	inOwnEnds      = 19 // squares on which slides may end
	inOtherEnds    = 20
	inOwnStrikes   = 21 // pieces that Blue's specials may capture
	inOtherStrikes = 22
	numInPlanes    = 23
)

var planeNames = []string{
	"own Red", "own Orange", "own Green", "own Blue",
	"other Red", "other Orange", "other Green", "other Blue",
	"board",
	"own Sanctum ban", "other Sanctum ban",
	"moved first",
	"Blue with a special or Seed to decide",
	"own ZoC", "other ZoC",
	"Cross", "own Home Apex", "other Home Apex", "Sanctums",
	"own slides end", "other slides end",
	"own specials capture", "other specials capture",
}

// The globals of an observation, by their first index.
const (
	inPhase       = 0  // 0-8: one-hot
	inRunner      = 9  // 9-11: Red, Orange, Green that planted
	inLane        = 12 // 12-15: lane of the special to decide
	inSide        = 16 // 16-26 own, 27-37 other: see encodeSide
	sideGlobals   = 11
	inTurn        = 38 // 38-47: see encodeTurn
	inRules       = 48 // see encodeRules
	numRulesIn    = 28
	inRace        = inRules + numRulesIn
	numInGlobals  = inRace + 2
	quietScale    = 100 // player turns
	maxTurnsScale = 600
)

var globalNames = []string{
	"phase move", "phase second move", "phase special", "phase Seed", "phase placement",
	"phase Green for the Apex", "phase Green for a Hop", "phase Green for a Displacement", "phase pie",
	"runner Red", "runner Orange", "runner Green",
	"special onward left", "special onward right", "special homeward left", "special homeward right",

	"own Hop", "own Displacement", "own Rooted / 2", "own stay / 4", "own exclusion / 4", "own Reforge / 5",
	"own has left Home", "own leaves Home", "own buyback used", "own Seeds / 4", "own Greens / 6",
	"other Hop", "other Displacement", "other Rooted / 2", "other stay / 4", "other exclusion / 4", "other Reforge / 5",
	"other has left Home", "other leaves Home", "other buyback used", "other Seeds / 4", "other Greens / 6",

	"room for Greens / 6", "quiet / no_progress", "turn / max_turns", "turns without captures left / 20",
	"occurrence - 1", "progress this turn", "double move to come", "hold or swap to come", "first turn", "swapped",

	"contact_capture", "target_zoc_exempt", "slide_special", "rooted through-next-turn",
	"cross_stay / 4", "cross timers off", "cross_exclusion / 4", "reforge_turns / 5", "green_cap / 6",
	"seed", "mobilization",
	"balance double-move", "balance single", "balance pie", "balance pie-double", "balance double-pie",
	"progress speed", "no_progress / 100", "no_progress off", "max_turns / 600", "max_turns off",
	"buyback", "seed_limit / 4", "seed_limit off", "no_capture_turns / 20", "specials 1", "size 6", "stalemate loss",
	"own turns to plant / 6", "other turns to plant / 6",
}

var features = engine.Features{
	Planes: numInPlanes, Height: 8, Width: 8,
	Globals:     numInGlobals,
	MaskPlane:   inBoard,
	PlaneNames:  planeNames,
	GlobalNames: globalNames,
}

// seen converts a bitboard to a side's view, and back.
func (g *geometry) seen(side engine.Side, b uint64) uint64 {
	if side == sideA {
		return b
	}
	return bits.Reverse64(b) >> (63 - g.last&63)
}

// zoc is the squares one step away from the squares of b.
func (g *geometry) zoc(b uint64) uint64 {
	const edge = 0x8080808080808080 // digit 8
	return (b<<8 | b>>8 | b&^edge<<1 | b>>1&^edge) & g.board
}

// Encode implements [engine.State].
func (s *State) Encode(planes, globals []float32) {
	planes, globals = planes[:numInPlanes*64], globals[:numInGlobals]
	clear(planes)
	clear(globals)
	s.encodePlanes(planes)

	globals[inPhase+int(s.phase)] = 1
	switch s.phase {
	case phasePlace:
		globals[inRunner+int(s.runner)] = 1
	case phaseSpecial:
		globals[inLane+int(s.lane)] = 1
	}
	s.encodeSide(globals[inSide:inSide+sideGlobals], s.side)
	s.encodeSide(globals[inSide+sideGlobals:inTurn], 1-s.side)
	s.encodeTurn(globals[inTurn:inRules])
	s.game.rules.encode(globals[inRules:inRace])
	s.encodeThreats(planes, globals)
}

func (s *State) encodePlanes(planes []float32) {
	g := s.game.geo
	own, other := g.seen(s.side, s.occ[s.side&1]), g.seen(s.side, s.occ[1-s.side&1])
	k0, k1 := g.seen(s.side, s.kind[0]), g.seen(s.side, s.kind[1])
	for i, occ := range [2]uint64{own, other} {
		fill(planes, inOwn+4*i, occ&^k0&^k1)
		fill(planes, inOwn+4*i+1, occ&k0&^k1)
		fill(planes, inOwn+4*i+2, occ&k1&^k0)
		fill(planes, inOwn+4*i+3, occ&k0&k1)
		fill(planes, inOwnZoC+i, g.zoc(occ))
	}
	fill(planes, inBoard, g.board)
	fill(planes, inOwnBan, g.seen(s.side, s.banned(s.side)))
	fill(planes, inOtherBan, g.seen(s.side, s.banned(1-s.side)))
	switch s.phase {
	case phaseSecond:
		fill(planes, inMovedFirst, 1<<(g.turned(s.side, s.square)&63))
	case phaseSpecial, phaseSeed:
		fill(planes, inPending, 1<<(g.turned(s.side, s.square)&63))
	}
	if s.game.rules.crossStay > 0 {
		fill(planes, inCross, g.cross)
	}
	fill(planes, inOwnHome, 1)
	fill(planes, inOtherHome, 1<<(g.last&63))
	fill(planes, inSanctums, 1<<(g.sanctums[0]&63)|1<<(g.sanctums[1]&63))
}

// raceTurns is the number of turns ahead in which plants are looked for; one more stands
// for no plant that soon.
const raceTurns = 5

// encodeThreats writes what either side could do if it were to begin a turn now:
// where slides may end, what specials may capture, and, while a countdown to plant
// runs, how soon a runner could plant (T*). A small network learns that only slowly, since
// slides stop in zones of control that change with every move.
func (s *State) encodeThreats(planes, globals []float32) {
	var m Measures
	g := s.game.geo
	s.Measure(s.side, &m)
	fill(planes, inOwnEnds, m.Ends)
	fill(planes, inOwnStrikes, m.SpecialHits)
	race := m.Reforge > 0
	s.Measure(1-s.side, &m)
	fill(planes, inOtherEnds, g.seen(sideB, m.Ends))
	fill(planes, inOtherStrikes, g.seen(sideB, m.SpecialHits))
	if race || m.Reforge > 0 {
		globals[inRace] = float32(s.PlantTurns(s.side, raceTurns)) * (1. / (raceTurns + 1))
		globals[inRace+1] = float32(s.PlantTurns(1-s.side, raceTurns)) * (1. / (raceTurns + 1))
	}
}

// fill sets the cells of b in a plane that is clear.
func fill(planes []float32, plane int, b uint64) {
	p := (*[64]float32)(planes[64*plane:])
	for ; b != 0; b &= b - 1 {
		p[bits.TrailingZeros64(b)&63] = 1
	}
}

// banned is the Sanctum from which a side's Blue may not seed, 0 if none.
func (s *State) banned(side engine.Side) uint64 {
	if i := s.blues[side&1].ban(); i > 0 {
		return 1 << (s.game.geo.sanctums[i-1] & 63)
	}
	return 0
}

// encodeSide writes a side's Blue state and its number of Greens.
func (s *State) encodeSide(g []float32, side engine.Side) {
	b := s.blues[side&1]
	_ = g[sideGlobals-1]
	g[0] = oneIf(b&hasHop != 0)
	g[1] = oneIf(b&hasStep != 0)
	g[2] = float32(b.rooted()) * (1. / 2)
	g[3] = float32(b.stay()) * (1. / 4)
	g[4] = float32(b.exclusion()) * (1. / 4)
	g[5] = float32(b.reforge()) * (1. / 5)
	g[6] = oneIf(b.left() != 0)
	g[7] = oneIf(b.left() == 2)
	g[8] = oneIf(b.bought())
	g[9] = float32(b.seeds()) * (1. / 4)
	g[10] = float32(bits.OnesCount64(s.of(side, green))) * (1. / 6)
}

// A count that a rule of 0 turns off is not encoded.
func (s *State) encodeTurn(g []float32) {
	r := &s.game.rules
	_ = g[inRules-inTurn-1]
	g[0] = float32(r.greenCap-bits.OnesCount64(s.pieces(green))) * (1. / 6)
	if r.noProgress > 0 {
		g[1] = float32(s.quiet) / float32(r.noProgress)
	}
	if r.maxTurns > 0 {
		g[2] = float32(s.turn) / float32(r.maxTurns)
	}
	g[3] = float32(max(0, r.noCaptureTurns-int(s.turn))) * (1. / 20)
	g[4] = float32(min(s.repetition, 3)) - 1
	g[5] = oneIf(s.progress)
	g[6] = oneIf(s.doubleAhead())
	g[7] = oneIf(s.pieAhead())
	g[8] = oneIf(s.turn == 0)
	g[9] = oneIf(s.swapped)
}

// doubleAhead reports whether the second move of the opening double move is
// still to come.
func (s *State) doubleAhead() bool {
	return s.turn <= 1 && !s.second && s.game.rules.double()
}

// pieAhead reports whether hold or swap is still to be decided.
func (s *State) pieAhead() bool { return s.turn < s.game.rules.pieTurn() }

func (r *rules) encode(g []float32) {
	_ = g[numRulesIn-1]
	g[0] = oneIf(r.contactCapture)
	g[1] = oneIf(r.targetZocExempt)
	g[2] = oneIf(r.slideSpecial)
	g[3] = oneIf(r.rootedThrough)
	g[4] = float32(r.crossStay) * (1. / 4)
	g[5] = oneIf(r.crossStay == 0)
	g[6] = float32(r.crossExclusion) * (1. / 4)
	g[7] = float32(r.reforgeTurns) * (1. / 5)
	g[8] = float32(r.greenCap) * (1. / 6)
	g[9] = oneIf(r.seed)
	g[10] = oneIf(r.mobilization)
	g[11+int(r.balance)] = 1
	g[16] = oneIf(r.speed)
	g[17] = float32(r.noProgress) * (1. / quietScale)
	g[18] = oneIf(r.noProgress == 0)
	g[19] = float32(r.maxTurns) * (1. / maxTurnsScale)
	g[20] = oneIf(r.maxTurns == 0)
	g[21] = oneIf(r.buyback)
	g[22] = float32(r.seedLimit) * (1. / 4)
	g[23] = oneIf(r.seedLimit == 0)
	g[24] = float32(r.noCaptureTurns) * (1. / 20)
	g[25] = oneIf(r.specials == 1)
	g[26] = oneIf(r.size == 6)
	g[27] = oneIf(r.stalemateLoses)
}

func oneIf(on bool) float32 {
	if on {
		return 1
	}
	return 0
}
