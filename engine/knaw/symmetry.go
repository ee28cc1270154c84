package knaw

import "github.com/ludozero/ludozero/engine"

// symmetryNames: no rule knows one side of the board from another, so that quarter turns
// and the mirror change nothing. The mirror exchanges a and b, which maps the start to
// itself.
var symmetryNames = [8]string{
	"identity", "a quarter right", "half a turn", "a quarter left",
	"mirrored", "mirrored, a quarter right", "mirrored, half a turn", "mirrored, a quarter left",
}

// images[i] is where symmetry i takes each space.
var images = func() (t [len(symmetryNames)][spaces]uint8) {
	for i := range t {
		t[i] = table(func(x int) uint8 {
			if i >= 4 {
				x = int(mirrored[x])
			}
			return uint8((x + i%4*quarter) % spaces)
		})
	}
	return t
}()

// turnedCells is the half turn of the grid.
var turnedCells = onGrid(&images[2])

// onGrid maps the cells of the grid; those without a space stay.
func onGrid(image *[spaces]uint8) []int32 {
	t := make([]int32, cells)
	for i := range t {
		t[i] = int32(i)
	}
	for x, to := range image {
		t[cellOf[x]] = int32(cellOf[to])
	}
	return t
}

func symmetries(planes int) (list []engine.Symmetry) {
	for i, name := range symmetryNames {
		y := engine.Symmetry{Name: name}
		if i > 0 {
			y.Cells = onGrid(&images[i])
			for a := range engine.Action(numActions) {
				y.Actions = append(y.Actions, mapAction(a, i))
			}
		}
		if i >= 4 {
			for plane := range int32(planes) {
				if plane < sides*pieces { // a and b
					plane ^= 1
				}
				y.Planes = append(y.Planes, plane)
			}
		}
		list = append(list, y)
	}
	return list
}

// mapAction is the image of an action; the half turn of a seat commutes with all.
func mapAction(a engine.Action, i int) engine.Action {
	var seat State
	d := seat.decode(a)
	if d.kind == doGo {
		return a
	}
	d.piece ^= i >> 2
	d.space = int(images[i][d.space])
	return seat.action(d)
}

// SymmetryMask implements engine.State.
func (s *State) SymmetryMask() uint32 { return 1<<len(symmetryNames) - 1 }

// Transform implements engine.State.
func (s *State) Transform(i int) {
	image := &images[i]
	for side := range s.at {
		var at [pieces]uint8
		for piece, x := range s.at[side] {
			at[piece^i>>2] = image[x]
		}
		s.at[side] = at
		s.settle(uint8(side))
		b := set{}
		for rest := s.rolled[side]; !rest.empty(); rest = rest.rest() {
			b = b.or(single(int(image[rest.first()])))
		}
		s.rolled[side] = b
	}
	for _, p := range []*uint8{&s.piece, &s.barred} {
		if *p != noPiece {
			*p ^= uint8(i >> 2)
		}
	}
	if s.onPath() {
		s.space = image[s.space]
	}
}

// Swap implements engine.Swapper.
func (s *State) Swap() bool {
	s.Transform(2)
	s.at[0], s.at[1] = s.at[1], s.at[0]
	s.rolled[0], s.rolled[1] = s.rolled[1], s.rolled[0]
	s.settle(0)
	s.settle(1)
	s.side ^= 1
	if s.resolver >= 0 {
		s.resolver ^= 1
	}
	return true
}
