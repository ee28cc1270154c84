package player

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/connect4/solve"
	"github.com/ludozero/ludozero/engine/konreh"
)

// TestSolverKeepsTheValue compares its choices and analyses, near the end, with
// those of the exact player.
func TestSolverKeepsTheValue(t *testing.T) {
	g := game(t, &connect4.Family)
	exact := NewExact(g)
	rng := rand.New(rand.NewPCG(1, 2))
	s, h := g.NewState(), g.NewHistory()
	for _, text := range []string{"solver:table=1", "solver:play=any,table=1"} {
		p := newPlayer(t, text, g)
		for n := 0; n < 60; {
			playRandom(s, h, 26+rng.IntN(15), rng)
			if s.Actor() == engine.Nobody {
				continue
			}
			n++
			want, err := exact.values(t.Context(), s, h)
			if err != nil {
				t.Fatal(err)
			}
			p.NewGame(t.Context(), uint64(n))
			chosen, err := choose(t.Context(), p, s, h)
			if err != nil {
				t.Fatal(err)
			}
			p.NewGame(t.Context(), uint64(n))
			a, err := analyze(t.Context(), p, s, h)
			if err != nil {
				t.Fatal(err)
			}
			if a.Choice != chosen || !a.Solved || !a.Judged {
				t.Fatalf("%s: %s: Choose %d, Analyze %+v", text, s.AppendPosition(nil), chosen, a)
			}
			checkAnalysis(t, g, s, h, a, text)
			for i, m := range want {
				got := a.Moves[i]
				if got.Value != m.Value || got.Prob > 0 && m.Prob == 0 || text != "solver:table=1" && got.Prob != m.Prob {
					t.Fatalf("%s: %s: move %+v, want %+v", text, s.AppendPosition(nil), got, m)
				}
			}
			s.CopyFrom(playLine(g, s, a.Line))
			if o := s.Outcome(); !o.Over || text == "solver:table=1" && float64(o.Value(actorBefore(s, len(a.Line)))) != a.Value {
				t.Fatalf("%s: the line %v of value %g ends with %+v", text, a.Line, a.Value, o)
			}
		}
	}
}

func playLine(g engine.Game, from engine.State, line []engine.Action) engine.State {
	s := g.NewState()
	s.CopyFrom(from)
	for _, a := range line {
		s.Apply(a, nil)
	}
	return s
}

// actorBefore is who was to move so many stones before s.
func actorBefore(s engine.State, stones int) engine.Player {
	return engine.Player((s.Turn() - stones) % 2)
}

// TestSolverHurries plays only the best scores if that is its way, and any column
// of the same outcome otherwise.
func TestSolverHurries(t *testing.T) {
	g := game(t, &connect4.Family)
	rng := rand.New(rand.NewPCG(3, 4))
	judge := solve.New(1 << 20)
	s := g.NewState()
	found := map[int]int{} // positions in which the two differ, by outcome
	for found[1] < 5 || found[-1] < 5 {
		playRandom(s, g.NewHistory(), 20+rng.IntN(8), rng)
		if s.Actor() == engine.Nobody {
			continue
		}
		columns, err := judge.Scores(t.Context(), s.(*connect4.State))
		if err != nil {
			t.Fatal(err)
		}
		best := solve.Best(columns)
		quick, all := map[engine.Action]bool{}, map[engine.Action]bool{}
		for c, x := range columns {
			if x == best {
				quick[engine.Action(c)] = true
			}
			if x != solve.Full && x.Outcome() == best.Outcome() {
				all[engine.Action(c)] = true
			}
		}
		if len(quick) == len(all) {
			continue
		}
		found[best.Outcome()]++
		for text, want := range map[string]map[engine.Action]bool{"solver:table=1": quick, "solver:table=1,play=any": all} {
			p, seen := newPlayer(t, text, g), map[engine.Action]bool{}
			for seed := range uint64(200) {
				p.NewGame(t.Context(), seed)
				a, err := choose(t.Context(), p, s, nil)
				if err != nil {
					t.Fatal(err)
				}
				seen[a] = true
			}
			if !maps.Equal(seen, want) {
				t.Errorf("%s: %s: columns %v, want %v of %v", text, s.AppendPosition(nil), seen, want, columns)
			}
		}
	}
}

func TestSolverKnowsConnectFourOnly(t *testing.T) {
	spec, err := Parse("solver", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := spec.New(game(t, &konreh.Family)); err == nil || !strings.Contains(err.Error(), "player solver:play=best: it knows connect4, not konreh") {
		t.Errorf("New for konreh = %v", err)
	}
}

func TestSolverDescriptions(t *testing.T) {
	for text, want := range map[string]string{
		"solver":                   "solver:play=best",
		"solver:table=64,play=any": "solver:play=any",
		"solver:table=1":           "solver:play=best,table=1",
	} {
		spec, err := Parse(text, nil)
		if err != nil || spec.Text != want {
			t.Errorf("Parse(%q) = %v, %v, want %q", text, spec, err, want)
		}
	}
	if _, err := Parse("solver:play=fast,table=0", nil); err == nil || !strings.Contains(err.Error(), "play=fast: want one of best, any") || !strings.Contains(err.Error(), "table=0: want 1 to 16384") {
		t.Errorf("Parse of wrong options = %v", err)
	}
}

// TestSolverStops on the empty board, which would take minutes.
func TestSolverStops(t *testing.T) {
	g := game(t, &connect4.Family)
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	p := newPlayer(t, "solver:table=1", g)
	looked := &countingContext{Context: ctx, after: 5, do: func() { cancel(cause) }}
	if _, err := choose(looked, p, g.NewState(), nil); !errors.Is(err, cause) {
		t.Errorf("Choose = %v, want its cause", err)
	}
}

// countingContext calls do when it is looked at that often.
type countingContext struct {
	context.Context
	after int
	do    func()
}

func (c *countingContext) Err() error {
	if c.after--; c.after == 0 {
		c.do()
	}
	return c.Context.Err()
}

func TestSolverNobodyToDecide(t *testing.T) {
	g := game(t, &connect4.Family)
	s, rng := g.NewState(), rand.New(rand.NewPCG(1, 2))
	playRandom(s, g.NewHistory(), 42, rng)
	if _, err := choose(t.Context(), newPlayer(t, "solver:table=1", g), s, nil); !errors.Is(err, ErrNoDecision) {
		t.Errorf("Choose in a finished game = %v, want ErrNoDecision", err)
	}
}
