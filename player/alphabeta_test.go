package player

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/alphabeta"
)

func TestAlphaBetaKnowsItsGame(t *testing.T) {
	spec, err := Parse("alphabeta:depth=3", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := spec.New(game(t, &connect4.Family)); err != nil {
		t.Errorf("a player of Connect Four, which brings nothing: %v", err)
	}
	for text, want := range map[string]string{"alphabeta:depth=4": "alphabeta:depth=4", "alphabeta:time=0.1s": "alphabeta:time=100ms"} {
		spec, err := Parse(text, nil)
		if err != nil || spec.Text != want {
			t.Errorf("Parse(%q) = %v, %v, want %q", text, spec, err, want)
		}
	}
	for text, want := range map[string]string{
		"alphabeta":                    "exactly one of depth=1..64",
		"alphabeta:depth=3,time=100ms": "exactly one of depth=1..64",
		"alphabeta:depth=0":            "depth=0",
	} {
		if _, err := Parse(text, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q): %v, want %q", text, err, want)
		}
	}
}

// TestAlphaBetaKeepsTime on a clock that goes on a millisecond whenever it is
// looked at: the search ends at the first look past its time.
func TestAlphaBetaKeepsTime(t *testing.T) {
	g := game(t, &konreh.Family)
	s, h := played(t, g, "")
	p := alphaBetaOf(g, alphabeta.New(g), 64, pace{limit: 40 * time.Millisecond})
	p.NewGame(t.Context(), 1)
	p.timer.now = ticking(time.Millisecond)
	x, err := p.Think(t.Context(), s, h, match.Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	if x.Limit != 40*time.Millisecond || x.Simulations != 40*64 || x.Time != 41*time.Millisecond || x.ByClock {
		t.Errorf("%+v, want %d positions in 41ms of a limit of 40ms", x, 40*64)
	}
}

// TestAlphaBetaThreads search together by time; to a depth or for a number of positions one of
// them does, so that any number plays the same. There are no more of them at once than
// processors.
func TestAlphaBetaThreads(t *testing.T) {
	g := game(t, &konreh.Family)
	s, h := played(t, g, "")
	ask := func(text string) (*alphaBeta, *match.Analysis) {
		p := newPlayer(t, text, g).(*alphaBeta)
		p.NewGame(t.Context(), 1)
		p.timer.now = ticking(time.Millisecond)
		x, err := p.Think(t.Context(), s, h, match.Bounds{})
		if err != nil {
			t.Fatal(err)
		}
		return p, x
	}
	for _, limit := range []string{"nodes=500", "depth=2"} {
		_, one := ask("alphabeta:" + limit)
		p, three := ask("alphabeta:threads=3," + limit)
		if three.Choice != one.Choice || three.Simulations != one.Simulations || p.Threads() != 3 {
			t.Errorf("%s: %d threads choose %d after %d positions, one %d after %d", limit, p.Threads(), three.Choice, three.Simulations, one.Choice, one.Simulations)
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	if p, _ := ask("alphabeta:threads=5,time=100ms"); p.engine.Helpers() != 1 || p.Threads() != 5 {
		t.Errorf("on two processors five threads are one and %d helpers, want 1", p.engine.Helpers())
	}
	p, x := ask("alphabeta:threads=2,time=100ms")
	if !slices.Contains(s.Legal(nil, h), x.Choice) || x.Simulations <= 100*alphabeta.NodesPerStop {
		t.Errorf("two threads choose %d after %d positions, one looks at %d", x.Choice, x.Simulations, 100*alphabeta.NodesPerStop)
	}
	if err := p.SetThreads(1); err != nil || p.Threads() != 1 {
		t.Errorf("one thread is %d, %v", p.Threads(), err)
	}
	for _, n := range []int{0, MaxThreads + 1} {
		if p.SetThreads(n) == nil {
			t.Errorf("%d threads are taken", n)
		}
	}
}

// TestAlphaBetaObeysItsContext, and plays again afterwards.
func TestAlphaBetaObeysItsContext(t *testing.T) {
	g := game(t, &konreh.Family)
	s, h := played(t, g, "")
	p := newPlayer(t, "alphabeta:depth=64", g)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if _, err := choose(ctx, p, s, h); !errors.Is(err, cause) {
		t.Errorf("Choose: %v, want %v", err, cause)
	}
	q := newPlayer(t, "alphabeta:depth=2", g)
	if a, err := choose(t.Context(), q, s, h); err != nil || !slices.Contains(s.Legal(nil, h), a) {
		t.Errorf("Choose: %d, %v", a, err)
	}
}

// TestAlphaBetaIsAFunctionOfItsSeed, of which the first move of a game shows
// that different seeds make different choices among equals.
func TestAlphaBetaIsAFunctionOfItsSeed(t *testing.T) {
	g := game(t, &konreh.Family)
	first := map[engine.Action]bool{}
	for n := range uint64(12) {
		var words [2]string
		for i := range words {
			p := newPlayer(t, "alphabeta:depth=2", g)
			p.NewGame(t.Context(), n)
			s, h := played(t, g, "")
			var text []byte
			for range 12 {
				a, err := choose(t.Context(), p, s, h)
				if err != nil {
					t.Fatal(err)
				}
				if len(text) == 0 {
					first[a] = true
				}
				text = append(s.AppendAction(text, a), ' ')
				s.Apply(a, h)
			}
			words[i] = string(text)
		}
		if words[0] != words[1] {
			t.Errorf("seed %d: %s and %s", n, words[0], words[1])
		}
	}
	if len(first) < 2 {
		t.Errorf("all seeds begin with %v: the start is the same from the left and from the right", first)
	}
}

// TestAlphaBetaAllocatesItsAnswer, and nothing while it searches.
func TestAlphaBetaAllocatesItsAnswer(t *testing.T) {
	g := game(t, &konreh.Family)
	s, h := played(t, g, "")
	p := newPlayer(t, "alphabeta:depth=3", g)
	ask := func() {
		if _, err := choose(t.Context(), p, s, h); err != nil {
			t.Fatal(err)
		}
	}
	ask()
	if n := testing.AllocsPerRun(3, ask); n > 10 {
		t.Errorf("%v allocations a choice, want at most 10", n)
	}
}

// TestAlphaBetaBeatsMinimax of the same depth, which counts material.
func TestAlphaBetaBeatsMinimax(t *testing.T) {
	g := game(t, &konreh.Family)
	contestant := func(text string) match.Contestant {
		spec, err := Parse(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		return spec.Contestant(g)
	}
	cfg := match.Config{Pairs: 5, OpeningTurns: 4, MaxTurns: 600, Workers: 2, Seed: 3}
	if testing.Short() {
		cfg.Pairs = 2 // a game takes about a second
	}
	r, err := match.Play(t.Context(), cfg, g, contestant("alphabeta:depth=2"), contestant("minimax:depth=2"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d won, %d drawn, %d lost", r.Wins, r.Draws, r.Losses)
	if r.Score.Value < 0.8 {
		t.Errorf("%d won, %d drawn, %d lost: want 80 %%", r.Wins, r.Draws, r.Losses)
	}
}

// TestAlphaBetaByTermsOfAFile plays by the weights in the file, is known by what they are,
// and refuses weights of other terms.
func TestAlphaBetaByTermsOfAFile(t *testing.T) {
	g := game(t, &connect4.Family)
	terms := alphabeta.TermsOf(g)
	w := make([]int32, len(terms.Names))
	w[slices.Index(terms.Names, "own_stones.0:6")] = 100
	file := filepath.Join(t.TempDir(), "weights.txt")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(engine.FormatWeights(terms.Names, w))
	spec, err := Parse("alphabeta:depth=1,terms="+file, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := spec.New(g)
	if err != nil {
		t.Fatal(err)
	}
	s, h := played(t, g, "")
	// It is judged when the other is to move, whose stones are "other": the corner is worth
	// nothing there yet, and other columns neither.
	x, err := p.Think(t.Context(), s, h, match.Bounds{})
	if err != nil || x.Value != 0 {
		t.Errorf("%+v, %v: want an even position", x, err)
	}
	before, err := spec.Identity()
	if err != nil || before == "" {
		t.Errorf("identity %q, %v", before, err)
	}
	w[slices.Index(terms.Names, "other_stones.0:6")] = -100
	write(engine.FormatWeights(terms.Names, w))
	if after, err := spec.Identity(); err != nil || after == before {
		t.Errorf("identity %q, %v with other weights, want another than %q", after, err, before)
	}
	if spec, err = Parse("alphabeta:depth=1,terms="+file, nil); err != nil {
		t.Fatal(err)
	}
	if p, err = spec.New(g); err != nil {
		t.Fatal(err)
	}
	if x, err = p.Think(t.Context(), s, h, match.Bounds{}); err != nil || x.Choice != 6 || x.Value <= 0 {
		t.Errorf("%+v, %v: want the corner", x, err)
	}
	if _, err := spec.New(game(t, &konreh.Family)); err == nil || !strings.Contains(err.Error(), "want red and 1 of its weights") {
		t.Errorf("weights of Connect Four for Kon'reh: %v", err)
	}
	if _, err := Parse("alphabeta:depth=1,terms=nowhere", nil); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("no file: %v", err)
	}
	if own, err := Parse("alphabeta:depth=1", nil); err != nil || own.Text != "alphabeta:depth=1" {
		t.Errorf("%+v, %v: want a description as before", own, err)
	}
}

// TestAlphaBetaTellsItsLine: legal actions from the choice on, as many turns as it has searched;
// each of several best moves has its own. Nobody else pays for them.
func TestAlphaBetaTellsItsLine(t *testing.T) {
	g := game(t, &konreh.Family)
	s, h := played(t, g, "")
	p := newPlayer(t, "alphabeta:depth=4", g)
	x, err := p.Think(t.Context(), s, h, match.Bounds{Analyze: true, Lines: 2})
	if err != nil {
		t.Fatal(err)
	}
	lines := [][]engine.Action{x.Line}
	for _, m := range x.Moves {
		if m.Judged && m.Action != x.Choice {
			lines = append(lines, m.Line)
		}
	}
	if len(lines) != 2 || x.Line[0] != x.Choice {
		t.Errorf("lines are %v, the choice is %d", lines, x.Choice)
	}
	for _, line := range lines {
		at, past := g.NewState(), g.NewHistory()
		at.CopyFrom(s)
		past.CopyFrom(h)
		for i, a := range line {
			if !slices.Contains(at.Legal(nil, past), a) {
				t.Fatalf("line %v: action %d is not legal", line, i)
			}
			at.Apply(a, past)
		}
		if turns := at.Turn() - s.Turn(); turns != 4 {
			t.Errorf("line %v has %d turns, want 4", line, turns)
		}
	}
	if x, err = p.Think(t.Context(), s, h, match.Bounds{}); err != nil || len(x.Line) != 1 {
		t.Errorf("line %v, %v: nobody asked", x.Line, err)
	}
}

// TestAlphaBetaReports the greatest depth that it has searched, until it is told to stop; of
// a search that plays what is forced first it reports nothing, as that is another position.
func TestAlphaBetaReports(t *testing.T) {
	g := game(t, &konreh.Family)
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var depths []int
	p := newPlayer(t, "alphabeta:depth=64", g)
	x, err := p.Think(ctx, s, h, match.Bounds{Partial: true, Every: 1, Report: func(x *match.Analysis) {
		if len(x.Line) < x.Depth || x.Line[0] != x.Choice || x.Simulations == 0 || len(x.Moves) < 2 || !x.Lead {
			t.Errorf("it reports %+v", x)
		}
		if depths = append(depths, x.Depth); x.Depth >= 3 {
			stop()
		}
	}})
	if err != nil || x.Ending != match.EndStopped || x.Depth < 3 || !slices.IsSorted(depths) || depths[0] < 1 {
		t.Errorf("depths %v, then %+v, %v", depths, x, err)
	}
	_, err = p.Think(t.Context(), s, h, match.Bounds{Depth: 2, Analyze: true, Every: 1, Only: s.Legal(nil, h)[:1], Report: func(x *match.Analysis) {
		t.Errorf("it reports %+v", x)
	}})
	if err != nil {
		t.Error(err)
	}
}
