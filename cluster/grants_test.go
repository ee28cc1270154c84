package cluster

import (
	"testing"
	"time"
)

// TestPlayedLeaseWaitsForItsParcel: games that are played are not given to others while
// their parcel is on its way, and are once their worker has none.
func TestPlayedLeaseWaitsForItsParcel(t *testing.T) {
	c := newCoordinator(0)
	c.begin(Task{Run: "r"}, 0, 0, 100)
	now := time.Second
	report := func(worker string, r Report) *Reply {
		r.Worker, r.Run = worker, "r"
		return c.report(now, &r)
	}
	l := report("a", Report{Wants: 4}).Leases[0]
	report("b", Report{})
	hold := []Hold{{l, int(l.End - l.First)}}
	for range 600 {
		now += time.Second
		r := report("a", Report{Holds: hold, Waiting: []Waiting{{Digest: "p", Run: "r", End: l.End}}})
		if len(r.Drop) > 0 || c.faults.Expired > 0 {
			t.Fatalf("the lease ended after %v, though its parcel waits", now)
		}
	}
	if r := report("b", Report{Wants: 4}); len(r.Leases) != 1 || r.Leases[0].First < l.End {
		t.Errorf("another worker got %+v, want games behind %d", r.Leases, l.End)
	}
	for range 2 * int(leastPatience/time.Second) {
		now += time.Second
		report("a", Report{Holds: hold, Waiting: []Waiting{{Digest: "q", Run: "r", End: l.End + 1}}})
	}
	if c.faults.Expired == 0 || c.leases[l.Fence] != nil {
		t.Error("the lease goes on without a parcel of it")
	}
}
