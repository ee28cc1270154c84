package nnue_test

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/internal/invariants"
	"github.com/ludozero/ludozero/match"
	model "github.com/ludozero/ludozero/model/nnue"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/alphabeta"
	"github.com/ludozero/ludozero/player/nnue"
)

// random returns a network for a game with small random weights, as a file.
func random(t testing.TB, g engine.Game) []byte {
	t.Helper()
	in, err := nnue.InputsOf(g)
	if err != nil {
		t.Fatal(err)
	}
	n := model.New(model.Shape{Words: engine.BitWords(in.Bits), Units: 64, TermShifts: slices.Repeat([]uint8{5}, len(in.Terms))})
	r := rand.New(rand.NewPCG(1, 1))
	for i, p := range n.Parts() {
		spread := []float64{.2, .2, .2, .2, .4, .4, .5, .5}[i]
		if i == 0 { // the more bits, the fewer of them are set, and the rest only costs precision
			spread *= math.Sqrt(min(1, 10/float64(n.Words)))
		}
		for j := range p.Values {
			p.Values[j] = float32(spread * r.NormFloat64())
		}
	}
	data, err := model.Encode(n, model.Card{Game: g.Info().Name, GameVersion: g.Info().Version, Inputs: in.FileInputs(), Terms: in.Terms})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func read(t testing.TB, data []byte) *nnue.Evaluation {
	t.Helper()
	path := filepath.Join(t.TempDir(), "some.eval")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	e, err := nnue.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// bitwise are the games that show their positions as bits.
func bitwise(t testing.TB) (list []engine.Game) {
	t.Helper()
	for _, f := range games.All() {
		g, err := f.Parse("")
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := g.(engine.Bitwise); ok {
			list = append(list, g)
		}
	}
	return list
}

// wander plays random decisions in a new game until a player decides after that many, or
// the game has ended.
func wander(g engine.Game, n int, r *rand.Rand) (engine.State, *engine.History) {
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	for i := 0; s.Actor() != engine.Nobody && (i < n || s.Actor() == engine.Chance); i++ {
		list := engine.AppendPossible(nil, new([]engine.Weighted), s, h)
		s.Apply(list[r.IntN(len(list))], h)
	}
	return s, h
}

// TestJudgeIsTheNetwork: in integers and updated through a search, what the judge says is
// the logit of the network in float32, in both seats and in every game.
func TestJudgeIsTheNetwork(t *testing.T) {
	for _, g := range bitwise(t) {
		e := read(t, random(t, g))
		judge, err := e.Judge(g)
		if err != nil {
			t.Fatal(err)
		}
		in, _ := nnue.InputsOf(g)
		view, r := in.NewView(), rand.New(rand.NewPCG(2, 1))
		worst, spread, seats := 0.0, 0.0, [2]int{}
		var scratch model.Scratch
		for i := range 300 {
			s, _ := wander(g, r.IntN(60), r)
			if s.Actor() > engine.Second || s.Actor() < 0 {
				continue
			}
			got, danger := judge.Judge(s, int32(i%3))
			in.Look(s, view)
			logit := e.Network.Forward(model.AppendBits(nil, view.Own), model.AppendBits(nil, view.Other), view.Terms, &scratch)
			want := float64(logit)*alphabeta.Nat + float64(i%3)
			worst, spread = max(worst, math.Abs(float64(got)-want)), max(spread, math.Abs(want))
			seats[s.Side()]++
			if danger != view.Danger {
				t.Errorf("%s: danger is %v, want %v", g.Info().Name, danger, view.Danger)
			}
		}
		if worst > max(12, 0.03*spread) || spread < 100 || seats[0] == 0 || seats[1] == 0 {
			t.Errorf("%s: the judge is off by %.1f hundredths of %.0f at most, seats %v", g.Info().Name, worst, spread, seats)
		}
	}
}

// TestSearchByEvaluation gives the same result each time, whatever the judge saw before,
// and does not allocate.
func TestSearchByEvaluation(t *testing.T) {
	for _, g := range bitwise(t) {
		e := read(t, random(t, g))
		search := func() *alphabeta.Engine {
			judge, err := e.Judge(g)
			if err != nil {
				t.Fatal(err)
			}
			return alphabeta.NewPruning(g, judge)
		}
		s, h := wander(g, 2, rand.New(rand.NewPCG(3, 1)))
		list := s.Legal(nil, h)
		one := search()
		first := one.Search(s, h, list, 2, nil)
		other, past := wander(g, 5, rand.New(rand.NewPCG(4, 1)))
		if other.Actor() <= engine.Second {
			one.Search(other, past, other.Legal(nil, past), 2, nil)
		}
		one.NewGame()
		if again := one.Search(s, h, list, 2, nil); again != first {
			t.Errorf("%s: %+v, then %+v", g.Info().Name, first, again)
		}
		if invariants.Enabled {
			continue // whose check of every update allocates
		}
		if n := testing.AllocsPerRun(3, func() { one.NewGame(); one.Search(s, h, list, 2, nil) }); n > 4 {
			t.Errorf("%s: a search allocates %g times", g.Info().Name, n)
		}
	}
}

// TestGamesWithoutBitsAreRefused, and evaluations of other games.
func TestGamesWithoutBitsAreRefused(t *testing.T) {
	race, err := racegame.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	all := bitwise(t)
	e := read(t, random(t, all[0]))
	for want, g := range map[string]engine.Game{"does not show its positions as bits": race, "evaluation is of " + all[0].Info().Name: all[1]} {
		if _, err := e.Judge(g); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v, want %q", g.Info().Name, err, want)
		}
	}
}

// TestPlayerByNodes looks at no more positions than it is told, rounded up, and plays the
// same however long that takes.
func TestPlayerByNodes(t *testing.T) {
	g, err := konreh.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "some.eval")
	if err := os.WriteFile(path, random(t, g), 0o666); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]player.Kind{nnue.KindName: nnue.Kind(nnue.Read, nil)}
	for _, text := range []string{"nnue:" + path + ",nodes=1000", "alphabeta:nodes=1000", "nnue:'" + path + "',depth=2"} {
		spec, err := player.Parse(text, kinds)
		if err != nil {
			t.Fatal(err)
		}
		var choices [2]engine.Action
		for i := range choices {
			p, err := spec.New(g)
			if err != nil {
				t.Fatal(err)
			}
			if err := p.NewGame(context.Background(), 7); err != nil {
				t.Fatal(err)
			}
			s, h := wander(g, 9, rand.New(rand.NewPCG(5, 1)))
			a, err := p.Think(context.Background(), s, h, match.Bounds{})
			if err != nil {
				t.Fatal(err)
			}
			choices[i] = a.Choice
			if strings.Contains(text, "nodes") && (a.Simulations < 900 || a.Simulations > 1024) {
				t.Errorf("%s looked at %d positions, want about 1000", text, a.Simulations)
			}
		}
		if choices[0] != choices[1] {
			t.Errorf("%s: plays %v", text, choices)
		}
	}
	spec, err := player.Parse("nnue:"+path, kinds)
	if err != nil || spec.Text != "nnue:"+path+",nodes=50000" {
		t.Errorf("without a limit: %+v, %v", spec, err)
	}
	spec, err = player.Parse("nnue:no-such-file", kinds)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := spec.New(g); err == nil || !strings.Contains(err.Error(), "no-such-file") {
		t.Errorf("a file that is not there: %v", err)
	}
	for text, want := range map[string]string{
		"nnue":                      "PATH",
		"nnue:" + path + ",nodes=0": "nodes=0",
	} {
		if _, err := player.Parse(text, kinds); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v, want %q", text, err, want)
		}
	}
}

