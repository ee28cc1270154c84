package alphabeta_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/diamondchess"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/engine/knaw"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/player/alphabeta"
)

func begin(t testing.TB, f *engine.Family, rules string, decisions int) (engine.Game, engine.State, *engine.History) {
	t.Helper()
	g, err := f.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	rng := rand.New(rand.NewPCG(1, 1))
	for range decisions {
		list := engine.AppendPossible(nil, new([]engine.Weighted), s, h)
		s.Apply(list[rng.IntN(len(list))], h)
	}
	return g, s, h
}

// TestEveryGameIsSearched, whatever it brings, with the same result each time and
// without allocating.
func TestEveryGameIsSearched(t *testing.T) {
	for _, f := range append(games.All(), &racegame.Family) {
		g, s, h := begin(t, f, "", 2)
		for s.Actor() == engine.Chance {
			s.Apply(s.Chance(nil)[0].Code, h)
		}
		list := s.Legal(nil, h)
		for name, open := range map[string]func(engine.Game) *alphabeta.Engine{"its judge": alphabeta.New, "material": alphabeta.NewPlain} {
			e := open(g)
			first := e.Search(s, h, list, 2, nil)
			if !slices.Contains(list, first.Action) {
				t.Errorf("%s by %s: the choice %d is not legal", f.Name, name, first.Action)
			}
			if other := open(g).Search(s, h, list, 2, nil); other != first {
				t.Errorf("%s by %s: %+v, then %+v", f.Name, name, first, other)
			}
			if n := testing.AllocsPerRun(3, func() { e.NewGame(); e.Search(s, h, list, 2, nil) }); n > 4 {
				t.Errorf("%s by %s: a search allocates %g times", f.Name, name, n)
			}
		}
	}
}

// TestSolvedGamesArePlayedRight: to the end of the game the values are exact.
func TestSolvedGamesArePlayedRight(t *testing.T) {
	g, s, h := begin(t, &tictactoe.Family, "", 0)
	r := alphabeta.New(g).Search(s, h, s.Legal(nil, h), 9, nil)
	if alphabeta.Proven(r.Value) || r.Depth != 9 {
		t.Errorf("tic-tac-toe: %+v, want a draw at depth 9", r)
	}
	g, s, h = begin(t, &connect4.Family, "", 0)
	for _, w := range []string{"1", "4", "1", "4", "2", "4"} { // the first player must stop the column
		a, err := s.ParseAction(w, h)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(a, h)
	}
	r = alphabeta.New(g).Search(s, h, s.Legal(nil, h), 3, nil)
	if word := string(s.AppendAction(nil, r.Action)); word != "4" {
		t.Errorf("Connect Four: %s, want 4: %+v", word, r)
	}
}

// TestTurnsAreJudgedBeforeTheirRoll: the mean over the dice, without a look at each.
func TestTurnsAreJudgedBeforeTheirRoll(t *testing.T) {
	g, s, h := begin(t, &knaw.Family, "", 5)
	if s.Actor() == engine.Chance {
		t.Fatalf("a roll in %s", s.AppendPosition(nil))
	}
	judge, list, want := g.(engine.Judged).NewJudge(), s.Legal(nil, h), int32(-1<<31)
	next, rolled := g.NewState(), g.NewState()
	for _, a := range list {
		next.CopyFrom(s)
		next.Apply(a, h)
		sum := 0.0
		for _, o := range next.Chance(nil) {
			rolled.CopyFrom(next)
			rolled.Apply(o.Code, h)
			value, _ := judge.Judge(rolled, 0)
			sum -= o.Prob * float64(value)
		}
		want = max(want, int32(math.Round(sum)))
	}
	r := alphabeta.New(g).Search(s, h, list, 1, nil)
	if r.Value != want || r.Nodes >= 2*int64(len(list)) {
		t.Errorf("%s: %+v, want the value %d in less than %d nodes", s.AppendPosition(nil), r, want, 2*len(list))
	}
}

