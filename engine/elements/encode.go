package elements

import (
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

var bothSides = []string{"own ", "enemy "}

// territories are named by when their turn comes, so that boards and cycles that are alike
// look alike.
var territories = []string{"next territory", "second territory", "third territory", "fourth territory"}

func features() engine.Features {
	planes := slices.Concat(
		kit.Names(bothSides, kindNames[:]...),
		[]string{"copies of Mirror"}, territories,
		[]string{"place area", "neutral zone", "goal", "board", "own control", "enemy control", "frozen", "own Lotus box", "enemy Lotus box",
			"territory of this turn", "piece that goes on",
			"own moves end", "enemy moves end", "own could take", "enemy could take"},
	)
	globals := slices.Concat(
		kit.Names([]string{"own reserve: ", "enemy reserve: ", "draft area: "}, kindNames[:]...),
		kit.Names([]string{"phase "}, phaseNames[:]...),
		[]string{"led by Leadership", "drafts left / kinds", "room in own reserve / kinds", "room in enemy reserve / kinds",
			"turn / limit", "position seen before"},
		variantNames, []string{"drafts a turn / kinds"},
	)
	owners := append([]string{"own", "enemy"}, territories...)
	for j := 1; j < maxCycle; j++ {
		for _, who := range owners[:slotOwners(j)] {
			globals = append(globals, fmt.Sprintf("%d slots on: %s", j, who))
		}
	}
	return kit.Features(size, size, slices.Index(planes, "board"), planes, globals)
}

// variantNames name what is shown of the options: the variants of a Game.
var variantNames = []string{
	"exact distances", "wind brings", "sun counts one on the goal", "must act", "may pass placing",
	"no drafts in territories", "ice silences", "lotus lets displace",
}

// slotOwners is how many can own the slot j after the present one: two players, and the
// territories but those that come later, the fourth at least three slots away, the third
// two.
func slotOwners(j int) int { return min(6, 3+j) }

// observe writes what the acting side sees.
func (s *State) observe(o *kit.Observation) {
	g, both := s.game, [2]uint8{s.side, 1 - s.side}
	plane := func(b set) {
		first := o.Plane(squares)
		o.SetBits(first, b.Lo)
		o.SetBits(first+64, b.Hi)
	}
	for _, side := range both {
		first := o.Plane(kinds * squares)
		for b := s.of[side]; !b.Empty(); b = b.Rest() {
			sq := b.First()
			o.Set(first + s.at[sq].kind()*squares + sq)
		}
	}
	plane(s.copies)
	order := g.order[s.slot]
	var held, box, to, hits [2]set
	var now, actor set
	for i := range territories {
		if i >= len(order) {
			plane(set{})
			continue
		}
		zone := g.zone[order[i]]
		plane(zone)
		for j, side := range both {
			if s.controls(side, int(order[i])) {
				held[j] = held[j].Or(zone)
			}
		}
	}
	for i, side := range both {
		if s.owned(lotus, side) && s.active(lotus) {
			box[i] = box7[s.where[lotus]].And(g.board)
		}
		to[i], hits[i] = s.reach(side)
	}
	if t := s.territory(); t >= 0 {
		now = g.zone[t]
	}
	if k := actors[s.phase]; k > 0 {
		actor = kit.Single(int(s.where[k]))
	}
	for _, b := range []set{
		g.zone[zoneWhite], g.zone[zoneNeutral], g.zone[zoneGoal], g.board, held[0], held[1],
		s.cold().And(s.of[0].Or(s.of[1])), box[0], box[1], now, actor, to[0], to[1], hits[0], hits[1],
	} {
		plane(b)
	}
	o.Bits(s.reserve[both[0]], kinds)
	o.Bits(s.reserve[both[1]], kinds)
	o.Bits(s.draft, kinds)
	o.OneOf(int(s.phase), int(phases))
	o.Flags(s.lead)
	o.Number(float32(s.drafts) / kinds)
	o.Number(float32(s.room(both[0])) / kinds)
	o.Number(float32(s.room(both[1])) / kinds)
	o.Number(float32(s.turn) / float32(g.maxTurns))
	o.Flags(s.seen > 0)
	o.Flags(g.variants...)
	o.Number(float32(g.draftMax) / kinds)
	for j := 1; j < maxCycle; j++ {
		x := g.cycle[(int(s.slot)+j)%len(g.cycle)]
		i := int(x ^ s.side) // 0 is an own slot, 1 the enemy's
		if x >= 2 {
			for i = 2; order[i-2] != x-2; i++ {
			}
		}
		o.OneOf(i, slotOwners(j))
	}
}

// reach are the squares to which a side's pieces that are not frozen could go by their
// printed movement, and the enemies that they or Wood could take. A small network learns
// only slowly where slides end.
func (s *State) reach(side uint8) (to, hits set) {
	v := s.view(side)
	for b := v.own.Minus(v.frozen); !b.Empty(); b = b.Rest() {
		sq := b.First()
		switch kind := s.at[sq].kind(); kind {
		case shadow:
			to = to.Or(s.haunts(&v))
		case wood:
			hits = hits.Or(s.felled(&v))
			fallthrough
		default:
			to = to.Or(s.targets(sq, &v))
		}
	}
	return to, hits.Or(to.And(v.enemy))
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

// policyHead: moves stand on the square that a piece leaves, by rows and columns; all other
// actions with a square stand on that.
func policyHead() engine.PolicyHead {
	h := kit.NewHead(numActions, squares)
	for r := -3; r <= 3; r++ {
		for c := -3; c <= 3; c++ {
			far := max(abs(r), abs(c))
			if far == 0 || far == 3 && r*c != 0 {
				continue
			}
			h.Plane(fmt.Sprintf("go %+d rows %+d columns", r, c))
			for from := range squares {
				if to := offset(from, r, c); to >= 0 {
					h.Set(from, engine.Action(squares*from+to))
				}
			}
		}
	}
	for d, name := range dirNames {
		h.Plane("put " + name + " of Wind")
		for from := range squares {
			h.Set(from, engine.Action(firstBring+8*from+d))
		}
	}
	plane := func(name string, first engine.Action) {
		h.Plane(name)
		for sq := range squares {
			h.Set(sq, first+engine.Action(sq))
		}
	}
	for _, v := range verbs {
		switch v.shape {
		case square:
			plane(v.doc, v.first)
		case direction:
			for d, name := range dirNames {
				h.Global(v.doc+" "+name, v.first+engine.Action(d))
			}
		case alone:
			h.Global(v.doc, v.first)
		case kindAlone:
			for kind, name := range kindNames {
				h.Global(v.doc+" "+name, v.first+engine.Action(kind))
			}
		}
	}
	for kind, name := range kindNames {
		plane("place "+name, firstPlace+engine.Action(squares*kind))
	}
	return h.Policy()
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

// SymmetryMask implements engine.State.
func (s *State) SymmetryMask() uint32 { return s.game.mask }

// Transform implements engine.State.
func (s *State) Transform(i int) {
	t := State{
		game: s.game, where: s.where, reserve: s.reserve, draft: s.draft, under: s.under,
		phase: s.phase, side: s.side, lead: s.lead, fresh: s.fresh, drafts: s.drafts, turn: s.turn, seen: s.seen,
		slot: uint8((int(s.slot) + s.game.shift[i]) % len(s.game.cycle)),
	}
	for b := s.of[0].Or(s.of[1]); !b.Empty(); b = b.Rest() {
		sq := b.First()
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
