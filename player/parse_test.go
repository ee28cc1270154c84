package player

import (
	"errors"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/match"
)

func newPlayer(t testing.TB, text string, g engine.Game) match.Player {
	t.Helper()
	spec, err := Parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := spec.New(g)
	if err != nil {
		t.Fatal(err)
	}
	p.NewGame(t.Context(), 1)
	return p
}

// extra is a kind with an argument, a word and a default, as a command plugs in.
func extra(made *Values) map[string]Kind {
	return map[string]Kind{"net": {
		Doc:      "a network",
		Argument: "PATH",
		Options: []Option{
			{Name: "sims", Doc: "simulations a move", Min: 1, Max: 100},
			{Name: "kind", Doc: "arithmetic", Default: "f32", Values: []string{"f32", "int8"}},
		},
		Make: func(v Values) (Factory, error) {
			if v.Argument == "missing" {
				return nil, errors.New("no such file")
			}
			*made = v
			return func(g engine.Game) (match.Player, error) { return newRandom(g), nil }, nil
		},
	}}
}

func TestParseIsCanonical(t *testing.T) {
	var v Values
	for _, c := range []struct{ text, want string }{
		{"random", "random"},
		{"exact", "exact"},
		{"minimax:depth=2", "minimax:depth=2"},
		{"mcts:sims=400", "mcts:sims=400,cap=600"},
		{"mcts:cap=9,sims=400", "mcts:sims=400,cap=9"},
		{"mcts:time=0.1s", "mcts:time=100ms,edges=2097152,cap=600"},
		{"mcts:edges=5000,time=90s", "mcts:time=1m30s,edges=5000,cap=600"},
		{"net:runs/a=b.st,sims=64", "net:runs/a=b.st,sims=64,kind=f32"},
	} {
		spec, err := Parse(c.text, extra(&v))
		if err != nil || spec.Text != c.want {
			t.Errorf("Parse(%q) = %v, %v, want %q", c.text, spec, err, c.want)
			continue
		}
		again, err := Parse(spec.Text, extra(&v))
		if err != nil || again.Text != spec.Text {
			t.Errorf("Parse(%q) = %v, %v, want itself", spec.Text, again, err)
		}
		if _, err := spec.New(game(t, &tictactoe.Family)); err != nil {
			t.Errorf("New of %s: %v", spec.Text, err)
		}
	}
	if v.Argument != "runs/a=b.st" || v.Int("sims") != 64 || v.Text("kind") != "f32" {
		t.Errorf("Make was given %+v", v)
	}
}

