package konreh

import (
	"sync"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// Zones of the board, by index in the layout.
const (
	zonePlain = iota
	zoneCross
	zoneSanctum
	zoneHomeA
	zoneHomeB
)

// layouts are the boards, as in the book's figures, by size, 8 or 6, and whether there is a Cross.
var layouts = func() (t [2][2]func() *engine.Layout) {
	for i, g := range [2]*geometry{&geometry8, &geometry6} {
		for cross := range 2 {
			t[i][cross] = sync.OnceValue(func() *engine.Layout { return g.layout(cross == 1) })
		}
	}
	return t
}()

// Layout implements [engine.Pictured].
func (s *State) Layout() *engine.Layout {
	size, cross := 0, 0
	if s.game.geo == &geometry6 {
		size = 1
	}
	if s.game.rules.crossStay > 0 {
		cross = 1
	}
	return layouts[size][cross]()
}

func (g *geometry) layout(cross bool) *engine.Layout {
	side := func(r, o, gr, b string) [4]string { return [4]string{red: r, orange: o, green: gr, blue: b} }
	names := side("Red", "Orange", "Green", "Blue")
	colors := side("red", "orange", "green", "blue")
	l := kit.Diamond(g.size, 8, func(a, b int) string { return string(appendSquare(nil, uint8(8*a+b))) })
	l.Zones = []engine.Zone{
		zonePlain:   {Side: engine.NoSide},
		zoneCross:   {Name: "Cross", Sign: "+", Side: engine.NoSide},
		zoneSanctum: {Name: "Sanctum", Sign: "*", Side: engine.NoSide},
		zoneHomeA:   {Name: "Home Apex of A", Sign: "^", Side: sideA},
		zoneHomeB:   {Name: "Home Apex of B", Sign: "^", Side: sideB},
	}
	l.Sides = info.Sides
	for k := range names {
		l.Kinds = append(l.Kinds, engine.PieceKind{
			Name: names[k], Letters: [2]string{letters[k : k+1], letters[4+k : 5+k]}, Colors: [2]string{colors[k], colors[k]},
		})
	}
	for i := range l.Cells {
		c := &l.Cells[i]
		switch sq := uint8(c.Input); {
		case cross && g.inCross(sq):
			c.Zone = zoneCross
		case sq == g.sanctums[0] || sq == g.sanctums[1]:
			c.Zone = zoneSanctum
		case sq == g.homes[sideA]:
			c.Zone = zoneHomeA
		case sq == g.homes[sideB]:
			c.Zone = zoneHomeB
		}
	}
	return l
}

// cell is the index of a square in the layout.
func (g *geometry) cell(sq uint8) int { return g.size*int(sq>>3) + int(sq&7) }

// AppendPieces implements [engine.Pictured]: a Blue that is captured or being
// placed stands beside the board.
func (s *State) AppendPieces(dst []engine.Piece) []engine.Piece {
	for rest := s.occ[0] | s.occ[1]; rest != 0; rest &= rest - 1 {
		sq := squareOf(rest)
		side := engine.Side(s.occ[1] >> sq & 1)
		p := engine.Piece{Cell: s.game.geo.cell(sq), Kind: int(s.kindAt(sq)), Side: side, Count: 1}
		if s.kindAt(sq) == blue {
			p.Tags = s.blueTags(side)
		}
		if sq == s.square {
			switch s.phase {
			case phaseSecond:
				p.Tags = append(p.Tags, engine.Tag{Short: "1", Text: "moved first"})
			case phaseSpecial:
				p.Tags = append(p.Tags, engine.Tag{Short: "?", Text: "may use a special onward"})
			case phaseSeed:
				p.Tags = append(p.Tags, engine.Tag{Short: "?", Text: "may seed"})
			}
		}
		dst = append(dst, p)
	}
	for side := range engine.Side(2) {
		if s.blueAt(side) == 64 {
			dst = append(dst, engine.Piece{Cell: -1, Kind: int(blue), Side: side, Count: 1, Tags: s.blueTags(side)})
		}
	}
	return dst
}

// AppendMarks implements [engine.Pictured]. A runner that plants goes to the
// Apex and is removed there; so is, on its own square, a Green that is given up.
func (s *State) AppendMarks(dst []engine.Mark, a engine.Action, after engine.State) []engine.Mark {
	t := after.(*State)
	g := s.game.geo
	mark := func(kind engine.MarkKind, squares ...uint8) {
		m := engine.Mark{Kind: kind, Side: s.side}
		for _, sq := range squares {
			m.Cells = append(m.Cells, g.cell(sq))
		}
		dst = append(dst, m)
	}
	was, is := s.occ[0]|s.occ[1], t.occ[0]|t.occ[1]
	if a < 64*planeGive {
		p := s.path(a)
		mark(engine.MarkMove, p.from, p.to)
		hit := was>>p.target&1 != 0
		if hit {
			mark(engine.MarkRemove, p.target)
		}
		if is>>p.to&1 == 0 && (!hit || p.target != p.to) {
			mark(engine.MarkRemove, p.to)
		}
		return dst
	}
	for rest := was &^ is; rest != 0; rest &= rest - 1 {
		mark(engine.MarkRemove, squareOf(rest))
	}
	for rest := is &^ was; rest != 0; rest &= rest - 1 {
		mark(engine.MarkPlace, squareOf(rest))
	}
	return dst
}

// path is where a slide or special goes.
type path struct {
	lane             lane
	steps            int
	from, to, target uint8 // a piece on target, if there is one, is captured
}

// path takes the action of a slide or special apart.
func (s *State) path(a engine.Action) path {
	g := s.game.geo
	p := path{from: g.turned(s.side, uint8(a&63))}
	plane, reach := int(a>>6), 0
	switch {
	case plane >= planeHop:
		p.lane, p.steps, reach = lane(plane-planeHop), 2, 1
	case plane >= planeStep:
		p.lane, p.steps, reach = lane(plane-planeStep), 1, 1
	default:
		for i, first := range slidePlane {
			if plane >= first {
				p.lane, p.steps = lane(i), plane-first+1
			}
		}
		reach = p.steps
	}
	delta := deltas[direction(s.side, p.lane)]
	on := func(steps int) uint8 { return uint8(int(p.from) + steps*(8*delta[0]+delta[1])) }
	p.to, p.target = on(p.steps), on(reach)
	return p
}
