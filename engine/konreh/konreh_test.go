package konreh

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// allRules are rulesets that between them use every preset and option.
var allRules = []string{
	"standard", "letter", "table", "tutor", "basic-cf", "basic-mobilization", "micro", "blitz", "lightning",
	"standard,balance=single", "standard,balance=pie", "standard,balance=pie-double", "standard,balance=double-pie",
	"standard,buyback=true,green_cap=12", "table,buyback=true,balance=pie-double", "standard,seed_limit=2", "standard,no_capture_turns=30",
	"standard,contact_capture=true,max_turns=150", "standard,cross_stay=0", "standard,progress=speed,cross_exclusion=3",
	"standard,green_cap=2,no_progress=0,max_turns=400", "standard,target_zoc_exempt=false", "standard,slide_special=false",
	"micro,seed=true,buyback=true,green_cap=3,balance=double-pie", "micro,cross_stay=1,cross_exclusion=1,reforge_turns=15",
	"letter,rooted=through-next-turn,mobilization=false,reforge_turns=1", "standard,stalemate=loss",
}

// mustGame builds a game by its rules word.
func mustGame(tb testing.TB, word string) *Game {
	tb.Helper()
	parts := strings.Split(word, ",")
	settings, err := Family.Settings(parts[0], parts[1:])
	if err != nil {
		tb.Fatal(err)
	}
	g, err := newGame(settings)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

func mustPosition(tb testing.TB, g *Game, line string) *State {
	tb.Helper()
	s := g.newState()
	if err := s.ParsePosition(line); err != nil {
		tb.Fatalf("%s: %s: %v", g.Rules(), line, err)
	}
	return s
}

// readLines decodes a gzipped file of JSON lines.
func readLines[T any](tb testing.TB, path string) []T {
	tb.Helper()
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	var list []T
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			tb.Fatal(err)
		}
		list = append(list, v)
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	return list
}

func (s *State) line() string { return string(s.AppendPosition(nil)) }

// TestPositions holds legal moves and what they lead to against the positions
// of the rules page's reference implementation.
func TestPositions(t *testing.T) {
	type position struct {
		Preset, Pos           string
		Options, Moves, After []string
	}
	list := readLines[position](t, "testdata/konreh-positions.jsonl.gz")
	if len(list) != 800 {
		t.Fatalf("%d positions, want 800", len(list))
	}
	for _, p := range list {
		g := mustGame(t, strings.Join(append([]string{p.Preset}, p.Options...), ","))
		s := mustPosition(t, g, p.Pos)
		if got := s.line(); got != p.Pos {
			t.Errorf("%s: printed as %s, want %s", g.Rules(), got, p.Pos)
		}
		var moves []string
		after := map[string]string{}
		for _, a := range s.Legal(nil, nil) {
			word := string(s.AppendAction(nil, a))
			if b, err := s.ParseAction(word, nil); err != nil || b != a {
				t.Errorf("%s: %s: ParseAction(%s) = %d, %v, want %d", g.Rules(), p.Pos, word, b, err, a)
			}
			h := g.NewHistory()
			next := *s
			next.Begin(h)
			next.Apply(a, h)
			moves = append(moves, word)
			after[word] = next.line()
		}
		slices.Sort(moves)
		if !slices.Equal(moves, p.Moves) {
			t.Errorf("%s: %s:\nmoves %v\nwant  %v", g.Rules(), p.Pos, moves, p.Moves)
			continue
		}
		if n := s.CountLegal(); n != len(moves) {
			t.Errorf("%s: %s: CountLegal = %d, want %d", g.Rules(), p.Pos, n, len(moves))
		}
		for i, word := range p.Moves {
			if after[word] != p.After[i] {
				t.Errorf("%s: %s: %s leads to\n%s, want\n%s", g.Rules(), p.Pos, word, after[word], p.After[i])
			}
		}
	}
}

