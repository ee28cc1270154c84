package record

import (
	"slices"
	"strings"
	"testing"
)

// taughtGame makes the rows of a game a teacher's, of which the second has a
// distribution.
func taughtGame(game []Row) {
	for i := range game {
		r := &game[i]
		r.PolicyKind, r.RootDraw, r.Policy, r.Visits = PolicyTeacher, DrawUnknown, nil, nil
		r.RootValue, r.NetworkValue, r.Surprise, r.Full, r.Resigns = 0, 0, 0, false, false
	}
	game[1].Policy = make([]uint16, len(game[1].Legal))
	game[1].Policy[0] = PolicyOne
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
		{"root draw", "root draw 0 ", func(game []Row) { game[2].RootDraw = 0 }},
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
				taught := i >= ends[0] && i < ends[1]
				if roots[i].Known() == taught || !slices.Equal(columns.PolicyOf(i), rows[i].Policy) {
					t.Errorf("row %d: a search's root %v, policy %v: want %v, %v", i, roots[i].Known(), columns.PolicyOf(i), !taught, rows[i].Policy)
				}
			}
		})
	}
}
