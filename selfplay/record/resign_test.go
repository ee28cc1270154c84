package record

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
)

// TestResignationRules breaks the rules of resignation, one at a time, in the
// first of two games of which its last player has lost by resignation.
func TestResignationRules(t *testing.T) {
	for _, c := range []struct {
		name, want string // "": it is good
		spoil      func(game []Row)
	}{
		{"resigned", "", func([]Row) {}},
		{"played on", "", func(game []Row) {
			last := len(game) - 1
			game[last].Resigns, game[last-2].Resigns = false, true
			for i := range game {
				game[i].Reason = "four"
			}
		}},
		{"nobody resigns", "last row does not resign", func(game []Row) { game[len(game)-1].Resigns = false }},
		{"twice", "a second time", func(game []Row) {
			for i := range game {
				game[i].Reason = "four"
			}
			game[len(game)-3].Resigns = true
		}},
		{"goes on", "goes on after its player resigned", func(game []Row) { game[len(game)-3].Resigns = true }},
		{"has not lost", "outcome 1 of a player who resigned", func(game []Row) {
			for i := range game {
				game[i].Outcome *= -1
			}
		}},
		{"after", "goes on after its player resigned", func(game []Row) { game[len(game)-1].After = game[0].Legal[:1] }},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, info := connect4Rows(t, 8)
			other := game(t, &connect4.Family, "")
			list := rows
			for _, game := range Games(rows) {
				// Without its last row, the last player of the game is the loser.
				if last := len(game) - 2; last > 5 && game[last].Outcome == -1 && len(game[last+1].After) == 0 {
					for i := range game {
						game[i].Reason = ReasonResignation
						game[i].TurnsLeft -= game[last+1].Turn + game[last+1].TurnsLeft - game[last].Turn - 1
					}
					game[last].Resigns = true
					list = append(append([]Row(nil), game[:last+1]...), randomRows(t, []engine.Game{other}, 90, 1, 4, 1)...)
					c.spoil(list[:last+1])
					break
				}
			}
			if len(list) == len(rows) {
				t.Fatal("no game to resign")
			}
			_, _, err := Marshal(info, head, list)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Fatalf("Marshal: %v, want %q", err, c.want)
			}
			if c.want != "" {
				return
			}
			s, err := Parse("s", marshal(t, info, list), info)
			if err != nil {
				t.Fatal(err)
			}
			checkColumns(t, s, list)
		})
	}
}
