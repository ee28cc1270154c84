package board

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// pieceRadius is the radius of a piece on a cell, in units.
const pieceRadius = .43

// tint draws a colour of the game: light for side 0 and dark for side 1 where both
// have the colour, else strong.
type tint struct{ light, strong, dark string }

var tints = map[string]tint{
	"":       {"#ffffff", "#555555", "#2a2a2a"},
	"red":    {"#ffdcd6", "#b3202a", "#8c0f18"},
	"orange": {"#ffe2b0", "#b05a00", "#8a4600"},
	"yellow": {"#fff3c0", "#f0c020", "#8a6a00"},
	"green":  {"#c9f0da", "#12805c", "#0a5a3f"},
	"blue":   {"#cfe3fb", "#1f5fa8", "#123f78"},
	"violet": {"#ead8f8", "#7a3ca8", "#52217a"},
	"brown":  {"#ecdccb", "#7d4a1e", "#543010"},
}

// look is the colours of the pieces of a kind and side.
type look struct{ fill, stroke, letter string }

// lookOf gives sides that share a colour light and dark pieces, others their own
// colour. Pieces of neither side are grey, with an edge in the colour that sides share.
func lookOf(k *engine.PieceKind, side engine.Side) look {
	if side == engine.NoSide {
		edge := tints[""].dark
		if c := k.Colors[0]; c != "" && c == k.Colors[1] {
			edge = tints[c].strong
		}
		return look{"#c8c8c8", edge, tints[""].dark}
	}
	t := tints[k.Colors[side]]
	switch {
	case k.Colors[0] != k.Colors[1] && k.Colors[side] == "yellow":
		return look{t.strong, t.dark, tints[""].dark}
	case k.Colors[0] != k.Colors[1]:
		return look{t.strong, t.dark, haloColor}
	case side == 0:
		return look{t.light, t.strong, tints[""].dark}
	}
	return look{t.dark, tints[""].dark, haloColor}
}

// form is the outline of a kind of pieces: a circle, or a polygon of about radius 1.
// drop is how far its letter is below the centre.
type form struct {
	corners []engine.Point
	drop    float64
}

// forms are the outlines of kinds in their order. Kinds beyond the last reuse them and
// differ by their letters.
var forms = []form{
	{},
	{corners: star(4, 1, 1, math.Pi/4)},
	{corners: star(3, 1.18, 1.18, 0), drop: .12},
	{corners: star(8, 1.22, .88, 0)},
	{corners: star(6, 1.05, 1.05, 0)},
	{corners: star(4, 1.1, 1.1, 0)},
	{corners: star(5, 1.1, 1.1, 0), drop: .04},
	{corners: star(6, 1.2, .75, 0)},
	{corners: star(3, 1.18, 1.18, math.Pi), drop: -.12},
	{corners: star(4, 1.3, .72, 0)},
	{corners: box(.72, 1.15)},
	{corners: plus},
	{corners: box(1.15, .72)},
	{corners: star(5, 1.25, .72, 0), drop: .04},
	{corners: star(3, 1.3, .68, 0), drop: .1},
	{corners: []engine.Point{{Y: -1.2}, {X: .9, Y: -.3}, {Y: 1.2}, {X: -.9, Y: -.3}}, drop: -.1},
	{corners: star(4, 1.25, .8, math.Pi/4)},
	{corners: star(5, 1.1, 1.1, math.Pi), drop: -.04},
	{corners: star(12, 1.15, .92, 0)},
	{corners: []engine.Point{{X: -1, Y: -.9}, {X: 1, Y: -.9}, {X: 1, Y: .3}, {Y: 1.15}, {X: -1, Y: .3}}, drop: -.1},
}

// plus is a cross of broad arms.
var plus = []engine.Point{
	{X: -.55, Y: -1.05}, {X: .55, Y: -1.05}, {X: .55, Y: -.55}, {X: 1.05, Y: -.55}, {X: 1.05, Y: .55}, {X: .55, Y: .55},
	{X: .55, Y: 1.05}, {X: -.55, Y: 1.05}, {X: -.55, Y: .55}, {X: -1.05, Y: .55}, {X: -1.05, Y: -.55}, {X: -.55, Y: -.55},
}

// box is an upright rectangle, by half its width and height.
func box(x, y float64) []engine.Point {
	return []engine.Point{{X: -x, Y: -y}, {X: x, Y: -y}, {X: x, Y: y}, {X: -x, Y: y}}
}

// star has n points at radius outer, the first at angle turn from the top, and n points
// at radius inner between them, unless the radii are equal: then it is a polygon.
func star(n int, outer, inner, turn float64) []engine.Point {
	var list []engine.Point
	add := func(r, angle float64) {
		list = append(list, engine.Point{X: r * math.Sin(angle), Y: -r * math.Cos(angle)})
	}
	step := 2 * math.Pi / float64(n)
	for i := range n {
		angle := turn + float64(i)*step
		add(outer, angle)
		if inner != outer {
			add(inner, angle+step/2)
		}
	}
	return list
}

func formOf(l *engine.Layout, kind int) form {
	if l.Kinds[kind].Pips > 0 {
		return form{corners: box(1, 1)}
	}
	return forms[kind%len(forms)]
}

func (c *canvas) piecePath(f form, at engine.Point, r float64) string {
	if f.corners == nil {
		return c.circle(at, r)
	}
	corners := make([]engine.Point, len(f.corners))
	for i, p := range f.corners {
		corners[i] = engine.Point{X: r * p.X, Y: r * p.Y}
	}
	return c.polygon(corners, at)
}

