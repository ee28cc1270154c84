package player

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest"
	"github.com/ludozero/ludozero/engine/enginetest/pienim"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

func game(t testing.TB, f *engine.Family) engine.Game {
	t.Helper()
	g, err := f.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// small are the games that brute force can deal with: alternating moves,
// repeated movers with a swap, and chance.
func small(t testing.TB) map[string]engine.Game {
	return map[string]engine.Game{
		"tictactoe": game(t, &tictactoe.Family),
		"pienim":    game(t, &pienim.Family),
		"racegame":  game(t, &racegame.Family),
	}
}

// playRandom plays up to n random decisions from the start.
func playRandom(s engine.State, h *engine.History, n int, rng *rand.Rand) {
	s.Start(h)
	playRandomOn(s, h, n, rng)
}

// playRandomOn plays n more random decisions, or as many as there are.
func playRandomOn(s engine.State, h *engine.History, n int, rng *rand.Rand) {
	for range n {
		switch s.Actor() {
		case engine.Nobody:
			return
		case engine.Chance:
			c := s.Chance(nil)
			s.Apply(c[rng.IntN(len(c))].Code, h)
		default:
			l := s.Legal(nil, h)
			s.Apply(l[rng.IntN(len(l))], h)
		}
	}
}

// TestExactRefusesLargeGames before it solves anything, and no position that it can solve.
func TestExactRefusesLargeGames(t *testing.T) {
	for _, g := range small(t) {
		s := g.NewState()
		s.Start(g.NewHistory())
		if err := NewExact(g).CheckStart(t.Context(), s); err != nil {
			t.Error(err)
		}
	}
	g := game(t, &connect4.Family)
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	e := NewExact(g)
	if err := e.CheckStart(t.Context(), s); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "of connect4, standard, more than 1000000 positions can arise") || len(e.solved) > 0 {
		t.Errorf("Connect Four: %v, %d positions solved", err, len(e.solved))
	}
	playRandom(s, h, 30, rand.New(rand.NewPCG(1, 2)))
	if err := e.CheckStart(t.Context(), s); err != nil || s.Actor() == engine.Nobody {
		t.Errorf("late in Connect Four: %v", err)
	}
}

// TestExactForgetsOtherPositions: what an Exact player has solved before takes no room from a
// position that it can solve.
func TestExactForgetsOtherPositions(t *testing.T) {
	g := game(t, &connect4.Family)
	rng := rand.New(rand.NewPCG(1, 2))
	positions, values, room := make([]engine.State, 3), make([]float64, 3), 0
	for i := range positions {
		positions[i] = g.NewState()
		for playRandom(positions[i], g.NewHistory(), 32, rng); positions[i].Outcome().Over; {
			playRandom(positions[i], g.NewHistory(), 32, rng)
		}
		alone := NewExact(g)
		a, err := analyze(t.Context(), alone, positions[i], nil)
		if err != nil {
			t.Fatal(err)
		}
		values[i], room = a.Value, max(room, len(alone.solved))
	}
	e := NewExact(g)
	e.room = room
	for i, s := range positions {
		if a, err := analyze(t.Context(), e, s, nil); err != nil || a.Value != values[i] {
			t.Errorf("%s after %d others: %+v, %v, want %g", s.AppendPosition(nil), i, a, err, values[i])
		}
	}
}

func TestExactAgreesWithBruteForce(t *testing.T) {
	for name, g := range small(t) {
		rng := rand.New(rand.NewPCG(1, 2))
		e, memo := NewExact(g), map[string]float64{}
		s, h, after := g.NewState(), g.NewHistory(), g.NewState()
		for i := range 200 {
			playRandom(s, h, rng.IntN(12), rng)
			want := enginetest.Solve(g, s, memo)
			got, err := e.Value(context.Background(), s)
			if err != nil || math.Abs(got-want) > 1e-9 {
				t.Fatalf("%s: Value(%s) = %g, %v, want %g", name, s.AppendPosition(nil), got, err, want)
			}
			if p := s.Actor(); p != engine.First && p != engine.Second {
				continue
			}
			e.NewGame(t.Context(), uint64(i))
			a, err := choose(context.Background(), e, s, h)
			if err != nil {
				t.Fatal(err)
			}
			after.CopyFrom(s)
			after.Apply(a, nil)
			if v := enginetest.Solve(g, after, memo); math.Abs(v-want) > 1e-9 {
				t.Fatalf("%s: in %s Choose took the value from %g to %g", name, s.AppendPosition(nil), want, v)
			}
		}
	}
}

// TestExactNeverLosesTicTacToe lets the opponent try everything, with either
// player.
func TestExactNeverLosesTicTacToe(t *testing.T) {
	g := game(t, &tictactoe.Family)
	e := NewExact(g)
	for _, me := range []engine.Player{engine.First, engine.Second} {
		games := 0
		var walk func(s engine.State)
		walk = func(s engine.State) {
			if o := s.Outcome(); o.Over {
				if games++; o.Winner == me.Other() {
					t.Fatalf("lost as %s: %s", me, s.AppendPosition(nil))
				}
				return
			}
			list := s.Legal(nil, nil)
			if s.Actor() == me {
				a, err := choose(context.Background(), e, s, nil)
				if err != nil {
					t.Fatal(err)
				}
				list = []engine.Action{a}
			}
			for _, a := range list {
				next := g.NewState()
				next.CopyFrom(s)
				next.Apply(a, nil)
				walk(next)
			}
		}
		walk(g.NewState())
		if games < 50 {
			t.Fatalf("as %s only %d games were tried", me, games)
		}
	}
}

func TestExactRefusesWhatItCannotSolve(t *testing.T) {
	g := game(t, &connect4.Family)
	if _, err := choose(context.Background(), NewExact(g), g.NewState(), nil); !errors.Is(err, ErrTooLarge) {
		t.Errorf("connect4: Choose = %v, want ErrTooLarge", err)
	}
}

func TestExactRefusesGamesThatRepeat(t *testing.T) {
	g, err := pienim.Family.Parse("shift=true")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := choose(context.Background(), NewExact(g), g.NewState(), nil); !errors.Is(err, ErrTooLarge) {
		t.Errorf("pienim shift=true: Choose = %v, want ErrTooLarge", err)
	}
}

func TestEndedContextStopsEveryPlayer(t *testing.T) {
	g := game(t, &connect4.Family)
	ctx, cancel := context.WithCancelCause(context.Background())
	cause := errors.New("enough")
	cancel(cause)
	for _, text := range []string{"random", "exact", "minimax:depth=9", "mcts:sims=100000"} {
		if _, err := choose(ctx, newPlayer(t, text, g), g.NewState(), g.NewHistory()); !errors.Is(err, cause) {
			t.Errorf("%s: Choose with an ended context = %v, want its cause", text, err)
		}
	}
}

func TestNobodyToDecideIsAnError(t *testing.T) {
	g := game(t, &tictactoe.Family)
	s := g.NewState()
	for s.Actor() != engine.Nobody {
		s.Apply(s.Legal(nil, nil)[0], nil)
	}
	for _, text := range []string{"random", "exact", "minimax:depth=1", "mcts:sims=1"} {
		if _, err := choose(context.Background(), newPlayer(t, text, g), s, nil); !errors.Is(err, ErrNoDecision) {
			t.Errorf("%s: Choose in a finished game = %v, want ErrNoDecision", text, err)
		}
	}
}
