package board

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// crowded is a picture with everything that a board of squares may have: twenty kinds of
// pieces on it, in hands and for both sides, and every kind of overlay for each side.
func crowded() *engine.Picture {
	const size, kinds = 9, 20
	square := box(.5, .5)
	l := &engine.Layout{
		Width: size, Height: size, Frame: []engine.Point{{}, {X: size}, {X: size, Y: size}, {Y: size}},
		Shapes: []engine.Shape{{Corners: square}}, Zones: []engine.Zone{{Side: engine.NoSide}}, Sides: [2]string{"Red", "Blue"},
		Beside: "in reserve", Shared: "draft area",
	}
	for i := range size * size {
		row, col := i/size, i%size
		l.Cells = append(l.Cells, engine.Cell{Name: fmt.Sprintf("%d%d", row, col), Center: engine.Point{X: float64(col) + .5, Y: float64(row) + .5}, Shade: (row + col) & 1})
	}
	for k := range kinds {
		letter := string(rune('A' + k))
		if k == kinds-1 {
			letter = "+" + letter // smaller
		}
		color := engine.Colors()[k%len(engine.Colors())]
		l.Kinds = append(l.Kinds, engine.PieceKind{Name: "kind " + letter, Letters: [2]string{letter, strings.ToLower(letter)}, Colors: [2]string{color, color}})
	}
	p := &engine.Picture{Game: "crowd", Layout: l, Actor: "first"}
	for k := range kinds {
		p.Pieces = append(p.Pieces, engine.Piece{Cell: 18 + k, Kind: k, Side: 1, Count: 1})
	}
	for k := range kinds {
		p.Pieces = append(p.Pieces, engine.Piece{Cell: 45 + k, Kind: k, Side: 0, Count: 1})
	}
	for k := range kinds {
		p.Pieces = append(p.Pieces, engine.Piece{Cell: -1, Kind: k, Side: engine.NoSide, Count: 1})
		if k < 7 {
			p.Pieces = append(p.Pieces, engine.Piece{Cell: -1, Kind: k, Side: 0, Count: 1 + 9*(k%2)})
		}
	}
	for side := engine.NoSide; side <= 1; side++ {
		first := 3 * int(side+1)
		p.Overlays = append(p.Overlays,
			engine.Overlay{Kind: engine.OverlayTint, Side: side, Name: "controlled", Cells: []int{first, first + 1, first + 9, first + 10}},
			engine.Overlay{Kind: engine.OverlayHatch, Side: side, Name: "frozen", Cells: []int{first + 1, first + 2, first + 18}},
			engine.Overlay{Kind: engine.OverlayRing, Side: side, Name: "protected", Cells: []int{first + 19, first + 20}},
			engine.Overlay{Kind: engine.OverlayLink, Side: side, Name: "connected", Cells: []int{first + 45, first + 64}})
	}
	p.Marks = []engine.Mark{{Kind: engine.MarkPlace, Side: 1, Cells: []int{30}, From: &engine.Entry{Side: 1, Kind: 12}}, {Kind: engine.MarkTake, From: &engine.Entry{Side: engine.NoSide, Kind: 3}}}
	return p
}

// TestCrowdedPicture: everything is drawn, explained and said.
func TestCrowdedPicture(t *testing.T) {
	p := crowded()
	svg := SVG(p, Options{})
	golden(t, "crowded", svg)
	list, err := elements(svg)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]int{}
	for _, e := range list {
		texts[e.text]++
	}
	for text, want := range map[string]int{"draft area": 1, "frozen": 1, "Red: frozen": 1, "Blue: connected": 1, "S": 2, "s": 1, "A": 3, "×10": 3} {
		if texts[text] != want {
			t.Errorf("%q is drawn %d times, want %d", text, texts[text], want)
		}
	}
	words := Describe(p)
	for _, want := range []string{
		"Red: kind A 50 in reserve, kind B 51 10 in reserve", "draft area: kind A, kind B", "Blue: controlled: 06 07 16 17", "connected: 50–71",
		"Last move: kind M placed on 33, kind D taken.",
	} {
		if !strings.Contains(words, want) {
			t.Errorf("no %q in %q", want, words)
		}
	}
	if signs := Signs(p); len(signs) != 12 || signs[4].Text != "Red: controlled" {
		t.Errorf("%d signs, the fifth %q", len(signs), signs[min(4, len(signs)-1)].Text)
	}
	if pools := Pools(p); len(pools) != 2 || len(pools[0].Entries) != 7 || pools[0].Entries[1].Text != "kind B, 10" || pools[1].Place != "draft area" || len(pools[1].Entries) != 20 {
		t.Errorf("pools %+v", pools)
	}
}

