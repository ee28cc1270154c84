package record

import (
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// TestRulesRowsCountsEachRuleset of a shard in which games of several follow
// each other in no order, and adds the counts of such shards up.
func TestRulesRowsCountsEachRuleset(t *testing.T) {
	games := []engine.Game{
		game(t, &konreh.Family, "tutor,max_turns=9"), game(t, &konreh.Family, "letter,max_turns=9"), game(t, &konreh.Family, "standard,max_turns=9"),
	}
	rows := randomRows(t, games, 0, 9, 4, 1)
	info := games[0].Info()
	s, err := Parse("test", marshal(t, info, rows), info)
	if err != nil {
		t.Fatal(err)
	}
	var want []RulesRows
	for _, rules := range []string{"letter,max_turns=9", "standard,max_turns=9", "tutor,max_turns=9"} {
		n := 0
		for i := range rows {
			if rows[i].Rules == rules {
				n++
			}
		}
		want = append(want, RulesRows{rules, n})
	}
	got, err := s.RulesRows()
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("RulesRows = %v, %v, want %v", got, err, want)
	}
	sums := AddRulesRows(AddRulesRows(nil, want[1:]), []RulesRows{{"blitz", 2}, {want[1].Rules, 5}})
	if want := []RulesRows{{"blitz", 2}, {want[1].Rules, want[1].Rows + 5}, want[2]}; !slices.Equal(sums, want) {
		t.Errorf("AddRulesRows = %v, want %v", sums, want)
	}
}
