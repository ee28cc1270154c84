package player

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/player/alphabeta"
)

func TestAllot(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for _, c := range []struct {
		remaining, increment time.Duration
		turns                float64
		want                 time.Duration
	}{
		{10*s + 100*ms, 0, 20, 500 * ms},      // an even share of what may be spent
		{10*s + 100*ms, 2 * s, 20, 2400 * ms}, // and the increment on top of one of the rest
		{10*s + 100*ms, 0, 1, 2500 * ms},      // nobody knows that this is the last turn
		{10*s + 100*ms, 8 * s, 20, 5 * s},     // never more than half
		{1100 * ms, 3 * s, 20, 500 * ms},      // even if the increment is more than that
		{150 * ms, 0, 10, 5 * ms},
		{60 * ms, 0, 10, 1500 * time.Microsecond}, // when the margin is reached, a quarter is left to spend
		{0, 5 * s, 10, 0},
		{-s, 5 * s, 10, 0},
	} {
		if got := allot(c.remaining, c.increment, c.turns, clockMargin); got != c.want {
			t.Errorf("allot(%v, %v, %g) = %v, want %v", c.remaining, c.increment, c.turns, got, c.want)
		}
	}
}

// TestAllotLastsTheGame plays out games of all lengths by the estimate of a game,
// with turns that all end late, and sees how much of the time is used.
func TestAllotLastsTheGame(t *testing.T) {
	for _, c := range []struct {
		control string
		late    time.Duration
		usual   func(turn int) int // player turns left, as estimated
		lengths []int              // in player turns
		least   float64            // share of the time that is used
	}{
		{"2+1", 10 * time.Millisecond, func(n int) int { return 120 - min(n, 70) }, []int{40, 60}, 0.4},
		{"2+1", 10 * time.Millisecond, func(n int) int { return 120 - min(n, 70) }, []int{100, 160, 400}, 0.8},
		{"5+0", 100 * time.Microsecond, func(n int) int { return 120 - min(n, 70) }, []int{100, 160, 400}, 0.7},
		{"0.02+0.05", 10 * time.Millisecond, func(n int) int { return 120 - min(n, 70) }, []int{100, 160, 400}, 0.7},
		{"0.02+0.05", 10 * time.Millisecond, func(n int) int { return max(36-n, 8) }, []int{30, 36, 42}, 0.7},
		{"0.02+0", 3 * time.Millisecond, func(n int) int { return max(36-n, 8) }, []int{30, 36, 42}, 0.6},
	} {
		control, err := match.ParseTimeControl(c.control)
		if err != nil {
			t.Fatal(err)
		}
		for _, length := range c.lengths {
			left, used := control.Base, time.Duration(0)
			for turn := 0; turn < length; turn += 2 {
				took := allot(left, control.Increment, float64(c.usual(turn)+1)/2, clockMargin) + c.late
				if took >= left {
					t.Fatalf("%s, %d turns: %v of %v in turn %d", c.control, length, took, left, turn)
				}
				used += took
				left += control.Increment - took
			}
			if share := float64(used) / float64(used+left); share < c.least {
				t.Errorf("%s, %d turns: %.0f %% of the time used, want at least %.0f %%", c.control, length, 100*share, 100*c.least)
			}
		}
	}
}

// TestLatenessIsKeptBack: a search that ended late leaves the next ones less time,
// and is forgotten.
func TestLatenessIsKeptBack(t *testing.T) {
	now := time.Unix(0, 0)
	w := newTimer(pace{clock: true})
	w.now = func() time.Time { return now }
	s := game(t, &connect4.Family).NewState()
	plan := func(late time.Duration) time.Duration {
		w.newGame()
		d, err := w.begin(match.Bounds{Remaining: 10*time.Second + clockMargin}, 0, false)
		if err == nil {
			err = d.divide(s, func() (float64, error) { return 19, nil })
		}
		if err != nil {
			t.Fatal(err)
		}
		now = now.Add(d.limit + late)
		d.end(&match.Analysis{}, match.EndLimit)
		return d.limit
	}
	got := []time.Duration{plan(0), plan(2 * time.Second), plan(0), plan(-time.Millisecond)}
	want := []time.Duration{time.Second, time.Second, 600 * time.Millisecond, 608 * time.Millisecond}
	if !slices.Equal(got, want) {
		t.Errorf("plans %v, want %v", got, want)
	}
	for range 500 {
		plan(0)
	}
	if got := plan(0); got < 999*time.Millisecond {
		t.Errorf("%v after 500 searches in time, want all", got)
	}
}

