package rundir

import (
	"strings"
	"testing"
	"time"
)

func TestClusterText(t *testing.T) {
	few := ClusterEvent{
		Workers: []WorkerEvent{{Name: "mars", Cores: 4, PositionsPerSecond: 30}, {Name: "venus\n", Cores: 1, PositionsPerSecond: 9, SilentSeconds: 40}, {Name: "pluto", Cores: 9, SilentSeconds: 90}},
		Leases:  2, HeldBack: 5, Waits: "mars to play game 3", Faults: ClusterFaults{Damaged: 1, Refused: 2, Differing: 3, Expired: 4, Repeated: 5},
	}
	many := ClusterEvent{Workers: make([]WorkerEvent, 50), Leases: 1}
	for i := range many.Workers {
		many.Workers[i] = WorkerEvent{Name: "node", Cores: 8, PositionsPerSecond: 10}
	}
	for _, c := range []struct {
		event *ClusterEvent
		want  string
	}{
		{&few, "2 workers on 5 cores (mars 30/s, \"venus\\n\" silent for 40 s), 1 gone, 2 leases, 5 games held back for one before them, 1 damaged, 2 refused, 3 differing; waits for mars to play game 3"},
		{&many, "50 workers on 400 cores, 500 positions/s, 1 lease"},
		{&ClusterEvent{}, "0 workers on 0 cores, 0 positions/s, 0 leases"},
	} {
		if got := c.event.Text(); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

func TestLiveText(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	l := &Live{Time: at, Generation: 2, Games: 7, GamesWant: 9, Playing: true}
	for _, c := range []struct {
		now              time.Time
		working, playing bool
		want             string
		holds            bool
	}{
		{at.Add(time.Second), true, true, "7 of 9 games of generation 2; 0 workers", true},
		{at.Add(time.Second), true, false, "0 leases; no games are wanted while the trainer learns or measures", true},
		{at.Add(time.Hour), true, true, "The trainer has said nothing for 1:00:00, though its process is there. Before: 7 of 9 games", false},
		{at.Add(-time.Hour), true, true, "The trainer has said nothing for 0:00:00", false},
		{at.Add(time.Second), false, true, "The trainer was killed: its last word is 0:00:01 old. Workers keep what they have played, and wait for it. Before: 7 of 9", false},
	} {
		l.Playing = c.playing
		if got := l.Text(c.now, c.working); !strings.Contains(got, c.want) || l.Holds(c.now, c.working) != c.holds {
			t.Errorf("at %v, working %t: %q, holds %t, want %q, %t", c.now, c.working, got, l.Holds(c.now, c.working), c.want, c.holds)
		}
	}
}
