package connect4

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestPictureIsTheBoard draws each position of random games from its picture, row
// by row, and compares it with the position line; where a game ends, its last
// move must be marked with lines of four or more.
func TestPictureIsTheBoard(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	seen := 0
	for range 200 {
		s, before := new(State), new(State)
		for s.status == open {
			*before = *s
			legal := s.Legal(nil, nil)
			a := legal[rng.IntN(len(legal))]
			s.Apply(a, nil)
			seen++

			grid := [rows][cols]string{}
			for i := range grid {
				for j := range grid[i] {
					grid[i][j] = "."
				}
			}
			for _, p := range s.AppendPieces(nil) {
				at := layout.Cells[p.Cell].Center
				grid[int(at.Y)][int(at.X)] = layout.Kinds[p.Kind].Letters[p.Side]
			}
			var lines []string
			for _, row := range grid {
				lines = append(lines, strings.Join(row[:], ""))
			}
			line, _, _ := strings.Cut(string(s.AppendPosition(nil)), " ")
			if got := strings.Join(lines, "/"); got != line {
				t.Fatalf("the picture of %s is %s", line, got)
			}
			marks := before.AppendMarks(nil, a, s)
			if cell := layout.Cells[marks[0].Cells[0]]; int(cell.Center.X) != int(a) {
				t.Fatalf("%s: column %d is marked at %s", line, a+1, cell.Name)
			}
			if won := s.status == four; won != (len(marks) > 1) {
				t.Fatalf("%s: marks %+v", line, marks)
			}
			for _, m := range marks[1:] {
				if len(m.Cells) < 4 {
					t.Fatalf("%s: a line of %d", line, len(m.Cells))
				}
				for _, c := range m.Cells {
					if at := layout.Cells[c].Center; grid[int(at.Y)][int(at.X)] != info.Sides[before.next()] {
						t.Fatalf("%s: %s is in a line of %s", line, layout.Cells[c].Name, info.Sides[before.next()])
					}
				}
			}
		}
	}
	if seen < 2000 {
		t.Errorf("%d positions, want thousands", seen)
	}
}
