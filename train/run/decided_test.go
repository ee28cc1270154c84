package run

import (
	"reflect"
	"testing"
)

func TestRarelyDecidedIsSaidOnce(t *testing.T) {
	d := decided{}
	generation := 0
	add := func(want []RarelyDecidedEvent, events ...RulesEvent) {
		t.Helper()
		got := d.add(generation, events)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("generation %d: %+v, want %+v", generation, got, want)
		}
		generation++
	}
	of := func(rules string, games, draws int) RulesEvent {
		return RulesEvent{Rules: rules, Games: games, Draws: draws}
	}
	add(nil, of("a", 49, 49), of("b", 60, 53))
	add([]RarelyDecidedEvent{{1, "a", 50, 50}, {1, "b", 60, 54}}, of("a", 1, 1), of("b", 60, 54))
	add(nil, of("a", 50, 50))
	// 62 games of the two newest generations, 55 drawn: not any more.
	add(nil, of("a", 12, 5))
	add(nil, of("a", 50, 44))
	add([]RarelyDecidedEvent{{5, "a", 50, 45}}, of("a", 50, 45))
}
