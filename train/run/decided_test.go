package run

import (
	"reflect"
	"testing"

	"github.com/ludozero/ludozero/train/rundir"
)

func TestRarelyDecidedIsSaidOnce(t *testing.T) {
	d := decided{}
	generation := 0
	add := func(want []rundir.RarelyDecidedEvent, events ...rundir.RulesEvent) {
		t.Helper()
		got := d.add(generation, events)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("generation %d: %+v, want %+v", generation, got, want)
		}
		generation++
	}
	of := func(rules string, games, draws int) rundir.RulesEvent {
		return rundir.RulesEvent{Rules: rules, Games: games, Draws: draws}
	}
	add(nil, of("a", 49, 49), of("b", 60, 53))
	add([]rundir.RarelyDecidedEvent{{Generation: 1, Rules: "a", Games: 50, Draws: 50, Over: false}, {Generation: 1, Rules: "b", Games: 60, Draws: 54, Over: false}}, of("a", 1, 1), of("b", 60, 54))
	add(nil, of("a", 50, 50))
	// 62 games of the two newest generations, 55 drawn: not any more.
	add([]rundir.RarelyDecidedEvent{{Generation: 3, Rules: "a", Games: 62, Draws: 55, Over: true}}, of("a", 12, 5))
	add(nil, of("a", 50, 44))
	add([]rundir.RarelyDecidedEvent{{Generation: 5, Rules: "a", Games: 50, Draws: 45, Over: false}}, of("a", 50, 45))
}

// TestRarelyDecidedAfterAKill: what was logged is not said again, and what a
// killed process, or one of an earlier program, has left unsaid is.
func TestRarelyDecidedAfterAKill(t *testing.T) {
	played := rundir.Event{SelfPlay: &rundir.SelfPlayEvent{Rules: []rundir.RulesEvent{{Rules: "a", Games: 50, Draws: 50}}, Done: true}}
	told := rundir.Event{RarelyDecided: &rundir.RarelyDecidedEvent{Rules: "a"}}
	over := rundir.Event{RarelyDecided: &rundir.RarelyDecidedEvent{Rules: "a", Over: true}}
	for _, c := range []struct {
		past  []rundir.Event
		draws int
		want  []rundir.RarelyDecidedEvent
	}{
		{[]rundir.Event{played, told}, 50, nil},
		{[]rundir.Event{played}, 50, []rundir.RarelyDecidedEvent{{Generation: 7, Rules: "a", Games: 50, Draws: 50, Over: false}}},
		{[]rundir.Event{played, told}, 5, []rundir.RarelyDecidedEvent{{Generation: 7, Rules: "a", Games: 50, Draws: 5, Over: true}}},
		{[]rundir.Event{played, told, over}, 5, nil},
	} {
		d := decided{}
		for i := range c.past {
			d.recall(&c.past[i])
		}
		if got := d.add(7, []rundir.RulesEvent{{Rules: "a", Games: 50, Draws: c.draws}}); !reflect.DeepEqual(got, c.want) {
			t.Errorf("after %d events and %d draws: %+v, want %+v", len(c.past), c.draws, got, c.want)
		}
	}
}
