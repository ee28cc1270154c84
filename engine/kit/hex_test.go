package kit

import "testing"

// TestHex: the board of Konkvest, by the numbers of its rules page.
func TestHex(t *testing.T) {
	h := NewHex(6, 7, 8, 9, 10, 11, 12, 11, 10, 9, 8, 7, 6)
	if height, width := h.Grid(); h.Len() != 114 || height != 13 || width != 12 {
		t.Fatalf("%d hexes on %d × %d, want 114 on 13 × 12", h.Len(), height, width)
	}
	for _, c := range []struct {
		from string
		by   Way
		to   string // empty: beyond the edge
	}{
		{"f6", Way{-1, 1}, "g6"}, {"f6", Way{1, 1}, "g7"}, {"f6", Way{0, 2}, "h6"}, {"f6", Way{-1, -1}, "e5"}, {"f6", Way{1, -1}, "e6"},
		{"f6", Way{-3, 1}, "g5"}, {"g1", Way{-1, 1}, ""}, {"g12", Way{2, 0}, ""}, {"a1", Way{-1, -1}, ""}, {"m6", Way{0, 2}, ""},
	} {
		to := h.Next(h.Named(c.from), c.by)
		if c.to == "" && to != -1 || c.to != "" && (to != h.Named(c.to) || h.Way(h.Named(c.from), to) != c.by) {
			t.Errorf("from %s by %v: %d, want %q", c.from, c.by, to, c.to)
		}
	}
	for _, word := range []string{"", "a", "a0", "a7", "a01", "n1", "A1", "g13", "a1x"} {
		if hex := h.Named(word); hex != -1 {
			t.Errorf("%q names hex %d", word, hex)
		}
	}
	if got := h.Mirror(h.Named("g12")); got != h.Named("g1") {
		t.Errorf("g12 is mirrored to %s", h.Name(got))
	}
	// Neighbours are neighbours on the grid: a column aside, straight on or with a column.
	inputs := map[int]bool{}
	for hex := range h.Len() {
		if h.Named(h.Name(hex)) != hex {
			t.Errorf("%s is read as hex %d, not %d", h.Name(hex), h.Named(h.Name(hex)), hex)
		}
		if in := h.Input(hex); in < 0 || in >= 13*12 || inputs[in] {
			t.Errorf("%s has no input of its own: %d", h.Name(hex), in)
		}
		inputs[h.Input(hex)] = true
		for by, step := range map[Way]int{{2, 0}: 1, {-2, 0}: -1, {-1, 1}: 12, {1, 1}: 13, {-1, -1}: -13, {1, -1}: -12} {
			if to := h.Next(hex, by); to >= 0 && h.Input(to)-h.Input(hex) != step {
				t.Errorf("the way %v from %s is a step of %d on the grid, want %d", by, h.Name(hex), h.Input(to)-h.Input(hex), step)
			}
		}
	}
}
