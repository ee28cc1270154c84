package player

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
)

// analysts are makers of every kind of player that analyses.
func analysts(g engine.Game) map[string]func() match.Player {
	network := func(search string, sims int) func() match.Player {
		return func() match.Player {
			cfg := mcts.DefaultConfig()
			cfg.Search, cfg.Simulations = search, sims
			return mustNet(g, &mixer{}, cfg)
		}
	}
	return map[string]func() match.Player{
		"random":     func() match.Player { return newRandom(g) },
		"minimax":    func() match.Player { return newMinimax(g, 2) },
		"uct":        func() match.Player { return newUCT(g, 30, 600) },
		"one uct":    func() match.Player { return newUCT(g, 1, 600) },
		"net":        network(mcts.SearchPUCT, 30),
		"bare net":   network(mcts.SearchPUCT, 1),
		"gumbel net": network(mcts.SearchGumbel, 30),
	}
}

// walk calls do at every decision of a few random games of g.
func walk(t *testing.T, g engine.Game, games, plies int, do func(s engine.State, h *engine.History)) {
	t.Helper()
	var draw source
	draw.reseed(5)
	var chance []engine.Weighted
	for range games {
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		for n := 0; n < plies && s.Actor() != engine.Nobody; n++ {
			if s.Actor() != engine.Chance {
				do(s, h)
			}
			list := engine.AppendPossible(nil, &chance, s, h)
			s.Apply(list[draw.below(len(list))], h)
		}
	}
}

// TestAnalysisIsOfTheChoice holds every kind to what match.Player promises, in games
// with chance, with repeated movers and with phases.
func TestAnalysisIsOfTheChoice(t *testing.T) {
	all := small(t)
	all["konreh"] = game(t, &konreh.Family)
	for name, g := range all {
		makers := analysts(g)
		if name != "konreh" {
			makers["exact"] = func() match.Player { return NewExact(g) }
		}
		for kind, newPlayer := range makers {
			chooser, analyst := newPlayer(), newPlayer()
			chooser.NewGame(t.Context(), 7)
			analyst.NewGame(t.Context(), 7)
			walk(t, g, 2, 60, func(s engine.State, h *engine.History) {
				before := string(s.AppendPosition(nil))
				want, err := choose(context.Background(), chooser, s, h)
				if err != nil {
					t.Fatalf("%s, %s: %v", name, kind, err)
				}
				got, err := analyze(context.Background(), analyst, s, h)
				if err != nil {
					t.Fatalf("%s, %s: %v", name, kind, err)
				}
				if got.Choice != want {
					t.Fatalf("%s, %s: %s: Analyze chooses %d, Choose %d", name, kind, before, got.Choice, want)
				}
				if after := string(s.AppendPosition(nil)); after != before {
					t.Fatalf("%s, %s: Analyze made %s of %s", name, kind, after, before)
				}
				checkAnalysis(t, g, s, h, got, name+", "+kind)
			})
		}
	}
}

func checkAnalysis(t *testing.T, g engine.Game, s engine.State, h *engine.History, a *match.Analysis, who string) {
	t.Helper()
	var actions []engine.Action
	sum := 0.0
	for _, m := range a.Moves {
		actions = append(actions, m.Action)
		sum += m.Prob
		if math.Abs(m.Value) > 1.0001 || m.Prob < 0 || !m.Judged && m.Value != 0 {
			t.Fatalf("%s: move %+v", who, m)
		}
	}
	if want := s.Legal(nil, h); !slices.Equal(actions, want) {
		t.Fatalf("%s: moves are %v, want %v", who, actions, want)
	}
	if math.Abs(sum-1) > 1e-5 || math.Abs(a.Value) > 1.0001 {
		t.Fatalf("%s: policy sums to %g, value %g", who, sum, a.Value)
	}
	if len(a.Line) == 0 || a.Line[0] != a.Choice {
		t.Fatalf("%s: line %v of choice %d", who, a.Line, a.Choice)
	}
	at, past, scratch := g.NewState(), g.NewHistory(), []engine.Weighted(nil)
	at.CopyFrom(s)
	past.CopyFrom(h)
	for i, x := range a.Line {
		if !slices.Contains(engine.AppendPossible(nil, &scratch, at, past), x) {
			t.Fatalf("%s: %d, number %d of the line %v, is not possible", who, x, i, a.Line)
		}
		at.Apply(x, past)
	}
}

