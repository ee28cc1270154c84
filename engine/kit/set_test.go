package kit

import (
	"slices"
	"testing"
)

// TestSets: sets of some of 128 cells are what lists of them are.
func TestSets(t *testing.T) {
	of := func(cells ...int) (a Set) {
		for _, c := range cells {
			a = a.Or(Single(c))
		}
		return a
	}
	list := func(a Set) (cells []int) {
		for ; !a.Empty(); a = a.Rest() {
			cells = append(cells, a.First())
		}
		return cells
	}
	for _, cells := range [][]int{nil, {0}, {63}, {64}, {127}, {0, 127}, {5, 62, 63, 64, 65, 100}} {
		a := of(cells...)
		if got := list(a); !slices.Equal(got, cells) || a.Count() != len(cells) {
			t.Errorf("%v: %v, %d", cells, got, a.Count())
		}
		var turned []int
		for cell := range 128 {
			if a.Has(cell) != slices.Contains(cells, cell) {
				t.Errorf("%v: Has(%d) = %v", cells, cell, a.Has(cell))
			}
			if a.Has(127 - cell) {
				turned = append(turned, cell)
			}
		}
		if got := list(a.Turned()); !slices.Equal(got, turned) {
			t.Errorf("%v turned: %v, want %v", cells, got, turned)
		}
		if len(cells) > 0 && a.Last() != cells[len(cells)-1] {
			t.Errorf("%v: Last = %d", cells, a.Last())
		}
	}
	a, b := of(1, 64, 90), of(1, 2, 90, 127)
	if got := [][]int{list(a.Or(b)), list(a.And(b)), list(a.Minus(b))}; !slices.EqualFunc(got, [][]int{{1, 2, 64, 90, 127}, {1, 90}, {64}}, slices.Equal) {
		t.Errorf("or, and, minus: %v", got)
	}
}
