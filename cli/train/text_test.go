package train

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/train/plan"
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

// TestWorkersOnTheDisplay: the line of a finished stage says who played, and so does the
// block, only where several machines may.
func TestWorkersOnTheDisplay(t *testing.T) {
	e := &rundir.SelfPlayEvent{Generation: 2, Done: true}
	if text := selfPlayText(e); strings.Contains(text, "worker") {
		t.Errorf("alone it says %q", text)
	}
	e.Cluster = &rundir.ClusterEvent{Workers: []rundir.WorkerEvent{{Name: "mars", Cores: 4, PositionsPerSecond: 30}}}
	if text, want := selfPlayText(e), "; 1 worker on 4 cores (mars 30/s), 0 leases"; !strings.HasSuffix(text, want) {
		t.Errorf("it says %q, want %q at the end", text, want)
	}
	v := &view{cfg: &plan.Config{}}
	v.event(rundir.Event{SelfPlay: e})
	if lines := strings.Join(v.lines(100), "\n"); !strings.Contains(lines, "others   1 worker on 4 cores (mars 30/s)") {
		t.Errorf("the block says\n%s", lines)
	}
}
