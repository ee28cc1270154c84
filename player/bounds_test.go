package player

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
)

// thinker makes a player of a description that needs no network.
func thinker(t *testing.T, g engine.Game, text string) Limited {
	t.Helper()
	spec, err := Parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := spec.New(g)
	if err != nil {
		t.Fatal(err)
	}
	p.NewGame(t.Context(), 1)
	return p.(Limited)
}

func start(t *testing.T, game, rules string) (engine.Game, engine.State, *engine.History) {
	t.Helper()
	f, err := games.All().ByName(game)
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	return g, s, h
}

// netOf are players of one network, one for simulations and one for time, where the
// network is searched by that method if simulations are the limit.
func netOf(t *testing.T, g engine.Game, search string, sims, edges int) (bySims, byTime *net) {
	t.Helper()
	o := opener{search: search}
	make := func(limit string) *net {
		p, err := o.parse(t, "net:a,cache=0,"+limit).New(g)
		if err != nil {
			t.Fatal(err)
		}
		return p.(*net)
	}
	bySims, byTime = make(fmt.Sprintf("sims=%d", sims)), make(fmt.Sprintf("time=clock,edges=%d", edges))
	bySims.NewGame(t.Context(), 1)
	byTime.NewGame(t.Context(), 1)
	return bySims, byTime
}

// TestBoundedSearchIsTheSame holds a Think for a number of simulations to what
// a description of that number chooses, in time or without limit, at decisions of every kind
// that games have.
func TestBoundedSearchIsTheSame(t *testing.T) {
	for _, search := range []string{mcts.SearchPUCT, mcts.SearchGumbel} {
		t.Run(search, func(t *testing.T) { boundedSearchIsTheSame(t, search) })
	}
}

func boundedSearchIsTheSame(t *testing.T, search string) {
	g, s, h := start(t, "konreh", "micro,balance=double-pie")
	bySims, byTime := netOf(t, g, search, 40, 1<<18)
	for range 12 {
		if s.Outcome().Over {
			break
		}
		want, err := analyze(t.Context(), bySims, s, h)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name string
			p    *net
			b    match.Bounds
		}{
			{"by description", bySims, match.Bounds{Default: time.Nanosecond}},
			{"by description in time", bySims, match.Bounds{Time: time.Hour}},
			{"by time", byTime, match.Bounds{Simulations: 40}},
			{"in time", byTime, match.Bounds{Simulations: 40, Time: time.Hour}},
			{"by time alone between", byTime, match.Bounds{Time: time.Nanosecond}},
			{"in time again", byTime, match.Bounds{Simulations: 40, Remaining: time.Hour}},
		} {
			c.b.Partial, c.b.Lines, c.b.ByClock = true, 2, true
			got, err := c.p.Think(t.Context(), s, h, c.b)
			if err != nil {
				t.Fatal(err)
			}
			if c.b.Time == time.Nanosecond {
				continue // only to leave another tree behind
			}
			if got.Choice != want.Choice || got.Value != want.Value || !slices.Equal(got.Line, want.Line) || got.Simulations != 40 {
				t.Errorf("%s: %+v, want %+v", c.name, got, want)
			}
			for _, m := range got.Moves {
				if (m.Visits > 0) != (len(m.Line) > 0) || len(m.Line) > 0 && m.Line[0] != m.Action {
					t.Errorf("%s: move %d of %d visits has line %v", c.name, m.Action, m.Visits, m.Line)
				}
			}
		}
		s.Apply(want.Choice, h)
	}
}

