package alphabeta

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// TestRateAgreesWithBruteForce: within the window values are exact, below it upper
// bounds, and the choice is Search's.
func TestRateAgreesWithBruteForce(t *testing.T) {
	const window = 150
	exact, below := 0, 0
	for i, rules := range allRules {
		g := game(t, rules)
		rng := rand.New(rand.NewPCG(8, uint64(i)))
		s, h, e, alone := newState(g), g.NewHistory(), New(g), New(g)
		for range 3 {
			wander(s, h, rng.IntN(90), rng)
			list := []engine.Action(nil)
			if s.Actor() != engine.Nobody {
				list = s.Legal(nil, h)
			}
			if len(list) < 2 {
				continue
			}
			e.NewGame()
			alone.NewGame()
			values, mark := make([]int32, len(list)), h.Len()
			r := e.Rate(s, h, list, 1, window, values, nil)
			if found := alone.Search(s, h, list, 1, nil); r.Action != found.Action || r.Value != found.Value || r.Depth != found.Depth || h.Len() != mark {
				t.Fatalf("%s: %s: Rate finds %+v, Search %+v", rules, s.AppendPosition(nil), r, found)
			}
			if slices.Max(values) != r.Value || values[slices.Index(list, r.Action)] != r.Value {
				t.Fatalf("%s: %s: the choice has value %d of %v", rules, s.AppendPosition(nil), r.Value, values)
			}
			b := &brute{e: e, h: g.NewHistory()}
			b.h.CopyFrom(h)
			for k, a := range list {
				next := *s
				next.Apply(a, b.h)
				want := b.value(&next, s.Actor(), s.Turn()+r.Depth)
				b.h.Truncate(mark)
				switch v := values[k]; {
				case want > r.Value-window && v == want:
					exact++
				case want <= r.Value-window && v >= want && v <= r.Value-window:
					below++
				default:
					t.Fatalf("%s: %s: %s has value %d, want %d; the best is %d", rules, s.AppendPosition(nil), s.AppendAction(nil, a), v, want, r.Value)
				}
			}
		}
	}
	if exact < 100 || below < 100 {
		t.Errorf("%d values in the window and %d below: the test is too small", exact, below)
	}
}

// onlyLast is a guide that forbids all actions but the last two of a list.
type onlyLast struct{ allowed []engine.Action }

func (onlyLast) Value(engine.State, engine.Player) int32 { return 0 }

func (o onlyLast) Bonus(_, _ engine.State, a engine.Action) (int32, bool) {
	return 0, !slices.Contains(o.allowed, a)
}

// TestRateOfForbiddenActions: an action that the rules forbid is rated as a lost game.
func TestRateOfForbiddenActions(t *testing.T) {
	g := game(t, "standard")
	s, h := newState(g), g.NewHistory()
	s.Start(h)
	list := s.Legal(nil, h)
	allowed := list[len(list)-2:]
	values := make([]int32, len(list))
	r := NewGuided(g, onlyLast{allowed}).Rate(s, h, list, 1, 100, values, nil)
	for i, a := range list {
		if forbidden := !slices.Contains(allowed, a); (values[i] == -win) != forbidden || forbidden && a == r.Action {
			t.Errorf("action %d of %d has value %d, forbidden %v; the choice is %d", i, len(list), values[i], forbidden, r.Action)
		}
	}
}
