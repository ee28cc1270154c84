package cluster

import (
	"math"
	"slices"
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

// TestLongGamesAreWaitedFor: a game that takes longer than a lease lasts without one would be
// given out again and again, since no lease lives to tell how long games take. That of a worker
// which was away while it played tells nothing.
func TestLongGamesAreWaitedFor(t *testing.T) {
	for _, away := range []bool{false, true} {
		c := newCoordinator(0)
		task := Task{Run: "r"}
		c.begin(task, 0, 0, 100)
		var held []Lease
		given := 0
		report := func(now time.Duration) {
			r := &Report{Worker: "w", Run: "r", Wants: 2}
			for _, l := range held {
				r.Holds, r.Wants = append(r.Holds, Hold{Lease: l}), 0
			}
			reply := c.report(now, r)
			held = slices.DeleteFunc(held, func(l Lease) bool { return slices.Contains(reply.Drop, l.Fence) })
			held, given = append(held, reply.Leases...), given+len(reply.Leases)
		}
		report(0)
		first := held[0]
		for now := time.Second; now <= 100*time.Second; now += time.Second {
			if !away || now > 70*time.Second {
				report(now)
			}
		}
		p := &Parcel{Digest: "d", parcelHead: parcelHead{Task: task, Worker: "w", Fence: first.Fence, Games: []parcelGame{{Number: first.First}}}}
		c.arrive(p, []*result{{number: first.First}}, nil, func() {})
		given = 0
		for now := 101 * time.Second; now < 250*time.Second; now += time.Second {
			report(now)
		}
		if given > 0 != away {
			t.Errorf("away %t: after a game of 100 s there were %d leases in 150 s", away, given)
		}
	}
}

// TestHoldsThatCannotBe: a fence that is still to be granted is nobody's, and a lease has not
// more games done than it has.
func TestHoldsThatCannotBe(t *testing.T) {
	c := newCoordinator(5 << 32)
	task := Task{Run: "r"}
	c.begin(task, 0, 0, 10)
	hold := func(fence uint64, done int) *Reply {
		return c.report(time.Second, &Report{Worker: "a", Run: "r", Holds: []Hold{{Lease{Task: task, First: 0, End: 4, Fence: fence}, done}}})
	}
	for _, done := range []int{-1, 5, math.MaxInt} {
		if r := hold(1, done); r.Refused == "" {
			t.Errorf("%d games done of 4 are taken", done)
		}
	}
	if r := hold(c.fence+1, 0); !slices.Equal(r.Drop, []uint64{c.fence + 1}) || len(c.leases) > 0 {
		t.Errorf("a fence of the future is taken: %+v", r)
	}
	if r := hold(1, 0); len(r.Drop) > 0 || len(c.leases) != 1 {
		t.Errorf("a lease of an earlier process does not go on: %+v", r)
	}
}
