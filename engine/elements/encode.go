package elements

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// Planes of an observation. Territories go by when their turn comes, so that boards and
// cycles that are alike look alike.
const (
	planeOwn       = 0
	planeEnemy     = kinds
	planeCopies    = 2 * kinds
	planeTerritory = planeCopies + 1 // the next, the one after, ...
	planeWhite     = planeTerritory + 4
	planeNeutral   = planeWhite + 1
	planeGoal      = planeNeutral + 1
	planeBoard     = planeGoal + 1
	planeControl   = planeBoard + 1 // own, enemy
	planeFrozen    = planeControl + 2
	planeBox       = planeFrozen + 1 // of own, of enemy White Lotus
	planeTurn      = planeBox + 2    // the territory whose turn it is
	planeActor     = planeTurn + 1   // the piece that goes on with its action
	planeReach     = planeActor + 1  // own, enemy: where unfrozen pieces could go, in their territory's turn
	planeHits      = planeReach + 2  // enemies that own pieces could take, then the reverse
	planes         = planeHits + 2
)

// Globals of an observation.
const (
	globalReserve = 0 // own, enemy
	globalDraft   = 2 * kinds
	globalPhase   = 3 * kinds
	globalLead    = globalPhase + int(phases)
	globalDrafts  = globalLead + 1
	globalRoom    = globalDrafts + 1 // own, enemy
	globalTurn    = globalRoom + 2
	globalSeen    = globalTurn + 1
	globalRules   = globalSeen + 1
	globalSlots   = globalRules + 9 // after the present one: see slotGlobal
	globals       = globalSlots + 63
)

// slotGlobal[j] is the first of the globals that say whose slot comes j slots after the
// present one: own, the enemy's, then the territories in order. The fourth territory is at
// least three slots away, the third two.
var slotGlobal = func() (t [maxCycle + 1]int) {
	t[1] = globalSlots
	for j := 1; j < maxCycle; j++ {
		t[j+1] = t[j] + min(6, 3+j)
	}
	return t
}()

func planeNames() (names []string) {
	for _, whose := range []string{"own ", "enemy "} {
		for _, k := range kindNames {
			names = append(names, whose+k)
		}
	}
	return append(names, "copies of Mirror", "next territory", "second territory", "third territory", "fourth territory",
		"place area", "neutral zone", "goal", "board", "own control", "enemy control", "frozen", "own Lotus box", "enemy Lotus box",
		"territory of this turn", "piece that goes on",
		"own moves end", "enemy moves end", "own could take", "enemy could take")
}

func globalNames() (names []string) {
	for _, where := range []string{"own reserve: ", "enemy reserve: ", "draft area: "} {
		for _, k := range kindNames {
			names = append(names, where+k)
		}
	}
	for _, p := range phaseNames {
		names = append(names, "phase "+p)
	}
	names = append(names, "led by Leadership", "drafts left / kinds", "room in own reserve / kinds", "room in enemy reserve / kinds",
		"turn / limit", "position seen before", "exact distances", "wind brings", "sun counts one on the goal", "must act", "may pass placing",
		"no drafts in territories", "ice silences", "lotus lets displace", "drafts a turn / kinds")
	for j := 1; j < maxCycle; j++ {
		for _, who := range []string{"own", "enemy", "next territory", "second territory", "third territory", "fourth territory"}[:min(6, 3+j)] {
			names = append(names, fmt.Sprintf("%d slots on: %s", j, who))
		}
	}
	return names
}

func features() engine.Features {
	f := kit.Features(size, size, planeBoard, planeNames(), globalNames())
	return f
}

