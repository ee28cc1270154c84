package rundir

import "testing"

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
