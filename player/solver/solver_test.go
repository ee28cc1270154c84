package solver

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/connect4/solve"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

func parse(text string) (*player.Spec, error) {
	return player.Parse(text, map[string]player.Kind{KindName: Kind()})
}

func newPlayer(t *testing.T, text string, g engine.Game) match.Player {
	t.Helper()
	spec, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := spec.New(g)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func game(t *testing.T, f *engine.Family) engine.Game {
	t.Helper()
	g, err := f.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// playRandom plays up to n random decisions from the start.
func playRandom(s engine.State, h *engine.History, n int, rng *rand.Rand) {
	for s.Start(h); n > 0 && s.Actor() != engine.Nobody; n-- {
		l := s.Legal(nil, h)
		s.Apply(l[rng.IntN(len(l))], h)
	}
}

func choose(ctx context.Context, p match.Player, s engine.State, h *engine.History) (engine.Action, error) {
	a, err := p.Think(ctx, s, h, match.Bounds{})
	if err != nil {
		return 0, err
	}
	return a.Choice, nil
}

// TestSolverKeepsTheValue compares its choices and analyses, near the end, with
// those of the exact player.
func TestSolverKeepsTheValue(t *testing.T) {
	g := game(t, &connect4.Family)
	exact := player.NewExact(g)
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
			want, err := match.Analyze(t.Context(), exact, uint64(n), s, h)
			if err != nil {
				t.Fatal(err)
			}
			p.NewGame(t.Context(), uint64(n))
			chosen, err := choose(t.Context(), p, s, h)
			if err != nil {
				t.Fatal(err)
			}
			a, err := match.Analyze(t.Context(), p, uint64(n), s, h)
			if err != nil {
				t.Fatal(err)
			}
			if a.Choice != chosen || !a.Solved || !a.Judged {
				t.Fatalf("%s: %s: Choose %d, Analyze %+v", text, s.AppendPosition(nil), chosen, a)
			}
			if len(a.Moves) != len(want.Moves) || a.Line[0] != a.Choice {
				t.Fatalf("%s: %s: %+v, want the moves of %+v", text, s.AppendPosition(nil), a, want)
			}
			for i, m := range want.Moves {
				got := a.Moves[i]
				if got.Action != m.Action || got.Value != m.Value || got.Prob > 0 && m.Prob == 0 || text != "solver:table=1" && got.Prob != m.Prob {
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
	spec, err := parse("solver")
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
		spec, err := parse(text)
		if err != nil || spec.Text != want {
			t.Errorf("Parse(%q) = %v, %v, want %q", text, spec, err, want)
		}
	}
	if _, err := parse("solver:play=fast,table=0"); err == nil || !strings.Contains(err.Error(), "play=fast: want one of best, any") || !strings.Contains(err.Error(), "table=0: want 1 to 16384") {
		t.Errorf("Parse of wrong options = %v", err)
	}
}

// TestSolverStops on the empty board, which would take minutes, and then plays another
// position as if it had never been asked.
func TestSolverStops(t *testing.T) {
	g := game(t, &connect4.Family)
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	p := newPlayer(t, "solver:table=1", g)
	looked := &countingContext{Context: ctx, after: 5, do: func() { cancel(cause) }}
	if _, err := choose(looked, p, g.NewState(), nil); !errors.Is(err, cause) {
		t.Errorf("Choose = %v, want its cause", err)
	}
	s, h := g.NewState(), g.NewHistory()
	playRandom(s, h, 24, rand.New(rand.NewPCG(9, 8)))
	want, err := match.Analyze(t.Context(), newPlayer(t, "solver:table=1", g), 42, s, h)
	if err != nil {
		t.Fatal(err)
	}
	if a, err := match.Analyze(t.Context(), p, 42, s, h); err != nil || !reflect.DeepEqual(a, want) {
		t.Errorf("after it was stopped %+v, %v, want %+v", a, err, want)
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
	if _, err := choose(t.Context(), newPlayer(t, "solver:table=1", g), s, nil); !errors.Is(err, player.ErrNoDecision) {
		t.Errorf("Choose in a finished game = %v, want ErrNoDecision", err)
	}
}
