package player

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
)

// TestTuningOptions: each option sets what it names and nothing else, and stands in the
// name of the player unless it is at its default.
func TestTuningOptions(t *testing.T) {
	card := 0.75
	for word, set := range map[string]func(*mcts.Config){
		"":                  func(*mcts.Config) {},
		"cpuct_factor=card": func(*mcts.Config) {},
		"cpuct_factor=0":    func(c *mcts.Config) { c.CPuctFactor = 0 },
		"spread=0.5":        func(c *mcts.Config) { c.Tuning.Spread = 0.5 },
		"fpu=0.4":           func(c *mcts.Config) { c.FPUReduction = 0.4 },
		"root_fpu=0":        func(c *mcts.Config) { c.RootFPUReduction = 0 },
		"choice=bound":      func(c *mcts.Config) { c.Tuning.LowerBound = true },
		"proven=true":       func(c *mcts.Config) { c.Proven = true },
		"look=2":            func(*mcts.Config) {},
		"moves_left=0.05":   func(c *mcts.Config) { c.Tuning.MovesLeft = 0.05 },
		"bias=0.45":         func(c *mcts.Config) { c.Tuning.Bias = 0.45 },
		"contempt=0.1":      func(c *mcts.Config) { c.Tuning.Contempt = 0.1 },
	} {
		o := opener{}
		text := "net:a,sims=64"
		if word != "" {
			text += "," + word
		}
		spec := o.parse(t, text)
		if want := strings.TrimSuffix(text, ",cpuct_factor=card"); spec.Text != want {
			t.Errorf("%q is called %s, want %s", text, spec.Text, want)
		}
		k := NetKind(o.open)
		v, err := k.values("net", strings.Split(strings.TrimPrefix(text, "net:"), ","))
		if err != nil {
			t.Fatal(err)
		}
		got, want := mcts.DefaultConfig(), mcts.DefaultConfig()
		want.CPuctFactor = card
		set(&want)
		if err := v.tune(&got, &card, false); err != nil || got != want {
			t.Errorf("%q: %v, configuration %+v, want %+v", word, err, got, want)
		}
		got, want = mcts.DefaultConfig(), mcts.DefaultConfig()
		if set(&want); word == "" {
			if err := v.tune(&got, nil, false); err != nil || got != want {
				t.Errorf("a card without cpuct_factor: %v, %+v, want the defaults", err, got)
			}
		}
	}
}

// TestTimed: a search by time chooses by lower confidence bound and prefers to win sooner unless
// told otherwise.
func TestTimed(t *testing.T) {
	o := opener{}
	k := NetKind(o.open)
	for word, want := range map[string]mcts.Tuning{
		"time=1s":               {LowerBound: true, MovesLeft: timedMovesLeft},
		"time=1s,choice=visits": {MovesLeft: timedMovesLeft},
		"time=1s,choice=bound":  {LowerBound: true, MovesLeft: timedMovesLeft},
		"time=1s,moves_left=0":  {LowerBound: true},
		"sims=2":                {},
		"sims=2,moves_left=0.2": {MovesLeft: 0.2},
	} {
		v, err := k.values("net", append([]string{"a"}, strings.Split(word, ",")...))
		if err != nil {
			t.Fatal(err)
		}
		_, timed := v.pace()
		cfg := mcts.DefaultConfig()
		if err := v.tune(&cfg, nil, timed); err != nil || cfg.Tuning != want {
			t.Errorf("%s: %+v, error %v, want %+v", word, cfg.Tuning, err, want)
		}
	}
}

