package konreh

import (
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// An action seen from the other seat stands where the piece stands, and its
// plane always leads the same way on that board: squares are taken from the
// word of the action, which names them as they lie on the table.
func TestTurnedActionsStandWhereTheyHappen(t *testing.T) {
	for _, rules := range []string{"standard", "micro", "standard,buyback=true"} {
		g := mustGame(t, rules)
		way := map[int][2]int{} // of each plane, as the other side sees it
		checked := 0
		for seed := range uint64(6) {
			randomGame(g, seed, func(s *State, h *engine.History) {
				if s.phase == phaseOver {
					return
				}
				for _, a := range s.Legal(nil, h) {
					cell := info.TurnedCell(info.Policy.Cells[a], g.Turned())
					if back := info.TurnedCell(cell, g.Turned()); back != int32(a) {
						t.Fatalf("%s: action %d turned twice stands in cell %d", rules, a, back)
					}
					word := string(s.AppendAction(nil, a))
					if a >= codeWords {
						if cell != int32(a) {
							t.Fatalf("%s: %s has no square, yet moves to cell %d", rules, word, cell)
						}
						continue
					}
					squares := squaresOf(word)
					plane, on := int(cell/64), uint8(cell%64)
					if seen := g.geo.turned(1-s.side, squares[0]); on != seen {
						t.Fatalf("%s: %s in %s stands in cell %d, the other side sees its square in %d", rules, word, s.line(), on, seen)
					}
					if len(squares) == 2 {
						to := g.geo.turned(1-s.side, squares[1])
						delta := [2]int{int(to>>3) - int(on>>3), int(to&7) - int(on&7)}
						if old, ok := way[plane]; ok && old != delta {
							t.Fatalf("%s: plane %d leads %v in one position, %v in another", rules, plane, old, delta)
						}
						way[plane] = delta
						checked++
					}
				}
			})
		}
		if checked < 1000 || len(way) < 15 {
			t.Errorf("%s: only %d moves on %d planes were seen", rules, checked, len(way))
		}
	}
}

// squaresOf reads the squares that a word names, in order.
func squaresOf(word string) []uint8 {
	var squares []uint8
	for i := 0; i+1 < len(word); i++ {
		if word[i] >= 'a' && word[i] <= 'h' && word[i+1] >= '1' && word[i+1] <= '8' {
			squares = append(squares, 8*(word[i]-'a')+word[i+1]-'1')
		}
	}
	return squares
}
