package archive

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/match"
)

// TestFolderKeepsClocks of a match in which one player has no chance to decide in
// time, stopped after its first pair.
func TestFolderKeepsClocks(t *testing.T) { synctest.Test(t, testFolderKeepsClocks) }

// sleeper decides in an hour.
type sleeper struct{ lowest }

func (p sleeper) Think(ctx context.Context, s engine.State, h *engine.History, _ match.Bounds) (*match.Analysis, error) {
	a, err := p.decide(ctx, s, h)
	return &match.Analysis{Choice: a, Line: []engine.Action{a}}, err
}

func (p sleeper) decide(ctx context.Context, _ engine.State, _ *engine.History) (engine.Action, error) {
	select {
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	case <-time.After(time.Hour):
		return 0, errors.New("the hour is over")
	}
}

func testFolderKeepsClocks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	_, s := work(t, &connect4.Family, 2, "random", "random")
	s.Contestants[1] = match.Contestant{Name: "sleeper", New: func() (match.Player, error) { return sleeper{}, nil }}
	s.Clock = match.TimeControl{Base: 30 * time.Millisecond}
	asked := Ask("match", s, make([]string, 2), "", map[string]string{"other": "1"})
	if asked.Settings["clock"] != "0.0005+0" || asked.Settings["other"] != "1" {
		t.Fatalf("settings %v", asked.Settings)
	}
	play(t, dir, asked, s, 2)
	games := play(t, dir, asked, s, 0)
	rows, _, err := ReadGames(dir)
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, r := range rows {
		c := games[i].Clock
		if c == nil || games[i].Reason != match.TimeForfeit || games[i].Points != 1 || r.FirstUsed == nil {
			t.Fatalf("game %d: %+v", i+1, games[i])
		}
		random, late := [2]int64{*r.FirstUsed, *r.FirstLeft}, [2]int64{*r.SecondUsed, *r.SecondLeft}
		if i%2 == 1 {
			random, late = late, random
		}
		if random != [2]int64{*micros(c.AUsed), *micros(c.ALeft)} || late != [2]int64{*micros(c.BUsed), *micros(c.BLeft)} || random[1] <= 0 || late[1] > 0 {
			t.Errorf("game %d: %v and %v of %+v", i+1, random, late, *c)
		}
	}
	text := string(read(t, dir, TextFile))
	for _, want := range []string{"[Reason \"time-forfeit\"]\n", "[Clock \"0.0005+0\"]\n[FirstClock \"", "[FirstClock \"0s used, 30ms left\"]\n[SecondClock \"30ms used, 0s late\"]\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	s.Clock.Increment = time.Second
	_, _, err = Open(dir, Ask("match", s, make([]string, 2), "", map[string]string{"other": "1"}), s)
	if !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), "clock: 0.0005+0 there, 0.0005+1 now") {
		t.Errorf("another clock: %v", err)
	}
	s.Clock = match.TimeControl{}
	_, _, err = Open(dir, Ask("match", s, make([]string, 2), "", map[string]string{"other": "1"}), s)
	if !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), "clock: 0.0005+0 there, not set now") {
		t.Errorf("no clock: %v", err)
	}
}

func TestMicros(t *testing.T) {
	for d, want := range map[time.Duration]int64{0: 0, 1: 1, -1: -1, time.Microsecond: 1, 1001: 2, -1001: -2, -2000: -2} {
		if got := *micros(d); got != want {
			t.Errorf("%dns: %d, want %d", d, got, want)
		}
	}
}

// loser forfeits its games.
type loser struct{ lowest }

func (p loser) Think(ctx context.Context, s engine.State, h *engine.History, _ match.Bounds) (*match.Analysis, error) {
	a, err := p.decide(ctx, s, h)
	return &match.Analysis{Choice: a, Line: []engine.Action{a}}, err
}

func (loser) decide(context.Context, engine.State, *engine.History) (engine.Action, error) {
	return 0, &match.Forfeit{Reason: match.ForfeitCrash, Err: errors.New("gone")}
}

// TestForfeitedGamesAreBelieved reads games that a player forfeited back from a
// journal, and none whose points say otherwise.
func TestForfeitedGamesAreBelieved(t *testing.T) {
	_, s := work(t, &connect4.Family, 2, "random", "random")
	s.Contestants[1] = match.Contestant{Name: "loser", New: func() (match.Player, error) { return loser{}, nil }}
	games, err := s.Run(t.Context(), nil, match.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	v := newVerifier(s)
	for i := range games {
		g := games[i]
		if g.Points != 1 || g.Reason != match.ForfeitCrash || g.Note != "loser: crash: gone" {
			t.Errorf("game %+v", g)
		}
		if err := v.check(&g); err != nil {
			t.Error(err)
		}
	}
	g := games[0]
	g.Points = 0
	if err := newVerifier(s).check(&g); err == nil {
		t.Error("a game won by the one who forfeited it is believed")
	}
}
