package player

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/match"
)

// TestWithoutLeavesKindsOut plays games of a restricted player, whose every decision is
// checked against the rules: it takes an action of a kind that it is denied only where
// all are of such kinds.
func TestWithoutLeavesKindsOut(t *testing.T) {
	for _, c := range []struct{ game, rules, player, kind string }{
		{"konreh", "blitz", "random", "capture"}, {"konreh", "blitz", "mcts:sims=8", "slide"},
		{"diamondchess", "", "random", "move"}, {"konreh", "balance=pie", "random", "swap"},
	} {
		f, err := games.All().ByName(c.game)
		if err != nil {
			t.Fatal(err)
		}
		g, err := f.Parse(c.rules)
		if err != nil {
			t.Fatal(err)
		}
		spec, err := Parse(c.player, nil)
		if err != nil {
			t.Fatal(err)
		}
		if spec, err = spec.Without(c.kind); err != nil || !strings.HasSuffix(spec.Text, " without "+c.kind) {
			t.Fatalf("%v, %v", spec, err)
		}
		p, err := spec.New(g)
		if err != nil {
			t.Fatal(err)
		}
		denied, forced := 0, 0
		s, h, after := g.NewState(), g.NewHistory(), g.NewState()
		for game := range uint64(3) {
			if err := p.NewGame(t.Context(), game); err != nil {
				t.Fatal(err)
			}
			s.Start(h)
			for s.Actor() != engine.Nobody && s.Turn() < 80 {
				x, err := p.Think(context.Background(), s, h, match.Bounds{Analyze: true})
				if err != nil {
					t.Fatal(err)
				}
				of := func(a engine.Action) bool {
					after.CopyFrom(s)
					after.Apply(a, nil)
					k := s.(engine.Classifier)
					return slices.Contains(k.AppendKinds(nil, a, after), slices.Index(k.Kinds(), c.kind))
				}
				legal := s.Legal(nil, h)
				free := slices.DeleteFunc(slices.Clone(legal), of)
				want := free
				switch {
				case len(free) == 0:
					want, forced = legal, forced+1
				case len(free) < len(legal):
					denied++
				}
				if !slices.Contains(want, x.Choice) {
					t.Fatalf("%s without %s: plays %s, want one of %v", c.player, c.kind, s.AppendAction(nil, x.Choice), want)
				}
				for _, m := range x.Moves {
					if !slices.Contains(want, m.Action) {
						t.Fatalf("%s without %s: judges %s", c.player, c.kind, s.AppendAction(nil, m.Action))
					}
				}
				s.Apply(x.Choice, h)
			}
		}
		if denied == 0 || c.kind == "slide" && forced == 0 {
			t.Errorf("%s %s without %s: %d decisions were denied an action, %d forced to one: nothing was tested", c.game, c.rules, c.kind, denied, forced)
		}
	}
}

// TestOpponentIsNotRestricted: in the tree of the player the opponent keeps all actions.
func TestOpponentIsNotRestricted(t *testing.T) {
	f, _ := games.All().ByName("konreh")
	g, err := f.Parse("balance=pie")
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRestrictedGame(g, []string{"swap"})
	if err != nil {
		t.Fatal(err)
	}
	s := r.state()
	h := g.NewHistory()
	s.Start(h)
	s.Apply(s.Legal(nil, h)[0], h)
	for _, c := range []struct {
		who  engine.Player
		want int
	}{{engine.First, 2}, {engine.Second, 1}} {
		s.who = c.who
		copied := r.NewState()
		copied.CopyFrom(s)
		if got := len(copied.Legal(nil, h)); copied.Actor() != engine.Second || got != c.want {
			t.Errorf("%v is restricted: the second player has %d actions, want %d", c.who, got, c.want)
		}
	}
}

func TestWithoutSaysWhatIsWrong(t *testing.T) {
	f, _ := games.All().ByName("konreh")
	g, _ := f.Parse("")
	spec, _ := Parse("random", nil)
	one, err := spec.Without("castling")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := one.New(g); err == nil || !strings.Contains(err.Error(), `kind "castling": want one of slide, capture`) {
		t.Errorf("%v", err)
	}
	f, _ = games.All().ByName("tictactoe")
	g, _ = f.Parse("")
	if _, err := one.New(g); err == nil || !strings.Contains(err.Error(), "its actions have no kinds") {
		t.Errorf("%v", err)
	}
	if spec, _ = Parse("alphabeta:depth=1", nil); spec != nil {
		if _, err := spec.Without("capture"); err == nil || !strings.Contains(err.Error(), "cannot be restricted") {
			t.Errorf("%v", err)
		}
	}
}
