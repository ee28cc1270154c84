package elements

import "github.com/ludozero/ludozero/engine/kit"

// view is what the moves of a side depend on.
type view struct {
	own, enemy, taken set
	frozen            set
	land              set // where own pieces may end: empty squares, enemies that nobody shields, the goal with an own piece
	box               set // around White Lotus, empty without one
}

func (s *State) view(side uint8) (v view) {
	g := s.game
	v.own, v.enemy = s.of[side], s.of[1-side]
	v.taken = v.own.Or(v.enemy)
	v.frozen = s.cold()
	v.land = g.board.Minus(v.own)
	if s.owned(shield, 1-side) && s.active(shield) {
		v.land = v.land.Minus(v.enemy.And(beside[1][s.where[shield]]))
	}
	if v.own.Has(g.goal) {
		v.land = v.land.Or(g.zone[zoneGoal])
	}
	if s.active(lotus) {
		v.box = box7[s.where[lotus]]
	}
	return v
}

// able are the pieces that may be chosen to act.
func (s *State) able(v *view) set {
	b := v.own.Minus(v.frozen)
	if s.lead {
		return b.Minus(kit.Single(int(s.where[leadership])))
	}
	if t := s.territory(); t >= 0 {
		b = b.And(s.game.zone[t])
	}
	return b
}

// bound leaves of to the squares that White Lotus lets the piece on sq go to.
func (s *State) bound(sq int, to set, v *view) set {
	if v.box.Has(sq) && int(s.where[lotus]) != sq {
		return to.And(v.box)
	}
	return to
}

// displaced tells whether White Lotus lets a piece be swapped, pulled or pushed from a
// square to another.
func (s *State) displaced(from, to int, v *view) bool {
	return s.game.lotusMoves || !v.box.Has(from) || v.box.Has(to) || int(s.where[lotus]) == from
}

// targets are the squares that the own piece on sq may go to by its printed movement.
func (s *State) targets(sq int, v *view) (to set) {
	exact := s.game.exact
	switch s.at[sq].kind() {
	case balance, freedom, power:
		to = slide(sq, 0, v.taken, exact)
	case leadership, moon, lotus:
		to = slide(sq, 1, v.taken, exact)
	case fire, leaf, chaos, shield:
		to = knight[sq]
	case mirror, wind, wood, portal:
		to = around[sq]
	case rock:
		to = around[sq].Or(slide(sq, 0, v.taken, exact))
	case sun:
		to = beside[0][sq]
	case water:
		if to = lines[2][sq]; exact {
			to = exactly[2][sq]
		}
	case infinity:
		to = box5[sq]
	}
	return s.bound(sq, to.And(v.land), v)
}

// haunts are the squares that Shadow may go to.
func (s *State) haunts(v *view) (to set) {
	sq := int(s.where[shadow])
	for b := v.own.Minus(kit.Single(sq)); !b.Empty(); b = b.Rest() {
		to = to.Or(around[b.First()])
	}
	return s.bound(sq, to.And(v.land).Minus(kit.Single(sq)), v)
}

// steps are the squares that Fire may step to after a capture.
func (s *State) steps(v *view) set {
	sq := int(s.where[fire])
	return s.bound(sq, around[sq].And(v.land), v)
}

// swaps are the squares of the pieces among some that the piece of a kind may swap
// places with.
func (s *State) swaps(kind int, with set, v *view) set {
	sq := int(s.where[kind])
	if v.box.Empty() || s.game.lotusMoves {
		return with
	}
	to := set{}
	for b := with; !b.Empty(); b = b.Rest() {
		if x := b.First(); s.displaced(sq, x, v) && s.displaced(x, sq, v) {
			to = to.Or(kit.Single(x))
		}
	}
	return to
}

// balanced are the pieces that Balance may swap with, relieved those of Leaf.
func (s *State) balanced(v *view) set { return s.swaps(balance, v.enemy.And(s.game.open), v) }

func (s *State) relieved(v *view) set {
	return s.swaps(leaf, v.own.Minus(kit.Single(int(s.where[leaf]))), v)
}

// pulled is the piece that Moon may pull along a direction, and where to; -1 if there is
// none.
func (s *State) pulled(d int, v *view) (from, to int) {
	sq := int(s.where[moon])
	from = firstOn(v.taken, sq, d)
	if from < 0 {
		return -1, -1
	}
	to = int(step[0][from][d^4])
	if to == sq || !s.displaced(from, to, v) {
		return -1, -1
	}
	return from, to
}

// pushed is the piece that Power may push along a direction, and where to; -1 if there is
// none.
func (s *State) pushed(d int, v *view) (from, to int) {
	from = firstOn(v.taken, int(s.where[power]), d)
	if from < 0 {
		return -1, -1
	}
	to = int(step[0][from][d])
	if to < 0 || !s.game.board.Has(to) || v.taken.Has(to) || !s.displaced(from, to, v) {
		return -1, -1
	}
	return from, to
}

// felled are the enemies that Wood may remove.
func (s *State) felled(v *view) set {
	sq := int(s.where[wood])
	return slide(sq, 0, v.taken, s.game.exact).Or(slide(sq, 1, v.taken, s.game.exact)).And(v.enemy).And(v.land)
}

// guests are the pieces that Wind may let move.
func (s *State) guests(v *view) set {
	sq := int(s.where[wind])
	b := v.own.Minus(v.frozen)
	if s.game.bring {
		return b.Minus(kit.Single(sq))
	}
	return b.And(around[sq])
}

// blown are the squares to which a guest of Wind may go.
func (s *State) blown(guest int, v *view) set {
	if s.game.bring {
		return s.bound(guest, around[s.where[wind]].And(s.game.board).Minus(v.taken), v)
	}
	return s.targets(guest, v)
}

// sites are the squares on which a kind may be placed. wide are those that Freedom may
// take, near the others.
func (s *State) sites() (near, wide set) {
	g, taken := s.game, s.of[0].Or(s.of[1])
	if t := s.territory(); t >= 0 {
		near = g.zone[t].Minus(taken)
		return near, near
	}
	near = g.zone[zoneWhite]
	if s.owned(portal, s.side) && s.active(portal) {
		near = near.Or(around[s.where[portal]].And(g.open))
	}
	return near.Minus(taken), g.open.Minus(taken)
}

// copySites are the squares for the copy of Mirror.
func (s *State) copySites() set {
	b := around[s.where[mirror]].And(s.game.open).Minus(s.of[0].Or(s.of[1]))
	if t := s.territory(); t >= 0 {
		b = b.And(s.game.zone[t])
	}
	return b
}