// byClocks are players that think by the clock, of a game that all of them know;
// simulations and positions take a millisecond of the clock that they read.
func byClocks(t *testing.T, g engine.Game) map[string]match.Player {
	t.Helper()
	cfg := mcts.DefaultConfig()
	cfg.Edges = 1 << 16
	n := mustTimedNet(g, mcts.ByNetwork(g.Info(), flat{}), cfg, pace{clock: true}, nil)
	u := newTimedUCT(g, pace{clock: true}, 1<<16, 600)
	n.timer.now, u.timer.now = ticking(time.Millisecond), ticking(time.Millisecond)
	players := map[string]match.Player{"net": n, "mcts": u}
	if _, ok := g.(*konreh.Game); ok {
		p := alphaBetaOf(g, alphabeta.New(g), alphabeta.MaxDepth, pace{clock: true})
		p.timer.now = ticking(time.Millisecond)
		players["alphabeta"] = p
	}
	for _, p := range players {
		p.NewGame(t.Context(), 1)
	}
	return players
}

// TestPlayersThinkByTheClock asks for the beginning of a game, a decision later in
// the same turn, and one for which there is almost no time.
func TestPlayersThinkByTheClock(t *testing.T) {
	g := game(t, &konreh.Family)
	for name, p := range byClocks(t, g) {
		settled := false
		choose := func(moves string, remaining, increment time.Duration) time.Duration {
			t.Helper()
			s, h := played(t, g, moves)
			x, err := p.Think(t.Context(), s, h, match.Bounds{Remaining: remaining, Increment: increment})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if word := string(s.AppendAction(nil, x.Choice)); word == "" {
				t.Fatalf("%s: no move", name)
			}
			if !x.ByClock || x.Limit == 0 {
				t.Errorf("%s: %+v", name, x)
			}
			settled = settled || x.Ending == match.EndSettled
			return x.Time
		}
		near := func(got, want time.Duration) bool { return got >= want && got <= want+10*time.Millisecond }
		// 120 turns: 60 of one's own, 60.5 with the half one.
		if got, want := choose("", 60500*time.Millisecond+clockMargin, time.Second), 1983*time.Millisecond; !near(got, want) && !settled {
			t.Errorf("%s: %v for the first move, want %v", name, got, want)
		}
		first, second := choose("d1f1", time.Minute, 0), choose("d1f1 h5f5", time.Minute, 0)
		if !settled && !near(2*second, first) {
			t.Errorf("%s: %v for the first move of a double move, then %v, want half", name, first, second)
		}
		if got := choose("d1f1 h5f5 e8c8", 20*time.Millisecond, 0); got > 10*time.Millisecond {
			t.Errorf("%s: %v with 20ms left", name, got)
		}
		// A new game's first turn is no later decision of the last game's.
		p.NewGame(t.Context(), 1)
		if got, want := choose("", 60500*time.Millisecond+clockMargin, time.Second), 1983*time.Millisecond; !near(got, want) && !settled {
			t.Errorf("%s: %v for the first move of another game, want %v", name, got, want)
		}
	}
}

