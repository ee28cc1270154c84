package player_test

import (
	"context"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/match/opening"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/school"
)

// TestJudgesKnowBalancedOpenings has first moves of Connect Four judged, of which
// the middle one is the best by far: it wins.
func TestJudgesKnowBalancedOpenings(t *testing.T) {
	g, err := connect4.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	spec, err := player.Parse("mcts:sims=3000", nil)
	if err != nil {
		t.Fatal(err)
	}
	judge, err := spec.Judge(g)
	if err != nil {
		t.Fatal(err)
	}
	if judge.Name != spec.Text {
		t.Errorf("judge %q, want %q", judge.Name, spec.Text)
	}
	v, err := judge.New()
	if err != nil {
		t.Fatal(err)
	}
	value := func(words string, seed uint64) float64 {
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		for _, w := range strings.Fields(words) {
			a, err := s.ParseAction(w, h)
			if err != nil {
				t.Fatal(err)
			}
			s.Apply(a, h)
		}
		x, err := v.Value(context.Background(), s, h, seed)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	// The player to act loses after the first, wins after the second.
	lost, won := value("4 1 4 1", 1), value("1 4 1 4 1", 1)
	if lost < -1 || won > 1 || lost == won {
		t.Errorf("values %.2f and %.2f", lost, won)
	}
	if again := value("4 1 4 1", 1); again != lost {
		t.Errorf("the same position and seed: %v, then %v", lost, again)
	}
	list, err := opening.Make(t.Context(), opening.Request{
		Game: g, Spec: opening.Spec{Kind: opening.First, Turns: 1, Symmetric: true}, Count: 9, Seed: 1,
		Balance: &opening.Balance{Judge: judge, Margin: 0.15},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list.List {
		if a := list.List[i].Actions[0]; a == 3 {
			t.Errorf("the middle column passes as balanced: %v", list)
		}
	}
	if list.Refused == 0 || len(list.List)+list.Refused != 4 {
		t.Errorf("%d kept, %d refused of 4", len(list.List), list.Refused)
	}
}

// TestJudgesThatAreNone refuses players that say nothing of values, at the latest
// when they are asked.
func TestJudgesThatAreNone(t *testing.T) {
	g, err := connect4.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"mcts:time=5ms": "limited by time",
		"school:ykrul":  "konreh",
	} {
		spec, err := player.Parse(text, map[string]player.Kind{school.KindName: school.Kind()})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := spec.Judge(g); err == nil || !strings.Contains(strings.ToLower(err.Error()), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	spec, err := player.Parse("random", nil)
	if err != nil {
		t.Fatal(err)
	}
	judge, err := spec.Judge(g)
	if err == nil {
		_, err = opening.Make(t.Context(), opening.Request{Game: g, Spec: opening.Default(), Count: 1, Balance: &opening.Balance{Judge: judge, Margin: 1}})
	}
	if err == nil || !strings.Contains(err.Error(), "balance: random: it says no value of the position") {
		t.Errorf("random as a judge: %v", err)
	}
}
