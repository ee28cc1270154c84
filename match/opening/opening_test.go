package opening

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/pienim"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/knaw"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

func game(t *testing.T, f *engine.Family, rules string) engine.Game {
	t.Helper()
	g, err := f.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func make1(t *testing.T, r Request) *Set {
	t.Helper()
	l, err := Make(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func spec(t *testing.T, text string) Spec {
	t.Helper()
	s, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// texts are the openings as lines of a file.
func texts(t *testing.T, g engine.Game, l *Set) []string {
	t.Helper()
	s, h := g.NewState(), g.NewHistory()
	var lines []string
	for i := range l.List {
		text, err := l.List[i].Text(s, h)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, text)
	}
	return lines
}

// TestRandomOpeningsAreThoseOfOld pins the openings that matches had when they
// knew no other kind: figures that are published depend on them.
func TestRandomOpeningsAreThoseOfOld(t *testing.T) {
	g := game(t, &connect4.Family, "")
	lines := texts(t, g, make1(t, Request{Game: g, Spec: Default(), Count: 300, Seed: 9}))
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	if got, want := hex.EncodeToString(sum[:]), "4421000d69350305849a218f08222b1277aff5e4319427569bd1d9ac45c3fe11"; got != want {
		t.Errorf("300 openings of connect4 hash to %s, want %s", got, want)
	}
	k := game(t, &konreh.Family, "")
	got := texts(t, k, make1(t, Request{Game: k, Spec: Default(), Count: 3, Seed: 1}))
	want := []string{"d1d3 h5h3 h6h4 a4c4 h4f4", "b3d3 e8c8 f7f5 c2c4 c8a8", "d1d3 h5f5 e8e6 a4a6 f5g5"}
	if !slices.Equal(got, want) {
		t.Errorf("openings of konreh %q, want %q", got, want)
	}
}

// TestOpeningsEndAfterTheStartIsSettled makes openings of all lengths under each
// balance: none may exchange the sides or leave anyone a move to be made up for.
func TestOpeningsEndAfterTheStartIsSettled(t *testing.T) {
	for _, c := range []struct {
		balance string
		least   int // turns that settle it
	}{{"single", 0}, {"pie", 1}, {"double-move", 2}, {"pie-double", 2}, {"double-pie", 2}} {
		g := game(t, &konreh.Family, "balance="+c.balance)
		for _, text := range []string{
			"random:turns=1", "random:turns=2", "random:turns=5", "random:turns=2,unique=symmetry", "first:turns=1",
			"random:turns=0,from=settled", "random:turns=3,from=settled", "first:turns=0,from=settled", "first:turns=1,from=settled",
		} {
			sp := spec(t, text)
			l := make1(t, Request{Game: g, Spec: sp, Count: 60, Seed: 3})
			s, h := g.NewState(), g.NewHistory()
			for i, line := range texts(t, g, l) {
				o := &l.List[i]
				if _, err := o.Text(s, h); err != nil {
					t.Fatal(err)
				}
				want := max(sp.Turns, c.least)
				if sp.FromSettled {
					want = sp.Turns + c.least
				}
				if s.Turn() != want || o.Turn != want {
					t.Errorf("%s %s: %q ends after %d turns (says %d), want %d", c.balance, text, line, s.Turn(), o.Turn, want)
				}
				if !engine.Settled(s) || s.SideOf(engine.First) != 0 {
					t.Errorf("%s %s: %q settled %v, first owns side %d", c.balance, text, line, engine.Settled(s), s.SideOf(engine.First))
				}
			}
			if l.Unsettled != 0 {
				t.Errorf("%s %s: %d are said to be unsettled", c.balance, text, l.Unsettled)
			}
		}
		start := make1(t, Request{Game: g, Spec: spec(t, "random:turns=0"), Count: 5, Seed: 3})
		if want := min(1, c.least); len(start.List) != 1 || len(start.List[0].Actions) != 0 || start.Unsettled != want {
			t.Errorf("%s: turns=0 gives %+v, want the start alone, %d unsettled", c.balance, start, want)
		}
	}
}

// TestFirstIsAllUpToSymmetry counts by hand: three first moves of tic-tac-toe
// that differ, four of Connect Four; the positions after two turns of
// tic-tac-toe are 12, of Connect Four 49 less mirrored ones.
func TestFirstIsAllUpToSymmetry(t *testing.T) {
	for _, c := range []struct {
		family *engine.Family
		rules  string
		spec   string
		want   int
	}{
		{&tictactoe.Family, "", "first", 3},
		{&tictactoe.Family, "", "first:turns=2", 12},
		{&connect4.Family, "", "first", 4},
		{&connect4.Family, "", "first:turns=2", 25}, // (49 + 1 that is its own image)/2
		{&tictactoe.Family, "", "first:turns=0", 1},
		{&connect4.Family, "", "first:turns=2,from=settled", 25},
		{&konreh.Family, "balance=pie", "first:turns=0,from=settled", 4},
		{&konreh.Family, "balance=single", "first", 4},
		{&konreh.Family, "balance=single", "first:turns=2", 32}, // 64 pairs, none its own image
		{&konreh.Family, "balance=pie", "first", 4},             // each with hold
	} {
		g := game(t, c.family, c.rules)
		l := make1(t, Request{Game: g, Spec: spec(t, c.spec), Count: 1000})
		if len(l.List) != c.want {
			t.Errorf("%s %s %s: %d openings, want %d", g.Info().Name, c.rules, c.spec, len(l.List), c.want)
		}
	}
}

// TestFirstFindsEveryPosition compares with a walk that plays everything.
func TestFirstFindsEveryPosition(t *testing.T) {
	for _, c := range []struct {
		g     engine.Game
		turns int
	}{
		{game(t, &connect4.Family, ""), 3},
		{game(t, &konreh.Family, ""), 2},
		{game(t, &konreh.Family, "balance=double-pie"), 2},
		{pienim.New("standard,height=2"), 2},
		{racegame.New(), 2},
	} {
		ta := newTable(c.g, true)
		want := map[string]bool{}
		var walk func(s engine.State)
		walk = func(s engine.State) {
			if s.Actor() == engine.Nobody {
				return
			}
			if s.Actor() != engine.Chance && s.Turn() >= c.turns && engine.Settled(s) {
				ta.seen = map[string]bool{}
				ta.isNew(s)
				want[string(ta.best)] = true
				return
			}
			list := engine.AppendPossible(nil, new([]engine.Weighted), s, nil)
			if a, ok := engine.Neutral(s); ok {
				list = []engine.Action{a}
			}
			for _, a := range list {
				next := c.g.NewState()
				next.CopyFrom(s)
				next.Apply(a, nil)
				walk(next)
			}
		}
		walk(c.g.NewState())
		l := make1(t, Request{Game: c.g, Spec: Spec{Kind: First, Turns: c.turns, Symmetric: true}, Count: maxFirst})
		s, h := c.g.NewState(), c.g.NewHistory()
		for i := range l.List {
			if _, err := l.List[i].Text(s, h); err != nil {
				t.Fatal(err)
			}
			ta.seen = map[string]bool{}
			ta.isNew(s)
			if !want[string(ta.best)] {
				t.Errorf("%s: opening %d leads to a position that is none of them, or to one twice", c.g.Info().Name, i)
			}
			delete(want, string(ta.best))
		}
		if len(want) > 0 || len(l.List) == 0 {
			t.Errorf("%s: %d positions are not among the %d openings", c.g.Info().Name, len(want), len(l.List))
		}
	}
}

func TestTooManyFirstTurnsAreRefused(t *testing.T) {
	g := game(t, &connect4.Family, "")
	_, err := Make(context.Background(), Request{Game: g, Spec: spec(t, "first:turns=7"), Count: 1})
	if err == nil || !strings.Contains(err.Error(), "more than 10000 openings") {
		t.Errorf("Make = %v, want that there are too many", err)
	}
}

// TestRandomOpeningsRunOut asks for more than a game has.
func TestRandomOpeningsRunOut(t *testing.T) {
	g := game(t, &tictactoe.Family, "")
	for text, want := range map[string]int{"random:turns=1": 9, "random:turns=1,unique=symmetry": 3} {
		l := make1(t, Request{Game: g, Spec: spec(t, text), Count: 40, Seed: 2})
		if len(l.List) != want {
			t.Errorf("%s: %d openings, want %d", text, len(l.List), want)
		}
	}
	if _, err := Make(context.Background(), Request{Game: g, Spec: spec(t, "random:turns=9"), Count: 4}); err == nil || !strings.Contains(err.Error(), "none leaves a game to play") {
		t.Errorf("openings of a whole game: %v", err)
	}
}

// TestMoreOpeningsBeginTheSame lets a match be prolonged.
func TestMoreOpeningsBeginTheSame(t *testing.T) {
	g := game(t, &konreh.Family, "")
	few := texts(t, g, make1(t, Request{Game: g, Spec: Default(), Count: 20, Seed: 5}))
	many := texts(t, g, make1(t, Request{Game: g, Spec: Default(), Count: 50, Seed: 5}))
	if len(few) != 20 || !slices.Equal(few, many[:20]) {
		t.Errorf("20 openings are not the first of 50")
	}
}

func TestFileOfOpenings(t *testing.T) {
	g := game(t, &tictactoe.Family, "")
	path := filepath.Join(t.TempDir(), "book.txt")
	text := `# openings
a1 b2   # the centre answers

pos .../.o./x.. x moves c3
b2
b2 # again
b2 a1
a1 b2 c3
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l := make1(t, Request{Game: g, Spec: Spec{Kind: File, Path: path}, Count: 10})
	got := texts(t, g, l)
	t.Logf("%v\n%s", l, strings.Join(got, "\n"))
	if len(got) != 4 || l.Doubles != 2 || got[0] != "a1 b2" || got[2] != "b2" || got[3] != "b2 a1" {
		t.Errorf("openings %q, %d doubles", got, l.Doubles)
	}
	// What Text writes is read back as the same list.
	again, doubles, err := parseFile(strings.NewReader(strings.Join(got, "\n")), "again", newTable(g, false))
	if err != nil || doubles != 0 || fmt.Sprint(again) != fmt.Sprint(l.List) {
		t.Errorf("read back: %v, %d doubles, %v", again, doubles, err)
	}
	two := make1(t, Request{Game: g, Spec: Spec{Kind: File, Path: path}, Count: 2})
	if len(two.List) != 2 || two.Hash() == l.Hash() {
		t.Errorf("two openings wanted: %d, hash %s of %s", len(two.List), two.Hash(), l.Hash())
	}
}

// TestColumnsNeedNoSpaces reads Connect Four as people write it.
func TestColumnsNeedNoSpaces(t *testing.T) {
	g := game(t, &connect4.Family, "")
	list, doubles, err := parseFile(strings.NewReader("4453\n4 4 5 3\n4\npos "+string(g.NewState().AppendPosition(nil))+" moves 12\n"), "book", newTable(g, false))
	if err != nil || doubles != 1 || len(list) != 3 || !slices.Equal(list[0].Actions, []engine.Action{3, 3, 4, 2}) || len(list[2].Actions) != 2 {
		t.Errorf("%v, %d doubles, %v", list, doubles, err)
	}
	if list, _, err := parseFile(strings.NewReader("44 53\n443 5\n"), "book", newTable(g, false)); err != nil || !slices.Equal(list[0].Actions, []engine.Action{3, 3, 4, 2}) || len(list[1].Actions) != 4 {
		t.Errorf("with some spaces: %v, %v", list, err)
	}
	dice := game(t, &knaw.Family, "")
	if list, _, err := parseFile(strings.NewReader("4 fool-a>S21 5\n"), "book", newTable(dice, false)); err != nil || len(list) != 1 || len(list[0].Actions) != 3 {
		t.Errorf("words of which the first is a character: %v, %v", list, err)
	}
	if _, _, err := parseFile(strings.NewReader("4459\n"), "book", newTable(g, false)); err == nil || !strings.Contains(err.Error(), `book:1: word 4, "9"`) {
		t.Errorf("a column that is none: %v", err)
	}
}

func TestFaultyLinesAreNamed(t *testing.T) {
	g := game(t, &tictactoe.Family, "")
	_, _, err := parseFile(strings.NewReader("a1\na1 a1\n\npos\npos x../.o./... z\na1 a2 b1 b2 c1 c2\na1 a2 b1 b2 c1\n"), "book", newTable(g, false))
	for _, want := range []string{`book:2: word 2, "a1"`, "book:4: pos without", "book:5: position", "book:6: word 6", "book:7: the game is over"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %q: %v", want, err)
		}
	}
	_, _, err = parseFile(strings.NewReader(strings.Repeat("zz\n", 40)), "book", newTable(g, false))
	if err == nil || strings.Count(err.Error(), "\n") != 10 || !strings.Contains(err.Error(), "more lines are wrong") {
		t.Errorf("40 faulty lines: %v", err)
	}
	_, _, err = parseFile(strings.NewReader("a1\n"+strings.Repeat("x", maxLineBytes)), "book", newTable(g, false))
	if err == nil || err.Error() != "book:2: want lines of less than 1048576 bytes" {
		t.Errorf("a line without an end: %v", err)
	}
	if _, _, err := parseFile(strings.NewReader("# nothing\n"), "book", newTable(g, false)); err == nil {
		t.Error("a file without openings is accepted")
	}
	dice := racegame.New()
	if _, _, err := parseFile(strings.NewReader("pos "+string(dice.NewState().AppendPosition(nil))), "book", newTable(dice, false)); dice.NewState().Actor() == engine.Chance && err == nil {
		t.Error("an opening that ends before a roll is accepted")
	}
}

// byHash is a judge whose values are spread evenly and mean nothing.
type byHash struct{ err error }

func (b byHash) Value(_ context.Context, s engine.State, _ *engine.History, _ uint64) (float64, error) {
	if b.err != nil {
		return 0, b.err
	}
	return float64(s.Hash()%1000)/999*2 - 1, nil
}

func TestOnlyBalancedOpeningsAreKept(t *testing.T) {
	g := game(t, &konreh.Family, "")
	balance := func(margin float64) *Balance {
		return &Balance{Judge: Judge{Name: "odd:depth=1", New: func() (Valuer, error) { return byHash{}, nil }}, Margin: margin}
	}
	var lists []*Set
	for _, workers := range []int{1, 3, 8} {
		var last Progress
		l := make1(t, Request{Game: g, Spec: Default(), Count: 40, Seed: 1, Balance: balance(0.25), Workers: workers,
			Progress: func(p Progress) { last = p }})
		if last.Found != 40 || last.Wanted != 40 || last.Refused != l.Refused {
			t.Errorf("%d workers: last progress %+v, %d refused", workers, last, l.Refused)
		}
		lists = append(lists, l)
		s, h := g.NewState(), g.NewHistory()
		for i := range l.List {
			if _, err := l.List[i].Text(s, h); err != nil {
				t.Fatal(err)
			}
			if v, _ := (byHash{}).Value(context.Background(), s, h, 0); v < -0.25 || v > 0.25 {
				t.Errorf("an opening of value %.2f is kept", v)
			}
		}
	}
	for _, l := range lists[1:] {
		if l.Hash() != lists[0].Hash() || l.Refused != lists[0].Refused {
			t.Errorf("list %v with more workers, %v with one", l, lists[0])
		}
	}
	l := lists[0]
	// A quarter of the values pass: about 120 of 160 are refused.
	if l.Refused < 60 || l.Refused > 240 {
		t.Errorf("%d refused for 40 kept", l.Refused)
	}
	if want := "random:turns=4, within 0.25 by odd:depth=1"; l.Source != want || !strings.Contains(l.String(), fmt.Sprintf("%d refused as not balanced", l.Refused)) {
		t.Errorf("list %v, want source %q", l, want)
	}
	if _, err := Make(context.Background(), Request{Game: g, Spec: Default(), Count: 40, Balance: balance(1e-9)}); err == nil || !strings.Contains(err.Error(), "1000 in a row were refused, and only 0 of 40 found") {
		t.Errorf("with no margin: %v", err)
	}
	if _, err := Make(context.Background(), Request{Game: g, Spec: spec(t, "first"), Count: 40, Balance: balance(1e-9)}); err == nil || !strings.Contains(err.Error(), "were refused: allow a larger margin") {
		t.Errorf("first turns with no margin: %v", err)
	}
	broken := &Balance{Judge: Judge{Name: "odd", New: func() (Valuer, error) { return byHash{errors.New("no idea")}, nil }}, Margin: 1}
	if _, err := Make(context.Background(), Request{Game: g, Spec: Default(), Count: 4, Balance: broken}); err == nil || !strings.Contains(err.Error(), "balance: odd: no idea") {
		t.Errorf("a judge that fails: %v", err)
	}
}

// byChance is a judge whose values are all chance.
type byChance struct{}

func (byChance) Value(_ context.Context, _ engine.State, _ *engine.History, seed uint64) (float64, error) {
	return float64(seed%1000)/999*2 - 1, nil
}

// TestJudgesDrawTheSameWhoeverJudges has values that depend on the seed alone.
func TestJudgesDrawTheSameWhoeverJudges(t *testing.T) {
	g := game(t, &connect4.Family, "")
	hashes := map[string]bool{}
	for _, workers := range []int{1, 2, 7} {
		l := make1(t, Request{Game: g, Spec: Default(), Count: 30, Seed: 1, Workers: workers,
			Balance: &Balance{Judge{"chance", func() (Valuer, error) { return byChance{}, nil }}, 0.2}})
		hashes[l.Hash()] = true
	}
	if len(hashes) != 1 {
		t.Errorf("1, 2 and 7 workers make %d different lists", len(hashes))
	}
}

func TestFewOpeningsWantFewJudges(t *testing.T) {
	made := 0
	make1(t, Request{Game: game(t, &connect4.Family, ""), Spec: Default(), Count: 2, Seed: 1, Workers: 10_000,
		Balance: &Balance{Judge{"chance", func() (Valuer, error) { made++; return byChance{}, nil }}, 0.2}})
	if made != 2 {
		t.Errorf("%d judges for 2 openings", made)
	}
}

func TestMakeObeysItsContext(t *testing.T) {
	g := game(t, &konreh.Family, "")
	cause := errors.New("enough")
	for _, text := range []string{"random:turns=4", "first:turns=2"} {
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(cause)
		if _, err := Make(ctx, Request{Game: g, Spec: spec(t, text), Count: 10}); !errors.Is(err, cause) {
			t.Errorf("%s: Make = %v, want the cause", text, err)
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	judge := Judge{Name: "slow", New: func() (Valuer, error) { return byHash{}, nil }}
	_, err := Make(ctx, Request{Game: g, Spec: Default(), Count: 1000, Balance: &Balance{judge, 1},
		Progress: func(p Progress) {
			if p.Found == 3 {
				cancel(cause)
			}
		}})
	if !errors.Is(err, cause) {
		t.Errorf("Make while judging = %v, want the cause", err)
	}
}

func TestSpecsAreReadBack(t *testing.T) {
	for text, want := range map[string]string{
		"random":                  "random:turns=4",
		"random:turns=7":          "random:turns=7",
		"random:turns=0":          "random:turns=0",
		"random:unique=symmetry":  "random:turns=4,unique=symmetry",
		"random:unique=position":  "random:turns=4",
		"first":                   "first:turns=1",
		"first:turns=2":           "first:turns=2",
		"file:a/b,c:d.txt":        "file:a/b,c:d.txt",
		"random:turns=3,unique=x": "",
		"random:turns=-1":         "",
		"random:turns=x":          "",
		"random:turns=1,turns=2":  "",
		"random:pairs=1":          "",
		"random:":                 "",
		"first:turns=0":           "first:turns=0",
		"first:from=settled":      "first:turns=1,from=settled",
		"random:turns=2,unique=symmetry,from=settled": "random:turns=2,from=settled,unique=symmetry",
		"random:from=start":                           "random:turns=4",
		"random:from=end":                             "",
		"first:turns=-1":                              "",
		"first:unique=position":                       "",
		"file":                                        "",
		"file:":                                       "",
		"book:x":                                      "",
		"":                                            "",
	} {
		s, err := Parse(text)
		if want == "" {
			if err == nil {
				t.Errorf("Parse(%q) = %v, want an error", text, s)
			}
			continue
		}
		if err != nil || s.String() != want {
			t.Errorf("Parse(%q) = %v, %v, want %s", text, s, err, want)
		}
		if back, err := Parse(s.String()); err != nil || back != s {
			t.Errorf("Parse(%q) = %+v, %v, want %+v", s.String(), back, err, s)
		}
	}
}

func TestBadRequests(t *testing.T) {
	g := game(t, &tictactoe.Family, "")
	ctx := context.Background()
	if _, err := Make(ctx, Request{Game: g, Spec: Default()}); err == nil {
		t.Error("no openings at all are accepted")
	}
	if _, err := Make(ctx, Request{Game: g, Spec: Default(), Count: 1, Balance: &Balance{Margin: 1.5}}); err == nil {
		t.Error("a margin of 1.5 is accepted")
	}
	if _, err := Make(ctx, Request{Game: g, Count: 1}); err == nil {
		t.Error("openings of no kind are accepted")
	}
	missing := filepath.Join(t.TempDir(), "none")
	if _, err := Make(ctx, Request{Game: g, Spec: Spec{Kind: File, Path: missing}, Count: 1}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is missing: %v", err)
	}
}