// TestPlayerExpects a result rather than telling a lead, takes threads, and plays by the clock.
func TestPlayerExpects(t *testing.T) {
	g, err := konreh.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "some.eval")
	if err := os.WriteFile(path, random(t, g), 0o666); err != nil {
		t.Fatal(err)
	}
	of := func(options string) match.Player {
		t.Helper()
		spec, err := player.Parse("nnue:"+path+options, map[string]player.Kind{nnue.KindName: nnue.Kind(nnue.Read, nil)})
		if err != nil {
			t.Fatal(err)
		}
		p, err := spec.New(g)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.NewGame(t.Context(), 7); err != nil {
			t.Fatal(err)
		}
		return p
	}
	s, h := wander(g, 9, rand.New(rand.NewPCG(5, 1)))
	p := of(",time=clock,threads=2")
	x, err := p.Think(t.Context(), s, h, match.Bounds{Remaining: 2 * time.Second, Analyze: true})
	if err != nil || !x.ByClock || x.Limit <= 0 || x.Limit > time.Second || p.(player.Threaded).Threads() != 2 {
		t.Fatalf("%+v, %v: want a share of the clock, with two threads", x, err)
	}
	// A helper may have taken the place of the rest of the line in the table, so that of one thread is looked at.
	x, err = of(",nodes=2000").Think(t.Context(), s, h, match.Bounds{Analyze: true})
	if err != nil || x.Lead || math.Abs(x.Value) >= 1 || len(x.Line) < 2 {
		t.Errorf("%+v, %v: want an expectation, and a line", x, err)
	}
}

// BenchmarkSearch is a search of Kon'reh to depth 5; it reports positions a second and the
// bits that change from one evaluation to the next.
func BenchmarkSearch(b *testing.B) {
	g, err := konreh.Family.Parse("")
	if err != nil {
		b.Fatal(err)
	}
	e := read(b, random(b, g))
	s, h := wander(g, 21, rand.New(rand.NewPCG(6, 1)))
	list := s.Legal(nil, h)
	judge, err := e.Judge(g)
	if err != nil {
		b.Fatal(err)
	}
	for name, x := range map[string]*alphabeta.Engine{"terms": alphabeta.New(g), "network": alphabeta.NewPruning(g, judge)} {
		b.Run(name, func(b *testing.B) {
			nodes := int64(0)
			for b.Loop() {
				x.NewGame()
				nodes += x.Search(s, h, list, 4, nil).Nodes
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "positions/s")
			if name == "network" {
				b.ReportMetric(judge.Changes(), "bits/view")
			}
		})
	}
}
