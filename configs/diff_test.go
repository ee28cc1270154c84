package configs

import (
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/train/plan"
)

// TestDiffTellsListsApart: lists that look alike without quotes, and lists of
// sections.
func TestDiffTellsListsApart(t *testing.T) {
	a, b := DefaultRun(games.All()), DefaultRun(games.All())
	if d := Diff(a, b); len(d) != 0 {
		t.Errorf("Diff of equal settings = %v", d)
	}
	a.Evaluation.Opponents, b.Evaluation.Opponents = []string{"random, mcts"}, []string{"random", "mcts"}
	b.RulesMix = []plan.RulesWeight{{Rules: "standard|table,balance=single", Weight: 2}, {Rules: "tutor", Weight: 0.5}}
	b.SelfPlay.Beginnings.EarlierShare = 0.25
	want := []Difference{
		{"rules_mix", "[]", "[{rules: 'standard|table,balance=single', weight: 2}, {rules: tutor, weight: 0.5}]"},
		{"self_play.beginnings.earlier_share", "0", "0.25"},
		{"evaluation.opponents", `['random, mcts']`, "[random, mcts]"},
	}
	if got := Diff(a, b); !slices.Equal(got, want) {
		t.Errorf("Diff = %q, want %q", got, want)
	}
	b.RulesMix = slices.Repeat(b.RulesMix, 20)
	if d := Diff(a, b)[0]; strings.ContainsAny(d.New, "\n\t") || strings.Count(d.New, "rules: tutor") != 20 {
		t.Errorf("a long list is %q", d.New)
	}
}
