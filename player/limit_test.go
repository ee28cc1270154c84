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
	p.NewGame(t.Context(), 1)
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
		sims         int
		took         time.Duration
	}{
		{time.Millisecond, 50 * time.Millisecond, 50, 50 * time.Millisecond},
		// The last evaluation began in time and ends after it.
		{4 * time.Millisecond, 10 * time.Millisecond, 3, 12 * time.Millisecond},
		// One is made in any case: without it there is nothing to choose by.
		{30 * time.Millisecond, time.Millisecond, 1, 30 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := timedNet(t, g, &slow{takes: c.takes}, 1<<16, c.limit, false)
			x, err := p.Think(t.Context(), s, h, match.Bounds{})
			if err != nil {
				t.Fatal(err)
			}
			if x.Limit != c.limit || x.ByClock || x.Simulations != c.sims || x.Time != c.took || x.Ending != match.EndLimit {
				t.Errorf("%v of %v evaluations: %+v, want %d simulations in %v", c.limit, c.takes, x, c.sims, c.took)
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
		ending      match.Ending
	}{
		{name: "a single move", game: ttt, moves: "a1 b2 c3 a2 c2 c1 a3 b3", edges: 1 << 16, want: "b1", ending: match.EndForced},
		{name: "a proven win", game: ttt, moves: "a1 b1 a2 b2", edges: 1 << 16, proven: true, want: "a3", ending: match.EndProven},
		{name: "a full tree", game: c4, edges: 1 << 12, ending: match.EndFull},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, h := played(t, c.game, c.moves)
			p := timedNet(t, c.game, &slow{takes: time.Millisecond}, c.edges, time.Hour, c.proven)
			began := time.Now()
			x, err := p.Think(t.Context(), s, h, match.Bounds{})
			if err != nil {
				t.Fatal(err)
			}
			if word := string(s.AppendAction(nil, x.Choice)); c.want != "" && word != c.want {
				t.Errorf("%s: Choose = %s, want %s", c.name, word, c.want)
			}
			if took := time.Since(began); took > time.Minute || x.Ending != c.ending || x.Time > x.Limit {
				t.Errorf("%s: took %v, %+v", c.name, took, x)
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
	p.timer.now = ticking(time.Millisecond)
	e, err := p.Think(t.Context(), s, h, match.Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	if network.rows > 3 || e.Simulations < 500 || e.Simulations > 50*clockSimulations {
		t.Errorf("%d evaluations, %d simulations in 50 looks at the clock, want at most %d and more than 500", network.rows, e.Simulations, 50*clockSimulations)
	}
}

func TestTimedUCTUsesItsTime(t *testing.T) {
	g := game(t, &connect4.Family)
	s, h := played(t, g, "")
	u := newTimedUCT(g, pace{limit: 100 * time.Millisecond}, 1<<16, 600)
	u.timer.now = ticking(time.Millisecond)
	u.NewGame(t.Context(), 1)
	x, err := u.Think(t.Context(), s, h, match.Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	if x.Limit != 100*time.Millisecond || x.Simulations != 100 || x.Time != 101*time.Millisecond || x.Ending != match.EndLimit {
		t.Errorf("%+v, want 100 simulations in 101ms of a limit of 100ms", x)
	}
	u = newTimedUCT(g, pace{limit: time.Hour}, 1<<12, 600)
	if x, err = u.Think(t.Context(), s, h, match.Bounds{}); err != nil {
		t.Fatal(err)
	}
	if x.Ending != match.EndFull || len(u.edges) > 1<<12 || len(u.edges) < 4000 || x.Time > time.Minute {
		t.Errorf("a tree of %d edges: %+v", len(u.edges), x)
	}
}

func TestTimedPlayersStopAndFail(t *testing.T) {
	g := game(t, &connect4.Family)
	s, h := played(t, g, "")
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	for _, p := range []match.Player{timedNet(t, g, &mixer{}, 1<<16, time.Hour, false), newTimedUCT(g, pace{limit: time.Hour}, 1<<16, 600)} {
		if _, err := choose(ctx, p, s, h); !errors.Is(err, cause) {
			t.Errorf("Choose with an ended context = %v, want its cause", err)
		}
	}
	broken := errors.New("overheated")
	if _, err := choose(t.Context(), timedNet(t, g, &mixer{fails: broken}, 1<<16, time.Hour, false), s, h); !errors.Is(err, broken) {
		t.Errorf("Choose with a broken network = %v, want its error", err)
	}
}

func TestNetDescriptions(t *testing.T) {
	var o opener
	kinds := map[string]Kind{"net": NetKind(o.open)}
	for text, want := range map[string]string{
		"net:a.st,sims=9,search=card":     "net:a.st,sims=9",
		"net:a.st,search=gumbel,sims=9":   "net:a.st,sims=9,search=gumbel",
		"net:a.st,time=1s":                "net:a.st,time=1s,edges=16777216",
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
		if n := p.(*net); (n.timer.limit > 0) != strings.Contains(text, "time") {
			t.Errorf("%s: a limit of %v", text, n.timer.limit)
		}
	}
	for text, want := range map[string]string{
		"net:a.st,sims=9,time=1s":        "net takes at most one of sims=",
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
	p.timer.now = ticking(time.Microsecond)
	search := func() {
		p.tree.Reset(mcts.Root{State: s, History: h})
		d, err := p.timer.begin(match.Bounds{}, 0, false)
		if err == nil {
			_, err = p.search(t.Context(), d, 0, p.cfg.PendingLeaves)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	search()                                         // buffers reach their size
	if n := testing.AllocsPerRun(3, search); n > 2 { // the limits of the decision
		t.Errorf("%g allocations a search, want at most 2", n)
	}
}

// flat is a network that knows nothing.
type flat struct{}

func (flat) Forward(_, _ []float32, _, _ []int32, logits, wdl, _ []float32) error {
	clear(logits)
	clear(wdl)
	return nil
}
