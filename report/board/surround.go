package board

import "github.com/ludozero/ludozero/engine"

// Sizes around the board, in units.
const (
	labelSize   = .36
	sideSize    = .44
	captionSize = .4
	rowHeight   = .8
	cornerW     = 3.2 // width that the name of a side needs in a corner
	inset       = .3  // from the edge to what stands in a row
)

// letterWidth is about how wide a letter is, in its size.
const letterWidth = .56

// frame is the extent of a picture: the layout, its labels, the sides with their pieces
// beside the board, in the corners if these have room and else in rows above and below,
// the pieces for both sides, the caption, and what the overlays mean.
type frame struct {
	min, max engine.Point
	// line is the middle of the line with the name of a side, by side; pieces are those
	// of a side beside the board, and for both sides, in rows, the first on that line.
	line   [2]float64
	pieces [2][][]engine.Piece
	// shared are the pieces for both sides in rows, sharedLine the middle of the first.
	shared     [][]engine.Piece
	sharedLine float64
	caption    float64 // the middle of the line below
	// signs are the overlays to explain, in rows below the caption.
	signs [][]engine.Overlay
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

// newFrame arranges a picture. bottom is the side below the board.
func newFrame(p *engine.Picture, bottom engine.Side) frame {
	l := p.Layout
	var f frame
	f.min, f.max = extent(l)
	// A narrow picture is widened to its caption.
	caption := letterWidth * captionSize * float64(len([]rune(Caption(p))))
	width := max(f.max.X-f.min.X, caption+2*edge)
	more := (width - (f.max.X - f.min.X)) / 2
	f.min.X, f.max.X = f.min.X-more, f.max.X+more
	for side := range engine.Side(2) {
		f.pieces[side] = rows(p, side, width-inset-sideWidth(p, side), width-2*inset)
	}
	f.shared = rows(p, engine.NoSide, width-2*inset-sharedWidth(p), width-2*inset)
	if !cornersFree(l) || besideWidth(p) > cornerW {
		f.min.Y -= rowHeight * float64(max(1, len(f.pieces[1-bottom])))
		f.line[bottom] = f.max.Y + rowHeight/2
		f.max.Y += rowHeight * float64(max(1, len(f.pieces[bottom])))
	} else {
		f.line[bottom] = f.max.Y - rowHeight/2
	}
	f.line[1-bottom] = f.min.Y + rowHeight/2
	f.sharedLine = f.max.Y + rowHeight/2
	f.max.Y += rowHeight * float64(len(f.shared))
	f.caption = f.max.Y + rowHeight/2
	f.max.Y += rowHeight
	room := 0.
	for _, o := range differing(p) {
		if w := signWidth(p, &o); w > room {
			room = width - 2*inset
			f.signs = append(f.signs, nil)
		}
		f.signs[len(f.signs)-1] = append(f.signs[len(f.signs)-1], o)
		room -= signWidth(p, &o)
	}
	f.max.Y += rowHeight * float64(len(f.signs))
	return f
}

func signWidth(p *engine.Picture, o *engine.Overlay) float64 {
	return 1.2 + letterWidth*captionSize*float64(len([]rune(o.Words(p.Layout))))
}

// sharedWidth is the width of the name of the pieces for both sides.
func sharedWidth(p *engine.Picture) float64 {
	return .4 + letterWidth*sideSize*float64(len([]rune(p.Layout.Shared)))
}

// besideWidth is the width of the pieces that a side has beside the board, in one row.
func besideWidth(p *engine.Picture) (width float64) {
	for side := range engine.Side(2) {
		_, pieces := engine.Beside(p.Layout, p.Pieces, side)
		width = max(width, rowWidth(pieces))
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

// surround writes what stands around the board.
func (c *canvas) surround(p *engine.Picture, f *frame) {
	for side := range engine.Side(2) {
		c.side(p, side, engine.Point{X: f.min.X + inset, Y: f.line[side]})
		c.inRows(p, f.pieces[side], engine.Point{X: f.max.X - inset, Y: f.line[side]})
	}
	if f.shared != nil {
		c.printf(`<g fill="currentColor" font-size="%s">`, c.n(sideSize))
		c.text(engine.Point{X: f.min.X + inset, Y: f.sharedLine}, sideSize, p.Layout.Shared)
		c.printf("</g>\n")
		c.inRows(p, f.shared, engine.Point{X: f.max.X - inset, Y: f.sharedLine})
	}
	c.printf(`<g fill="currentColor" font-size="%s" text-anchor="middle">`, c.n(captionSize))
	c.text(engine.Point{X: (f.min.X + f.max.X) / 2, Y: f.caption}, captionSize, Caption(p))
	c.printf("</g>\n")
	for i, list := range f.signs {
		at := engine.Point{X: f.min.X + inset, Y: f.caption + rowHeight*float64(i+1)}
		for _, o := range list {
			c.sign(p.Layout, o, engine.Point{X: at.X + .3, Y: at.Y})
			c.printf(`<g fill="currentColor" font-size="%s">`, c.n(captionSize))
			c.text(engine.Point{X: at.X + .8, Y: at.Y}, captionSize, o.Words(p.Layout))
			c.printf("</g>\n")
			at.X += signWidth(p, &o)
		}
	}
}

// inRows draws pieces beside the board in rows, the first of which ends at a point.
func (c *canvas) inRows(p *engine.Picture, rows [][]engine.Piece, right engine.Point) {
	for _, row := range rows {
		c.row(p.Layout, row, right)
		right.Y += rowHeight
	}
}

// disc draws a disc in the shade of a side.
func (c *canvas) disc(l *engine.Layout, side engine.Side, at engine.Point) {
	look := look{fill: tints[""].light, stroke: tints[""].strong}
	switch {
	case len(l.Kinds) == 1 || sideColor(l, side) != "":
		look = lookOf(&l.Kinds[0], side)
	case side == 1:
		look.fill = tints[""].dark
	}
	c.printf(`<path fill="%s" stroke="%s" stroke-width="%s" d="%s"/>`, look.fill, look.stroke, c.n(.05), c.circle(at, .2))
}

// sideName is the name of a side with its player, and with a pointer if it is to move.
func sideName(p *engine.Picture, side engine.Side) string {
	player := engine.First
	if p.FirstSide != side {
		player = engine.Second
	}
	name := p.Layout.Sides[side] + " (" + player.String() + ")"
	if p.Mover == side {
		name = "▸ " + name
	}
	return name
}

// sideWidth is the width of the name of a side, from the edge, with a gap behind.
func sideWidth(p *engine.Picture, side engine.Side) float64 {
	return max(cornerW, inset+.38+1.15*letterWidth*sideSize*float64(len([]rune(sideName(p, side))))+entryGap)
}

// side writes whose side it is: its disc, its name and a pointer if it is to move.
func (c *canvas) side(p *engine.Picture, side engine.Side, at engine.Point) {
	c.disc(p.Layout, side, at)
	c.printf(`<g fill="currentColor" font-size="%s">`, c.n(sideSize))
	if p.Mover == side {
		c.buf.WriteString(`<g font-weight="700">`)
	}
	c.text(engine.Point{X: at.X + .38, Y: at.Y}, sideSize, sideName(p, side))
	if p.Mover == side {
		c.buf.WriteString("</g>")
	}
	c.printf("</g>\n")
}
