package player

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
)

// slow is a network that takes a time for each evaluation.
type slow struct {
	mixer
	takes time.Duration
}

func (s *slow) Forward(planes, globals []float32, offsets, cells []int32, logits, wdl, turns []float32) error {
	time.Sleep(s.takes)
	return s.mixer.Forward(planes, globals, offsets, cells, logits, wdl, turns)
}

func timedNet(t *testing.T, g engine.Game, network mcts.Network, edges int, limit time.Duration, proven bool) *net {
	t.Helper()
	cfg := mcts.DefaultConfig()
	cfg.Edges, cfg.Proven = edges, proven
	p := mustTimedNet(g, mcts.ByNetwork(g.Info(), network), cfg, pace{limit: limit}, nil)
	p.NewGame(1)
	return p
}

// played is the position after moves, in the words of the game.
func played(t *testing.T, g engine.Game, moves string) (engine.State, *engine.History) {
	t.Helper()
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	for _, w := range strings.Fields(moves) {
		a, err := s.ParseAction(w, h)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(a, h)
	}
	return s, h
}

// TestTimedNetUsesItsTime runs on a clock that only evaluations move.
func TestTimedNetUsesItsTime(t *testing.T) {
	g := game(t, &connect4.Family)
	s, h := played(t, g, "")
	for _, c := range []struct {
		takes, limit time.Duration
		want         match.Effort
	}{
		{time.Millisecond, 50 * time.Millisecond, match.Effort{Simulations: 50, Time: 50 * time.Millisecond}},
		// The last evaluation began in time and ends after it.
		{4 * time.Millisecond, 10 * time.Millisecond, match.Effort{Simulations: 3, Time: 12 * time.Millisecond, Late: 2 * time.Millisecond}},
		// One is made in any case: without it there is nothing to choose by.
		{30 * time.Millisecond, time.Millisecond, match.Effort{Simulations: 1, Time: 30 * time.Millisecond, Late: 29 * time.Millisecond}},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := timedNet(t, g, &slow{takes: c.takes}, 1<<16, c.limit, false)
			if _, err := p.Choose(t.Context(), s, h); err != nil {
				t.Fatal(err)
			}
			c.want.Limit, c.want.Decisions = c.limit, 1
			if got := p.Effort(); got != c.want {
				t.Errorf("%v of %v evaluations: %+v, want %+v", c.limit, c.takes, got, c.want)
			}
		})
	}
}

// TestTimedNetStopsEarly where more time would change nothing.
func TestTimedNetStopsEarly(t *testing.T) {
	c4, ttt := game(t, &connect4.Family), game(t, &tictactoe.Family)
	for _, c := range []struct {
		name, moves string
		game        engine.Game
		edges       int
		proven      bool
		want        string
		decisions   int
		full        int
	}{
		{name: "a single move", game: ttt, moves: "a1 b2 c3 a2 c2 c1 a3 b3", edges: 1 << 16, want: "b1"},
		{name: "a proven win", game: ttt, moves: "a1 b1 a2 b2", edges: 1 << 16, proven: true, want: "a3", decisions: 1},
		{name: "a full tree", game: c4, edges: 1 << 12, decisions: 1, full: 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, h := played(t, c.game, c.moves)
			p := timedNet(t, c.game, &slow{takes: time.Millisecond}, c.edges, time.Hour, c.proven)
			began := time.Now()
			a, err := p.Choose(t.Context(), s, h)
			if err != nil {
				t.Fatal(err)
			}
			if word := string(s.AppendAction(nil, a)); c.want != "" && word != c.want {
				t.Errorf("%s: Choose = %s, want %s", c.name, word, c.want)
			}
			e := p.Effort()
			if took := time.Since(began); took > time.Minute || e.Decisions != c.decisions || e.Full != c.full || e.Late != 0 {
				t.Errorf("%s: took %v, %+v", c.name, took, e)
			}
		})
	}
}

// ticking moves a clock by a step each time it is read.
func ticking(step time.Duration) func() time.Time {
	now := time.Unix(0, 0)
	return func() time.Time {
		now = now.Add(step)
		return now
	}
}

// TestClockIsReadWithoutEvaluations: at the end of a game simulations need no
// network, and Collect alone would go on to the end of the budget.
func TestClockIsReadWithoutEvaluations(t *testing.T) {
	g := game(t, &tictactoe.Family)
	s, h := played(t, g, "a1 b2 c3 a2 c2 c1 a3")
	network := &mixer{}
	p := timedNet(t, g, network, 1<<16, 50*time.Millisecond, false)
	p.watch.now = ticking(time.Millisecond)
	if _, err := p.Choose(t.Context(), s, h); err != nil {
		t.Fatal(err)
	}
	e := p.Effort()
	if network.rows > 3 || e.Simulations < 500 || e.Simulations > 50*clockSimulations {
		t.Errorf("%d evaluations, %d simulations in 50 looks at the clock, want at most %d and more than 500", network.rows, e.Simulations, 50*clockSimulations)
	}
}