// observe writes what the acting side sees.
func (s *State) observe(o *kit.Observation) {
	g, own, enemy := s.game, s.side, 1-s.side
	plane := func(p int, b set) {
		for ; !b.empty(); b = b.rest() {
			o.Set(p*squares + b.first())
		}
	}
	for i, side := range [2]uint8{own, enemy} {
		for b := s.of[side]; !b.empty(); b = b.rest() {
			sq := b.first()
			o.Set((planeOwn+i*(planeEnemy-planeOwn)+s.at[sq].kind())*squares + sq)
		}
		if s.owned(lotus, side) && s.active(lotus) {
			plane(planeBox+i, box7[s.where[lotus]].and(g.board))
		}
		for kind := range kinds {
			o.Flag(globalReserve+i*kinds+kind, s.reserve[side]>>kind&1 != 0)
		}
		to, hits := s.reach(side)
		plane(planeReach+i, to)
		plane(planeHits+i, hits)
		o.Global(globalRoom+i, float32(s.room(side))/kinds)
	}
	plane(planeCopies, s.copies)
	order := g.order[s.slot]
	for i, t := range order {
		plane(planeTerritory+i, g.zone[t])
		for j, side := range [2]uint8{own, enemy} {
			if s.controls(side, int(t)) {
				plane(planeControl+j, g.zone[t])
			}
		}
	}
	plane(planeWhite, g.zone[zoneWhite])
	plane(planeNeutral, g.zone[zoneNeutral])
	plane(planeGoal, g.zone[zoneGoal])
	plane(planeBoard, g.board)
	plane(planeFrozen, s.cold().and(s.of[0].or(s.of[1])))
	if t := s.territory(); t >= 0 {
		plane(planeTurn, g.zone[t])
	}
	if k := actors[s.phase]; k > 0 {
		o.Set(planeActor*squares + int(s.where[k]))
	}
	for kind := range kinds {
		o.Flag(globalDraft+kind, s.draft>>kind&1 != 0)
	}
	o.Flag(globalPhase+int(s.phase), true)
	o.Flag(globalLead, s.lead)
	o.Global(globalDrafts, float32(s.drafts)/kinds)
	o.Global(globalTurn, float32(s.turn)/float32(g.maxTurns))
	o.Flag(globalSeen, s.seen > 0)
	for i, on := range [...]bool{g.exact, g.bring, g.sunOne, g.mustAct, g.mayPass, g.noDraft, g.silence, g.lotusMoves} {
		o.Flag(globalRules+i, on)
	}
	o.Global(globalRules+8, float32(g.draftMax)/kinds)
	for j := 1; j < maxCycle; j++ {
		x := g.cycle[(int(s.slot)+j)%len(g.cycle)]
		i := int(x ^ own) // 0 is an own slot, 1 the enemy's
		if x >= 2 {
			for i = 2; order[i-2] != x-2; i++ {
			}
		}
		o.Flag(slotGlobal[j]+i, true)
	}
}