func TestForcedMovesTakeNoTime(t *testing.T) {
	g := game(t, &tictactoe.Family)
	s, h := played(t, g, "a1 b2 c3 a2 c2 c1 a3 b3")
	for name, p := range byClocks(t, g) {
		x, err := p.Think(t.Context(), s, h, match.Bounds{Remaining: time.Hour, Increment: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		if x.Ending != match.EndForced || x.Time != 0 || !x.ByClock {
			t.Errorf("%s: %+v for a single move", name, x)
		}
	}
}

// TestNoClockNoSearch: a player that is told no clock does not make up a time, in play
// or analysis.
func TestNoClockNoSearch(t *testing.T) {
	g := game(t, &konreh.Family)
	s, h := played(t, g, "")
	for name, p := range byClocks(t, g) {
		if _, err := choose(t.Context(), p, s, h); !errors.Is(err, ErrNoClock) {
			t.Errorf("%s: Choose without a clock = %v, want %v", name, err, ErrNoClock)
		}
		if _, err := analyze(t.Context(), p, s, h); !errors.Is(err, ErrNoClock) {
			t.Errorf("%s: Analyze without a clock = %v, want %v", name, err, ErrNoClock)
		}
		if _, err := p.Think(t.Context(), s, h, match.Bounds{Remaining: time.Second}); err != nil {
			t.Fatal(err)
		}
		if a, err := p.Think(t.Context(), s, h, match.Bounds{Remaining: time.Second, Analyze: true}); err != nil || len(a.Line) == 0 {
			t.Errorf("%s: Analyze by the clock: %v, %v", name, a, err)
		}
	}
}

// TestSearchEndsOnceDecided: of two moves one wins at once. By a fixed time it is
// searched to the end, by the clock until the other cannot catch up.
func TestSearchEndsOnceDecided(t *testing.T) {
	g := game(t, &tictactoe.Family)
	s, h := played(t, g, "a1 b1 a2 b2")
	for _, clock := range []bool{false, true} {
		limit := pace{limit: 2 * time.Second}
		if clock {
			limit = pace{clock: true}
		}
		u := newTimedUCT(g, limit, 1<<16, 600)
		u.timer.now = ticking(time.Millisecond)
		u.NewGame(t.Context(), 1)
		// 5 turns are left, 2.5 of them its own: at least 4.
		e, err := u.Think(t.Context(), s, h, match.Bounds{Remaining: 10*time.Second + clockMargin})
		if err != nil || string(s.AppendAction(nil, e.Choice)) != "a3" {
			t.Fatalf("%+v, %v", e, err)
		}
		if clock && (e.Ending != match.EndSettled || e.Time < 100*time.Millisecond || e.Time > 2*time.Second) {
			t.Errorf("by the clock: %+v, want an early end", e)
		}
		if !clock && (e.Ending != match.EndLimit || e.Time < 2*time.Second) {
			t.Errorf("by a fixed time: %+v, want all of it", e)
		}
	}
	for _, c := range []struct {
		first, second, done int
		took                time.Duration
		want                bool
	}{
		{51, 0, 64, 400 * time.Millisecond, false}, // 96 more fit in 600 ms
		{97, 0, 128, 600 * time.Millisecond, true}, // 85 more
		{97, 13, 128, 600 * time.Millisecond, false},
		{63, 0, 63, 900 * time.Millisecond, false}, // too few to tell
		{64, 0, 64, 0, false},
	} {
		began := time.Unix(100, 0)
		w := newTimer(pace{clock: true})
		w.now = func() time.Time { return began.Add(c.took) }
		d := &decision{timer: &w, began: began, limit: time.Second, byClock: true}
		if got := d.settled(c.first, c.second, c.done); got != c.want {
			t.Errorf("settled(%d, %d, %d) after %v = %v, want %v", c.first, c.second, c.done, c.took, got, c.want)
		}
	}
}

// guess is a network that says how many turns are left.
type guess struct {
	flat
	left float32
}

func (n guess) Forward(planes, globals []float32, offsets, cells []int32, logits, wdl, turns []float32) error {
	for i := range turns {
		turns[i] = n.left
	}
	return n.flat.Forward(planes, globals, offsets, cells, logits, wdl, turns)
}

func TestNetworkSaysHowLongTheGameLasts(t *testing.T) {
	g := game(t, &connect4.Family)
	s, h := played(t, g, "4 4 4 4 4 4") // 30 turns are usual from here
	list := s.Legal(nil, h)
	for said, want := range map[float32]float64{
		20: 20, 45: 45, 1: 10, 500: 90, -3: 10,
		float32(math.NaN()): 10, float32(math.Inf(1)): 90,
	} {
		got, err := newTurnsEstimate(g, guess{left: said}).turnsLeft(s, list)
		if err != nil || got != want {
			t.Errorf("a network says %g turns: %g, %v, want %g", said, got, err, want)
		}
	}
	if got, err := (*turnsEstimate)(nil).turnsLeft(s, list); err != nil || got != 30 {
		t.Errorf("without a network %g, %v, want 30", got, err)
	}
	broken := errors.New("overheated")
	if _, err := newTurnsEstimate(g, &mixer{fails: broken}).turnsLeft(s, list); !errors.Is(err, broken) {
		t.Errorf("a broken network: %v", err)
	}
	o := newTurnsEstimate(g, guess{left: 20})
	if n := testing.AllocsPerRun(20, func() {
		if _, err := o.turnsLeft(s, list); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%g allocations to ask for the turns left", n)
	}
	// 19 turns left are 10 of one's own; the evaluation is in the time, too.
	synctest.Test(t, func(t *testing.T) {
		cfg := mcts.DefaultConfig()
		cfg.Edges = 1 << 16
		network := &slow{takes: time.Millisecond}
		p := mustTimedNet(g, mcts.ByNetwork(g.Info(), network), cfg, pace{clock: true}, newTurnsEstimate(g, guess{left: 19}))
		p.NewGame(t.Context(), 1)
		x, err := p.Think(t.Context(), s, h, match.Bounds{Remaining: time.Second + clockMargin})
		if err != nil {
			t.Fatal(err)
		}
		if x.Time != 100*time.Millisecond && x.Ending != match.EndSettled {
			t.Errorf("%+v, want a tenth of a second", x)
		}
	})
}

// fading is a context that ends when it has been asked a number of times.
type fading struct {
	context.Context
	asked, lasts int
}

func (f *fading) Err() error {
	if f.asked++; f.asked > f.lasts {
		return context.DeadlineExceeded
	}
	return nil
}

// TestPlayersGoOnAfterTheFlagFell: a search that was broken off leaves nothing
// behind that would matter in the next game.
func TestPlayersGoOnAfterTheFlagFell(t *testing.T) {
	micro, err := konreh.Family.Parse("micro")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		g           engine.Game
		text, moves string
	}{
		{micro, "minimax:depth=6", ""}, {micro, "alphabeta:depth=5", ""}, {micro, "mcts:sims=2000", ""},
		{micro, "net:a.st,sims=400", ""}, {micro, "net:a.st,sims=400,search=gumbel", ""},
		{game(t, &racegame.Family), "exact", ""},
	} {
		var o opener
		spec, err := Parse(c.text, map[string]Kind{"net": NetKind(o.open)})
		if err != nil {
			t.Fatal(err)
		}
		var moves [2]engine.Action
		broken := 0
		for fresh := range 2 {
			p, err := spec.New(c.g)
			if err != nil {
				t.Fatal(err)
			}
			s, h := played(t, c.g, c.moves)
			for lasts := 0; fresh == 0 && lasts < 8; lasts++ {
				p.NewGame(t.Context(), uint64(lasts))
				if _, err := choose(&fading{context.Background(), 0, lasts}, p, s, h); err != nil {
					broken++
				}
			}
			p.NewGame(t.Context(), 42)
			if moves[fresh], err = choose(t.Context(), p, s, h); err != nil {
				t.Fatalf("%s: %v", c.text, err)
			}
		}
		if broken == 0 || moves[0] != moves[1] {
			t.Errorf("%s: broken off %d times, then %d, want as of a new player %d", c.text, broken, moves[0], moves[1])
		}
	}
}

func TestClockDescriptions(t *testing.T) {
	var o opener
	kinds := map[string]Kind{"net": NetKind(o.open)}
	for text, want := range map[string]string{
		"mcts:time=clock":             "mcts:time=clock,edges=2097152,cap=600",
		"net:a.st,time=clock":         "net:a.st,time=clock,edges=16777216",
		"alphabeta:time=clock":        "alphabeta:time=clock",
		"alphabeta:time=1s":           "alphabeta:time=1s",
		"mcts:sims=5":                 "mcts:sims=5,cap=600",
		"net:a.st,time=5ms,fold=true": "net:a.st,time=5ms,edges=16777216,fold=true",
	} {
		spec, err := Parse(text, kinds)
		if err != nil || spec.Text != want {
			t.Errorf("Parse(%q) = %v, %v, want %q", text, spec, err, want)
			continue
		}
		if byClock := strings.Contains(text, "clock"); spec.ByClock != byClock || spec.Contestant(game(t, &konreh.Family)).ByClock != byClock {
			t.Errorf("%s: by the clock: %v", text, spec.ByClock)
		}
	}
	for text, want := range map[string]string{
		"net:a.st,time=clock,search=gumbel": "plans a number of simulations",
		"net:a.st,time=clock,sims=5":        "net takes at most one of sims=",
		"alphabeta:time=watch":              "want a time such as 100ms or 2s or clock",
		"alphabeta:time=2h":                 "want 1ms to 1h0m0s",
		"alphabeta:depth=clock":             "depth",
	} {
		if _, err := Parse(text, kinds); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %v, want %q", text, err, want)
		}
	}
}

// TestSearchByTheClockAllocatesItsAnswer, and nothing while it searches.
func TestSearchByTheClockAllocatesItsAnswer(t *testing.T) {
	g := game(t, &connect4.Family)
	s, h := played(t, g, "")
	cfg := mcts.DefaultConfig()
	cfg.Edges = 1 << 16
	n := mustTimedNet(g, mcts.ByNetwork(g.Info(), flat{}), cfg, pace{clock: true}, newTurnsEstimate(g, guess{left: 30}))
	u := newTimedUCT(g, pace{clock: true}, 1<<16, 600)
	n.timer.now, u.timer.now = ticking(10*time.Microsecond), ticking(10*time.Microsecond)
	for name, p := range map[string]match.Player{"net": n, "mcts": u} {
		ask := func() {
			n.path.forget()
			if _, err := p.Think(t.Context(), s, h, match.Bounds{Remaining: time.Second}); err != nil {
				t.Fatal(err)
			}
		}
		ask()
		ask() // buffers reach their size
		if got := testing.AllocsPerRun(3, ask); got > 20 {
			t.Errorf("%s: %g allocations a search, want at most 20", name, got)
		}
	}
}
