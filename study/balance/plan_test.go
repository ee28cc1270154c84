package balance

import (
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

func TestDoubleMovesDifferInThatAlone(t *testing.T) {
	f := family(t, "konreh")
	list, err := Variants(f, "", []string{"balance=pie,double-move,pie-double,single", "reforge_turns=3,5"})
	if err != nil {
		t.Fatal(err)
	}
	pairs, err := DoubleMoves(f, list)
	if err != nil {
		t.Fatal(err)
	}
	if want := [][2]int{{6, 2}, {7, 3}}; !slices.Equal(pairs, want) {
		t.Errorf("pairs %v, want %v", pairs, want)
	}
	one, err := Variants(family(t, "connect4"), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if pairs, err := DoubleMoves(family(t, "connect4"), one); err != nil || pairs != nil {
		t.Errorf("a game without the option: %v, %v", pairs, err)
	}
}

func TestFirstMovesCountImagesOnce(t *testing.T) {
	for _, c := range []struct {
		game   string
		images []int
	}{
		{"tictactoe", []int{4, 4, 1}}, {"connect4", []int{2, 2, 2, 1}}, {"konreh", []int{2, 2, 2, 2}},
	} {
		var got []int
		words := map[string]bool{}
		for _, m := range FirstMoves(game(t, c.game, "")) {
			got = append(got, len(m.Images))
			for _, w := range m.Images {
				if words[w] {
					t.Errorf("%s: %s is there twice", c.game, w)
				}
				words[w] = true
			}
			if m.Word != m.Images[0] {
				t.Errorf("%s: word %s of images %v", c.game, m.Word, m.Images)
			}
		}
		if !slices.Equal(got, c.images) {
			t.Errorf("%s: first moves have %v images, want %v", c.game, got, c.images)
		}
	}
}

func TestSeriesPlaysEveryCellFromItsStart(t *testing.T) {
	g := game(t, "tictactoe", "")
	cfg := DefaultConfig()
	cfg.Games, cfg.Forced = 4, 2
	players := []study.Participant{{Spec: spec(t, "mcts:sims=4")}, {Spec: spec(t, "minimax:depth=1")}}
	for p := range players {
		s, cells, err := cfg.Series(&Variant{Name: "standard", Game: g}, players, p)
		if err != nil {
			t.Fatal(err)
		}
		if want := cfg.Total(g); 2*len(cells) != want || s.Games() != want {
			t.Errorf("%d cells, %d games, want %d games", len(cells), s.Games(), want)
		}
		count := map[Cell]int{}
		for i, c := range cells {
			count[c]++
			pair := s.Schedule[i]
			if pair.Opening != c.Forced || s.Contestants[pair.A].Name != s.Contestants[pair.B].Name {
				t.Errorf("pair %d of %+v: opening %d, %s against %s", i, c, pair.Opening, s.Contestants[pair.A].Name, s.Contestants[pair.B].Name)
			}
			if name := s.Contestants[pair.A].Name; c.Player != p || !strings.HasPrefix(name, players[p].Spec.Text) {
				t.Errorf("pair %d of player %d, of cell %+v, is played by %s", i, p, c, name)
			}
		}
		if count[Cell{p, 1, 0}] != 2 || count[Cell{p, 1, 3}] != 1 || len(count) != 2*4 {
			t.Errorf("pairs by cell: %v", count)
		}
		if len(s.Openings.List[0].Actions) != 0 || len(s.Openings.List) != 4 {
			t.Errorf("openings %+v, want the start and three first moves", s.Openings.List)
		}
	}
}

func TestRoundsAreOfAllTemperaturesAlike(t *testing.T) {
	g := game(t, "tictactoe", "")
	cfg := DefaultConfig()
	players := []study.Participant{{Spec: spec(t, "mcts:sims=4")}}
	for _, games := range []int{2, 4, 34} {
		cfg.Games, cfg.Forced = games, 2
		s, cells, err := cfg.Series(&Variant{Name: "standard", Game: g}, players, 0)
		if err != nil {
			t.Fatal(err)
		}
		before := 0
		for round := 1; round <= 5; round++ {
			until := cfg.Until(round, 5)
			end := until.Total(g)
			count := map[int]int{}
			for _, c := range cells[before/2 : end/2] {
				count[c.Temperature]++
			}
			if len(count) > 0 && (len(count) != 2 || count[0] != count[1]) {
				t.Errorf("%d games, round %d: pairs by temperature %v", games, round, count)
			}
			before = end
		}
		if before != s.Games() {
			t.Errorf("%d games: %d of %d after the last round", games, before, s.Games())
		}
	}
}

func TestConfigRefusesWhatCannotBe(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"games=3":        func(c *Config) { c.Games = 3 },
		"games=0":        func(c *Config) { c.Games = 0 },
		"forced=1":       func(c *Config) { c.Forced = 1 },
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
