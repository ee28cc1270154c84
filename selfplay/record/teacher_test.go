package record

import (
	"slices"
	"strings"
	"testing"
)

// taughtGame makes the rows of a game a teacher's, of which the second has a
// distribution and a value.
func taughtGame(game []Row) {
	for i := range game {
		r := &game[i]
		r.PolicyKind, r.RootDraw, r.Policy, r.Visits = PolicyTeacher, DrawUnknown, nil, nil
		r.RootValue, r.NetworkValue, r.Surprise, r.Full, r.Resigns = 0, 0, 0, false, false
	}
	game[1].Policy = make([]uint16, len(game[1].Legal))
	game[1].Policy[0] = PolicyOne
	game[1].RootValue, game[1].RootDraw = -0.75, 0
}

// TestTaughtRows reads back a shard with the game of a teacher between others, and breaks
// the rules of such rows one at a time.
func TestTaughtRows(t *testing.T) {
	for _, c := range []struct {
		name, want string // "": it is good
		spoil      func(game []Row)
	}{
		{"good", "", func([]Row) {}},
		{"root value", "figures of a search", func(game []Row) { game[2].RootValue = 0.5 }},
		{"network value", "figures of a search", func(game []Row) { game[2].NetworkValue = 0.5 }},
		{"visits", "figures of a search", func(game []Row) { game[2].Visits = make([]int32, len(game[2].Legal)) }},
		{"full", "figures of a search", func(game []Row) { game[2].Full = true }},
		{"surprise", "figures of a search", func(game []Row) { game[1].Surprise = 0.5 }},
		{"no root value", "", func(game []Row) { game[1].RootValue, game[1].RootDraw = 0, DrawUnknown }},
		{"root draw", "root draw 0.5 ", func(game []Row) { game[1].RootDraw = 0.5 }},
		{"negative root draw", "root draw -0.5 ", func(game []Row) { game[2].RootDraw = -0.5 }},
		{"policy", "policy of", func(game []Row) { game[1].Policy = game[1].Policy[:1] }},
		{"part of a game", "all of a game or nothing", func(game []Row) { game[2].PolicyKind, game[2].RootDraw = PolicyNone, 0 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, info := connect4Rows(t, 3)
			var ends []int
			for start, game := range Games(rows) {
				ends = append(ends, start+len(game))
			}
			taughtGame(rows[ends[0]:ends[1]])
			c.spoil(rows[ends[0]:ends[1]])
			_, _, err := Marshal(info, head, rows)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Fatalf("Marshal: %v, want %q", err, c.want)
			}
			if c.want != "" {
				return
			}
			s, err := Parse("s", marshal(t, info, rows), info)
			if err != nil {
				t.Fatal(err)
			}
			columns, err := s.Columns()
			if err != nil {
				t.Fatal(err)
			}
			roots, err := s.RootWDLs()
			if err != nil {
				t.Fatal(err)
			}
			for i := range rows {
				if known := rows[i].RootDraw != DrawUnknown; roots[i].Known() != known || !slices.Equal(columns.PolicyOf(i), rows[i].Policy) {
					t.Errorf("row %d: a search's root %v, policy %v: want %v, %v", i, roots[i].Known(), columns.PolicyOf(i), known, rows[i].Policy)
				} else if win, _, loss := roots[i].Probs(); known && float32(win-loss) != RoundValue(rows[i].RootValue) {
					t.Errorf("row %d: a root of %g, want %g", i, win-loss, rows[i].RootValue)
				}
			}
		})
	}
}
