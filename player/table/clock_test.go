package table

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
)

const clockMinute, clockIncrement = time.Minute, 2 * time.Second

// clocked is a session with a minute and two seconds a turn.
func clocked(t *testing.T, f *engine.Family, rules, first, second string) *Session {
	t.Helper()
	s := session(t, f, rules, first, second, 1)
	s.SetClock(match.TimeControl{Base: clockMinute, Increment: clockIncrement})
	return s
}

// think has a person take its time.
func think(s *Session, d time.Duration) {
	s.Think()
	time.Sleep(d)
}

func wantLeft(t *testing.T, s *Session, first, second time.Duration) {
	t.Helper()
	if a, b := s.TimeLeft(engine.First), s.TimeLeft(engine.Second); a != first || b != second {
		t.Errorf("%v and %v left, want %v and %v", a, b, first, second)
	}
}

// TestPeopleHaveClocks: each runs while its person is to move, and goes back with
// what is taken back.
func TestPeopleHaveClocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := clocked(t, &konreh.Family, "standard", You, You)
		think(s, 10*time.Second)
		wantLeft(t, s, 50*time.Second, clockMinute)
		enter(t, s, "d1f1")
		time.Sleep(time.Hour) // nobody was told to think
		think(s, 5*time.Second)
		think(s, 5*time.Second) // still the same
		wantLeft(t, s, 52*time.Second, 50*time.Second)
		enter(t, s, "h5f5")
		think(s, 10*time.Second)
		wantLeft(t, s, 52*time.Second, 40*time.Second)
		enter(t, s, "e8c8") // both moves are one turn
		think(s, time.Second)
		wantLeft(t, s, 51*time.Second, 42*time.Second)
		if n, err := s.Undo(); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		wantLeft(t, s, 52*time.Second, 50*time.Second)
		if n, err := s.Takeback(); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		s.Think()
		wantLeft(t, s, 52*time.Second, clockMinute)
		enter(t, s, "h5f5 e8c8")
		if n, err := s.Takeback(); n != 2 || err != nil {
			t.Fatal(n, err)
		}
		if _, err := s.Undo(); err != nil {
			t.Fatal(err)
		}
		wantLeft(t, s, clockMinute, clockMinute)
		enter(t, s, "d1f1")
		if think(s, time.Second); s.Resign() != nil {
			t.Fatal("cannot resign")
		}
		time.Sleep(time.Hour)
		wantLeft(t, s, clockMinute+clockIncrement, clockMinute-time.Second)
	})
}

// TestFlagFalls with and without somebody who looks at the clock.
func TestFlagFalls(t *testing.T) {
	lost := Result{Winner: engine.Second, Reason: match.TimeForfeit}
	synctest.Test(t, func(t *testing.T) {
		s := clocked(t, &connect4.Family, "", You, You)
		enter(t, s, "4 4")
		fell := s.Think()
		if s.Flag() {
			t.Error("the flag falls at once")
		}
		began := time.Now()
		<-fell
		if took := time.Since(began); took != clockMinute+clockIncrement || !s.Flag() {
			t.Errorf("no flag after %v", took)
		}
		if r, over := s.Result(); !over || r != lost || s.Think() != nil || s.Asked() != engine.Nobody {
			t.Errorf("%+v, want %+v", r, lost)
		}
		// The last decision is the other one's: it can be taken back, and the game goes on.
		if n, err := s.Undo(); n != 1 || err != nil || s.Asked() != engine.Second {
			t.Errorf("undo: %d, %v", n, err)
		}
		wantLeft(t, s, clockMinute+clockIncrement, clockMinute)
	})
	synctest.Test(t, func(t *testing.T) {
		s := clocked(t, &connect4.Family, "", You, You)
		think(s, clockMinute)
		before := line(s)
		if _, err := s.Play(s.Legal()[0]); !errors.Is(err, match.ErrFlagFell) || line(s) != before {
			t.Errorf("a move after the flag fell: %v", err)
		}
		if r, _ := s.Result(); r != lost {
			t.Errorf("%+v, want %+v", r, lost)
		}
		// Nobody has decided anything, and the game goes on all the same.
		if n, err := s.Undo(); n != 0 || err != nil || s.Asked() != engine.First {
			t.Errorf("undo before the first move: %d, %v", n, err)
		}
		wantLeft(t, s, clockMinute, clockMinute)
		// The same where somebody looks at the clock.
		if <-s.Think(); !s.Flag() {
			t.Fatal("no flag")
		}
		if n, err := s.Undo(); n != 0 || err != nil || s.Asked() != engine.First {
			t.Errorf("undo after a flag before the first move: %d, %v", n, err)
		}
		wantLeft(t, s, clockMinute, clockMinute)
		enter(t, s, "4")
	})
}

