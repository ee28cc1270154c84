package board

import "github.com/ludozero/ludozero/engine"

// dieFaces are where pips are, by their number less 1; the outline has corners at ±1.
var dieFaces = [engine.MaxPips][]engine.Point{
	{{}},
	{{X: -.5, Y: .5}, {X: .5, Y: -.5}},
	{{X: -.5, Y: .5}, {}, {X: .5, Y: -.5}},
	{{X: -.5, Y: -.5}, {X: -.5, Y: .5}, {X: .5, Y: -.5}, {X: .5, Y: .5}},
	{{X: -.5, Y: -.5}, {X: -.5, Y: .5}, {}, {X: .5, Y: -.5}, {X: .5, Y: .5}},
	{{X: -.5, Y: -.5}, {X: -.5}, {X: -.5, Y: .5}, {X: .5, Y: -.5}, {X: .5}, {X: .5, Y: .5}},
}

// pips draws the pips of dice in the place of letters.
func (c *canvas) pips(color string, number int, places []spot) {
	c.printf(`<path fill="%s" d="`, color)
	for _, x := range places {
		for _, p := range dieFaces[number-1] {
			c.buf.WriteString(c.circle(engine.Point{X: x.at.X + x.r*p.X, Y: x.at.Y + x.r*p.Y}, .17*x.r))
		}
	}
	c.printf(`"/>` + "\n")
}
