package train

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/train/rundir"
)

func TestResignationsOnTheDisplay(t *testing.T) {
	for _, c := range []struct {
		event rundir.SelfPlayEvent
		want  string
	}{
		{rundir.SelfPlayEvent{}, ""},
		{rundir.SelfPlayEvent{Resigned: 12}, ", 12 resigned"},
		{rundir.SelfPlayEvent{PlayedOn: 2}, ", 0 resigned, 0 of 2 played on not lost"},
		{rundir.SelfPlayEvent{Resigned: 12, PlayedOn: 9, WronglyResigned: 4, Advice: "threshold too low"}, ", 12 resigned, 4 of 9 played on not lost; threshold too low"},
		{rundir.SelfPlayEvent{Resigned: 12, Simulations: 24}, ", 12 resigned, 24 simulations"},
	} {
		c.event.Done = true
		if got := selfPlayText(&c.event); !strings.HasSuffix(got, "first 0 %"+c.want) {
			t.Errorf("selfPlayText(%+v) = %q, want %q at its end", c.event, got, c.want)
		}
	}
}

// TestReplyLossOnTheDisplay: a line of training has it only if the network has the head.
func TestReplyLossOnTheDisplay(t *testing.T) {
	for _, reply := range []float64{0, 1.75} {
		text := trainingText(&rundir.TrainingEvent{PolicyLoss: 2, ReplyLoss: reply})
		if strings.Contains(text, " reply 1.750") != (reply != 0) {
			t.Errorf("training line %q with reply loss %g", text, reply)
		}
	}
}
