package table

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
)

// TestNetworksBeginWithWhatTheyKnow: a first game is by the default rules if the
// network was trained on them, and else by those it has seen most. By others there
// is a note.
func TestNetworksBeginWithWhatTheyKnow(t *testing.T) {
	family, err := games.All().ByName("konreh")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		trained      []string
		begin        string
		noted, known string
	}{
		{[]string{"table", "standard,max_turns=600"}, "", "micro", "standard"},
		{[]string{"micro,max_turns=200", "table"}, "micro,max_turns=200", "standard", "micro,max_turns=90"},
		{nil, "", "standard", ""},
	} {
		offers := Offers(games.All(), games.Guides(), []Network{{Name: "night", Game: "konreh", Trained: c.trained}}, Bounds{Sims: 7, Depth: 5, Minimax: 2})
		o := &offers[0]
		if o.Name != "net:night" || o.Limits[0].Default != 7 || o.Rules != c.begin {
			t.Errorf("trained on %q: %+v, want a first game by %q", c.trained, o, c.begin)
		}
		for rules, noted := range map[string]bool{c.noted: true, c.known: false} {
			g, err := family.Parse(rules)
			if err != nil {
				t.Fatal(err)
			}
			if rules == "" {
				continue
			}
			if note := o.note(g); strings.Contains(note, "not trained") != noted {
				t.Errorf("trained on %q, rules %s: note %q", c.trained, rules, note)
			}
		}
	}
	var person *Offer
	if note := person.note(nil); note != "" {
		t.Errorf("of a person: %q", note)
	}
}

// TestSearchesByTimeHaveSmallTrees, unless they say which.
func TestSearchesByTimeHaveSmallTrees(t *testing.T) {
	for text, bounded := range map[string]bool{
		"net:night,time=1s": true, "mcts:time=20ms": true, "mcts:sims=9": false, "net:night,sims=9": false,
		"mcts:time=20ms,edges=4096": false, "alphabeta:time=20ms": false, "random": false,
	} {
		if got := Bounded(text); (got != text) != bounded || !strings.HasPrefix(got, text) {
			t.Errorf("Bounded(%s) = %s", text, got)
		}
	}
}
