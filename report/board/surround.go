package board

import "github.com/ludozero/ludozero/engine"

// Sizes around the board, in units.
const (
	labelSize   = .36
	sideSize    = .44
	captionSize = .4
	rowHeight   = .8
	cornerW     = 3.2 // width that the name of a side needs in a corner
)

// frame is the extent of a picture: the layout, its labels, the caption, and rows above
// and below for the sides if the corners have no room for them.
type frame struct {
	min, max engine.Point
	// side is where the name of a side begins, left, and where its pieces beside the
	// board end, right.
	side [2]struct{ left, right engine.Point }
	// caption is the middle of the line below.
	caption engine.Point
}

// edge is the margin around the board and its labels, in units.
const edge = .15

// extent is the extent of the board and its labels.
func extent(l *engine.Layout) (low, high engine.Point) {
	high = engine.Point{X: l.Width, Y: l.Height}
	for _, x := range l.Labels {
		low.X, low.Y = min(low.X, x.At.X-.6*labelSize), min(low.Y, x.At.Y-.6*labelSize)
		high.X, high.Y = max(high.X, x.At.X+.6*labelSize), max(high.Y, x.At.Y+.6*labelSize)
	}
	return engine.Point{X: low.X - edge, Y: low.Y - edge}, engine.Point{X: high.X + edge, Y: high.Y + edge}
}

func newFrame(p *engine.Picture) frame {
	l := p.Layout
	var f frame
	f.min, f.max = extent(l)
	if !cornersFree(l) || besideWidth(p) > cornerW {
		f.min.Y -= rowHeight
		f.max.Y += rowHeight
	}
	// A narrow picture is widened to its caption; letters are about .56 wide.
	if more := .56*captionSize*float64(len([]rune(Caption(p)))) + 2*edge - (f.max.X - f.min.X); more > 0 {
		f.min.X, f.max.X = f.min.X-more/2, f.max.X+more/2
	}
	const inset = .3
	f.side[1].left = engine.Point{X: f.min.X + inset, Y: f.min.Y + rowHeight/2}
	f.side[1].right = engine.Point{X: f.max.X - inset, Y: f.min.Y + rowHeight/2}
	f.side[0].left = engine.Point{X: f.min.X + inset, Y: f.max.Y - rowHeight/2}
	f.side[0].right = engine.Point{X: f.max.X - inset, Y: f.max.Y - rowHeight/2}
	f.caption = engine.Point{X: (f.min.X + f.max.X) / 2, Y: f.max.Y + rowHeight/2}
	f.max.Y += rowHeight
	return f
}

// besideWidth is the width of the pieces that a side has beside the board.
func besideWidth(p *engine.Picture) (width float64) {
	c := &canvas{unit: DefaultUnitPixels}
	for side := range engine.Side(2) {
		width = max(width, -c.beside(p, side, engine.Point{}))
	}
	return width
}

// cornersFree reports whether all four corners have room for the sides.
func cornersFree(l *engine.Layout) bool {
	inCorner := func(p engine.Point) bool {
		return (p.X < cornerW || p.X > l.Width-cornerW) && (p.Y < 2*rowHeight || p.Y > l.Height-2*rowHeight)
	}
	for _, x := range l.Cells {
		if inCorner(x.Center) {
			return false
		}
	}
	for _, x := range l.Labels {
		if inCorner(x.At) {
			return false
		}
	}
	return true
}

func (c *canvas) labels(l *engine.Layout) {
	c.printf(`<g fill="currentColor" font-size="%s" text-anchor="middle">`, c.n(labelSize))
	for _, x := range l.Labels {
		c.text(x.At, labelSize, x.Text)
	}
	c.printf("</g>\n")
}

// surround writes the sides and the line below.
func (c *canvas) surround(p *engine.Picture, f frame) {
	for side := range engine.Side(2) {
		c.side(p, side, f.side[side].left)
		c.beside(p, side, f.side[side].right)
	}
	c.printf(`<g fill="currentColor" font-size="%s" text-anchor="middle">`, c.n(captionSize))
	c.text(f.caption, captionSize, Caption(p))
	c.printf("</g>\n")
}

// Seat draws what stands beside the name of a side in a page: a disc in its
// shade, and the pieces that it has beside the board.
func Seat(p *engine.Picture, side engine.Side) []byte {
	inner := &canvas{unit: DefaultUnitPixels}
	left := inner.beside(p, side, engine.Point{}) - .3
	inner.disc(p.Layout, side, engine.Point{X: left})
	c := &canvas{unit: DefaultUnitPixels}
	if words := sideWords(p, side, true); words != "" {
		c.open(engine.Point{X: left - .3, Y: -.45}, engine.Point{Y: .45}, `role="img"`)
		c.printf("<title>%s</title>", escape(words))
	} else {
		c.open(engine.Point{X: left - .3, Y: -.45}, engine.Point{Y: .45}, `aria-hidden="true"`)
	}
	c.buf.Write(inner.buf.Bytes())
	c.printf("</svg>")
	return c.buf.Bytes()
}

// disc draws a disc in the shade of a side.
func (c *canvas) disc(l *engine.Layout, side engine.Side, at engine.Point) {
	look := look{fill: tints[""].light, stroke: tints[""].strong}
	switch {
	case len(l.Kinds) == 1:
		look = lookOf(&l.Kinds[0], side)
	case side == 1:
		look.fill = tints[""].dark
	}
	c.printf(`<path fill="%s" stroke="%s" stroke-width="%s" d="%s"/>`, look.fill, look.stroke, c.n(.05), c.circle(at, .2))
}

// side writes whose side it is: its disc, its name and a pointer if it is to move.
func (c *canvas) side(p *engine.Picture, side engine.Side, at engine.Point) {
	c.disc(p.Layout, side, at)
	player := engine.First
	if p.FirstSide != side {
		player = engine.Second
	}
	c.printf(`<g fill="currentColor" font-size="%s">`, c.n(sideSize))
	name := p.Layout.Sides[side] + " (" + player.String() + ")"
	if p.Mover == side {
		name = "▸ " + name
		c.buf.WriteString(`<g font-weight="700">`)
	}
	c.text(engine.Point{X: at.X + .38, Y: at.Y}, sideSize, name)
	if p.Mover == side {
		c.buf.WriteString("</g>")
	}
	c.printf("</g>\n")
}

// beside draws the pieces of a side beside the board, from at to the left, and returns
// where they end.
func (c *canvas) beside(p *engine.Picture, side engine.Side, at engine.Point) (left float64) {
	for _, x := range p.Pieces {
		if x.Cell >= 0 || x.Side != side {
			continue
		}
		text := short(&x)
		if x.Count > 1 {
			text = "×" + itoa(x.Count)
		}
		if text != "" {
			w := .3 * (.62*float64(len(text)) + .5)
			c.badge(engine.Point{X: at.X - w/2, Y: at.Y}, .3, text)
			at.X -= w + .1
		}
		const r = .8 * pieceRadius
		c.group(p.Layout, x.Kind, side, []spot{{engine.Point{X: at.X - r, Y: at.Y}, r, -1}})
		at.X -= 2*r + .25
	}
	return at.X
}