// TestExactAnalysisIsTheSolution compares with the solver of the conformance suite.
func TestExactAnalysisIsTheSolution(t *testing.T) {
	for name, g := range small(t) {
		memo, e := map[string]float64{}, NewExact(g)
		walk(t, g, 3, 60, func(s engine.State, h *engine.History) {
			a, err := analyze(context.Background(), e, s, h)
			if err != nil {
				t.Fatal(err)
			}
			view := func(v float64) float64 {
				if s.Actor() == engine.Second {
					return -v
				}
				return v
			}
			if want := view(enginetest.Solve(g, s, memo)); math.Abs(a.Value-want) > 1e-9 || !a.Solved || !a.Judged {
				t.Fatalf("%s: %s is worth %g (%+v), want %g", name, s.AppendPosition(nil), a.Value, a, want)
			}
			next := g.NewState()
			for _, m := range a.Moves {
				next.CopyFrom(s)
				next.Apply(m.Action, nil)
				if want := view(enginetest.Solve(g, next, memo)); math.Abs(m.Value-want) > 1e-9 {
					t.Fatalf("%s: %s: action %d is worth %g, want %g", name, s.AppendPosition(nil), m.Action, m.Value, want)
				}
				if best := m.Value == a.Value; best != (m.Prob > 0) {
					t.Fatalf("%s: %s: %+v with a value of %g", name, s.AppendPosition(nil), m, a.Value)
				}
			}
		})
	}
}

// TestMinimaxAnalysisValuesEveryMove against a search of each position after it.
func TestMinimaxAnalysisValuesEveryMove(t *testing.T) {
	g := game(t, &konreh.Family)
	walk(t, g, 1, 80, func(s engine.State, h *engine.History) {
		m := newMinimax(g, 1)
		a, err := analyze(context.Background(), m, s, h)
		if err != nil {
			t.Fatal(err)
		}
		best := -2.0
		for _, x := range a.Moves {
			best = max(best, x.Value)
		}
		if a.Value != best {
			t.Fatalf("%s: value %g, best move %g", s.AppendPosition(nil), a.Value, best)
		}
		next := g.NewState()
		for _, x := range a.Moves {
			next.CopyFrom(s)
			next.Apply(x.Action, nil)
			if next.Turn() == s.Turn() || next.Outcome().Over {
				continue // the turn goes on, or nothing is left to judge
			}
			if want := float64(byMaterial(next, s.Actor())); x.Value != want {
				t.Fatalf("%s: action %d is worth %g, want %g", s.AppendPosition(nil), x.Action, x.Value, want)
			}
		}
	})
}

// TestAnalysesSeeTheWin asks each search that looks ahead for a move that wins
// at once, and for the value of a forced one.
func TestAnalysesSeeTheWin(t *testing.T) {
	g := game(t, &tictactoe.Family)
	s := g.NewState()
	if err := s.ParsePosition("oo./xx./... x"); err != nil {
		t.Fatal(err)
	}
	win, err := s.ParseAction("c2", nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg := mcts.DefaultConfig()
	cfg.Simulations, cfg.Proven = 50, true
	for name, p := range map[string]match.Player{
		"minimax": newMinimax(g, 1), "uct": newUCT(g, 400, 600), "exact": NewExact(g), "proven net": mustNet(g, &mixer{}, cfg),
	} {
		p.NewGame(t.Context(), 1)
		a, err := analyze(context.Background(), p, s, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a.Choice != win || a.Value < 0.7 || !slices.Equal(a.Line, []engine.Action{win}) {
			t.Errorf("%s: %+v, want %d and a win", name, a, win)
		}
		if solved := name == "exact" || name == "proven net"; a.Solved != solved {
			t.Errorf("%s: solved %v", name, a.Solved)
		}
	}
}

// TestAnalyzeWhereNobodyDecides, and with a context that has ended.
func TestAnalyzeWhereNobodyDecides(t *testing.T) {
	g := game(t, &connect4.Family)
	s := g.NewState()
	s.Start(nil)
	for _, word := range "11111" {
		x, err := s.ParseAction(string(word), nil)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(x, nil)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for kind, newPlayer := range analysts(g) {
		if _, err := analyze(ended, newPlayer(), s, nil); !errors.Is(err, context.Canceled) && kind != "minimax" {
			t.Errorf("%s: %v, want the end of the context", kind, err)
		}
	}
	for _, word := range []string{"2", "1", "2", "3", "2", "3", "2"} {
		x, err := s.ParseAction(word, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(x, nil)
	}
	if !s.Outcome().Over {
		t.Fatalf("%s goes on", s.AppendPosition(nil))
	}
	for kind, newPlayer := range analysts(g) {
		if _, err := analyze(context.Background(), newPlayer(), s, nil); !errors.Is(err, ErrNoDecision) {
			t.Errorf("%s: %v after the end, want %v", kind, err, ErrNoDecision)
		}
	}
}