// TestTuningRefusals names what is wrong with an option, and options that a method or a
// rating has no room for.
func TestTuningRefusals(t *testing.T) {
	g := game(t, &connect4.Family)
	for word, want := range map[string]string{
		"sims=2,contempt=1":                       "option contempt=1: want 0..0.9",
		"sims=2,contempt=-0.1":                    "want 0..0.9",
		"sims=2,spread=2":                         "option spread=2: want 0..1",
		"sims=2,moves_left=x":                     "option moves_left=x: want 0..1|auto",
		"sims=2,choice=best":                      "option choice=best: want one of auto, visits, bound",
		"sims=2,look=9":                           "option look=9: want 0 to 8",
		"sims=2,proven=yes":                       "option proven=yes: want",
		"sims=2,fpu=3":                            "option fpu=3: want 0..2",
		"sims=2,root_fpu=NaN":                     "option root_fpu=NaN: want 0..2",
		"sims=2,cpuct_factor=101":                 "option cpuct_factor=101: want 0..100|card",
		"sims=2,search=gumbel,contempt=0.1":       "option contempt=0.1: a Gumbel search has no use for it: want search=puct",
		"sims=2,search=gumbel,cpuct=1":            "option cpuct=1: a Gumbel search",
		"sims=2,search=gumbel,cpuct_factor=1":     "option cpuct_factor=1: a Gumbel search",
		"sims=2,search=gumbel,choice=bound":       "option choice=bound: a Gumbel search",
		"sims=2,search=gumbel,look=2,proven=true": "",
		"rating=500,look=2":                       "want it without look",
		"rating=500,contempt=0.1":                 "want it without contempt",
	} {
		o := opener{}
		spec, err := Parse("net:a,"+word, map[string]Kind{"net": NetKind(o.open)})
		if err == nil {
			_, err = spec.New(g)
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", word, err, want)
		}
	}
}

// TestContemptInGames: a player with contempt searches otherwise in a game, and in an
// analysis as without; limited by simulations and, with its kept tree, by time.
func TestContemptInGames(t *testing.T) {
	g := game(t, &connect4.Family)
	s, h := played(t, g, "4 4 3")
	visits := func(options string, b match.Bounds) []int {
		o := opener{}
		p, err := o.parse(t, "net:a,sims=300"+options).New(g)
		if err != nil {
			t.Fatal(err)
		}
		a, err := p.Think(t.Context(), s, h, b)
		if err != nil {
			t.Fatal(err)
		}
		var n []int
		for _, m := range a.Moves {
			n = append(n, m.Visits)
		}
		return n
	}
	plain := visits("", match.Bounds{})
	if got := visits(",contempt=0.5", match.Bounds{Analyze: true}); !slices.Equal(got, plain) {
		t.Errorf("analysis with contempt: visits %v, want %v", got, plain)
	}
	if got := visits(",contempt=0.5", match.Bounds{}); slices.Equal(got, plain) {
		t.Errorf("contempt changes nothing: visits %v", got)
	}
	played := visits(",contempt=0.5", match.Bounds{})
	if got := visits(",contempt=0.5", match.Bounds{Analyze: true, Play: true}); !slices.Equal(got, played) {
		t.Errorf("analysis of what is played: visits %v, want %v", got, played)
	}
	p, err := (&opener{}).parse(t, "net:a,sims=300,contempt=0.5").New(g)
	if err != nil {
		t.Fatal(err)
	}
	drawn := &sampled{Player: p, sampling: Sampling{Decisions: 1, Temperature: 1}}
	if a, err := drawn.Think(t.Context(), s, h, match.Bounds{}); err != nil || !slices.EqualFunc(a.Moves, played, func(m match.Move, n int) bool { return m.Visits == n }) {
		t.Errorf("a move that is drawn: %+v, %v, want visits %v", a, err, played)
	}
	for _, word := range []string{"spread=1", "moves_left=1", "fpu=1", "cpuct_factor=5", "bias=1"} {
		same := slices.Equal(visits(","+word, match.Bounds{}), plain)
		if want := word == "moves_left=1"; same != want { // mixer tells no turns
			t.Errorf("%s: the same visits %v, want %v", word, same, want)
		}
	}
	if got := fmt.Sprint(visits(",contempt=0,spread=0,moves_left=0,choice=visits,look=0,proven=false", match.Bounds{})); got != fmt.Sprint(plain) {
		t.Errorf("defaults in words: visits %s, want %v", got, plain)
	}
}
