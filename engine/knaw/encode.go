package knaw

import (
	"math/bits"
	"strconv"

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

// Planes of an observation, as the acting side sees the board.
const (
	planeOwn        = 0 // by piece
	planeEnemy      = planeOwn + pieces
	planeTier       = planeEnemy + pieces
	planeBlack      = planeTier + tiers
	planeInfluence  = planeBlack + 1     // own, enemy
	planeRolled     = planeInfluence + 2 // own, enemy
	planeConnected  = planeRolled + 2    // own, enemy
	planePiece      = planeConnected + 2
	planeBarred     = planePiece + 1
	planeChallenged = planeBarred + 1
	planeBoard      = planeChallenged + 1
	planes          = planeBoard + 1
)

// Globals of an observation.
const (
	globalPhase   = 0 // declare, move, second, errand, path; else it is post
	globalDice    = globalPhase + len(decisions)
	globalDie     = globalDice + 12 // the errand is for the second die
	globalOwnBest = globalDie + 1
	globalEnemy   = globalOwnBest + 1
	globalTurn    = globalEnemy + 1
	globalBonus   = globalTurn + 1
	globalRules   = globalBonus + 1
	globals       = globalRules + 8
	scoreScale    = 30
)

var decisions = [...]phase{phaseDeclare, phaseMove, phaseSecond, phaseErrand, phasePath}

func planeNames() (list []string) {
	for _, whose := range []string{"own ", "enemy "} {
		for _, name := range pieceNames {
			list = append(list, whose+name)
		}
	}
	for _, name := range tierNames {
		list = append(list, name)
	}
	list = append(list, "black")
	for _, what := range []string{"influence", "roll at a point of contention", "connected pieces"} {
		list = append(list, "own "+what, "enemy "+what)
	}
	return append(list, "piece on an errand or Path, or moved first", "piece that lost its errand", "challenged", "board")
}

func globalNames() (list []string) {
	for _, p := range decisions {
		list = append(list, "phase "+phaseNames[p])
	}
	for _, die := range []string{"die ", "second die "} {
		for n := range 6 {
			list = append(list, die+strconv.Itoa(n+1))
		}
	}
	return append(list, "errand with the second die", "own score / 30", "enemy score / 30", "turn / limit", "resolution bonus / 30",
		"two dice", "Paths pass points of contention only", "locked out by influence all around", "defender wins ties", "mover wins ties",
		"dice are kept", "connections compulsory", "limit draws")
}

func features() engine.Features {
	f := kit.Features(wedges, slots, planeBoard, planeNames(), globalNames())
	f.Constant = append(append([]string{}, tierNames[:]...), "black", "board")
	return f
}

// fixed are the planes that are always the same, as bits of the grid.
var fixed = func() (t [planes][2]uint64) {
	set := func(plane, x int) { t[plane][cellOf[x]>>6] |= 1 << (cellOf[x] & 63) }
	for x := range spaces {
		set(planeBoard, x)
		if quarterSpaces[x%quarter].black {
			set(planeBlack, x)
		}
		for k := range tiers {
			if tier[k].has(x) {
				set(planeTier+k, x)
			}
		}
	}
	return t
}()

// observe writes what the acting side sees.
func (s *State) observe(o *kit.Observation) {
	own, enemy := s.side, 1-s.side
	one := func(plane int, x int) {
		if own == 1 {
			x = opposite(x)
		}
		o.Set(plane*cells + int(cellOf[x]))
	}
	many := func(plane int, b set) {
		if own == 1 {
			b = b.turned()
		}
		first := plane * cells
		for w := b.lo; w != 0; w &= w - 1 {
			o.Set(first + int(cellOf[bits.TrailingZeros64(w)]))
		}
		for w := b.hi; w != 0; w &= w - 1 {
			o.Set(first + int(cellOf[half+bits.TrailingZeros64(w)]))
		}
	}
	for i, side := range [sides]uint8{own, enemy} {
		for piece, x := range s.at[side] {
			one(planeOwn+pieces*i+piece, int(x))
			if s.connected(side, piece) {
				one(planeConnected+i, int(x))
			}
		}
		many(planeInfluence+i, s.influence[side])
		many(planeRolled+i, s.rolled[side])
	}
	for _, plane := range [...]int{planeTier + center, planeTier + second, planeTier + first, planeTier + rim, planeBlack, planeBoard} {
		o.SetBits(plane*cells, fixed[plane][0])
		o.SetBits(plane*cells+64, fixed[plane][1])
	}
	if s.piece != noPiece {
		one(planePiece, int(s.at[own][s.piece]))
	}
	if s.barred != noPiece {
		one(planeBarred, int(s.at[own][s.barred]))
	}
	if s.phase == phasePath {
		one(planeChallenged, int(s.space))
	}
	for i, p := range decisions {
		o.Flag(globalPhase+i, s.phase == p)
	}
	for i, die := range [2]uint8{max(s.dice[0], s.carried), s.dice[1]} {
		o.Flag(globalDice+6*i+int(die)-1, die != 0)
	}
	o.Flag(globalDie, s.die != 0)
	o.Global(globalOwnBest, float32(s.score(own))/scoreScale)
	o.Global(globalEnemy, float32(s.score(enemy))/scoreScale)
	g := s.game
	o.Global(globalTurn, float32(s.turn)/float32(g.maxTurns))
	o.Global(globalBonus, float32(g.bonus)/maxBonus)
	for i, on := range [...]bool{g.symmetric, g.contentionOnly, g.allContention, g.tie == tieDefender, g.tie == tieMover, g.conserve, g.compulsory, g.capDraw} {
		o.Flag(globalRules+i, on)
	}
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
	h := engine.PolicyHead{Cells: make([]int32, numActions)}
	spatial := func(begin int, name string) {
		for _, piece := range pieceNames {
			for x := range spaces {
				h.Cells[begin+x] = int32(h.Planes*cells + int(cellOf[x]))
			}
			h.PlaneNames = append(h.PlaneNames, name+" "+piece)
			h.Planes++
			begin += spaces
		}
	}
	spatial(firstMove, "move")
	spatial(firstPath, "Path of")
	spatial(firstSecond, "move by the second die")
	global := func(a int, name string) {
		h.Cells[a] = int32(h.Planes*cells + h.Globals)
		h.GlobalNames = append(h.GlobalNames, name)
		h.Globals++
	}
	global(actionGo, "go")
	for piece, name := range pieceNames {
		global(firstErrand+piece, "errand of "+name)
		global(secondErrand+piece, "errand by the second die of "+name)
	}
	return h
}
