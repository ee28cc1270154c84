package school

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/player/alphabeta"
)

// TestSchoolsOfTheBook: all fourteen, found by ID and by name, unlike each other, and
// each with a Cross, a Seed and a tempo of its own to speak of.
func TestSchoolsOfTheBook(t *testing.T) {
	if len(shipped) != 15 || shipped[0].ID != None {
		t.Fatalf("%d schools, the first %s", len(shipped), shipped[0].ID)
	}
	if x := shipped[0]; len(x.Terms)+len(x.Rules)+len(x.Opening.Lines) > 0 {
		t.Errorf("the control has a doctrine")
	}
	seen := map[string]bool{}
	for i, s := range shipped {
		for _, word := range []string{s.ID, s.word()} {
			if found, err := Find(word); err != nil || found != s {
				t.Errorf("Find(%q) = %v, %v", word, found, err)
			}
			if i > 0 && seen[word] {
				t.Errorf("%s is the word of two schools", word)
			}
			seen[word] = true
		}
		if i > 0 && (len(s.Rules) == 0 || len(s.Opening.Lines) == 0) {
			t.Errorf("%s: %d rules, %d lines", s.Name, len(s.Rules), len(s.Opening.Lines))
		}
		if !s.Shipped() {
			t.Errorf("%s is not shipped", s.Name)
		}
	}
}

// decisions visits decisions with a choice in games that the schools play among themselves,
// equally many of each game and school.
func decisions(t testing.TB, do func(x *School, s *konreh.State, a engine.Action)) {
	t.Helper()
	g := game(t, "standard,max_turns=600")
	turns := 300
	if testing.Short() {
		turns = 100
	}
	for i, x := range shipped[1:] {
		other := shipped[1+(i+5)%14]
		players := [2]*alphabeta.Engine{alphabeta.NewGuided(g, x.Guide(1)), alphabeta.NewGuided(g, other.Guide(1))}
		s, h := g.NewState().(*konreh.State), g.NewHistory()
		s.Start(h)
		for s.Actor() != engine.Nobody && s.Turn() < turns {
			list := s.Legal(nil, h)
			p := s.Actor()
			a := players[p].Search(s, h, list, 1, nil).Action
			if len(list) > 1 {
				do([2]*School{x, other}[p], s, a)
			}
			s.Apply(a, h)
		}
	}
}

// barred tells whether rules of x bar an action, and without a guide's shortcuts.
func barred(x *School, s *konreh.State, a engine.Action) bool {
	next := *s
	next.Apply(a, nil)
	act := act{was: &view{}, is: &view{}, kinds: s.AppendKinds(nil, a, &next)}
	act.was.set(s, s.Side())
	act.is.set(&next, s.Side())
	for _, r := range x.Rules {
		holds := r.Never && events[eventNamed(r.Event)].of(&act)
		for _, c := range r.If {
			n := 0
			if i := extraNamed(c.Of); i >= 0 {
				n = extras[i].of(&act)
			} else {
				n = features[featureNamed(c.Of)].of(act.is)
			}
			holds = holds && n >= c.Min && n <= c.Max
		}
		if holds {
			return true
		}
	}
	return false
}

// TestHardRulesAreObeyed in games of all schools and in positions of random ones,
// wherever something else is legal.
func TestHardRulesAreObeyed(t *testing.T) {
	chances := 0
	check := func(x *School, s *konreh.State, a engine.Action) {
		free, some := false, false
		for _, b := range s.Legal(nil, nil) {
			if barred(x, s, b) {
				some = true
			} else {
				free = true
			}
		}
		if free && some {
			chances++
		}
		if free && barred(x, s, a) {
			t.Errorf("%s: %s: plays %s", x.Name, s.AppendPosition(nil), s.AppendAction(nil, a))
		}
	}
	decisions(t, check)
	g := game(t, "standard")
	for _, x := range shipped[1:] {
		e := alphabeta.NewGuided(g, x.Guide(1))
		sample(g, 400, func(s *konreh.State) {
			check(x, s, e.Search(s, nil, s.Legal(nil, nil), 1, nil).Action)
		})
	}
	if chances < 25 {
		t.Errorf("only %d decisions had barred actions and others", chances)
	}
}

// TestMirrorInvariance of what guides say, of every action of positions of games.
func TestMirrorInvariance(t *testing.T) {
	g := game(t, "standard")
	mirror := g.Info().Symmetries[1]
	sample(g, 40, func(s *konreh.State) {
		m := *s
		m.Transform(1)
		for _, x := range shipped {
			one, two := x.Guide(1), x.Guide(1)
			for p := range engine.Player(2) {
				if a, b := one.Value(s, p), two.Value(&m, p); a != b {
					t.Errorf("%s: %s: worth %d, in the mirror %d", x.Name, s.AppendPosition(nil), a, b)
				}
			}
			for _, a := range s.Legal(nil, nil) {
				next, other := *s, m
				next.Apply(a, nil)
				b := mirror.Actions[a]
				other.Apply(b, nil)
				v, no := one.Bonus(s, &next, a)
				if w, never := two.Bonus(&m, &other, b); v != w || no != never {
					t.Errorf("%s: %s: %s weighs %d, in the mirror %d", x.Name, s.AppendPosition(nil), s.AppendAction(nil, a), v, w)
				}
			}
		}
	})
}