// reach are the squares to which a side's pieces that are not frozen could go by their
// printed movement, and the enemies that they or Wood could take. A small network learns
// only slowly where slides end.
func (s *State) reach(side uint8) (to, hits set) {
	v := s.view(side)
	for b := v.own.minus(v.frozen); !b.empty(); b = b.rest() {
		sq := b.first()
		switch kind := s.at[sq].kind(); kind {
		case shadow:
			to = to.or(s.haunts(&v))
		case wood:
			hits = hits.or(s.felled(&v))
			fallthrough
		default:
			to = to.or(s.targets(sq, &v))
		}
	}
	return to, hits.or(to.and(v.enemy))
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

// The policy head: moves stand on the square that a piece leaves, by rows and columns;
// all other actions with a square stand on that.
const (
	headBring  = 28 // of moves, by then
	headSwap   = headBring + 8
	headLeaf   = headSwap + 1
	headTake   = headLeaf + 1
	headCopy   = headTake + 1
	headShadow = headCopy + 1
	headPlace  = headShadow + 1
	headPlanes = headPlace + kinds
)

func policyHead() engine.PolicyHead {
	h := engine.PolicyHead{Planes: headPlanes, Cells: make([]int32, numActions)}
	for a := range h.Cells {
		h.Cells[a] = -1
	}
	for r := -3; r <= 3; r++ {
		for c := -3; c <= 3; c++ {
			far := max(abs(r), abs(c))
			if far == 0 || far == 3 && r*c != 0 {
				continue
			}
			for from := range squares {
				if to := offset(from, r, c); to >= 0 {
					h.Cells[squares*from+to] = int32(len(h.PlaneNames)*squares + from)
				}
			}
			h.PlaneNames = append(h.PlaneNames, fmt.Sprintf("go %+d rows %+d columns", r, c))
		}
	}
	for d, name := range dirNames {
		for from := range squares {
			h.Cells[firstBring+8*from+d] = int32((headBring+d)*squares + from)
		}
		h.PlaneNames = append(h.PlaneNames, "put "+name+" of Wind")
	}
	plane := func(first int, name string) {
		for sq := range squares {
			h.Cells[first+sq] = int32(len(h.PlaneNames)*squares + sq)
		}
		h.PlaneNames = append(h.PlaneNames, name)
	}
	plane(firstSwap, "swap with Balance")
	plane(firstLeaf, "swap with Leaf")
	plane(firstTake, "remove by Wood")
	plane(firstCopy, "copy Mirror to")
	plane(firstShadow, "Shadow goes to")
	for kind, name := range kindNames {
		plane(firstPlace+kind*squares, "place "+name)
	}
	global := func(first int, names ...string) {
		for i, name := range names {
			h.Cells[first+i] = int32(headPlanes*squares + h.Globals)
			h.GlobalNames = append(h.GlobalNames, name)
			h.Globals++
		}
	}
	for d, name := range dirNames {
		global(firstPull+d, "Moon pulls "+name)
	}
	for d, name := range dirNames {
		global(firstPush+d, "Power pushes "+name)
	}
	global(actionStop, "stop", "use Wind without moving", "lead")
	for kind, name := range kindNames {
		global(firstDraft+kind, "draft "+name)
	}
	return h
}

// symmetries are the eight of a square. Which of them hold depends on layout and cycle.
func symmetries() []engine.Symmetry {
	all := []engine.Symmetry{{Name: symmetryNames[0]}}
	for i := 1; i < 8; i++ {
		y := engine.Symmetry{Name: symmetryNames[i], Cells: make([]int32, squares), Actions: make([]engine.Action, numActions)}
		for sq := range y.Cells {
			y.Cells[sq] = int32(mapped[i][sq])
		}
		for a := range y.Actions {
			y.Actions[a] = mapAction(engine.Action(a), i)
		}
		all = append(all, y)
	}
	return all
}

// mapAction maps an action by symmetry i.
func mapAction(a engine.Action, i int) engine.Action {
	on := func(first engine.Action) engine.Action { return first + engine.Action(mapped[i][a-first]) }
	dir := func(d engine.Action) engine.Action {
		const centre = size*4 + 4
		to := mapped[i][offset(centre, rowStep[d], colStep[d])]
		for e := range engine.Action(8) {
			if offset(centre, rowStep[e], colStep[e]) == to {
				return e
			}
		}
		panic("BUG: a symmetry maps a direction to none")
	}
	switch {
	case a < firstSwap:
		return engine.Action(squares*mapped[i][a/squares] + mapped[i][a%squares])
	case a < firstLeaf:
		return on(firstSwap)
	case a < firstPull:
		return on(firstLeaf)
	case a < firstPush:
		return firstPull + dir(a-firstPull)
	case a < firstTake:
		return firstPush + dir(a-firstPush)
	case a < actionStop:
		return on(firstTake)
	case a >= firstPlace && a < firstCopy:
		return on(a - (a-firstPlace)%squares)
	case a >= firstCopy && a < firstDraft:
		return on(firstCopy)
	case a >= firstShadow && a < firstBring:
		return on(firstShadow)
	case a >= firstBring:
		return firstBring + 8*engine.Action(mapped[i][(a-firstBring)/8]) + dir((a-firstBring)&7)
	}
	return a
}

// SymmetryMask implements engine.State.
func (s *State) SymmetryMask() uint32 { return s.game.mask }

// Transform implements engine.State.
func (s *State) Transform(i int) {
	t := State{
		game: s.game, where: s.where, reserve: s.reserve, draft: s.draft, under: s.under,
		phase: s.phase, side: s.side, lead: s.lead, fresh: s.fresh, drafts: s.drafts, turn: s.turn, seen: s.seen,
		slot: uint8((int(s.slot) + s.game.shift[i]) % len(s.game.cycle)),
	}
	for b := s.of[0].or(s.of[1]); !b.empty(); b = b.rest() {
		sq := b.first()
		t.put(s.at[sq], mapped[i][sq])
	}
	if x := s.under; x != 0 && !x.copy() {
		t.where[x.kind()] = uint8(mapped[i][s.where[x.kind()]])
	}
	for side := range uint8(2) {
		for kind := range kinds {
			if s.reserve[side]>>kind&1 != 0 {
				t.store(kind, side)
			}
		}
	}
	*s = t
}
