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
	add([]RarelyDecidedEvent{{1, "a", 50, 50, false}, {1, "b", 60, 54, false}}, of("a", 1, 1), of("b", 60, 54))
	add(nil, of("a", 50, 50))
	// 62 games of the two newest generations, 55 drawn: not any more.
	add([]RarelyDecidedEvent{{3, "a", 62, 55, true}}, of("a", 12, 5))
	add(nil, of("a", 50, 44))
	add([]RarelyDecidedEvent{{5, "a", 50, 45, false}}, of("a", 50, 45))
}

// TestRarelyDecidedAfterAKill: what was logged is not said again, and what a
// killed process, or one of an earlier program, has left unsaid is.
func TestRarelyDecidedAfterAKill(t *testing.T) {
	played := Event{SelfPlay: &SelfPlayEvent{Rules: []RulesEvent{{Rules: "a", Games: 50, Draws: 50}}, Done: true}}
	told := Event{RarelyDecided: &RarelyDecidedEvent{Rules: "a"}}
	over := Event{RarelyDecided: &RarelyDecidedEvent{Rules: "a", Over: true}}
	for _, c := range []struct {
		past  []Event
		draws int
		want  []RarelyDecidedEvent
	}{
		{[]Event{played, told}, 50, nil},
		{[]Event{played}, 50, []RarelyDecidedEvent{{7, "a", 50, 50, false}}},
		{[]Event{played, told}, 5, []RarelyDecidedEvent{{7, "a", 50, 5, true}}},
		{[]Event{played, told, over}, 5, nil},
	} {
		d := decided{}
		for i := range c.past {
			d.recall(&c.past[i])
		}
		if got := d.add(7, []RulesEvent{{Rules: "a", Games: 50, Draws: c.draws}}); !reflect.DeepEqual(got, c.want) {
			t.Errorf("after %d events and %d draws: %+v, want %+v", len(c.past), c.draws, got, c.want)
		}
	}
}