// TestGames replays the reference implementation's games.
func TestGames(t *testing.T) {
	type game struct {
		Preset, Pos, Moves, Final, Winner, Why string
		Options                                []string
		Turns                                  int
	}
	list := readLines[game](t, "testdata/konreh-games.jsonl.gz")
	if len(list) != 255 {
		t.Fatalf("%d games, want 255", len(list))
	}
	for i, want := range list {
		g := mustGame(t, strings.Join(append([]string{want.Preset}, want.Options...), ","))
		s, h := g.newState(), g.NewHistory()
		if want.Pos != "" {
			s = mustPosition(t, g, want.Pos)
		}
		s.Begin(h)
		for _, word := range strings.Fields(want.Moves) {
			a, err := s.ParseAction(word, h)
			if err != nil {
				t.Fatalf("game %d: %s: %v", i, s.line(), err)
			}
			s.Apply(a, h)
		}
		o := s.Outcome()
		winner := "draw"
		for _, p := range [2]engine.Player{engine.First, engine.Second} {
			if o.Winner == p {
				winner = [2]string{"A", "B"}[s.SideOf(p)]
			}
		}
		if !o.Over || s.line() != want.Final || winner != want.Winner || o.Reason != want.Why || s.Turn() != want.Turns {
			t.Errorf("game %d (%s): ended %v %s %s after %d at %s,\nwant %s %s after %d at %s",
				i, g.Rules(), o.Over, winner, o.Reason, s.Turn(), s.line(), want.Winner, want.Why, want.Turns, want.Final)
		}
	}
}

// TestPerft holds the table of checked numbers of the rules page.
func TestPerft(t *testing.T) {
	table := []struct {
		rules string
		want  [6]uint64
	}{
		{"standard", [6]uint64{8, 64, 432, 4536, 60160, 728952}},
		{"standard,balance=single", [6]uint64{8, 64, 672, 7096, 85804, 1039970}},
		{"standard,balance=pie", [6]uint64{8, 16, 128, 1344, 14192, 171608}},
		{"standard,balance=pie-double", [6]uint64{8, 16, 128, 864, 9072, 120320}},
		{"standard,balance=double-pie", [6]uint64{8, 64, 432, 864, 9072, 120320}},
		{"letter", [6]uint64{8, 64, 432, 4536, 59672, 716834}},
		{"table", [6]uint64{8, 64, 432, 4536, 60160, 728952}},
		{"micro", [6]uint64{6, 36, 168, 1436, 15309, 145362}},
	}
	for _, row := range table {
		s := mustGame(t, row.rules).newState()
		for i, want := range row.want {
			if got := s.Perft(nil, i+1); got != want {
				t.Errorf("%s: Perft(%d) = %d, want %d", row.rules, i+1, got, want)
			}
		}
	}
}

// randomGame plays a seeded random game, at most 3000 decisions long, and calls
// visit before each and at the end.
func randomGame(g *Game, seed uint64, visit func(s *State, h *engine.History)) {
	r := rand.New(rand.NewPCG(seed, 1))
	s, h := g.newState(), g.NewHistory()
	s.Begin(h)
	buf := make([]engine.Action, 0, maxLegal)
	for range 3000 {
		visit(s, h)
		legal := s.Legal(buf[:0], h)
		if len(legal) == 0 {
			return
		}
		s.Apply(legal[r.IntN(len(legal))], h)
	}
}

func BenchmarkPerft(b *testing.B) {
	s := mustGame(b, "standard").newState()
	b.ReportAllocs()
	n := uint64(0)
	for b.Loop() {
		n += s.Perft(nil, 6)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mpos/s")
}

func BenchmarkRandomGames(b *testing.B) {
	g := mustGame(b, "standard,max_turns=600")
	s, h := g.newState(), g.NewHistory()
	r := rand.New(rand.NewPCG(1, 1))
	buf := make([]engine.Action, 0, maxLegal)
	b.ReportAllocs()
	s.Start(h)
	n := 0
	for b.Loop() {
		if s.phase == phaseOver {
			s.Start(h)
		}
		legal := s.Legal(buf[:0], h)
		s.Apply(legal[r.IntN(len(legal))], h)
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mdec/s")
}
