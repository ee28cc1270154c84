package tictactoe

import (
	"math/bits"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// TestPictureIsTheBoard draws every position that can come up from its picture
// and compares it with the position line, and every winning move with its line.
func TestPictureIsTheBoard(t *testing.T) {
	seen := map[State]bool{}
	var visit func(s State)
	visit = func(s State) {
		if seen[s] {
			return
		}
		seen[s] = true
		var grid [size][size]byte
		for i := range grid {
			copy(grid[i][:], "...")
		}
		for _, p := range s.AppendPieces(nil) {
			at := layout.Cells[p.Cell].Center
			grid[int(at.Y)][int(at.X)] = layout.Kinds[p.Kind].Letters[p.Side][0]
		}
		line, _, _ := strings.Cut(string(s.AppendPosition(nil)), " ")
		if got := string(grid[0][:]) + "/" + string(grid[1][:]) + "/" + string(grid[2][:]); got != line {
			t.Fatalf("the picture of %s is %s", line, got)
		}
		for _, a := range s.Legal(nil, nil) {
			after := s
			after.Apply(a, nil)
			lines := 0
			for _, m := range s.AppendMarks(nil, a, &after) {
				if m.Kind == engine.MarkLine {
					lines++
				}
			}
			made := 0
			for _, l := range lines8() {
				if after.stones[s.next()]&l == l {
					made++
				}
			}
			if lines != made {
				t.Fatalf("%s: %d lines are marked, %d made", after.AppendPosition(nil), lines, made)
			}
			visit(after)
		}
	}
	visit(State{})
	if len(seen) != 5478 {
		t.Errorf("%d positions, want the game's 5478", len(seen))
	}
}

// lines8 finds the lines anew: sets of three cells in a row, column or diagonal.
func lines8() (list []uint16) {
	for set := uint16(0); set <= full; set++ {
		if bits.OnesCount16(set) != size {
			continue
		}
		rows, cols, up, down := map[int]bool{}, map[int]bool{}, 0, 0
		for b := set; b != 0; b &= b - 1 {
			c := bits.TrailingZeros16(b)
			rows[c/size], cols[c%size] = true, true
			if c/size == c%size {
				up++
			}
			if c/size+c%size == size-1 {
				down++
			}
		}
		if len(rows) == 1 || len(cols) == 1 || up == size || down == size {
			list = append(list, set)
		}
	}
	return list
}
