package lab

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
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

// enumerate plays all games from the position of a line, "" for the start, on a board of that
// number of cells, of which every move fills one.
func enumerate(g engine.Game, line string, cells float64) truth {
	w, of := truth{}, map[string]float64{} // sums and what they are divided by
	add := func(id string, p, x float64) { w[id], of[id] = w[id]+p*x, of[id]+p }
	known := map[uint64]float64{}
	values := []float64{}
	legal := []int{}
	var play func(s engine.State, p float64)
	play = func(s engine.State, p float64) {
		if out := s.Outcome(); out.Over {
			c := Curve{Values: append(append([]float64{}, values...), float64(out.Value(engine.First)))}
			n := float64(len(values))
			add("first_score", p, (1+c.result())/2)
			add("draws", p, indicator(out.Winner == engine.Nobody))
			add("completed", p, 1)
			add("turns", p, float64(s.Turn()))
			add("decisions", p, n)
			add("board", p, n/cells)
			w["end:"+out.Reason] += p
			of["end:"+out.Reason] = 1
			for _, k := range legal {
				add("branching", p, float64(k))
				add("choices", p, indicator(k > 1))
			}
			// The measures of a curve once more, in other words.
			lost, reached, holds, changes, last, total := 0.0, -1, 0.0, 0.0, 0.0, 0.0
			for i, v := range c.Values {
				if v != 0 {
					if v == -last {
						changes++
					}
					last = v
				}
				if i == len(values) {
					break
				}
				total += 1 - math.Abs(v)
				lost = max(lost, -v*c.result())
				if v != 0 && reached < 0 {
					reached, holds = i, (1+v*c.result())/2
				}
			}
			add("leads", p, changes)
			add("uncertainty", p, total/n)
			if reached >= 0 {
				add("decisiveness", p, holds)
			}
			if c.result() != 0 {
				add("drama", p, lost/2)
				from := len(values)
				for from > 0 && values[from-1] == c.result() {
					from--
				}
				add("decisive_turn", p, float64(from)/n)
			}
			return
		}
		actions := s.Legal(nil, nil)
		v := solve(s, known)
		values, legal = append(values, v), append(legal, len(actions))
		sign := 1.0
		if s.Actor() == engine.Second {
			sign = -1
		}
		for _, a := range actions {
			next := g.NewState()
			next.CopyFrom(s)
			next.Apply(a, nil)
			each := p / float64(len(actions))
			add("tempo", each, sign*(v-solve(next, known))/2)
			play(next, each)
		}
		values, legal = values[:len(values)-1], legal[:len(legal)-1]
	}
	s := g.NewState()
	if err := engine.SetUp(s, nil, line); err != nil {
		panic(err)
	}
	play(s, 1)
	for id := range w {
		w[id] /= of[id]
	}
	return w
}

// solve is the value of s in the first player's view, by minimax and, where chance decides,
// by its mean.
func solve(s engine.State, known map[uint64]float64) float64 {
	if out := s.Outcome(); out.Over {
		return float64(out.Value(engine.First))
	}
	if v, ok := known[s.Hash()]; ok {
		return v
	}
	next := cloneOf(s)
	var best float64
	switch s.Actor() {
	case engine.Chance:
		for _, o := range s.Chance(nil) {
			next.CopyFrom(s)
			next.Apply(o.Code, nil)
			best += o.Prob * solve(next, known)
		}
	default:
		best = math.Inf(-1)
		sign := 1.0
		if s.Actor() == engine.Second {
			sign = -1
		}
		for _, a := range s.Legal(nil, nil) {
			next.CopyFrom(s)
			next.Apply(a, nil)
			best = max(best, sign*solve(next, known))
		}
		best *= sign
	}
	known[s.Hash()] = best
	return best
}

// cloneOf is another state of the same game.
func cloneOf(s engine.State) engine.State {
	switch s := s.(type) {
	case *tictactoe.State:
		c := *s
		return &c
	case *connect4.State:
		c := *s
		return &c
	case *racegame.State:
		c := *s
		return &c
	}
	panic("a game of another test")
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

// expect is what a game comes to in which each player draws one of the moves that choose
// leaves.
func expect(g engine.Game, choose func(engine.State, []engine.Action) []engine.Action) truth {
	type sums struct{ first, draws, turns, decisions, legal, choices float64 }
	known := map[uint64]sums{}
	var of func(s engine.State) sums
	of = func(s engine.State) sums {
		if out := s.Outcome(); out.Over {
			return sums{first: (1 + float64(out.Value(engine.First))) / 2, draws: indicator(out.Winner == engine.Nobody), turns: float64(s.Turn())}
		}
		if x, ok := known[s.Hash()]; ok {
			return x
		}
		var list []engine.Weighted
		total := sums{}
		if s.Actor() == engine.Chance {
			list = s.Chance(nil)
		} else {
			actions := s.Legal(nil, nil)
			total.decisions, total.legal, total.choices = 1, float64(len(actions)), indicator(len(actions) > 1)
			chosen := choose(s, actions)
			for _, a := range chosen {
				list = append(list, engine.Weighted{Code: a, Prob: 1 / float64(len(chosen))})
			}
		}
		for _, o := range list {
			next := g.NewState()
			next.CopyFrom(s)
			next.Apply(o.Code, nil)
			x := of(next)
			total.first += o.Prob * x.first
			total.draws += o.Prob * x.draws
			total.turns += o.Prob * x.turns
			total.decisions += o.Prob * x.decisions
			total.legal += o.Prob * x.legal
			total.choices += o.Prob * x.choices
		}
		known[s.Hash()] = total
		return total
	}
	s := g.NewState()
	s.Start(nil)
	x := of(s)
	return truth{"first_score": x.first, "draws": x.draws, "turns": x.turns, "decisions": x.decisions, "branching": x.legal / x.decisions, "choices": x.choices / x.decisions}
}
