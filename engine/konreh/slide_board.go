package konreh

// SlideBoard computes slides of a side's pieces from any squares, whether or not pieces
// stand there. Squares are bits 8a+b of the board turned so that the side's Home Apex is
// a1. Set it before use. It ignores the Cross, which depends on Blue's counters: callers
// remove the squares where Blue may not rest.
type SlideBoard struct {
	game *Game
	seat seat
}

// Set places the pieces of the side that slides and of its enemy. A piece that is to
// slide from another square than its own, or more than once, must not be among own: it
// would block itself. captures says whether the turn allows captures by slides.
func (f *SlideBoard) Set(g *Game, own, enemy uint64, captures bool) {
	f.game = g
	f.seat.face(g, own, enemy, captures)
}

// Slides are the squares where slides end that begin on squares of reds, oranges and
// greens by pieces of that kind, captures among them.
func (f *SlideBoard) Slides(reds, oranges, greens uint64) uint64 {
	var e ends
	v := &f.seat
	v.reds, v.oranges, v.greens = reds, oranges, greens
	v.slides(&e)
	all := uint64(0)
	for _, to := range e {
		all |= to
	}
	return all
}

// BlueSlides are the squares where slides of Blue end that begin on squares of
// from, by lane: onward left and right, homeward left and right.
func (f *SlideBoard) BlueSlides(from uint64) (e [4]uint64) {
	empty, zoc := f.seat.empty, f.seat.zoc
	for l := range e {
		p := &f.game.geo.lanes[sideA][l]
		at := from
		for k := range maxSteps[l] {
			at = p.of(at) & empty
			if l >= int(homewardLeft) || k == maxSteps[l]-1 {
				e[l] |= at
			} else {
				e[l] |= at & zoc
			}
			at &^= zoc
		}
	}
	return e
}

// Follow is the enemy that a special along lane l may capture after Blue's slide
// along that lane to the square of at, if Blue has the special and may land; 0 if
// none.
func (f *SlideBoard) Follow(l int, at uint64) uint64 {
	target := f.game.geo.lanes[sideA][l&3].of(at) & f.seat.enemy
	if f.game.geo.around[squareOf(at)&63]&f.seat.enemy != target || !f.game.rules.slideSpecial {
		return 0
	}
	return target
}

// Special are the squares where Blue on the square of at lands after a Displacement
// and after a Hop along lane l, as far as the target and the landing square are
// concerned; 0 for one that cannot be.
func (f *SlideBoard) Special(l int, at uint64) (displacement, hop uint64) {
	p := &f.game.geo.lanes[sideA][l&3]
	target := p.of(at) & f.seat.enemy
	return target, p.of(target) & f.seat.empty
}

// Strikers are the squares of from on which Blue could capture the enemy on the
// square of target within its move, at once or after a slide, with the specials it
// has left and without a rest on a square of barred.
func (f *SlideBoard) Strikers(from, target, barred uint64, hop, displacement bool) uint64 {
	g := f.game.geo
	found := uint64(0)
	for l := range 4 {
		at := g.lanes[sideA][3-l].of(target)
		step, jump := f.Special(l, at)
		if at == 0 || (!displacement || step&^barred == 0) && (!hop || jump&^barred == 0) {
			continue
		}
		found |= at & from
		if at&f.seat.empty&^barred == 0 || f.Follow(l, at) == 0 {
			continue
		}
		// The square before the target is in ZoC: a slide ends there from anywhere.
		for range maxSteps[l] {
			at = g.lanes[sideA][3-l].of(at)
			found |= at & from
			at &= f.seat.empty &^ f.seat.zoc
		}
	}
	return found
}
