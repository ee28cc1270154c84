package player

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/konreh"
)

// TestPathIsFound of up to two decisions wherever a game went, in games with
// turns of several decisions, with chance and without, and none back.
func TestPathIsFound(t *testing.T) {
	for _, f := range []*engine.Family{&connect4.Family, &racegame.Family, &konreh.Family} {
		g := game(t, f)
		rng := rand.New(rand.NewPCG(9, 1))
		r := newPathFinder(g)
		s, h := g.NewState(), g.NewHistory()
		from, past := g.NewState(), g.NewHistory()
		found := 0
		for range 60 {
			playRandom(s, h, rng.IntN(30), rng)
			if s.Actor() == engine.Nobody {
				continue
			}
			r.remember(s, h)
			from.CopyFrom(s)
			past.CopyFrom(h)
			for decisions := range 3 {
				path := r.to(s, h)
				if path == nil {
					t.Fatalf("%s: no way from %s to %s", f.Name, from.AppendPosition(nil), s.AppendPosition(nil))
				}
				if len(path) > decisions {
					t.Errorf("%s: a way of %d decisions, want %d at most", f.Name, len(path), decisions)
				}
				walked, then := g.NewState(), g.NewHistory()
				walked.CopyFrom(from)
				then.CopyFrom(past)
				for _, a := range path {
					walked.Apply(a, then)
				}
				if string(walked.Pack(nil)) != string(s.Pack(nil)) || !then.Equal(h) {
					t.Errorf("%s: the way leads to %s, want %s", f.Name, walked.AppendPosition(nil), s.AppendPosition(nil))
				}
				found++
				r.remember(from, past)
				if playRandomOn(s, h, 1, rng); s.Actor() == engine.Nobody {
					break
				}
			}
			r.remember(s, h)
			if from.Turn() < s.Turn() && r.to(from, past) != nil {
				t.Errorf("%s: a way back from %s to %s", f.Name, s.AppendPosition(nil), from.AppendPosition(nil))
			}
		}
		if found < 60 {
			t.Errorf("%s: %d ways looked at: the test tests little", f.Name, found)
		}
	}
}

// TestPathFinderGivesUp where there is none, without looking at everything.
func TestPathFinderGivesUp(t *testing.T) {
	g := game(t, &konreh.Family)
	rng := rand.New(rand.NewPCG(3, 1))
	r := newPathFinder(g)
	s, h := g.NewState(), g.NewHistory()
	playRandom(s, h, 10, rng)
	r.remember(s, h)
	playRandomOn(s, h, 12, rng)
	if path := r.to(s, h); path != nil {
		t.Errorf("a way of %d decisions over twelve", len(path))
	}
	if r.left == pathPositions {
		t.Error("nothing was looked at")
	}
	if r.forget(); r.to(r.last, r.past) != nil {
		t.Error("what was forgotten is known")
	}
	r.remember(s, nil)
	if r.to(s, nil) != nil {
		t.Error("a way without a past")
	}
}

// TestTimedNetGoesOn from what it knows when the game went on from its last
// search, and begins anew in a new game and after a move taken back.
func TestTimedNetGoesOn(t *testing.T) {
	g := game(t, &connect4.Family)
	s, h := played(t, g, "4 4")
	p := timedNet(t, g, &mixer{}, 1<<16, 50*time.Millisecond, false)
	p.timer.now = ticking(time.Millisecond)
	kept := func(s engine.State, h *engine.History) int {
		t.Helper()
		p.follow(s, h)
		visits := 0
		for _, r := range p.tree.Root(nil) {
			visits += r.Visits
		}
		return visits
	}
	a, err := choose(t.Context(), p, s, h)
	if err != nil {
		t.Fatal(err)
	}
	before, past := g.NewState(), g.NewHistory()
	before.CopyFrom(s)
	past.CopyFrom(h)
	s.Apply(a, h)
	answer := s.Legal(nil, h)[2]
	p.tree.Advance(a) // what is known of the answer, without the player
	want := 0
	for _, r := range p.tree.Root(nil) {
		if r.Action == answer {
			want = r.Visits
		}
	}
	if p.NewGame(t.Context(), 1); kept(before, past) != 0 {
		t.Error("a new game begins with what was known")
	}
	if p.timer.now = ticking(time.Millisecond); want < 2 {
		t.Fatalf("%d visits of the answer: the test tests nothing", want)
	}
	if _, err = choose(t.Context(), p, before, past); err != nil {
		t.Fatal(err)
	}
	s.Apply(answer, h)
	if got := kept(s, h); got != want-1 { // one of them evaluated the position itself
		t.Errorf("%d visits are kept of the answer, want %d", got, want-1)
	}
	if kept(before, past) != 0 {
		t.Error("visits are kept after a move was taken back")
	}
}