// pieces draws the pieces on the board, kind by kind.
func (c *canvas) pieces(p *engine.Picture) {
	spots := spots(p)
	for k := range p.Layout.Kinds {
		for side := engine.NoSide; side <= 1; side++ {
			places := map[float64][]spot{}
			for i, x := range p.Pieces {
				if x.Kind == k && x.Side == side && x.Cell >= 0 {
					r := spots[i].r
					places[r] = append(places[r], spots[i])
				}
			}
			for _, r := range slices.Sorted(maps.Keys(places)) {
				c.group(p.Layout, k, side, places[r])
			}
		}
	}
}

// spot is where a piece is drawn, and its radius.
type spot struct {
	at   engine.Point
	r    float64
	cell int // -1 beside the board
}

// spots are where the pieces on the board are drawn, by their index. Pieces that share a
// cell stand around its centre, smaller.
func spots(p *engine.Picture) []spot {
	on := map[int][]int{} // pieces by cell
	for i, x := range p.Pieces {
		if x.Cell >= 0 {
			on[x.Cell] = append(on[x.Cell], i)
		}
	}
	list := make([]spot, len(p.Pieces))
	for cell, pieces := range on {
		center, r := p.Layout.Cells[cell].Center, cellRadius(p.Layout, cell)
		if n := len(pieces); n > 1 {
			// n circles on a ring that touch each other and the circle of one piece.
			sine := math.Sin(math.Pi / float64(n))
			small := 1.12 * r * sine / (1 + sine)
			for i, piece := range pieces {
				angle := -math.Pi/4 + 2*math.Pi*float64(i)/float64(n)
				out := 1.12*r - small
				list[piece] = spot{engine.Point{X: center.X + out*math.Sin(angle), Y: center.Y - out*math.Cos(angle)}, small, cell}
			}
			continue
		}
		list[pieces[0]] = spot{center, r, cell}
	}
	return list
}

// cellRadius is the radius of a piece alone on a cell: as large as the cell allows.
func cellRadius(l *engine.Layout, cell int) float64 {
	s := &l.Shapes[l.Cells[cell].Shape]
	inner := s.Radius
	if inner == 0 {
		inner = math.Inf(1)
		for i, p := range s.Corners {
			q := s.Corners[(i+1)%len(s.Corners)]
			inner = min(inner, math.Abs(p.X*q.Y-q.X*p.Y)/math.Hypot(q.X-p.X, q.Y-p.Y))
		}
	}
	if inner > .4 && inner < .53 { // a cell of one unit, perhaps a round hole
		return pieceRadius
	}
	return .86 * inner
}

// group draws pieces of one kind, side and radius.
func (c *canvas) group(l *engine.Layout, kind int, side engine.Side, places []spot) {
	if len(places) == 0 {
		return
	}
	k, f, r := &l.Kinds[kind], formOf(l, kind), places[0].r
	look := lookOf(k, side)
	style := fmt.Sprintf(`fill="%s" stroke="%s" stroke-width="%s" stroke-linejoin="round"`, look.fill, look.stroke, c.n(.15*r))
	if c.apart {
		c.printf("<g %s>", style)
		for _, x := range places {
			c.printf(`<path data-on="%d" d="%s"/>`, x.cell, c.piecePath(f, x.at, r))
		}
		c.printf("</g>")
	} else {
		c.printf(`<path %s d="`, style)
		for _, x := range places {
			c.buf.WriteString(c.piecePath(f, x.at, r))
		}
		c.printf(`"/>`)
	}
	if k.Pips > 0 {
		c.pips(look.letter, k.Pips, places)
		return
	}
	letter, size := k.Letters[max(side, 0)], 1.15*r
	if n := len([]rune(letter)); n > 1 {
		size *= 1.6 / float64(n) // as wide as the narrowest outline allows
	}
	c.printf(`<g fill="%s" font-size="%s" font-weight="700" text-anchor="middle">`, look.letter, c.n(size))
	for _, x := range places {
		x.at.Y += f.drop * r
		c.on(x.cell, func() { c.text(x.at, size, letter) })
	}
	c.printf("</g>\n")
}

// on draws a part of the piece on a cell.
func (c *canvas) on(cell int, draw func()) {
	if !c.apart {
		draw()
		return
	}
	c.printf(`<g data-on="%d">`, cell)
	draw()
	c.printf("</g>")
}

// tags writes the short tags of pieces below them.
func (c *canvas) tags(p *engine.Picture) {
	spots := spots(p)
	for i, x := range p.Pieces {
		text := short(&x)
		if text == "" || x.Cell < 0 {
			continue
		}
		at, r := spots[i].at, spots[i].r
		at.Y += 1.1 * r
		c.on(x.Cell, func() { c.badge(at, min(.3, .7*r), text) })
	}
}

// short joins the short tags of a piece.
func short(x *engine.Piece) string {
	var words []string
	for _, t := range x.Tags {
		if t.Short != "" {
			words = append(words, t.Short)
		}
	}
	return strings.Join(words, " ")
}

// badgeWidth is the width of a plate. Bytes are counted: × is two of them, and wide.
func badgeWidth(size float64, text string) float64 { return size * (.62*float64(len(text)) + .5) }

// badge writes a text on a small plate.
func (c *canvas) badge(at engine.Point, size float64, text string) {
	w := badgeWidth(size, text)
	c.printf(`<rect x="%s" y="%s" width="%s" height="%s" rx="%s" fill="#fffdf5" stroke="#222" stroke-width="%s"/>`,
		c.n(at.X-w/2-c.x), c.n(at.Y-.6*size-c.y), c.n(w), c.n(1.2*size), c.n(.3*size), c.n(.025))
	c.printf(`<g fill="#111" font-size="%s" font-weight="600" text-anchor="middle">`, c.n(size))
	c.text(at, size, text)
	c.printf("</g>\n")
}
