package cli

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/train/run"
)

func TestResignationsOnTheDisplay(t *testing.T) {
	for _, c := range []struct {
		event run.SelfPlayEvent
		want  string
	}{
		{run.SelfPlayEvent{}, ""},
		{run.SelfPlayEvent{Resigned: 12}, ", 12 resigned"},
		{run.SelfPlayEvent{PlayedOn: 2}, ", 0 resigned, 0 of 2 played on not lost"},
		{run.SelfPlayEvent{Resigned: 12, PlayedOn: 9, WronglyResigned: 4, Advice: "threshold too low"}, ", 12 resigned, 4 of 9 played on not lost; threshold too low"},
		{run.SelfPlayEvent{Resigned: 12, Simulations: 24}, ", 12 resigned, 24 simulations"},
	} {
		c.event.Done = true
		if got := selfPlayText(&c.event); !strings.HasSuffix(got, "first 0 %"+c.want) {
			t.Errorf("selfPlayText(%+v) = %q, want %q at its end", c.event, got, c.want)
		}
	}
}
