package konkvesttable

import (
	"math"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

var _ engine.Overlaid = (*State)(nil)

// layout is a board of hexagons with a point up, a unit from one to the next.
var layout = func() *engine.Layout {
	radius, rise := 1/math.Sqrt(3), math.Sqrt(3)/2
	hexagon := make([]engine.Point, 6)
	for i := range hexagon {
		sin, cos := math.Sincos(float64(i) * math.Pi / 3)
		hexagon[i] = engine.Point{X: radius * sin, Y: -radius * cos}
	}
	l := &engine.Layout{
		Width: width, Height: (rows-1)*rise + 2*radius,
		Shapes: []engine.Shape{{Corners: hexagon}},
		Zones: []engine.Zone{
			{Side: engine.NoSide}, {Name: "divider", Side: engine.NoSide},
			{Name: "base", Sign: "^", Side: 0}, {Name: "base", Sign: "^", Side: 1},
		},
		Sides: info.Sides, Beside: "in reserve",
	}
	for _, word := range kindWords {
		l.Kinds = append(l.Kinds, engine.PieceKind{Name: word, Letters: [2]string{word, strings.ToLower(word)}})
	}
	for i, p := range points {
		at := engine.Point{X: width/2 + float64(p.x)/2, Y: radius + float64(rows-p.y)*rise}
		c := engine.Cell{Name: name(i), Center: at, Shade: p.y & 1, Input: cell(i)}
		switch {
		case i == base:
			c.Zone = 2
		case i == tiles-1-base:
			c.Zone = 3
		case p.y == 7:
			c.Zone = 1
		}
		l.Cells = append(l.Cells, c)
		if c.Name[1:] == "1" {
			l.Labels = append(l.Labels, engine.Label{Text: c.Name[:1], At: engine.Point{X: at.X - 1, Y: at.Y}})
		}
	}
	// The frame goes around the outer tiles of the longest and the outer rows.
	first, middle, last := l.Cells[0].Center, l.Cells[tileNamed("g1")].Center, l.Cells[tileNamed("m1")].Center
	l.Frame = []engine.Point{
		{X: last.X - .5, Y: last.Y - radius}, {X: middle.X - .5, Y: middle.Y}, {X: first.X - .5, Y: first.Y + radius},
		{X: width - first.X + .5, Y: first.Y + radius}, {X: width - middle.X + .5, Y: middle.Y}, {X: width - last.X + .5, Y: last.Y - radius},
	}
	return l
}()

// Layout implements engine.Pictured.
func (s *State) Layout() *engine.Layout { return layout }

// AppendPieces implements engine.Pictured: what is in reserve stands beside the
// board.
func (s *State) AppendPieces(dst []engine.Piece) []engine.Piece {
	for i, p := range s.tiles {
		if p != 0 {
			dst = append(dst, engine.Piece{Cell: i, Kind: s.kind(i), Side: s.owner(i), Count: 1})
		}
	}
	for side := range engine.Side(2) {
		for kind, n := range s.reserve[side] {
			if n > 0 {
				dst = append(dst, engine.Piece{Cell: -1, Kind: kind, Side: side, Count: int(n)})
			}
		}
	}
	return dst
}

// AppendOverlays implements engine.Overlaid.
func (s *State) AppendOverlays(dst []engine.Overlay) []engine.Overlay {
	captured, nobody, promotion := s.territories()
	add := func(kind engine.OverlayKind, side engine.Side, name string, area set) {
		o := engine.Overlay{Kind: kind, Side: side, Name: name}
		for tile := range tiles {
			if area.has(tile) {
				o.Cells = append(o.Cells, tile)
			}
		}
		if o.Cells != nil {
			dst = append(dst, o)
		}
	}
	add(engine.OverlayTint, engine.NoSide, "no-man's land", nobody)
	for side := range engine.Side(2) {
		add(engine.OverlayTint, side, "captured territory", captured[side])
		add(engine.OverlayHatch, side, "promotional territory", promotion[side])
	}
	return dst
}

// AppendMarks implements engine.Pictured.
func (s *State) AppendMarks(dst []engine.Mark, a engine.Action, _ engine.State) []engine.Mark {
	if a >= codePromote {
		a -= codePromote
	}
	from, to := seen(s.player, int(a)/tiles), seen(s.player, int(a)%tiles)
	dst = append(dst, engine.Mark{Kind: engine.MarkMove, Side: s.player, Cells: []int{from, to}})
	if s.tiles[to] != 0 {
		dst = append(dst, engine.Mark{Kind: engine.MarkRemove, Side: s.player, Cells: []int{to}})
	}
	return dst
}
