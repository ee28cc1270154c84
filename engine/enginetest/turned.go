package enginetest

import (
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// checkTurned checks the table of a game that turns the board:
// turned twice is not turned, and a symmetry may be applied before or after.
func (c *checker) checkTurned() {
	turned := engine.Turned(c.g)
	if turned == nil || len(c.faults) > 0 {
		return
	}
	if !slices.Equal(turned, engine.Turned(c.g)) {
		c.fault(nil, "Turned changes from call to call")
	}
	if !permutes(turned, c.info.Features.Cells()) {
		c.fault(nil, "turned cells are no permutation of the board")
		return
	}
	for cell, to := range turned {
		if turned[to] != int32(cell) {
			c.fault(nil, "cell %d is turned to %d, and %d to %d", cell, to, to, turned[to])
			return
		}
	}
	c.checkTurnedCells(turned)
}

// checkTurnedCells checks the same for the head cells of all actions: where
// action b stands where the other side's action a is seen, the same must hold
// for their images.
func (c *checker) checkTurnedCells(turned []int32) {
	cells := c.info.Policy.Cells
	spatial := int32(c.info.Policy.Planes * c.info.Features.Cells())
	at := map[int32]engine.Action{}
	for b, cell := range cells {
		at[cell] = engine.Action(b)
	}
	for a, cell := range cells {
		to := c.info.TurnedCell(cell, turned)
		if back := c.info.TurnedCell(to, turned); back != cell || (cell < 0 || cell >= spatial) && to != cell {
			c.fault(nil, "action %d has head cell %d, turned %d, and turned again %d", a, cell, to, back)
			return
		}
		b, ok := at[to]
		if !ok {
			continue
		}
		for i := range c.info.Symmetries {
			y := &c.info.Symmetries[i]
			if got, want := c.info.TurnedCell(cells[y.Action(engine.Action(a))], turned), cells[y.Action(b)]; got != want {
				c.fault(nil, "symmetry %q: the image of action %d has head cell %d, turned, where %d is seen, whose image has %d", y.Name, a, got, b, want)
				return
			}
		}
	}
}

// checkTurnedMask checks, once the mask plane is known, that the board is turned
// into the board, that what is off it stays, and that turning commutes with the
// symmetries.
func (c *checker) checkTurnedMask() {
	turned := engine.Turned(c.g)
	for cell, to := range turned {
		on := c.mask == nil || c.mask[cell] == 1
		switch {
		case on && c.mask != nil && c.mask[to] != 1:
			c.fault(nil, "cell %d of the board is turned to %d, which is off it", cell, to)
			return
		case !on && int(to) != cell:
			c.fault(nil, "cell %d is off the board, yet turned to %d", cell, to)
			return
		case !on:
			continue
		}
		for _, y := range c.info.Symmetries {
			if first, last := turned[image(y.Cells, cell)], image(y.Cells, int(to)); int(first) != last {
				c.fault(nil, "symmetry %q takes cell %d, turned, to %d, but turned afterwards to %d", y.Name, cell, last, first)
				return
			}
		}
	}
}
