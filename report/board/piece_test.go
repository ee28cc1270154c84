package board

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// TestSharedCells draws up to six pieces on a cell: none hides another.
func TestSharedCells(t *testing.T) {
	square := []engine.Point{{X: -.5, Y: -.5}, {X: .5, Y: -.5}, {X: .5, Y: .5}, {X: -.5, Y: .5}}
	p := &engine.Picture{Layout: &engine.Layout{
		Width: 4, Height: 4, Shapes: []engine.Shape{{Corners: square}},
		Cells: []engine.Cell{{Name: "a", Center: engine.Point{X: 1, Y: 1}}, {Name: "b", Center: engine.Point{X: 2, Y: 1}}},
	}}
	for n := 1; n <= 6; n++ {
		p.Pieces = []engine.Piece{{Cell: -1, Count: 3}, {Cell: 1, Count: 1}}
		for range n {
			p.Pieces = append(p.Pieces, engine.Piece{Cell: 0, Count: 1})
		}
		list := spots(p)
		if list[1].r != pieceRadius {
			t.Errorf("a piece alone has radius %g, want %g", list[1].r, pieceRadius)
		}
		for i, a := range list[2:] {
			if out := math.Hypot(a.at.X-1, a.at.Y-1) + a.r; out > .52 || a.r < .12 {
				t.Errorf("%d pieces: one of radius %.2f reaches %.2f from the centre", n, a.r, out)
			}
			for _, b := range list[2 : 2+i] {
				if d := math.Hypot(a.at.X-b.at.X, a.at.Y-b.at.Y); d < a.r+b.r-1e-9 {
					t.Errorf("%d pieces: two of radius %.2f are %.2f apart", n, a.r, d)
				}
			}
		}
	}
}

// TestOutlinesDiffer: twenty kinds are told apart by their outlines.
func TestOutlinesDiffer(t *testing.T) {
	if len(forms) < 20 {
		t.Fatalf("%d outlines, want at least 20", len(forms))
	}
	// The distance from the centre to the edge, by angle.
	profile := func(f form) (list [72]float64) {
		for i := range list {
			angle := float64(i) * math.Pi / 36
			dx, dy := math.Sin(angle), -math.Cos(angle)
			if f.corners == nil {
				list[i] = 1
			}
			for j, a := range f.corners {
				b := f.corners[(j+1)%len(f.corners)]
				ex, ey := b.X-a.X, b.Y-a.Y
				det := dx*ey - dy*ex
				if math.Abs(det) < 1e-12 {
					continue
				}
				along := (a.X*ey - a.Y*ex) / det
				on := (a.X*dy - a.Y*dx) / det
				if along > 0 && on >= -1e-9 && on <= 1+1e-9 {
					list[i] = math.Max(list[i], along)
				}
			}
		}
		return list
	}
	for i := range forms {
		for j := range i {
			p, q := profile(forms[i]), profile(forms[j])
			sum := 0.0
			for k := range p {
				sum += math.Abs(p[k] - q[k])
			}
			if sum /= float64(len(p)); sum < .04 {
				t.Errorf("outlines %d and %d differ by %.3f on average", i, j, sum)
			}
		}
	}
}

func TestStrikeIsDrawn(t *testing.T) {
	p := after(t, "tictactoe", "", "", "", 0)
	bare := string(SVG(p, Options{}))
	p.Marks = []engine.Mark{{Kind: engine.MarkStrike, Side: 0, Cells: []int{0, 4}}}
	svg := string(SVG(p, Options{}))
	if strings.Count(svg, "<path") <= strings.Count(bare, "<path") || !strings.Contains(svg, fmt.Sprintf("%s strikes %s", p.Layout.Cells[0].Name, p.Layout.Cells[4].Name)) {
		t.Errorf("a strike is not drawn or not described:\n%s", svg)
	}
}

// TestHandsHaveRoom: pieces beside the board cover none of its cells, not even those in
// the corners of a board that stands on one.
func TestHandsHaveRoom(t *testing.T) {
	p := after(t, "diamondchess", "free", "", "", 0)
	f := newFrame(p, 0)
	for _, c := range p.Layout.Cells {
		if c.Center.Y-.5 < f.line[1]+pieceRadius*.8 || c.Center.Y+.5 > f.line[0]-pieceRadius*.8 {
			t.Errorf("%s at %v lies below pieces at %g or %g", c.Name, c.Center, f.line[1], f.line[0])
		}
	}
}