// late is a player that takes a time for everything.
type late struct {
	takes time.Duration
	told  []time.Duration
}

func (l *late) NewGame(context.Context, uint64) error { return nil }

func (l *late) Think(ctx context.Context, s engine.State, h *engine.History, b match.Bounds) (*match.Analysis, error) {
	l.told = append(l.told, b.Remaining)
	a, err := l.decide(ctx, s, h)
	return &match.Analysis{Choice: a, Line: []engine.Action{a}}, err
}

func (l *late) decide(ctx context.Context, s engine.State, h *engine.History) (engine.Action, error) {
	select {
	case <-time.After(l.takes):
		return s.Legal(nil, h)[0], nil
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

// TestPlayersHaveClocks, and are told what they show; in the time that one thinks
// about a draw nobody's runs.
func TestPlayersHaveClocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &late{takes: 25 * time.Second}
		s := session(t, &connect4.Family, "", You, You, 1)
		s.seats[1] = Seat{Name: "late", Player: p}
		s.SetClock(match.TimeControl{Base: clockMinute, Increment: clockIncrement})
		think(s, time.Second)
		if answer, err := s.OfferDraw(t.Context()); answer != Declined || err != nil {
			t.Fatal(answer, err)
		}
		wantLeft(t, s, 59*time.Second, clockMinute)
		enter(t, s, "4")
		if s.Think() != nil {
			t.Error("a person's clock runs while a player thinks")
		}
		proceed(t, s)
		think(s, time.Second)
		b := s.Bounds(engine.First)
		wantLeft(t, s, 60*time.Second, 37*time.Second)
		if b.Remaining != 60*time.Second || b.Other != 37*time.Second || b.Increment != clockIncrement {
			t.Errorf("who gives hints is told %+v", b)
		}
		enter(t, s, "4")
		proceed(t, s)
		enter(t, s, "4")
		if _, err := s.Continue(t.Context()); !errors.Is(err, match.ErrFlagFell) {
			t.Errorf("a player without time: %v", err)
		}
		if r, over := s.Result(); !over || r.Winner != engine.First || r.Reason != match.TimeForfeit {
			t.Errorf("%+v, want First to win on time", r)
		}
		if want := []time.Duration{60 * time.Second, 60 * time.Second, 37 * time.Second, 14 * time.Second}; len(p.told) != 4 || p.told[1] != want[1] || p.told[2] != want[2] || p.told[3] != want[3] {
			t.Errorf("the player was told %v, want %v", p.told, want)
		}
	})
}

// TestClocksOfChance: no time passes while it falls, and undo crosses it.
func TestClocksOfChance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := clocked(t, &racegame.Family, "", You, "random")
		for range 3 {
			think(s, time.Second)
			if _, err := s.Play(s.Legal()[0]); err != nil {
				t.Fatal(err)
			}
			proceed(t, s)
		}
		wantLeft(t, s, clockMinute-3*time.Second+clockIncrement, clockMinute+clockIncrement)
		for range 3 {
			if _, err := s.Undo(); err != nil {
				t.Fatal(err)
			}
		}
		wantLeft(t, s, clockMinute, clockMinute)
	})
}
