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
		offers := Offers(games.All(), games.Guides(), []Network{{Name: "night", Game: "konreh", Trained: c.trained}}, nil, Bounds{Sims: 7, Depth: 5, Minimax: 2})
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

// TestEvaluationsStandByStrength: before the networks those that are stronger, after them the
// others, which give hints where there is no network.
func TestEvaluationsStandByStrength(t *testing.T) {
	networks := []Network{{Name: "night", Game: "konreh"}, {Name: "connect4", Game: "connect4"}}
	evaluations := []Evaluation{{Name: "b", Game: "connect4", Trained: []string{"standard"}}, {Name: "a", Game: "konreh", First: true}, {Name: "c", Game: "konkvest"}}
	offers := Offers(games.All(), games.Guides(), networks, evaluations, Bounds{Sims: 7, Depth: 5, Minimax: 2, Nodes: 99})
	var names []string
	for _, o := range offers[:5] {
		names = append(names, o.Name)
	}
	if got := strings.Join(names, " "); got != "nnue:a net:night net:connect4 nnue:b nnue:c" {
		t.Errorf("in the order %s", got)
	}
	cfg := &Config{Games: games.All(), Guides: games.Guides(), Offers: offers}
	for game, want := range map[string]string{"konreh": "nnue:a,nodes=99", "connect4": "net:connect4,sims=7", "konkvest": "nnue:c,nodes=99"} {
		if got := cfg.coach(game); got != want {
			t.Errorf("%s: %s gives hints, want %s", game, got, want)
		}
	}
	g, err := games.All().Open("connect4", "")
	if err != nil {
		t.Fatal(err)
	}
	if note := offers[3].note(g); note != "" {
		t.Errorf("of rules that it knows: %s", note)
	}
	if note := offers[0].note(g); note != "The evaluation a was not trained on these rules; it may play badly." {
		t.Errorf("of others: %q", note)
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

// TestDepthsEnd: a depth that takes minutes in some games ends at a number of positions, for
// moves, hints, reviews and analyses. A player whom somebody named with a depth keeps it.
func TestDepthsEnd(t *testing.T) {
	cfg := config()
	cfg.Offers = append(Offers(games.All(), games.Guides(), nil, nil, Bounds{Depth: 6, Minimax: 3}), Offer{Name: "alphabeta:depth=9"})
	for text, want := range map[string]int{"alphabeta:depth=6": mostNodes, "alphabeta:depth=9": 0, "alphabeta:time=20ms": 0, "mcts:sims=20": 0, "minimax:depth=3": 0} {
		table, err := New(Setup{Game: "knaw", Seats: [2]string{"you", text}, Hints: text}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if got := table.bounds(&task{kind: move, who: 1}).Simulations; got != want {
			t.Errorf("%s: a move looks at %d positions, want %d", text, got, want)
		}
		if text == "mcts:sims=20" {
			continue // its hints have their simulations
		}
		for _, j := range []task{{kind: advise}, {kind: look}, {kind: advise, deep: true}} {
			if got := table.bounds(&j).Simulations; got != want {
				t.Errorf("%s: %+v looks at %d positions, want %d", text, j, got, want)
			}
		}
	}
}
