package restricted

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/study/lab"
)

func konreh(t *testing.T, rules string) engine.Game {
	t.Helper()
	f, err := games.All().ByName("konreh")
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestKindsAreThereOnce: the same match twice would be two tests.
func TestKindsAreThereOnce(t *testing.T) {
	o := Options{Options: lab.DefaultOptions(), Without: []string{"capture", "Seed", "capture"}}
	if _, err := New(o, konreh(t, ""), nil, nil); err == nil || !strings.Contains(err.Error(), `--without: kind "capture": it is there twice`) {
		t.Errorf("capture named twice: %v", err)
	}
}

// TestReaderCountsUses: of a game of two decisions by the pie rule, in which the second
// player swaps sides or holds.
func TestReaderCountsUses(t *testing.T) {
	g := konreh(t, "balance=pie")
	for _, c := range []struct {
		kind   string
		aFirst bool
		moves  string
		want   Use
		fails  string
	}{
		{"swap", false, "c2e2 hold", Use{Denied: 1}, ""},                                       // A, who moves second, could have swapped
		{"swap", true, "c2e2 swap", Use{Other: 1}, ""},                                         // B did
		{"swap", true, "c2e2 hold", Use{}, ""},                                                 // B did not
		{"slide", true, "c2e2 hold", Use{Forced: 1}, ""},                                       // a game begins with slides only
		{"swap", false, "c2e2 swap", Use{}, `move 2, "swap": the restricted player had other`}, // not such a player
		{"swap", false, "c2e2 castle", Use{}, `game 1: move 2, "castle"`},
	} {
		r, err := newReader(g, c.kind)
		if err != nil {
			t.Fatal(err)
		}
		err = r.read(&match.Game{Number: 1, AFirst: c.aFirst, Moves: c.moves})
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("without %s, %s: %v, want %q", c.kind, c.moves, err, c.fails)
			}
			continue
		}
		if err != nil || r.use != c.want {
			t.Errorf("without %s, A first %t, %s: %+v, %v, want %+v", c.kind, c.aFirst, c.moves, r.use, err, c.want)
		}
	}
}

// TestReportSaysWhatIsWorthSomething: of kinds that cost something, that may cost
// nothing, and that cannot be played.
func TestReportSaysWhatIsWorthSomething(t *testing.T) {
	row := func(kind string, score, half float64, use Use) Row {
		return Row{Player: "random", Kind: kind, Tally: match.Tally{Wins: 1, Losses: 1}, Score: rating.Estimate{Value: score, Low: score - half, High: score + half}, Use: use}
	}
	r := &Result{Game: "konreh", Rules: "blitz", Rows: []Row{
		row("capture", 0.3, 0.1, Use{Denied: 3, Forced: 1}), row("Hop", 0.45, 0.1, Use{Other: 2}), row("swap", 0.2, 0.1, Use{}), row("Seed", 0.7, 0.1, Use{Denied: 1}),
		row("plant", 0.39, 0.1, Use{Denied: 1}), // beyond its interval, not after the correction
	}}
	r.test()
	var b strings.Builder
	if err := r.Report().WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Who never plays capture loses 20.0 (10.0 to 30.0) points a game (random).\n",
		"random plays better without Seed, by 20.0 (10.0 to 30.0) points a game",
		"corrected for being one of 4 tests (Holm)",
		"never possible",
		"< 0.001    1.50    0.50    0.00 ", // denied and forced of two games
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "never plays swap") || strings.Contains(b.String(), "never plays Hop") || strings.Contains(b.String(), "never plays plant") {
		t.Errorf("too much is claimed:\n%s", b.String())
	}
}
