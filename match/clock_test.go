package match_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
)

func TestParseTimeControl(t *testing.T) {
	for text, want := range map[string]match.TimeControl{
		"":          {},
		"10+5":      {10 * time.Minute, 5 * time.Second},
		"5+3":       {5 * time.Minute, 3 * time.Second},
		"2+1":       {2 * time.Minute, time.Second},
		"3+0":       {3 * time.Minute, 0},
		"0.05+0.1":  {3 * time.Second, 100 * time.Millisecond},
		"1440+3600": {24 * time.Hour, time.Hour},
	} {
		got, err := match.ParseTimeControl(text)
		if err != nil || got != want || got.String() != text || got.On() != (text != "") {
			t.Errorf("ParseTimeControl(%q) = %+v, %v, written %q, want %+v", text, got, err, got, want)
		}
	}
	for text, want := range map[string]string{
		"5":                             "want MINUTES+SECONDS",
		"+":                             "want MINUTES+SECONDS",
		"5+":                            "want MINUTES+SECONDS",
		"+3":                            "want MINUTES+SECONDS",
		"5+3+1":                         "want MINUTES+SECONDS",
		"-5+3":                          "want MINUTES+SECONDS",
		"5+-3":                          "want MINUTES+SECONDS",
		" 5+3":                          "want MINUTES+SECONDS",
		"5m+3s":                         "want MINUTES+SECONDS",
		"1e1+0":                         "want MINUTES+SECONDS",
		".+0":                           "want MINUTES+SECONDS",
		"1.2.3+0":                       "want MINUTES+SECONDS",
		"inf+0":                         "want MINUTES+SECONDS",
		"0+5":                           "want 1ms to 24h0m0s",
		"1441+0":                        "want 1ms to 24h0m0s",
		"1+3601":                        "want at most 1h0m0s",
		"1+" + strings.Repeat("9", 400): "want MINUTES+SECONDS",
		strings.Repeat("9", 40) + "+1":  `9+1": want 1ms to 24h0m0s a game`,
	} {
		if c, err := match.ParseTimeControl(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseTimeControl(%q) = %+v, %v, want %q", text, c, err, want)
		}
	}
}

// TestIncrementIsForATurn follows games in which a turn has several decisions, a
// player has two moves, players change sides and chance comes between.
func TestIncrementIsForATurn(t *testing.T) {
	const base, increment = time.Hour, time.Second
	for _, c := range []struct {
		f             *engine.Family
		rules, moves  string
		first, second int // turns finished once the next player is asked
	}{
		{&connect4.Family, "", "4 4 4", 2, 1},
		// B's first turn has two moves.
		{&konreh.Family, "standard", "d1f1", 1, 0},
		{&konreh.Family, "standard", "d1f1 h5f5", 1, 0},
		{&konreh.Family, "standard", "d1f1 h5f5 e8c8", 1, 1},
		// The second player's swap ends its turn: the first one moves for B.
		{&konreh.Family, "standard,balance=pie", "d1f1 swap", 1, 1},
		{&konreh.Family, "standard,balance=pie", "d1f1 swap h5f5", 2, 1},
		{&konreh.Family, "standard,balance=pie", "d1f1 hold", 1, 0},
		{&konreh.Family, "standard,balance=pie", "d1f1 hold h5f5", 1, 1},
		// A turn is a choice of a die, its roll, and a choice of what to do.
		{&racegame.Family, "", "safe", 0, 0},
		{&racegame.Family, "", "safe 1", 0, 0},
		{&racegame.Family, "", "safe 1 forward", 1, 0},
		{&racegame.Family, "", "safe 1 forward bold 2 push", 1, 1},
	} {
		g, err := c.f.Parse(c.rules)
		if err != nil {
			t.Fatal(err)
		}
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		clock := match.NewClock(match.TimeControl{Base: base, Increment: increment})
		ask := func() {
			if p := s.Actor(); p == engine.First || p == engine.Second {
				clock.Ask(p, s.Turn())
			}
		}
		for _, word := range strings.Fields(c.moves) {
			ask()
			a := engine.Action(-1)
			if s.Actor() == engine.Chance {
				for _, w := range s.Chance(nil) {
					if string(s.AppendAction(nil, w.Code)) == word {
						a = w.Code
					}
				}
			} else if a, err = s.ParseAction(word, h); err != nil {
				t.Fatal(err)
			}
			s.Apply(a, h)
		}
		ask()
		want := [2]time.Duration{base + time.Duration(c.first)*increment, base + time.Duration(c.second)*increment}
		if got := [2]time.Duration{clock.Left(engine.First), clock.Left(engine.Second)}; got != want {
			t.Errorf("%s %s after %q: %v, want %v", c.f.Name, c.rules, c.moves, got, want)
		}
	}
}

