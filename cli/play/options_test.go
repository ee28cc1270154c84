package play

import (
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/builtin"
	"github.com/ludozero/ludozero/cli/shell"
)

// TestOptionsResolve: who sits where and who gives hints, without a player made.
func TestOptionsResolve(t *testing.T) {
	env, err := shell.NewEnv(builtin.Games())
	if err != nil {
		t.Fatal(err)
	}
	defer env.Close()
	const shipped = "net:connect4,sims=400"
	for _, c := range []struct {
		options
		given          string
		seats, hinting string
		note           bool
	}{
		{options{}, "", "you " + shipped, shipped, false},
		{options{against: "random"}, "against", "you random", "random", false},
		{options{second: "you"}, "", shipped + " you", shipped, false},
		{options{first: "random"}, "first", "random you", "random", false},
		{options{first: "you", second: "you"}, "first second", "you you", shipped, false},
		{options{first: "you", second: "you", against: "random"}, "first second against", "you you", "random", false},
		{options{first: "random", second: "exact", hints: "mcts:sims=9"}, "first second hints", "random exact", "mcts:sims=9", false},
		{options{against: "Easy"}, "against", "you minimax:depth=2", "minimax:depth=2", false},
		{options{ruleset: shell.GameFlags{Name: "konreh", Rules: "micro,reforge_turns=9"}}, "", "you mcts:sims=1000", "mcts:sims=1000", true},
	} {
		o := c.options
		if o.ruleset.Env = env; o.ruleset.Name == "" {
			o.ruleset.Name = "connect4"
		}
		o.dice = diceByProgram
		s, err := o.resolve(env, func(flag string) bool { return slices.Contains(strings.Fields(c.given), flag) })
		if err != nil {
			t.Errorf("%+v: %v", c.options, err)
			continue
		}
		if got := strings.Join(s.seats[:], " "); got != c.seats || s.hinting != c.hinting || (s.note != "") != c.note {
			t.Errorf("%+v: seats %s, hints by %s, note %q: want %s, %s, a note: %v", c.options, got, s.hinting, s.note, c.seats, c.hinting, c.note)
		}
	}
}
