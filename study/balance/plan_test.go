package balance

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/study"
)

func family(t *testing.T, name string) *engine.Family {
	t.Helper()
	f, err := games.All().ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func game(t *testing.T, name, rules string) engine.Game {
	t.Helper()
	g, err := family(t, name).Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func spec(t *testing.T, text string) *player.Spec {
	t.Helper()
	s, err := player.Parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestVariantsAreEveryCombination(t *testing.T) {
	f := family(t, "konreh")
	list, err := Variants(f, "blitz", []string{"reforge_turns=3,5", "balance=single,pie"})
	if err != nil {
		t.Fatal(err)
	}
	var names, shorts []string
	for _, v := range list {
		names, shorts = append(names, v.Name), append(shorts, v.Short)
		if !strings.HasPrefix(v.Game.Rules(), "blitz") {
			t.Errorf("%s has rules %s", v.Name, v.Game.Rules())
		}
	}
	if want := []string{"reforge_turns=3,balance=single", "reforge_turns=3,balance=pie", "reforge_turns=5,balance=single", "reforge_turns=5,balance=pie"}; !slices.Equal(names, want) {
		t.Errorf("variants %q, want %q", names, want)
	}
	if shorts[1] != "3, pie" {
		t.Errorf("short name %q", shorts[1])
	}
	if list, err = Variants(family(t, "tictactoe"), "", nil); err != nil || len(list) != 1 || list[0].Name != "standard" {
		t.Errorf("without options: %v, %v", list, err)
	}
	for _, c := range []struct{ rules, vary, want string }{
		{"", "balance", "want OPTION=VALUE"},
		{"", "balance=", "want OPTION=VALUE"},
		{"", "balance=nonsense,pie", "nonsense"},
		{"standard,balance=pie", "balance=single,pie", "set twice"},
		{"", "balance=pie,pie", "there twice"},
		{"standard|table", "balance=pie", "two variants are balance=pie"},
	} {
		if _, err := Variants(f, c.rules, []string{c.vary}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, vary %s: %v, want it to say %q", c.rules, c.vary, err, c.want)
		}
	}
}

// TestStartsAreDifferentPositions: Kon'reh has as many lines as its perft table where the
// start is settled.
func TestStartsAreDifferentPositions(t *testing.T) {
	for _, c := range []struct {
		game, rules   string
		starts, lines int
	}{
		{"tictactoe", "", 1, 1}, {"konreh", "balance=single", 1, 1}, {"konreh", "balance=pie", 8, 16}, {"konreh", "balance=double-move", 128, 432},
		{"konreh", "balance=pie-double", 256, 864}, {"konreh", "balance=double-pie", 256, 864},
	} {
		g := game(t, c.game, c.rules)
		s, err := FindStarts(g)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.List) != c.starts || s.Lines != c.lines {
			t.Errorf("%s %s: %d starts of %d lines, want %d of %d", c.game, c.rules, len(s.List), s.Lines, c.starts, c.lines)
		}
		lines := 0
		for _, one := range s.List {
			lines += one.Lines
			state, h := g.NewState(), g.NewHistory()
			state.Start(h)
			for _, word := range strings.Fields(one.Words) {
				if engine.Settled(state) {
					t.Errorf("%s: %q goes on after the start is settled", c.rules, one.Words)
				}
				a, err := state.ParseAction(word, h)
				if err != nil {
					t.Fatal(err)
				}
				state.Apply(a, h)
			}
			if !engine.Settled(state) || state.Turn() != one.opening.Turn {
				t.Errorf("%s: %q leaves the start open, or ends on turn %d instead of %d", c.rules, one.Words, state.Turn(), one.opening.Turn)
			}
		}
		if lines != c.lines {
			t.Errorf("%s: the starts have %d lines, want %d", c.rules, lines, c.lines)
		}
	}
}

// treeOf is the tree of decisions of this many choices each, by the players in turn, every
// line with a start of its own.
func treeOf(choices ...int) *Starts {
	s := &Starts{}
	var grow func(depth int) node
	grow = func(depth int) node {
		n := node{actor: engine.Player(depth % 2), start: len(s.List)}
		if depth == len(choices) {
			s.List = append(s.List, Start{Words: fmt.Sprint("line ", len(s.List)), Lines: 1})
			s.Lines++
			return n
		}
		for range choices[depth] {
			n.next = append(n.next, grow(depth+1))
		}
		return n
	}
	s.root = grow(0)
	return s
}

func TestEveryDecisionIsBestForWhoMakesIt(t *testing.T) {
	for _, c := range []struct {
		tree   *Starts
		scores []float64
		want   int
	}{
		{treeOf(), []float64{0.3}, 0},
		{treeOf(3), []float64{0.3, 0.7, 0.7}, 1},
		{treeOf(1, 3), []float64{0.3, 0.2, 0.7}, 1},
		{treeOf(2, 2), []float64{0.9, 0.1, 0.4, 0.3}, 3},
		{treeOf(2, 1, 2), []float64{0.2, 0.6, 0.5, 0.4}, 1},
	} {
		if got := c.tree.choose(c.scores); got != c.want {
			t.Errorf("%v: start %d, want %d", c.scores, got, c.want)
		}
	}
}

func TestSeriesPlaysEveryStartEqually(t *testing.T) {
	g := game(t, "konreh", "balance=pie")
	starts, err := FindStarts(g)
	if err != nil {
		t.Fatal(err)
	}
	v := &Variant{Name: "pie", Game: g, Starts: starts}
	players := []study.Participant{{Spec: spec(t, "mcts:sims=4")}, {Spec: spec(t, "minimax:depth=1")}}
	for _, c := range []struct{ games, each int }{{2, 2}, {16, 2}, {18, 4}, {160, 20}} {
		cfg := DefaultConfig()
		cfg.Games = c.games
		for p := range players {
			s, cells, err := cfg.Series(v, players, p)
			if err != nil {
				t.Fatal(err)
			}
			if want := 8 * 2 * c.each; cfg.Total(v) != want || 2*len(cells) != want || s.Games() != want {
				t.Errorf("--games %d: %d cells, %d games, total %d; want %d games", c.games, len(cells), s.Games(), cfg.Total(v), want)
			}
			count := map[Cell]int{}
			for i, cell := range cells {
				count[cell] += 2
				pair := s.Schedule[i]
				if cell.Player != p || pair.Opening != cell.Start || pair.A != 2*cell.Temperature || s.Contestants[pair.A].Name != s.Contestants[pair.B].Name ||
					!strings.HasPrefix(s.Contestants[pair.A].Name, players[p].Spec.Text) {
					t.Errorf("pair %d of %+v: %+v, %s against %s", i, cell, pair, s.Contestants[pair.A].Name, s.Contestants[pair.B].Name)
				}
			}
			for start := range starts.List {
				for temperature := range cfg.Temperatures {
					if n := count[Cell{p, temperature, start}]; n != c.each {
						t.Errorf("--games %d: %d games of start %d at temperature %d, want %d", c.games, n, start, temperature, c.each)
					}
				}
			}
		}
	}
}

// A round ends where every start has the same number of games at every temperature.
func TestRoundsAreWholePasses(t *testing.T) {
	g := game(t, "konreh", "balance=pie")
	starts, err := FindStarts(g)
	if err != nil {
		t.Fatal(err)
	}
	v, cfg := &Variant{Name: "pie", Game: g, Starts: starts}, DefaultConfig()
	for _, games := range []int{2, 34, 100} {
		cfg.Games = games
		before := 0
		for round := 1; round <= 5; round++ {
			until := cfg.Until(round, 5)
			total := until.Total(v)
			if total < before || total == 0 || total%(2*2*8) != 0 {
				t.Errorf("--games %d: %d games after round %d, %d before it", games, total, round, before)
			}
			before = total
		}
		if before != cfg.Total(v) {
			t.Errorf("--games %d: %d of %d after the last round", games, before, cfg.Total(v))
		}
	}
}

func TestConfigRefusesWhatCannotBe(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"games=3":        func(c *Config) { c.Games = 3 },
		"games=0":        func(c *Config) { c.Games = 0 },
		"matters=0.5":    func(c *Config) { c.Matters = 0.5 },
		"max_turns=-1":   func(c *Config) { c.MaxTurns = -1 },
		"at least one":   func(c *Config) { c.Temperatures = nil },
		"temperature 0:": func(c *Config) { c.Temperatures = []float64{0} },
		"twice":          func(c *Config) { c.Temperatures = []float64{1, 1} },
		"-1 sampled":     func(c *Config) { c.Sampled = -1 },
	} {
		c := DefaultConfig()
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error that says %q", err, want)
		}
	}
}