// thinker takes a time for each decision. With deaf it does not notice that it is
// broken off.
type thinker struct {
	takes     func() time.Duration
	deaf      bool
	fails     error
	remaining []time.Duration
	increment time.Duration
}

func (p *thinker) NewGame(context.Context, uint64) error { return nil }

func (p *thinker) Think(ctx context.Context, s engine.State, h *engine.History, b match.Bounds) (*match.Analysis, error) {
	p.remaining, p.increment = append(p.remaining, b.Remaining), b.Increment
	a, err := p.decide(ctx, s, h)
	return &match.Analysis{Choice: a, Line: []engine.Action{a}}, err
}

func (p *thinker) decide(ctx context.Context, s engine.State, h *engine.History) (engine.Action, error) {
	done := ctx.Done()
	if p.deaf {
		done = nil
	}
	select {
	case <-time.After(p.takes()):
		return s.Legal(nil, h)[0], p.fails
	case <-done:
		return 0, context.Cause(ctx)
	}
}

func always(d time.Duration) func() time.Duration { return func() time.Duration { return d } }

func TestChooseOnTheClock(t *testing.T) {
	g, err := connect4.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("overheated")
	for _, c := range []struct {
		name string
		p    thinker
		stop time.Duration // when the match is stopped, if above 0
		want error
		left time.Duration
	}{
		{name: "in time", p: thinker{takes: always(900 * time.Millisecond)}, left: 100 * time.Millisecond},
		{name: "a good move at zero", p: thinker{takes: always(time.Second), deaf: true}, want: match.ErrFlagFell},
		{name: "a good move too late", p: thinker{takes: always(1250 * time.Millisecond), deaf: true}, want: match.ErrFlagFell, left: -250 * time.Millisecond},
		{name: "broken off", p: thinker{takes: always(time.Hour)}, want: match.ErrFlagFell},
		{name: "a failure", p: thinker{takes: always(time.Millisecond), fails: broken}, want: broken, left: 999 * time.Millisecond},
		{name: "a deadline of its own", p: thinker{takes: always(time.Millisecond), fails: context.DeadlineExceeded}, want: context.DeadlineExceeded, left: 999 * time.Millisecond},
		{name: "a failure too late", p: thinker{takes: always(2 * time.Second), deaf: true, fails: broken}, want: broken, left: -time.Second},
		{name: "the match is stopped", p: thinker{takes: always(time.Hour)}, stop: 300 * time.Millisecond, want: context.Canceled, left: 700 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.stop > 0 {
				time.AfterFunc(c.stop, cancel)
			}
			s, h := g.NewState(), g.NewHistory()
			s.Start(h)
			clock := match.NewClock(match.TimeControl{Base: time.Second, Increment: time.Minute})
			_, err := clock.Think(ctx, &c.p, s, h, match.Bounds{})
			if !errors.Is(err, c.want) || clock.Left(engine.First) != c.left || clock.Used(engine.First) != time.Second-c.left {
				t.Errorf("%s: %v, %v left, %v used, want %v, %v left", c.name, err, clock.Left(engine.First), clock.Used(engine.First), c.want, c.left)
			}
			if clock.Left(engine.Second) != time.Second || clock.Used(engine.Second) != 0 {
				t.Errorf("%s: the other clock ran", c.name)
			}
			if !slices.Equal(c.p.remaining, []time.Duration{time.Second}) || c.p.increment != time.Minute {
				t.Errorf("%s: the player was told %v and %v a turn", c.name, c.p.remaining, c.p.increment)
			}
		})
	}
}

// TestClockAddsUp plays random times: what a player has left is what it was given
// less what it used, and it is told so before each decision.
func TestClockAddsUp(t *testing.T) {
	g, err := connect4.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		p := &thinker{takes: func() time.Duration { return time.Duration(rng.IntN(2000)) * time.Millisecond }}
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		control := match.TimeControl{Base: time.Minute, Increment: time.Second}
		clock := match.NewClock(control)
		began := time.Now()
		var asked [2]int
		for s.Actor() != engine.Nobody {
			actor := s.Actor()
			before := clock.Used(actor)
			x, err := clock.Think(t.Context(), p, s, h, match.Bounds{})
			if err != nil {
				t.Fatal(err)
			}
			if want := control.Base + time.Duration(asked[actor])*control.Increment - before; p.remaining[len(p.remaining)-1] != want {
				t.Fatalf("%v told for turn %d, want %v", p.remaining[len(p.remaining)-1], s.Turn(), want)
			}
			asked[actor]++
			s.Apply(x.Choice, h)
		}
		if used := clock.Used(engine.First) + clock.Used(engine.Second); used != time.Since(began) || used == 0 {
			t.Errorf("%v used in %v", used, time.Since(began))
		}
	})
}