// TestChanceIsAveraged compares searches of the race with exact expectation by brute
// force.
func TestChanceIsAveraged(t *testing.T) {
	g, err := racegame.Family.Parse("standard,track=5,turns=12")
	if err != nil {
		t.Fatal(err)
	}
	var value func(s engine.State, p engine.Player) float64
	value = func(s engine.State, p engine.Player) float64 {
		if o := s.Outcome(); o.Over {
			return float64(o.Value(p))
		}
		next := g.NewState()
		if s.Actor() == engine.Chance {
			sum := 0.0
			for _, o := range s.Chance(nil) {
				next.CopyFrom(s)
				next.Apply(o.Code, nil)
				sum += o.Prob * value(next, p)
			}
			return sum
		}
		best := -2.0
		for _, a := range s.Legal(nil, nil) {
			next.CopyFrom(s)
			next.Apply(a, nil)
			best = max(best, value(next, s.Actor()))
		}
		if s.Actor() != p {
			return -best
		}
		return best
	}
	rng := rand.New(rand.NewPCG(2, 2))
	tried := 0
	for tried < 20 {
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		for !s.Outcome().Over && (s.Turn() < 9 || s.Actor() > engine.Second) {
			list := engine.AppendPossible(nil, new([]engine.Weighted), s, h)
			s.Apply(list[rng.IntN(len(list))], h)
		}
		list := s.Legal(nil, h)
		if len(list) < 2 {
			continue // the game is over, or nothing is to be decided
		}
		tried++
		r := alphabeta.New(g).Search(s, h, list, alphabeta.MaxDepth, nil)
		next := g.NewState()
		best, chosen := -2.0, 0.0
		for _, a := range list {
			next.CopyFrom(s)
			next.Apply(a, nil)
			v := value(next, s.Actor())
			best = max(best, v)
			if a == r.Action {
				chosen = v
			}
		}
		if chosen < best-1e-3 {
			t.Errorf("%s: the choice is worth %.4f, the best %.4f", s.AppendPosition(nil), chosen, best)
		}
	}
}

// BenchmarkGames counts positions by game.
func BenchmarkGames(b *testing.B) {
	for _, f := range []*engine.Family{&konreh.Family, &diamondchess.Family} {
		b.Run(f.Name, func(b *testing.B) {
			g, s, h := begin(b, f, "", 40)
			e, list := alphabeta.New(g), s.Legal(nil, h)
			nodes := int64(0)
			for b.Loop() {
				e.NewGame()
				nodes += e.Search(s, h, list, 3, nil).Nodes
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}

// drafting is Connect Four in which all decisions belong to one turn.
type drafting struct{ engine.Game }

type draft struct{ engine.State }

func (g drafting) NewState() engine.State { return draft{g.Game.NewState()} }
func (draft) Turn() int                   { return 0 }
func (s draft) CopyFrom(src engine.State) { s.State.CopyFrom(src.(draft).State) }

// TestLongTurnsEnd: a draft of many decisions in one turn is not searched to its end.
func TestLongTurnsEnd(t *testing.T) {
	g, err := connect4.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	d := drafting{g}
	s, h := d.NewState(), d.NewHistory()
	if r := alphabeta.New(d).Search(s, h, s.Legal(nil, h), 3, nil); r.Nodes > 200_000 {
		t.Errorf("three turns took %d positions", r.Nodes)
	}
}

// TestLongTurnsStopInTime: positions at which a long turn is judged count like others.
func TestLongTurnsStopInTime(t *testing.T) {
	g, _, _ := begin(t, &connect4.Family, "", 0)
	d := drafting{g}
	s, h := d.NewState(), d.NewHistory()
	s.Start(h)
	for most := int64(alphabeta.NodesPerStop); most < 100*alphabeta.NodesPerStop; most += alphabeta.NodesPerStop {
		asked := int64(0)
		stop := func() bool {
			asked += alphabeta.NodesPerStop
			return asked >= most
		}
		if r := alphabeta.New(d).Search(s, h, s.Legal(nil, h), 3, stop); r.Nodes != most && r.Depth < 3 {
			t.Fatalf("%d positions, want %d", r.Nodes, most)
		}
	}
}
