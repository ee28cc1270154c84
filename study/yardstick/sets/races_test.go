package sets

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	solver "github.com/ludozero/ludozero/engine/konreh/race"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/study/yardstick"
)

func theRaces(t testing.TB) (*yardstick.Set, *konreh.Game) {
	t.Helper()
	s, err := Races()
	if err != nil {
		t.Fatal(err)
	}
	g, err := konreh.Family.Parse(s.Rules)
	if err != nil {
		t.Fatal(err)
	}
	return s, g.(*konreh.Game)
}

// turnsOf are the words of every legal turn in s.
func turnsOf(s *konreh.State) []string {
	var list []string
	for _, a := range s.Legal(nil, nil) {
		next := *s
		next.Apply(a, nil)
		word := string(s.AppendAction(nil, a))
		if next.Actor() == s.Actor() && next.Turn() == s.Turn() {
			for _, rest := range turnsOf(&next) {
				list = append(list, word+" "+rest)
			}
			continue
		}
		list = append(list, word)
	}
	return list
}

// TestRacesAreAsPromised checks every position but what turns are worth: count and
// spread, legal turns, a choice of which at most half is right, no two alike even in
// the mirror.
func TestRacesAreAsPromised(t *testing.T) {
	set, g := theRaces(t)
	if g.Rules() != set.Rules {
		t.Errorf("rules %s, written %s", set.Rules, g.Rules())
	}
	count, seen, h := map[[2]int]int{}, map[[5]uint64]bool{}, g.NewHistory()
	sides := [2]int{}
	for _, p := range set.Positions {
		s := g.NewState().(*konreh.State)
		if err := p.Place(s, h); err != nil {
			t.Fatal(err)
		}
		if h.Len() != 1 {
			t.Errorf("%s: %d positions in its history", p.Line, h.Len())
		}
		sides[s.Side()]++
		count[[2]int{p.Kind, p.Stage}]++
		own, other := s.Reforge(s.Side()), s.Reforge(1-s.Side())
		left := []int{own, other, p.Stage}[p.Kind]
		if p.Stage != left || (own > 0) != (p.Kind != 1) || (other > 0) != (p.Kind != 0) || p.Stage != own && p.Stage != other {
			t.Errorf("%s: kind %s, %d turns left", p.Line, set.Kinds[p.Kind], p.Stage)
		}
		legal := turnsOf(s)
		for _, turn := range p.Keeps {
			if !slices.Contains(legal, turn) {
				t.Errorf("%s: %s is not legal", p.Line, turn)
			}
		}
		if p.Turns != len(legal) || 2*len(p.Keeps) > p.Turns || len(p.Keeps) == 0 || p.Turns < 8 {
			t.Errorf("%s: %d of %d turns keep the result, %d are legal", p.Line, len(p.Keeps), p.Turns, len(legal))
		}
		image := *s
		image.Transform(1)
		if seen[s.Identity()] || seen[image.Identity()] {
			t.Errorf("%s: met before", p.Line)
		}
		seen[s.Identity()] = true
	}
	for kind, most := range []int{5, 4, 4} {
		for left := 1; left <= most; left++ {
			if n, want := count[[2]int{kind, left}], []int{60, 60, 12}[kind]; n != want {
				t.Errorf("%s, %d turns left: %d positions, want %d", set.Kinds[kind], left, n, want)
			}
		}
	}
	if len(set.Positions) != 588 || min(sides[0], sides[1]) < 250 || len(races) > 200_000 {
		t.Errorf("%d positions in %d bytes, by side to move %v", len(set.Positions), len(races), sides)
	}
}