func TestTimedUCTUsesItsTime(t *testing.T) {
	g := game(t, &connect4.Family)
	s, h := played(t, g, "")
	u := newTimedUCT(g, pace{limit: 100 * time.Millisecond}, 1<<16, 600)
	u.watch.now = ticking(time.Millisecond)
	u.NewGame(1)
	if _, err := u.Choose(t.Context(), s, h); err != nil {
		t.Fatal(err)
	}
	want := match.Effort{Limit: 100 * time.Millisecond, Decisions: 1, Simulations: 100, Time: 101 * time.Millisecond, Late: time.Millisecond}
	if u.Effort() != want {
		t.Errorf("%+v, want %+v", u.Effort(), want)
	}
	u = newTimedUCT(g, pace{limit: time.Hour}, 1<<12, 600)
	if _, err := u.Choose(t.Context(), s, h); err != nil {
		t.Fatal(err)
	}
	if e := u.Effort(); e.Full != 1 || len(u.edges) > 1<<12 || len(u.edges) < 4000 || e.Time > time.Minute {
		t.Errorf("a tree of %d edges: %+v", len(u.edges), e)
	}
}

func TestTimedPlayersStopAndFail(t *testing.T) {
	g := game(t, &connect4.Family)
	s, h := played(t, g, "")
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	for _, p := range []match.Player{timedNet(t, g, &mixer{}, 1<<16, time.Hour, false), newTimedUCT(g, pace{limit: time.Hour}, 1<<16, 600)} {
		if _, err := p.Choose(ctx, s, h); !errors.Is(err, cause) {
			t.Errorf("Choose with an ended context = %v, want its cause", err)
		}
	}
	broken := errors.New("overheated")
	if _, err := timedNet(t, g, &mixer{fails: broken}, 1<<16, time.Hour, false).Choose(t.Context(), s, h); !errors.Is(err, broken) {
		t.Errorf("Choose with a broken network = %v, want its error", err)
	}
}

func TestNetDescriptions(t *testing.T) {
	var o opener
	kinds := map[string]Kind{"net": NetKind(o.open)}
	for text, want := range map[string]string{
		"net:a.st,sims=9,search=card":     "net:a.st,sims=9",
		"net:a.st,search=gumbel,sims=9":   "net:a.st,sims=9,search=gumbel",
		"net:a.st,time=1s":                "net:a.st,time=1s,edges=2097152",
		"net:a.st,time=1000ms,edges=9999": "net:a.st,time=1s,edges=9999",
	} {
		spec, err := Parse(text, kinds)
		if err != nil || spec.Text != want {
			t.Errorf("Parse(%q) = %v, %v, want %q", text, spec, err, want)
			continue
		}
		p, err := spec.New(game(t, &tictactoe.Family))
		if err != nil {
			t.Error(err)
			continue
		}
		if n := p.(*net); n.watch.on() != strings.Contains(text, "time") {
			t.Errorf("%s: a limit of %v", text, n.watch.effort.Limit)
		}
	}
	for text, want := range map[string]string{
		"net:a.st,sims=9,time=1s":        "net needs exactly one of sims=",
		"net:a.st,time=1s,search=gumbel": "plans a number of simulations",
		"net:a.st,sims=9,edges=9999":     "edges means something with time only",
	} {
		if _, err := Parse(text, kinds); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %v, want %q", text, err, want)
		}
	}
}

func TestTimedSearchDoesNotAllocate(t *testing.T) {
	g := game(t, &connect4.Family)
	s, h := played(t, g, "")
	p := timedNet(t, g, flat{}, 1<<16, 20*time.Millisecond, false)
	p.watch.now = ticking(time.Microsecond)
	p.tree.Reset(mcts.Root{State: s, History: h})
	p.watch.start()
	if err := p.searchForTime(t.Context()); err != nil { // buffers reach their size
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(3, func() {
		p.tree.Reset(mcts.Root{State: s, History: h})
		p.watch.start()
		if err := p.searchForTime(t.Context()); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%g allocations a search", n)
	}
}

// flat is a network that knows nothing.
type flat struct{}

func (flat) Forward(_, _ []float32, _, _ []int32, logits, wdl, _ []float32) error {
	clear(logits)
	clear(wdl)
	return nil
}
