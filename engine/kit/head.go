package kit

import "github.com/ludozero/ludozero/engine"

// Head is a policy head while it is made, plane by plane.
type Head struct {
	head  engine.PolicyHead
	cells int
	alone []engine.Action // of the globals
}

// NewHead begins the head of a game with these numbers of actions and of cells of its board.
func NewHead(actions, cells int) *Head {
	h := &Head{head: engine.PolicyHead{Cells: make([]int32, actions)}, cells: cells}
	for a := range h.head.Cells {
		h.head.Cells[a] = -1
	}
	return h
}

// Plane adds a plane.
func (h *Head) Plane(name string) {
	h.head.PlaneNames = append(h.head.PlaneNames, name)
}

// Set stands an action on a cell of the plane that was added last.
func (h *Head) Set(cell int, a engine.Action) {
	h.head.Cells[a] = int32((len(h.head.PlaneNames)-1)*h.cells + cell)
}

// Global adds an action without a cell.
func (h *Head) Global(name string, a engine.Action) {
	h.head.GlobalNames = append(h.head.GlobalNames, name)
	h.alone = append(h.alone, a)
}

// Policy returns the head.
func (h *Head) Policy() engine.PolicyHead {
	h.head.Planes, h.head.Globals = len(h.head.PlaneNames), len(h.alone)
	for i, a := range h.alone {
		h.head.Cells[a] = int32(h.head.Planes*h.cells + i)
	}
	return h.head
}
