package kit

import (
	"math"

	"github.com/ludozero/ludozero/engine"
)

// Patch is a cell that is given by its outline, on a plane where Y grows upwards and side 0
// sits at the bottom. A piece stands on Center. Shade, Zone and Input become the
// fields of engine.Cell.
type Patch struct {
	Name               string
	Corners            []engine.Point
	Center             engine.Point
	Zone, Shade, Input int
}

// Patchwork is the layout of a board of cells of any form, with scale units for a unit of
// the plane: about so much that neighbouring centres are a unit apart, and none nearer than
// half of one. Kinds and sides are for the caller to fill in, and zones if there are others than the
// plain one.
func Patchwork(scale float64, frame []engine.Point, cells []Patch) *engine.Layout {
	low, high := frame[0], frame[0]
	for _, p := range frame {
		low.X, low.Y = min(low.X, p.X), min(low.Y, p.Y)
		high.X, high.Y = max(high.X, p.X), max(high.Y, p.Y)
	}
	at := func(p engine.Point) engine.Point {
		return engine.Point{X: scale * (p.X - low.X), Y: scale * (high.Y - p.Y)}
	}
	end := at(engine.Point{X: high.X, Y: low.Y})
	l := &engine.Layout{Width: end.X, Height: end.Y, Zones: []engine.Zone{{Side: engine.NoSide}}}
	for _, p := range frame {
		l.Frame = append(l.Frame, at(p))
	}
	for i, patch := range cells {
		center := at(patch.Center)
		var s engine.Shape
		for _, p := range patch.Corners {
			q := at(p)
			s.Corners = append(s.Corners, engine.Point{X: q.X - center.X, Y: q.Y - center.Y})
		}
		l.Shapes = append(l.Shapes, s)
		l.Cells = append(l.Cells, engine.Cell{Name: patch.Name, Center: center, Shape: i, Zone: patch.Zone, Shade: patch.Shade, Input: patch.Input})
	}
	return l
}

// Centroid is the centre of area of a polygon, which it contains if it is convex.
func Centroid(corners []engine.Point) (c engine.Point) {
	area := 0.0
	for i, p := range corners {
		q := corners[(i+1)%len(corners)]
		cross := p.X*q.Y - q.X*p.Y
		area += cross
		c.X += (p.X + q.X) * cross
		c.Y += (p.Y + q.Y) * cross
	}
	return engine.Point{X: c.X / (3 * area), Y: c.Y / (3 * area)}
}

// ringArc is the greatest angle between two corners of an arc, in radians: then the
// straight line between them is nearer than a fiftieth of a unit to an arc of ten units.
const ringArc = math.Pi / 48

// Rings is the layout of a round board of rings × wedges cells: wedge 0 begins at the top
// and the others follow clockwise, ring 0 is around the hub, which is empty and just so
// large that the cells around it are a unit wide in their middle. The cell of a wedge and
// a ring is rings·wedge + ring, and that is its input: the board in an observation is
// wedges high and rings wide, wedges at most engine.MaxHeight. A turn of the board is
// Symmetry(name, wedges, rings, to, nil), where to adds to the wedge.
func Rings(rings, wedges int, name func(ring, wedge int) string) *engine.Layout {
	hub := max(0, float64(wedges)/(2*math.Pi)-.5)
	arc := func(dst []engine.Point, r, from, to float64) []engine.Point {
		n := math.Ceil(math.Abs(to-from)/ringArc - 1e-9)
		for i := 0.; i <= n; i++ {
			sin, cos := math.Sincos(from + (to-from)*i/n)
			dst = append(dst, engine.Point{X: r * sin, Y: r * cos})
		}
		return dst
	}
	var cells []Patch
	for wedge := range wedges {
		from, to := 2*math.Pi*float64(wedge)/float64(wedges), 2*math.Pi*float64(wedge+1)/float64(wedges)
		for ring := range rings {
			in := hub + float64(ring)
			corners := arc(nil, in+1, from, to)
			if in > 0 {
				corners = arc(corners, in, to, from)
			} else {
				corners = append(corners, engine.Point{})
			}
			sin, cos := math.Sincos((from + to) / 2)
			cells = append(cells, Patch{
				Name: name(ring, wedge), Corners: corners, Center: engine.Point{X: (in + .5) * sin, Y: (in + .5) * cos},
				Shade: (ring + wedge) & 1, Input: rings*wedge + ring,
			})
		}
	}
	edge := arc(nil, hub+float64(rings), 0, 2*math.Pi)
	return Patchwork(1, edge[1:], cells)
}