// TestRowsHaveRoom: what stands beside the board neither leaves the picture nor covers the
// name of a side, whichever side is at the bottom.
func TestRowsHaveRoom(t *testing.T) {
	p := crowded()
	for _, bottom := range []engine.Side{0, 1} {
		f := newFrame(p, bottom)
		for side, rows := range f.pieces {
			for i, row := range rows {
				width, room := rowWidth(row), f.max.X-f.min.X-2*inset
				if i == 0 {
					room -= sideWidth(p, engine.Side(side)) - inset
				}
				line := f.line[side] + rowHeight*float64(i)
				if width > room+1e-9 || line > -entryRadius && line < p.Layout.Height+entryRadius {
					t.Errorf("side %d, row %d: %.2f of %.2f wide, at %.2f", side, i, width, room, line)
				}
			}
		}
		if len(f.pieces[0]) != 2 || len(f.shared) != 3 || len(f.pieces[1]) != 0 {
			t.Errorf("rows of sides %d and %d, %d for both", len(f.pieces[0]), len(f.pieces[1]), len(f.shared))
		}
		if last := f.sharedLine + rowHeight*float64(len(f.shared)-1); last+rowHeight > f.caption+1e-9 || f.sharedLine < f.line[bottom]+rowHeight-1e-9 {
			t.Errorf("rows for both sides from %.2f to %.2f, the caption at %.2f", f.sharedLine, last, f.caption)
		}
	}
}

// TestHatchStaysInside a cell, of any shape.
func TestHatchStaysInside(t *testing.T) {
	number := regexp.MustCompile(`-?[0-9.]+`)
	c := &canvas{unit: 100}
	at := engine.Point{X: 3, Y: 2}
	for name, s := range map[string]engine.Shape{
		"square": {Corners: box(.5, .5)}, "hexagon": {Corners: star(6, .6, .6, 0)}, "circle": {Radius: .5}, "star": {Corners: star(5, .8, .3, 0)},
	} {
		l := &engine.Layout{Shapes: []engine.Shape{s}, Cells: []engine.Cell{{Center: at}}}
		for _, along := range dressOf(l, engine.NoSide).hatch {
			d := number.FindAllString(c.hatch(l, 0, along), -1)
			if len(d) < 4*4 || len(d)%4 != 0 {
				t.Errorf("%s: %d numbers, want at least four lines", name, len(d))
			}
			for i := 0; i+1 < len(d); i += 2 {
				x, _ := strconv.ParseFloat(d[i], 64)
				y, _ := strconv.ParseFloat(d[i+1], 64)
				if far := math.Hypot(x/100-at.X, y/100-at.Y); far > .9*.81 || name == "circle" && math.Abs(far-.45) > .01 {
					t.Errorf("%s: a line ends %.2f from the centre", name, far)
				}
			}
		}
	}
}

// TestEveryColorHasATint, and no two kinds of twenty look alike.
func TestEveryColorHasATint(t *testing.T) {
	for _, name := range engine.Colors() {
		if _, ok := tints[name]; !ok {
			t.Errorf("colour %s is not drawn", name)
		}
	}
	if len(tints) != len(engine.Colors())+1 {
		t.Errorf("%d tints for %d colours and none", len(tints), len(engine.Colors()))
	}
}

// TestSideColors: zones have the colours that the game gives them, and overlays and the
// disc of a side that of its pieces, if the other side has another.
func TestSideColors(t *testing.T) {
	for _, c := range []struct {
		colors       [2]string
		disc, tinted string
	}{
		{[2]string{"red", "blue"}, tints["red"].strong, tints["red"].strong},
		{[2]string{"red", "red"}, tints[""].light, "#f2a93b"},
	} {
		p := crowded()
		p.Layout.Zones[0].Color = "violet"
		for k := range p.Layout.Kinds {
			p.Layout.Kinds[k].Colors = c.colors
		}
		p.Pieces, p.Overlays = nil, []engine.Overlay{{Kind: engine.OverlayTint, Side: 0, Name: "controlled", Cells: []int{3}}}
		drawn := string(SVG(p, Options{}))
		for what, want := range map[string]string{
			"zone": fmt.Sprintf(`fill="%s" stroke="%s"`, tints["violet"].light, frameStroke), "tint": fmt.Sprintf(`fill="%s" fill-opacity`, c.tinted),
			"disc": fmt.Sprintf(`fill="%s" stroke="%s" stroke-width="2"`, c.disc, map[bool]string{true: tints["red"].dark, false: tints[""].strong}[c.disc == c.tinted]),
		} {
			if !strings.Contains(drawn, want) {
				t.Errorf("%v: no %s like %s", c.colors, what, want)
			}
		}
	}
}
