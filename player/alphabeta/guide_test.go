package alphabeta

import (
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// whim is a guide that makes no sense: hashes decide.
type whim struct{}

func (w *whim) Value(s engine.State, player engine.Player) int32 {
	x := s.Hash() * 0x9e3779b97f4a7c15 >> 40
	return int32(x%400) - 200 + 30*int32(s.SideOf(player))
}

func (w *whim) Bonus(s, next engine.State, a engine.Action) (int32, bool) {
	x := (s.Hash() ^ next.Hash() + uint64(a)) * 0xd1342543de82ef95 >> 40
	return int32(x%600) - 300, x%5 == 0
}

// guidedBrute is brute for an engine with a guide, in the view of player.
func guidedBrute(b *brute, s *konreh.State, player engine.Player, last int) int32 {
	if !b.e.guided(s) {
		return b.value(s, player, last)
	}
	// The turn under way belongs to the player at the root.
	best, mark := -infinity, b.h.Len()
	for _, any := range [2]bool{false, true} { // if all are barred, none is
		for _, a := range s.Legal(nil, b.h) {
			next := *s
			next.Apply(a, b.h)
			if bonus, barred := b.e.guide.Bonus(s, &next, a); !barred || any {
				best = max(best, raised(guidedBrute(b, &next, s.Actor(), last), bonus))
			}
			b.h.Truncate(mark)
		}
		if best > -infinity {
			break
		}
	}
	if s.Actor() != player {
		return -best
	}
	return best
}

// TestGuidedSearchAgreesWithBruteForce in value, in all phases.
func TestGuidedSearchAgreesWithBruteForce(t *testing.T) {
	checked, midTurn := 0, 0
	for i, rules := range []string{"standard", "table", "standard,balance=pie"} {
		g := game(t, rules)
		rng := rand.New(rand.NewPCG(5, uint64(i)))
		s, h := newState(g), g.NewHistory()
		e := NewGuided(g, &whim{})
		e.plain = true
		// No NewGame: what earlier searches left in the table must not be mistaken.
		for n := range 10 {
			wander(s, h, rng.IntN(60), rng)
			for tries := 0; n%2 == 0 && tries < 20 && (s.BeginsTurn() || s.Actor() == engine.Nobody); tries++ {
				wander(s, h, rng.IntN(40), rng)
			}
			list := s.Legal(nil, h)
			if s.Actor() == engine.Nobody || len(list) == 1 {
				continue
			}
			if !s.BeginsTurn() {
				midTurn++
			}
			checked++
			r := e.Search(s, h, list, 1, nil)
			b := &brute{e: e, h: g.NewHistory()}
			b.h.CopyFrom(h)
			if want := guidedBrute(b, s, s.Actor(), s.Turn()+r.Depth); r.Value != want {
				t.Errorf("%s: %s: value %d, want %d", rules, s.AppendPosition(nil), r.Value, want)
			}
		}
	}
	if checked < 15 || midTurn < 4 {
		t.Errorf("%d positions, %d in mid-turn: the test is too small", checked, midTurn)
	}
}

// TestGuideBars: what is barred is not played unless all is.
func TestGuideBars(t *testing.T) {
	g := game(t, "standard,max_turns=600")
	w := &whim{}
	e := NewGuided(g, w)
	rng := rand.New(rand.NewPCG(6, 1))
	s, h := newState(g), g.NewHistory()
	barred := 0
	for range 30 {
		wander(s, h, 10+rng.IntN(40), rng)
		list := s.Legal(nil, h)
		if s.Actor() == engine.Nobody || len(list) == 1 {
			continue
		}
		open, free := map[engine.Action]bool{}, false
		for _, a := range list {
			next := *s
			next.Apply(a, nil)
			_, no := w.Bonus(s, &next, a)
			open[a] = !no
			free = free || !no
			if no {
				barred++
			}
		}
		if a := e.Search(s, h, list, 2, nil).Action; free && !open[a] {
			t.Errorf("%s: plays %s, which is barred", s.AppendPosition(nil), s.AppendAction(nil, a))
		}
	}
	if barred < 30 {
		t.Errorf("%d actions were barred: the test is too small", barred)
	}
}

// TestRaised: order is kept, and what is proven.
func TestRaised(t *testing.T) {
	values := []int32{-infinity, 5 - win, -judged, 100 - judged, -50, 0, 60, judged - 100, judged, win - 5, infinity}
	for _, bonus := range []int32{-300, -1, 0, 1, 300} {
		for i, v := range values {
			if Proven(v) && raised(v, bonus) != v || Proven(raised(v, bonus)) != Proven(v) {
				t.Errorf("raised(%d, %d) = %d", v, bonus, raised(v, bonus))
			}
			if i > 0 && raised(v, bonus) < raised(values[i-1], bonus) {
				t.Errorf("bonus %d: %d and %d change places", bonus, values[i-1], v)
			}
		}
	}
	if got := raised(-50, 300); got != 250 {
		t.Errorf("raised(-50, 300) = %d, want 250", got)
	}
}
