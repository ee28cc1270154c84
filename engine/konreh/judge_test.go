package konreh

import (
	"strings"
	"testing"
)

// TestPlantTableAgreesWithTheRules for a runner alone on the board, with both
// Blues gone.
func TestPlantTableAgreesWithTheRules(t *testing.T) {
	const counting = "HD,r0,s0,x0,c5,n-,h0,k0"
	g := mustGame(t, "standard")
	j := g.NewTermJudge(fitted).(*evaluator)
	for k, letter := range "ROG" {
		for sq := range 64 {
			a, b := sq>>3, sq&7
			rows := strings.Split("8/8/8/8/8/8/8/8", "/")
			row := strings.Repeat("1", a) + string(letter) + strings.Repeat("1", 7-a)
			for n := 7; n > 0; n-- { // runs of empty squares are written as a number
				row = strings.ReplaceAll(row, strings.Repeat("1", n), string(rune('0'+n)))
			}
			rows[7-b] = row
			s := g.NewState().(*State)
			if err := s.ParsePosition(strings.Join(rows, "/") + " A m " + counting + " " + counting + " 0 40"); err != nil {
				t.Fatal(err)
			}
			if got, want := s.PlantTurns(0, 12), int(j.plants[k][sq]); got != want {
				t.Errorf("%s: T* = %d, the table says %d", s.AppendPosition(nil), got, want)
			}
		}
	}
}
