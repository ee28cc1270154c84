package lab

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/player/solver"
	"github.com/ludozero/ludozero/study"
)

// silent shows nothing.
type silent struct{}

func (silent) Start(int, string) {}
func (silent) Set(int, string)   {}
func (silent) Stop()             {}
func (silent) Line(string)       {}

// sheetOf plays a sheet.
func sheetOf(t *testing.T, f *engine.Family, o Options) *Result {
	t.Helper()
	o.Game = f.Name
	g, err := f.Parse(o.Rules)
	if err != nil {
		t.Fatal(err)
	}
	players := open.New(engine.Families{f})
	t.Cleanup(players.Close)
	s, err := New(o, f, g, players, silent{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := s.Experiment()
	if err != nil {
		t.Fatal(err)
	}
	e.Plan = func(context.Context, *study.Plan) error { return nil }
	r, err := e.Run(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return r.(*Result)
}

// truth is what all games of an exhaustive enumeration or a recursion come to.
type truth map[string]float64

// hold wants the figures of a side to be near the truth: within twice the half width of their
// intervals, which is some four standard errors, or exactly it where no interval is known.
func (w truth) hold(t *testing.T, what string, s *Side) {
	t.Helper()
	for id, want := range w {
		e, games, ok := s.estimate(id)
		if !ok {
			t.Errorf("%s: nothing of %s, want %.4f", what, id, want)
			continue
		}
		within := 1e-9
		if !math.IsInf(e.High, 0) {
			within = 2*max(e.High-e.Value, e.Value-e.Low) + 1e-9
		}
		if math.Abs(e.Value-want) > within {
			t.Errorf("%s: %s is %.4f (%.4f to %.4f) in %d games, want %.4f", what, id, e.Value, e.Low, e.High, games, want)
		}
		if within > 0.15*max(1, want) && !math.IsInf(e.High, 0) {
			t.Errorf("%s: %s is known to ±%.3f only: the test would hold anything", what, id, within)
		}
	}
}

// exactly wants the figures of a side to be the truth, whatever their intervals; nothing of
// what is not a number.
func (w truth) exactly(t *testing.T, what string, s *Side) {
	t.Helper()
	for id, want := range w {
		if e, games, ok := s.estimate(id); ok == math.IsNaN(want) || ok && math.Abs(e.Value-want) > 1e-9 {
			t.Errorf("%s: %s is %v in %d games, want %g", what, id, e, games, want)
		}
	}
}

// Of random games of tic-tac-toe everything is known: all 255,168 are enumerated with their
// probabilities, and the values of positions are those of minimax.
func TestRandomTicTacToe(t *testing.T) {
	o := DefaultOptions()
	o.Players, o.Judge, o.Games, o.Judged, o.DepthPairs = []string{"random"}, "exact", 4000, 1000, 0
	r := sheetOf(t, &tictactoe.Family, o)
	w := enumerate(o.game(t, &tictactoe.Family), "", 9)
	w["openings"] = math.Log2(72) // the first two moves
	w.hold(t, "random", &r.Strengths[0].Sides[0])
	// Known besides: Gardner's shares of random games.
	if math.Abs(w["first_score"]-(0.585+0.127/2)) > 0.001 || math.Abs(w["draws"]-8./63) > 1e-9 {
		t.Fatalf("the enumeration says %v", w)
	}
}

// Of games without a mistake everything is known, too.
func TestPerfectTicTacToe(t *testing.T) {
	o := DefaultOptions()
	o.Players, o.Judge, o.Games, o.Judged, o.DepthPairs, o.Slips = []string{"exact"}, "exact", 200, 200, 0, 0
	r := sheetOf(t, &tictactoe.Family, o)
	none := math.NaN()
	truth{
		"first_score": 0.5, "draws": 1, "completed": 1, "turns": 9, "decisions": 9, "branching": 5, "choices": 8. / 9, "board": 1, "end:full": 1, "end:line": none,
		"drama": none, "leads": 0, "decisive_turn": none, "decisiveness": none, "uncertainty": 1, "late_uncertainty": 1, "luck": none,
	}.exactly(t, "exact", &r.Strengths[0].Sides[0])
}

func (o *Options) game(t *testing.T, f *engine.Family) engine.Game {
	t.Helper()
	g, err := f.Parse(o.Rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestConnectFour asks the solver, which knows nothing of minimax here, how random games of
// Connect Four stand from a late position on, and has it play from an earlier one.
func TestConnectFour(t *testing.T) {
	o := DefaultOptions()
	g := o.game(t, &connect4.Family)
	spec := func(text string) *player.Spec {
		p, err := player.Parse(text, map[string]player.Kind{solver.KindName: solver.Kind()})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	sheet := func(player, line string, games int) Side {
		o.Games, o.Judged, o.Slips = games, games, 0
		series, err := o.Series(g, spec(player))
		if err != nil {
			t.Fatal(err)
		}
		series.Openings.List[0].Position = line
		played, err := series.Run(t.Context(), nil, match.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		asked, err := spec("solver:play=any").New(g)
		if err != nil {
			t.Fatal(err)
		}
		in := &Input{Game: "connect4", Rules: []string{"standard"}, Players: []string{player}, Config: o.Config}
		cell, r, j := Cell{}, NewReader(g), newJudge(g, asked, nil)
		for i := range played {
			one, err := r.Read(&played[i])
			if err != nil {
				t.Fatal(err)
			}
			if one.Curve, err = j.curve(t.Context(), 1, &played[i]); err != nil {
				t.Fatal(err)
			}
			cell.Games = append(cell.Games, one)
		}
		in.Cells = []Cell{cell}
		return Build(in).Strengths[0].Sides[0]
	}
	late, early := connectFourPosition(t, g, 30), connectFourPosition(t, g, 26)
	random := sheet("random", late, 2000)
	enumerate(g, late, 42).hold(t, "random", &random)
	s := g.NewState()
	if err := engine.SetUp(s, nil, early); err != nil {
		t.Fatal(err)
	}
	value := solve(s, map[uint64]float64{})
	perfect := sheet("solver:play=any", early, 40)
	truth{
		"first_score": (1 + value) / 2, "draws": indicator(value == 0), "leads": 0, "uncertainty": 1 - math.Abs(value), "late_uncertainty": 1 - math.Abs(value),
	}.exactly(t, "solver", &perfect)
	if value != 0 {
		truth{"drama": 0, "decisive_turn": 0, "decisiveness": 1}.exactly(t, "solver", &perfect)
	}
}

// connectFourPosition is a position with that many stones after random moves, in which a game
// may still be won, drawn or lost.
func connectFourPosition(t *testing.T, g engine.Game, stones int) string {
	t.Helper()
	for run := range uint64(10_000) {
		rng := rand.New(rand.NewPCG(uint64(stones), run))
		s := g.NewState()
		s.Start(nil)
		for s.Actor() != engine.Nobody && s.Turn() < stones {
			list := s.Legal(nil, nil)
			s.Apply(list[rng.IntN(len(list))], nil)
		}
		if s.Actor() == engine.Nobody {
			continue
		}
		known, results := map[uint64]float64{}, map[float64]bool{}
		for _, a := range s.Legal(nil, nil) {
			next := cloneOf(s)
			next.Apply(a, nil)
			results[solve(next, known)] = true
		}
		if len(results) == 3 {
			return string(s.AppendPosition(nil))
		}
	}
	t.Fatal("no such position")
	return ""
}

// Racegame has dice between two decisions of a turn, and few enough positions for a
// recursion over all of them: of random games, and of games without a mistake.
func TestRacegame(t *testing.T) {
	o := DefaultOptions()
	o.Players, o.Judge, o.Games, o.Judged, o.DepthPairs, o.Slips = []string{"random", "exact"}, "exact", 4000, 400, 0, 0
	r := sheetOf(t, &racegame.Family, o)
	g := racegame.New()
	start := g.NewState()
	start.Start(nil)
	known := map[uint64]float64{}
	value := solve(start, known)
	random := expect(g, func(s engine.State, actions []engine.Action) []engine.Action { return actions })
	random.hold(t, "random", &r.Strengths[0].Sides[0])
	truth{"first_score": (1 + value) / 2}.hold(t, "exact", &r.Strengths[1].Sides[0])
	perfect := expect(g, func(s engine.State, actions []engine.Action) []engine.Action {
		next, now := g.NewState(), solve(s, known)
		var best []engine.Action
		for _, a := range actions {
			next.CopyFrom(s)
			next.Apply(a, nil)
			if math.Abs(solve(next, known)-now) < 1e-9 {
				best = append(best, a)
			}
		}
		return best
	})
	if math.Abs(perfect["first_score"]-(1+value)/2) > 1e-9 {
		t.Fatalf("best play makes %v, the value is %g", perfect, value)
	}
	perfect.hold(t, "exact", &r.Strengths[1].Sides[0])
	// Dice decide much of a random game, and all that is not drawn by choice between equals.
	for k, strength := range r.Strengths {
		e, _, ok := strength.Sides[0].estimate("luck")
		if !ok || e.Low < 0.05 || e.High > 1 {
			t.Errorf("player %d: luck explains %v of the results", k, e)
		}
	}
}

// Where the rules settle the start, an opening is what follows it: players do not draw what
// they settle it with, so that it would be the same in all games.
func TestOpeningsFollowTheSettledStart(t *testing.T) {
	g, err := konreh.Family.Parse("balance=pie")
	if err != nil {
		t.Fatal(err)
	}
	m := &match.Game{Number: 1, Pair: 1, AFirst: true}
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	var words []string
	for len(words) < 6 {
		list := s.Legal(nil, h)
		words = append(words, string(s.AppendAction(nil, list[0])))
		s.Apply(list[0], h)
	}
	m.Moves = strings.Join(words, " ")
	read, err := NewReader(g).Read(m)
	if err != nil {
		t.Fatal(err)
	}
	// A slide and the choice of a side settle it.
	if want := strings.Join(words[2:4], " ") + " "; read.Opening != want {
		t.Errorf("of %q the opening is %q, want %q", m.Moves, read.Opening, want)
	}
}
