package board

import (
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// entryRadius is the radius of pieces beside the board, entryGap what lies between them,
// entryBadge the size of the text of a plate.
const (
	entryRadius = .8 * pieceRadius
	entryGap    = .25
	entryBadge  = .3
)

// entryText is what stands on the plate of pieces beside the board: how many there are,
// or the state of one.
func entryText(x *engine.Piece) string {
	if x.Count > 1 {
		return "×" + itoa(x.Count)
	}
	return short(x)
}

// entryWidth is the width of pieces beside the board with their plate, and without the
// gap behind.
func entryWidth(x *engine.Piece) float64 {
	if text := entryText(x); text != "" {
		return 2*entryRadius + .1 + badgeWidth(entryBadge, text)
	}
	return 2 * entryRadius
}

// entry draws pieces beside the board, which end at a point.
func (c *canvas) entry(l *engine.Layout, x *engine.Piece, right engine.Point) {
	at := right
	if text := entryText(x); text != "" {
		w := badgeWidth(entryBadge, text)
		c.badge(engine.Point{X: at.X - w/2, Y: at.Y}, entryBadge, text)
		at.X -= w + .1
	}
	c.group(l, x.Kind, x.Side, []spot{{engine.Point{X: at.X - entryRadius, Y: at.Y}, entryRadius, -1}})
}

// rows are the pieces of a side beside the board, or of NoSide, in rows: the first so
// wide, then others of another width.
func rows(p *engine.Picture, side engine.Side, first, other float64) (list [][]engine.Piece) {
	_, pieces := engine.Beside(p.Layout, p.Pieces, side)
	room := first
	for _, x := range pieces {
		w := entryWidth(&x)
		if len(list) == 0 || w > room && len(list[len(list)-1]) > 0 {
			if len(list) > 0 {
				room = other
			}
			list = append(list, nil)
		}
		list[len(list)-1] = append(list[len(list)-1], x)
		room -= w + entryGap
	}
	return list
}

// rowWidth is the width of pieces beside the board in a row.
func rowWidth(pieces []engine.Piece) (width float64) {
	for i, x := range pieces {
		if i > 0 {
			width += entryGap
		}
		width += entryWidth(&x)
	}
	return width
}

// row draws pieces beside the board, the last of which ends at a point.
func (c *canvas) row(l *engine.Layout, pieces []engine.Piece, right engine.Point) {
	right.X -= rowWidth(pieces)
	for _, x := range pieces {
		right.X += entryWidth(&x)
		c.entry(l, &x, right)
		right.X += entryGap
	}
}

// Disc draws a disc in the shade of a side, to stand beside its name.
func Disc(p *engine.Picture, side engine.Side) string {
	c := &canvas{unit: DefaultUnitPixels, x: -.3, y: -.45}
	c.open(engine.Point{X: -.3, Y: -.45}, engine.Point{X: .3, Y: .45}, `aria-hidden="true"`)
	c.disc(p.Layout, side, engine.Point{})
	c.printf("</svg>")
	return c.buf.String()
}

// Pool is the pieces beside the board of a side, or for both sides, drawn apart so that a
// page can arrange them and let them be chosen.
type Pool struct {
	// Side owns them; engine.NoSide: they are for both.
	Side engine.Side `json:"side"`
	// Place says where they are: "beside the board", "draft area".
	Place   string  `json:"place"`
	Entries []Entry `json:"entries"`
}

// Entry is the pieces of a kind in a Pool.
type Entry struct {
	Kind int `json:"kind"`
	// Text says what they are, how many, and in what state.
	Text  string `json:"text"`
	Drawn string `json:"drawn"`
}

// Pools are the places beside the board that have pieces.
func Pools(p *engine.Picture) []Pool {
	list := []Pool{} // a list in JSON, too
	for _, side := range [3]engine.Side{0, 1, engine.NoSide} {
		place, pieces := engine.Beside(p.Layout, p.Pieces, side)
		if len(pieces) == 0 {
			continue
		}
		pool := Pool{Side: side, Place: place}
		for _, x := range pieces {
			w := entryWidth(&x)
			c := &canvas{unit: DefaultUnitPixels, x: -w - .1, y: -.45}
			c.open(engine.Point{X: -w - .1, Y: -.45}, engine.Point{X: .1, Y: .45}, `aria-hidden="true"`)
			c.entry(p.Layout, &x, engine.Point{})
			c.printf("</svg>")
			words := []string{p.Layout.Kinds[x.Kind].Name}
			if x.Count > 1 {
				words = append(words, itoa(x.Count))
			}
			for _, t := range x.Tags {
				words = append(words, t.Text)
			}
			pool.Entries = append(pool.Entries, Entry{x.Kind, strings.Join(words, ", "), c.buf.String()})
		}
		list = append(list, pool)
	}
	return list
}
