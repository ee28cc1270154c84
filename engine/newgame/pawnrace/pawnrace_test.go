package pawnrace_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest"
	"github.com/ludozero/ludozero/engine/newgame/pawnrace"
)

// TestConformance plays random games under every preset and option and holds each
// position against the engine contract.
func TestConformance(t *testing.T) { enginetest.Run(t, &pawnrace.Family) }

// TestGuide: the rules confirm what the page and the lessons claim.
func TestGuide(t *testing.T) {
	if err := pawnrace.Guide().Check(&pawnrace.Family); err != nil {
		t.Error(err)
	}
}

// TestReferenceGames replays games that testdata/games.py has played by the same rules.
func TestReferenceGames(t *testing.T) {
	f, err := os.Open("testdata/games.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n, err := enginetest.Reference(&pawnrace.Family, f); err != nil || n == 0 {
		t.Errorf("%d games: %v\nIf the rules were changed, change testdata/games.py, too, and in this folder run\n  python3 testdata/games.py >testdata/games.jsonl", n, err)
	}
}

// TestPerft counts the sequences of moves from the start.
func TestPerft(t *testing.T) {
	for rules, want := range map[string][]uint64{
		"standard":             {13, 156, 1924, 23084, 289828},
		"standard,capture=any": {13, 169, 2331, 32376, 474879},
	} {
		g, s := newState(t, rules, "")
		var got []uint64
		for depth := range want {
			got = append(got, engine.Perft(g, s, nil, depth+1))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: Perft = %v, want %v, as python3 testdata/games.py perft counts", rules, got, want)
		}
	}
}

// newState returns the start of a ruleset, or the position of a line.
func newState(t *testing.T, rules, line string) (engine.Game, engine.State) {
	t.Helper()
	g, err := pawnrace.Family.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	s := g.NewState()
	if line != "" {
		if err := s.ParsePosition(line); err != nil {
			t.Fatal(err)
		}
	}
	return g, s
}

func TestOutcome(t *testing.T) {
	for _, c := range []struct {
		line, move string
		want       engine.Outcome
	}{
		{"..o../.x.../...../...o./..... x turn=20", "b4b5", engine.Outcome{Over: true, Winner: engine.First, Reason: "far row"}},
		{"..o../.x.../...../...o./..... x turn=20", "b4c5", engine.Outcome{Over: true, Winner: engine.First, Reason: "far row"}},
		{"...../.x.../..o../...../..... o turn=31", "c3c2", engine.Outcome{}},
		{"...../...../..o../.x.../..... o turn=31", "c3b2", engine.Outcome{Over: true, Winner: engine.Second, Reason: "no pawns"}},
	} {
		_, s := newState(t, "", c.line)
		a, err := s.ParseAction(c.move, nil)
		if err != nil {
			t.Fatal(err)
		}
		if s.Apply(a, nil); s.Outcome() != c.want {
			t.Errorf("%s, %s: Outcome = %+v, want %+v", c.line, c.move, s.Outcome(), c.want)
		}
	}
}

func TestRefusedMoves(t *testing.T) {
	const start, blocked, over = "", "...../..o../.oxo./...../..... x turn=20", "..x../..o../...../...../..... o turn=21"
	for _, c := range []struct{ line, word, want string }{
		{start, "b2", "b2: want two squares, such as b2b3"},
		{start, "b2b9", "b2b9: square \"b9\": want a1 to e5"},
		{start, "b4b3", "b4b3: x has no pawn on b4"},
		{start, "b2b4", "b2b4: pawns go one square ahead, straight or diagonally"},
		{start, "b1b2", "b1b2: a pawn of one's own is on b2"},
		{blocked, "c3c4", "c3c4: pawns capture diagonally"},
		{over, "c4c3", "c4c3: the game is over"},
	} {
		_, s := newState(t, "", c.line)
		if _, err := s.ParseAction(c.word, nil); err == nil || err.Error() != c.want {
			t.Errorf("%s: ParseAction(%q) = %v, want %s", c.line, c.word, err, c.want)
		}
	}
}

func TestRefusedPositions(t *testing.T) {
	for line, want := range map[string]string{
		"":                                       "one blank",
		"...../...../...../x...... x":            "5 rows",
		"o..../...../...../...../x... x turn=20": "want 5 cells",
		"o..../...../..k../...../x.... x turn=20":       "unknown letter",
		"o..../...../...../...../x.... z turn=20":       "want x, o",
		"o..../...../...../...../x.... o turn=20":       "x is to move then",
		"o..../...../...../...../x.... x turn=99":       "want 1 to 80",
		"o..../...../...../...../x.... x turn=20 quick": "unknown",
		"x..../...../..o../...../..... x turn=20":       "has won before",
		"...../...../..x../...../..... x turn=20":       "has won before",
		"ooooo/ooooo/o..../xxxxx/xxxxx x turn=20":       "at most 10",
	} {
		_, s := newState(t, "", "")
		if err := s.ParsePosition(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParsePosition(%q) = %v, want an error with %q", line, err, want)
		}
	}
}
