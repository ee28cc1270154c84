package kit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// checkTurn checks that a turn of the board clockwise by angle takes each cell, outline
// included, to its image.
func checkTurn(t *testing.T, l *engine.Layout, angle float64, image func(cell int) int) {
	t.Helper()
	sin, cos := math.Sincos(angle)
	turn := func(p engine.Point) engine.Point { return engine.Point{X: cos*p.X - sin*p.Y, Y: sin*p.X + cos*p.Y} }
	for i, x := range l.Cells {
		y := l.Cells[image(i)]
		at := turn(engine.Point{X: x.Center.X - l.Width/2, Y: x.Center.Y - l.Height/2})
		if math.Hypot(at.X+l.Width/2-y.Center.X, at.Y+l.Height/2-y.Center.Y) > 1e-4 {
			t.Fatalf("cell %s is turned to %v beside the middle, want cell %s at %v", x.Name, at, y.Name, y.Center)
		}
		for _, p := range l.Shapes[x.Shape].Corners {
			if q := turn(p); nearest(q, l.Shapes[y.Shape].Corners) > 1e-4 {
				t.Fatalf("cell %s: its corner %v is turned to %v, which cell %s has not", x.Name, p, q, y.Name)
			}
		}
	}
}

func nearest(p engine.Point, list []engine.Point) float64 {
	least := math.Inf(1)
	for _, q := range list {
		least = min(least, math.Hypot(p.X-q.X, p.Y-q.Y))
	}
	return least
}

// area returns a polygon's area.
func area(corners []engine.Point) (sum float64) {
	for i, p := range corners {
		q := corners[(i+1)%len(corners)]
		sum += (p.X*q.Y - q.X*p.Y) / 2
	}
	return math.Abs(sum)
}

// checkCells checks that the cells fill the frame but for a hole, that each holds its own
// centre, and that centres keep their distance.
func checkCells(t *testing.T, l *engine.Layout, hole float64) {
	t.Helper()
	sum := hole
	for i, x := range l.Cells {
		corners := l.Shapes[x.Shape].Corners
		sum += area(corners)
		within := false // an odd number of edges cross the way from the centre to the right
		for k, p := range corners {
			q := corners[(k+1)%len(corners)]
			if (p.Y > 0) != (q.Y > 0) && p.X+(q.X-p.X)*p.Y/(p.Y-q.Y) > 0 {
				within = !within
			}
		}
		if !within {
			t.Fatalf("cell %s does not hold its centre", x.Name)
		}
		for _, y := range l.Cells[:i] {
			if d := math.Hypot(x.Center.X-y.Center.X, x.Center.Y-y.Center.Y); d < .5 {
				t.Fatalf("the centres of %s and %s are %.2f apart, want half a unit", x.Name, y.Name, d)
			}
		}
	}
	if whole := area(l.Frame); math.Abs(sum-whole) > 1e-3*whole {
		t.Errorf("the cells have an area of %.3f, the frame one of %.3f", sum, whole)
	}
}

func TestRings(t *testing.T) {
	for _, c := range []struct{ rings, wedges int }{{7, 16}, {4, 16}, {3, 3}, {13, 12}, {1, 16}, {2, 5}} {
		l := Rings(c.rings, c.wedges, func(ring, wedge int) string { return fmt.Sprintf("%c%d", 'a'+ring, wedge) })
		if len(l.Cells) != c.rings*c.wedges || l.Cells[c.rings].Name != "a1" || l.Cells[c.rings-1].Center.Y > l.Height/2 {
			t.Fatalf("%v: %d cells, the second wedge begins with %s, the first ends at %v", c, len(l.Cells), l.Cells[c.rings].Name, l.Cells[c.rings-1].Center)
		}
		// The hub is the polygon of the ends of the innermost ring.
		hub := max(0, float64(c.wedges)/(2*math.Pi)-.5)
		ratio := hub / (hub + float64(c.rings))
		checkCells(t, l, ratio*ratio*area(l.Frame))
		for by := range c.wedges {
			checkTurn(t, l, 2*math.Pi*float64(by)/float64(c.wedges), func(cell int) int { return (cell + by*c.rings) % len(l.Cells) })
		}
	}
}

// TestPatchworkOfSpaces lays out the hundred spaces of kn@w: a circle cut by chords.
func TestPatchworkOfSpaces(t *testing.T) {
	text, err := os.ReadFile("testdata/knaw-board.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var cells []Patch
	var opposite, quarter []int
	var frame []engine.Point
	for line := range bytes.Lines(text) {
		var x struct {
			Name                  string
			Polygon               [][2]float64
			Wedge, Slot, Opposite int
			QuarterTurns          [3]int `json:"quarter_turns"`
		}
		if err := json.Unmarshal(line, &x); err != nil {
			t.Fatal(err)
		}
		p := Patch{Name: x.Name, Input: 7*x.Wedge + x.Slot}
		for _, c := range x.Polygon {
			p.Corners = append(p.Corners, engine.Point{X: c[0], Y: c[1]})
			if at := p.Corners[len(p.Corners)-1]; math.Hypot(at.X, at.Y) > .999 && nearest(at, frame) > 1e-3 {
				frame = append(frame, at)
			}
		}
		p.Center = Centroid(p.Corners)
		cells, opposite, quarter = append(cells, p), append(opposite, x.Opposite), append(quarter, x.QuarterTurns[0])
	}
	slices.SortFunc(frame, func(p, q engine.Point) int { return cmp.Compare(math.Atan2(p.X, p.Y), math.Atan2(q.X, q.Y)) })
	l := Patchwork(9, frame, cells)
	if len(l.Cells) != 100 || len(l.Frame) != 24 {
		t.Fatalf("%d cells in a frame of %d corners, want 100 and 24", len(l.Cells), len(l.Frame))
	}
	checkCells(t, l, 0)
	checkTurn(t, l, math.Pi, func(cell int) int { return opposite[cell] })
	checkTurn(t, l, math.Pi/2, func(cell int) int { return quarter[cell] })
}