func TestParseErrorsSayWhatThereIs(t *testing.T) {
	var v Values
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", []string{`no kind ""`, "exact, mcts, minimax, net, random"}},
		{"stockfish", []string{`no kind "stockfish"`, "exact, mcts, minimax, net, random"}},
		{"random:depth=2", []string{`random has no option "depth": want none`}},
		{"random:", []string{`random has no option ""`}},
		{"minimax", []string{"minimax needs option depth (player turns looked ahead): depth=1..64"}},
		{"minimax:", []string{`minimax has no option ""`, "needs option depth"}},
		{"minimax:depth", []string{"option depth has no value: want depth=1..64"}},
		{"minimax:depth=", []string{"option depth has no value"}},
		{"minimax:depth=two", []string{"option depth=two: want a whole number"}},
		{"minimax:depth=0", []string{"option depth=0: want 1 to 64"}},
		{"minimax:depth=+2", []string{"want a whole number"}},
		{"minimax:depth=2,depth=3", []string{"option depth is set twice"}},
		{"mcts:sims=0,depth=9,cap=x", []string{"option sims=0: want 1 to", `no option "depth": want sims, time, edges, cap`, "option cap=x"}},
		{"mcts", []string{"mcts needs exactly one of sims=1..1000000 (simulations a move) and time=1ms..1h0m0s|clock (time a move, or clock: by what the clock of the game shows)"}},
		{"mcts:cap=9", []string{"mcts needs exactly one of sims="}},
		{"mcts:sims=9,time=1s", []string{"mcts needs exactly one of sims="}},
		{"mcts:time=1s,time=2s", []string{"option time is set twice"}},
		{"mcts:time=9", []string{"option time=9: want a time such as 100ms or 2s"}},
		{"mcts:time=10us", []string{"option time=10us: want 1ms to 1h0m0s"}},
		{"mcts:time=2h", []string{"want 1ms to 1h0m0s"}},
		{"mcts:time=1s,edges=9", []string{"option edges=9: want 4096 to 67108864"}},
		{"mcts:sims=1,edges=5000", []string{"option edges means something with time only"}},
		{"net", []string{"net needs its PATH first: net:PATH", "needs option sims"}},
		{"net:,sims=2", []string{"net needs its PATH first"}},
		{"net:x,sims=2,kind=bf16", []string{"option kind=bf16: want one of f32, int8"}},
		{"net:missing,sims=2", []string{"no such file"}},
	} {
		_, err := Parse(c.text, extra(&v))
		if err == nil {
			t.Errorf("Parse(%q) succeeded", c.text)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("Parse(%q) = %q, want it to say %q", c.text, err, w)
			}
		}
		if strings.Contains(c.text, "depth=") && strings.Contains(err.Error(), "needs option depth") {
			t.Errorf("Parse(%q) = %q: a bad depth is not a missing one", c.text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"random", "mcts:sims=400,cap=9", "mcts:time=1s", "mcts:edges=5000,time=1h", "minimax:depth=2", "net:a=b,sims=3,kind=int8", "net:,sims=1", "mcts:sims"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var v Values
		spec, err := Parse(text, extra(&v))
		if err != nil {
			return
		}
		again, err := Parse(spec.Text, extra(&v))
		if err != nil || again.Text != spec.Text {
			t.Errorf("Parse(%q) is %q, which reads back as %v, %v", text, spec.Text, again, err)
		}
	})
}

// TestRandomIsUniform needs every first move of tic-tac-toe about equally often.
func TestRandomIsUniform(t *testing.T) {
	g := game(t, &tictactoe.Family)
	p := newPlayer(t, "random", g)
	var count [9]int
	for range 9000 {
		a, err := choose(t.Context(), p, g.NewState(), nil)
		if err != nil {
			t.Fatal(err)
		}
		count[a]++
	}
	for a, n := range count {
		if n < 870 || n > 1130 { // 1000 ± 4.3 standard deviations
			t.Errorf("action %d was chosen %d times in 9000, want about 1000", a, n)
		}
	}
}

// TestWith changes options by the rules of descriptions: a limit takes the place of
// another, with what belonged to that, and what stands nowhere is refused by name.
func TestWith(t *testing.T) {
	for _, c := range []struct{ text, key, value, want string }{
		{"mcts:time=1s,edges=5000,cap=9", "sims", "7", "mcts:sims=7,cap=9"},
		{"mcts:sims=7,cap=9", "time", "2s", "mcts:time=2s,edges=2097152,cap=9"},
		{"alphabeta:depth=3", "hash", "64", "alphabeta:depth=3,hash=64"},
		{"alphabeta:depth=3,hash=64", "nodes", "500", "alphabeta:nodes=500,hash=64"},
		{"random", "depth", "2", `random has no option "depth"`},
		{"alphabeta:depth=3", "sims", "2", `alphabeta has no option "sims"`},
		{"mcts:sims=7", "edges", "5000", "option edges means something with time only"},
	} {
		spec, err := Parse(c.text, nil)
		if err != nil {
			t.Fatal(err)
		}
		changed, err := spec.With([2]string{c.key, c.value})
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = changed.Text
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%s with %s=%s: %s, want %s", c.text, c.key, c.value, got, c.want)
		}
		if _, value, ok := spec.Option(c.key); ok && c.key != "hash" {
			t.Errorf("%s has %s=%s", c.text, c.key, value)
		}
	}
}