// TestRacesAreTrue solves a sample again.
func TestRacesAreTrue(t *testing.T) {
	set, g := theRaces(t)
	var list []raceRow
	if _, err := yardstick.Read(*set, races, func(_ *yardstick.Set, r *raceRow) (yardstick.Position, error) {
		list = append(list, *r)
		return yardstick.Position{}, nil
	}); err != nil {
		t.Fatal(err)
	}
	v, rng, s := solver.New(g, 1<<22), rand.New(rand.NewPCG(1, 2)), g.NewState().(*konreh.State)
	for _, i := range rng.Perm(len(list))[:100] {
		p := list[i]
		if err := s.ParsePosition(p.Position); err != nil {
			t.Fatal(err)
		}
		r, err := v.Solve(t.Context(), s, 0)
		if err != nil {
			t.Fatal(err)
		}
		var keeps []string
		for _, turn := range r.Turns {
			if turn.Verdict == r.Verdict {
				next := *s
				var words []string
				for _, a := range turn.Actions {
					words = append(words, string(next.AppendAction(nil, a)))
					next.Apply(a, nil)
				}
				keeps = append(keeps, strings.Join(words, " "))
			}
		}
		worth := map[solver.Verdict]string{solver.Won: "w", solver.Open: "d"}[r.Verdict]
		if worth != p.Worth || r.Left != p.Left || r.Depth != p.Depth || !slices.Equal(keeps, p.Keeps) {
			t.Errorf("%+v: solved %s, %d left, depth %d, kept by %v", p, worth, r.Left, r.Depth, keeps)
		}
	}
}

// oracle plays a right turn, decision by decision, or a wrong one.
type oracle struct {
	positions map[string]*yardstick.Position
	right     bool
	turn      []string
}

func (o *oracle) NewGame(context.Context, uint64) error {
	o.turn = nil
	return nil
}

func (o *oracle) Think(ctx context.Context, s engine.State, h *engine.History, _ match.Bounds) (*match.Analysis, error) {
	a, err := o.decide(ctx, s, h)
	return &match.Analysis{Choice: a, Line: []engine.Action{a}}, err
}

func (o *oracle) decide(_ context.Context, s engine.State, h *engine.History) (engine.Action, error) {
	if o.turn == nil {
		p := o.positions[string(s.AppendPosition(nil))]
		for _, turn := range turnsOf(s.(*konreh.State)) {
			if p.Kept(turn) == o.right {
				o.turn = strings.Fields(turn)
			}
		}
	}
	word := o.turn[0]
	o.turn = o.turn[1:]
	return s.ParseAction(word, h)
}

// TestWholeTurnsCount with a player who is always right and one who is always
// wrong, in positions some of which are decided by the second decision of a turn.
func TestWholeTurnsCount(t *testing.T) {
	set, g := theRaces(t)
	positions, later := map[string]*yardstick.Position{}, 0
	for i := range set.Positions {
		p := &set.Positions[i]
		positions[p.Line] = p
		for _, turn := range p.Keeps {
			if strings.Contains(turn, " ") {
				later++
			}
		}
	}
	if later < 100 {
		t.Errorf("%d right turns of several decisions, want 100", later)
	}
	for _, right := range []bool{true, false} {
		c := match.Contestant{Name: "oracle", New: func() (match.Player, error) {
			return &oracle{positions: positions, right: right}, nil
		}}
		score, err := set.Run(t.Context(), g, c, 1, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range append([]yardstick.Kind{{Name: "all", Share: score.All}}, score.Kinds...) {
			if want := k.Positions * map[bool]int{true: 1}[right]; k.Kept != want || k.Positions == 0 {
				t.Errorf("right %v: %+v", right, k)
			}
		}
		if len(score.Stages) != 5 || score.Stages[0].From != 1 || score.Stages[4].To != 5 || score.Stages[4].Positions != 60 || score.Stages[0].Positions != 132 {
			t.Errorf("stages %+v", score.Stages)
		}
	}
}

func TestRaceRowsAreChecked(t *testing.T) {
	set, _ := theRaces(t)
	for text, want := range map[string]string{
		`{"pos":"P","kind":"nobody","turns":2,"keeps":["a1b1"]}`: `line 1: P: kind "nobody": want one of racer, hunter, both`,
		`{"pos":"P","kind":"both","turns":1,"keeps":["a1b1"]}`:   "line 1: P: 1 of 1 turns are right, which leaves no choice",
	} {
		if _, err := yardstick.Read(yardstick.Set{Kinds: set.Kinds}, []byte(text), race); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read = %v, want %q", err, want)
		}
	}
}
