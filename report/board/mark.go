package board

import (
	"math"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// highlights shades the cells of the last move.
func (c *canvas) highlights(p *engine.Picture) {
	var d strings.Builder
	done := map[int]bool{}
	for _, m := range p.Marks {
		if m.Kind == engine.MarkLine {
			continue
		}
		for _, cell := range m.Cells {
			if !done[cell] {
				done[cell] = true
				d.WriteString(c.outline(p.Layout, cell, .88))
			}
		}
	}
	if d.Len() > 0 {
		c.printf(`<path fill="%s" stroke="%s" stroke-width="%s" d="%s"/>`+"\n", fromColor, markColor, c.n(.06), d.String())
	}
}

// marks draws arrows, crosses and rings over the pieces, with a white edge that shows
// on light and dark.
func (c *canvas) marks(p *engine.Picture) {
	taken := occupied(p)
	var thin, heads strings.Builder
	for _, m := range p.Marks {
		if len(m.Cells) == 0 {
			continue
		}
		cells := p.Layout.Cells
		at := cells[m.Cells[0]].Center
		switch m.Kind {
		case engine.MarkMove:
			for i := 1; i < len(m.Cells); i++ {
				to := cells[m.Cells[i]].Center
				short := .12
				if taken[m.Cells[i]] {
					short = cellRadius(p.Layout, m.Cells[i]) + .16
				}
				if i == 1 && taken[m.Cells[0]] { // a move that has not been made: leave its piece readable
					at = beside(at, to)
				}
				line, head := c.arrow(at, to, short)
				thin.WriteString(line)
				heads.WriteString(head)
				at = to
			}
		case engine.MarkStrike: // a line beside the attacker's letter, without a head, to a ring
			to := cells[m.Cells[len(m.Cells)-1]].Center
			r := cellRadius(p.Layout, m.Cells[len(m.Cells)-1]) + .1
			length := math.Hypot(to.X-at.X, to.Y-at.Y)
			on := func(along float64) engine.Point {
				return engine.Point{X: at.X + along/length*(to.X-at.X), Y: at.Y + along/length*(to.Y-at.Y)}
			}
			thin.WriteString("M" + c.at(on(.28)) + "L" + c.at(on(length-r)) + c.circle(to, r))
		case engine.MarkPlace:
			thin.WriteString(c.circle(at, cellRadius(p.Layout, m.Cells[0])+.1))
		case engine.MarkRemove:
			r := .3
			if taken[m.Cells[0]] { // beside the piece that captured
				at.X, at.Y, r = at.X+.34, at.Y-.3, .12
			}
			thin.WriteString(c.cross(at, r))
		case engine.MarkLine:
			for _, cell := range m.Cells {
				thin.WriteString(c.circle(cells[cell].Center, cellRadius(p.Layout, cell)+.1))
			}
		}
	}
	if thin.Len() == 0 {
		return
	}
	d, h := thin.String(), heads.String()
	c.printf(`<path fill="none" stroke="%s" stroke-width="%s" stroke-linecap="round" d="%s"/>`, haloColor, c.n(.17), d)
	if h != "" {
		c.printf(`<path fill="%s" stroke="%s" stroke-width="%s" stroke-linejoin="round" d="%s"/>`, markColor, haloColor, c.n(.09), h)
	}
	c.printf(`<path fill="none" stroke="%s" stroke-width="%s" stroke-linecap="round" d="%s"/>`, markColor, c.n(.08), d)
	if h != "" {
		c.printf(`<path fill="%s" d="%s"/>`, markColor, h)
	}
	c.printf("\n")
}

// beside is where an arrow from a piece begins: at the piece's edge.
func beside(from, to engine.Point) engine.Point {
	part := (pieceRadius + .2) / math.Hypot(to.X-from.X, to.Y-from.Y)
	return engine.Point{X: from.X + part*(to.X-from.X), Y: from.Y + part*(to.Y-from.Y)}
}

// arrow is the shaft and the head of an arrow. It begins a little behind the centre of
// a cell, so that a single step has a shaft, and ends short of its target.
func (c *canvas) arrow(from, to engine.Point, short float64) (shaft, head string) {
	dx, dy := to.X-from.X, to.Y-from.Y
	length := math.Hypot(dx, dy)
	if length == 0 {
		return "", ""
	}
	dx, dy = dx/length, dy/length
	on := func(along, across float64) engine.Point {
		return engine.Point{X: from.X + dx*along - dy*across, Y: from.Y + dy*along + dx*across}
	}
	tip := max(length-short, .3)
	const size = .3
	return "M" + c.at(on(-.2, 0)) + "L" + c.at(on(tip-size, 0)),
		c.polygon([]engine.Point{on(tip, 0), on(tip-size, .55*size), on(tip-size, -.55*size)}, engine.Point{})
}

func (c *canvas) cross(at engine.Point, r float64) string {
	p := func(x, y float64) string { return c.at(engine.Point{X: at.X + x*r, Y: at.Y + y*r}) }
	return "M" + p(-1, -1) + "L" + p(1, 1) + "M" + p(-1, 1) + "L" + p(1, -1)
}