func TestSearchEndsAtItsBounds(t *testing.T) {
	g, s, h := start(t, "connect4", "")
	k, ks, kh := start(t, "konreh", "")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	_, small := netOf(t, g, mcts.SearchPUCT, 50, leastEdges)
	bySims, byTime := netOf(t, g, mcts.SearchPUCT, 50, 1<<20)
	for _, c := range []struct {
		name   string
		p      Limited
		g      engine.Game
		ctx    context.Context
		b      match.Bounds
		ending match.Ending
		most   int // simulations, 0: any number
	}{
		{"net stopped at once", byTime, g, stopped, match.Bounds{}, match.EndStopped, timedLeaves},
		{"net full", small, g, t.Context(), match.Bounds{}, match.EndFull, 0},
		{"net by the clock", byTime, g, t.Context(), match.Bounds{Remaining: 2 * time.Millisecond, Simulations: 1 << 20}, match.EndLimit, 0},
		{"net by another limit", byTime, g, t.Context(), match.Bounds{Simulations: 30, Time: time.Hour}, match.EndLimit, 30},
		{"net once more", byTime, g, t.Context(), match.Bounds{Simulations: 20, Time: time.Hour}, match.EndLimit, 20},
		{"net without any", byTime, g, t.Context(), match.Bounds{Default: time.Millisecond}, match.EndLimit, 0},
		{"net of a description", bySims, g, t.Context(), match.Bounds{Simulations: 1000, Time: time.Hour}, match.EndLimit, 50},
		{"net with time for one", bySims, g, t.Context(), match.Bounds{Time: 1}, match.EndLimit, 1},
		{"mcts stopped at once", thinker(t, g, "mcts:sims=100000"), g, stopped, match.Bounds{}, match.EndStopped, simsPerCheck},
		{"mcts of a description", thinker(t, g, "mcts:sims=100"), g, t.Context(), match.Bounds{Simulations: 1000}, match.EndLimit, 100},
		{"mcts by simulations", thinker(t, g, "mcts:time=clock"), g, t.Context(), match.Bounds{Simulations: 77}, match.EndLimit, 77},
		{"mcts full", thinker(t, g, "mcts:time=clock,edges=4096"), g, t.Context(), match.Bounds{}, match.EndFull, 0},
		{"alphabeta stopped at once", thinker(t, k, "alphabeta:time=1h"), k, stopped, match.Bounds{}, match.EndStopped, 64},
		{"alphabeta by depth", thinker(t, k, "alphabeta:time=clock"), k, t.Context(), match.Bounds{Depth: 1, Default: 1}, match.EndLimit, 0},
		{"alphabeta of a description", thinker(t, k, "alphabeta:depth=1"), k, t.Context(), match.Bounds{Depth: 9, Default: 1}, match.EndLimit, 0},
		{"alphabeta by positions", thinker(t, k, "alphabeta:depth=20"), k, t.Context(), match.Bounds{Simulations: 640}, match.EndLimit, 640},
	} {
		at, past := s, h
		if c.g == k {
			at, past = ks, kh
		}
		c.b.Partial, c.b.ByClock = true, true
		x, err := c.p.Think(c.ctx, at, past, c.b)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		settled := c.b.Remaining > 0 && x.Ending == match.EndSettled // so slow a search may know enough
		if x.Ending != c.ending && !settled || x.Simulations < 1 || c.most > 0 && x.Simulations > c.most {
			t.Errorf("%s: ended by %q after %d, want %q after at most %d", c.name, x.Ending, x.Simulations, c.ending, c.most)
		}
		if !slices.Contains(at.Legal(nil, past), x.Choice) || x.Line[0] != x.Choice {
			t.Errorf("%s: choice %d, line %v", c.name, x.Choice, x.Line)
		}
		if c.p.CountsDepth() != (c.g == k) || c.p.CountsDepth() && x.Depth > 1 && c.ending == match.EndLimit && c.most == 0 {
			t.Errorf("%s: depth %d", c.name, x.Depth)
		}
	}
	tic, s, h := start(t, "tictactoe", "")
	if x, err := thinker(t, tic, "alphabeta:time=clock").Think(t.Context(), s, h, match.Bounds{Depth: 70, Default: 1}); err != nil || x.Limit != 0 || x.Depth < 9 {
		t.Errorf("asked for more turns than it can look ahead: limit %v, depth %d, %v: want no limit of time", x.Limit, x.Depth, err)
	}
}

func TestSearchReportsAndProves(t *testing.T) {
	g, s, h := start(t, "tictactoe", "")
	cfg := mcts.DefaultConfig()
	cfg.Edges, cfg.PendingLeaves, cfg.Proven = 1<<16, timedLeaves, true
	n := mustTimedNet(g, &mcts.Uniform{}, cfg, pace{clock: true}, nil)
	n.NewGame(t.Context(), 1)
	reports := 0
	x, err := n.Think(t.Context(), s, h, match.Bounds{Partial: true, Report: func(y *match.Analysis) {
		if reports++; y.Ending != "" || len(y.Moves) != 9 {
			t.Errorf("report %+v", y)
		}
	}})
	if err != nil || reports == 0 || x.Ending != match.EndProven || !x.Solved || x.Value != 0 {
		t.Errorf("%d reports, ended by %+v, %v: want a proven draw", reports, x, err)
	}
	// Asked again, it has nothing more to find out.
	if x, err := n.Think(t.Context(), s, h, match.Bounds{Partial: true}); err != nil || x.Ending != match.EndProven || x.Simulations != 0 {
		t.Errorf("ended by %+v, %v", x, err)
	}
}