// TestWeightZeroIsTheControl in every decision, with all that the search finds.
func TestWeightZeroIsTheControl(t *testing.T) {
	g := game(t, "standard")
	control := alphabeta.NewGuided(g, shipped[0].Guide(1))
	differ := 0
	for _, x := range shipped[1:] {
		zero, one := alphabeta.NewGuided(g, x.Guide(0)), alphabeta.NewGuided(g, x.Guide(1))
		sample(g, 12, func(s *konreh.State) {
			list := s.Legal(nil, nil)
			for _, e := range []*alphabeta.Engine{control, zero, one} {
				e.NewGame()
			}
			want, got := control.Search(s, nil, list, 2, nil), zero.Search(s, nil, list, 2, nil)
			if want != got {
				t.Errorf("%s: %s: %+v, the control %+v", x.Name, s.AppendPosition(nil), got, want)
			}
			if one.Search(s, nil, list, 2, nil) != want {
				differ++
			}
		})
	}
	if differ < 50 {
		t.Errorf("with weight 1 only %d searches of 168 differ", differ)
	}
}

// TestEveryEntryIsLive: without any one of its terms, rules or lines, a school thinks
// otherwise of some position or legal action.
func TestEveryEntryIsLive(t *testing.T) {
	g := game(t, "standard")
	type step struct {
		was, next konreh.State
		a         engine.Action
	}
	var steps []step
	add := func(s *konreh.State) {
		for _, a := range s.Legal(nil, nil) {
			x := step{was: *s, next: *s, a: a}
			x.next.Apply(a, nil)
			steps = append(steps, x)
		}
	}
	for _, line := range append([]string{"", onSanctum, placing, fork}, situations...) {
		add(position(t, g, line))
	}
	sample(g, 500, add)
	for _, x := range shipped[1:] {
		whole := x.Guide(1)
		check := func(name string, part School) {
			guide := part.Guide(1)
			for i := range steps {
				p := &steps[i]
				if p.next.BeginsTurn() && whole.Value(&p.next, engine.First) != guide.Value(&p.next, engine.First) {
					return
				}
				v, no := whole.Bonus(&p.was, &p.next, p.a)
				if w, never := guide.Bonus(&p.was, &p.next, p.a); v != w || no != never {
					return
				}
			}
			t.Errorf("%s: without %s it thinks the same of %d actions", x.Name, name, len(steps))
		}
		for i, term := range x.Terms {
			part := *x
			part.Terms = slices.Delete(slices.Clone(x.Terms), i, i+1)
			check("term "+term.Feature, part)
		}
		for i, rule := range x.Rules {
			part := *x
			part.Rules = slices.Delete(slices.Clone(x.Rules), i, i+1)
			check(fmt.Sprintf("rule %+v", rule), part)
		}
		part := *x
		part.Opening = Opening{}
		check("its opening", part)
	}
}

// situations are positions that random games seldom come to: a Seed late, with a
// screen, with room for the other Blue, behind runners at the Cross, against a Blue off the board,
// against more Greens and where a Red could take the Green.
var situations = []string{
	"7b/8/8/8/8/8/8/R6B A sh1 HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 240",
	"7b/1R6/8/8/8/8/8/R6B A sh1 HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 240",
	"8/6b1/rrr5/8/8/8/8/R6B A sh1 -,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h1,k0 0 120",
	"7b/8/8/2R5/8/3RR3/8/R6B A sh1 HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 120",
	"7r/8/8/8/8/8/8/R6B A sh1 HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c3,n-,h0,k0 0 120",
	"5ggb/8/8/8/8/8/8/R6B A sh1 HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 120",
	"7b/r7/8/8/8/8/8/R6B A sh1 HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 120",
	"7b/r7/8/8/8/8/8/R6B A sh1 HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 40",
}

func TestGuideDoesNotAllocate(t *testing.T) {
	g := game(t, "standard")
	s := position(t, g, fork)
	list := s.Legal(nil, nil)
	for _, x := range shipped {
		e := alphabeta.NewGuided(g, x.Guide(1))
		search := func() { e.Search(s, nil, list, 2, nil) }
		search()
		if n := testing.AllocsPerRun(3, search); n != 0 {
			t.Errorf("%s: %v allocations a search, want 0", x.Name, n)
		}
	}
}
