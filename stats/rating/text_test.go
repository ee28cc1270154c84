package rating

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// sample is a tournament with all that can happen: a finite group, a player that
// lost everything, one that won everything and one that nobody met.
func sample(t *testing.T) *Table {
	return fitted(t, []string{"net 64", "net 16", "random", "solver", "guest"}, []Pairing{
		{A: 0, B: 1, Pairs: [3][3]int{{3, 1, 2}, {0, 6, 3}, {9, 4, 12}}, Repeated: 4},
		{A: 2, B: 1, Pairs: [3][3]int{{20, 0, 0}, {0, 0, 0}, {0, 0, 0}}},
		{A: 3, B: 0, Pairs: [3][3]int{{0, 0, 0}, {0, 0, 0}, {0, 0, 20}}},
	}, Options{Anchor: "net 16", AnchorElo: 1000})
}

func TestText(t *testing.T) {
	var b strings.Builder
	if err := sample(t).WriteText(&b); err != nil {
		t.Fatal(err)
	}
	const want = `5 players, 160 games, 4 pairs of them repeat earlier ones

     player  games    score    Elo                          95 %
  1  solver     40  100.0 %      -                   above +1397
  2  net 64    120   43.3 %  +1111                +1035 to +1186
  3  net 16    120   56.7 %  +1000                        anchor
  4  random     40    0.0 %      -                    below +707
  5  guest       0        -      -  unknown: no games connect it
Elo relative to net 16 at +1000
moving first is worth +66 Elo (95 %: -5 to +137)
draws between equal players 27.2 % (95 %: 17.8 to 39.1)

points of games, by row
                1      2      3      4  5
  1  solver     -  40/40
  2  net 64  0/40      -  52/80
  3  net 16        28/80      -  40/40
  4  random                0/40      -
  5  guest                              -

probability in % that the row is stronger than the column
                1      2      3      4  5
  1  solver     -  >99.9  >99.9  >99.9  ?
  2  net 64  <0.1      -   99.8  >99.9  ?
  3  net 16  <0.1    0.2      -  >99.9  ?
  4  random  <0.1   <0.1   <0.1      -  ?
  5  guest      ?      ?      ?      ?  -
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestTextOfOneSidedGames: where one of two players wins everything, nothing is claimed of
// the first move.
func TestTextOfOneSidedGames(t *testing.T) {
	var b strings.Builder
	table := fitted(t, []string{"a", "b"}, []Pairing{{A: 0, B: 1, Pairs: [3][3]int{{}, {}, {0, 0, 4}}}}, Options{})
	if err := table.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, "\nwhat moving first is worth is unknown: no games tell\n") || strings.Contains(text, "Inf") {
		t.Errorf("got\n%s", text)
	}
}

// TestTableJSON: infinite and unknown numbers survive.
func TestTableJSON(t *testing.T) {
	table := sample(t)
	text, err := json.Marshal(table)
	if err != nil {
		t.Fatal(err)
	}
	var back Table
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	for i, p := range table.Players {
		q := back.Players[i]
		if q.Name != p.Name || q.Points != p.Points || q.Elo != p.Elo && !(math.IsNaN(p.Elo.Value) && math.IsNaN(q.Elo.Value)) {
			t.Errorf("%+v came back as %+v", p, q)
		}
	}
	if len(back.Differences) != 10 || back.Difference(0, 4).Ahead != nil || *back.Difference(1, 0).Ahead != 1-*table.Difference(0, 1).Ahead {
		t.Errorf("differences came back as %+v", back.Differences)
	}
}
