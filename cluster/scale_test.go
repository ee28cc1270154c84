package cluster

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// simWorker is a worker of one core in a simulation: the games it has begun share the core
// equally, as they share batches.
type simWorker struct {
	id     string
	speed  float64 // games a second, alone
	held   []*simLease
	active []simGame
	next   time.Duration // report
	asked  bool          // for games, since the last came
}

type simLease struct {
	Lease
	begun, done int64
}

type simGame struct {
	left  float64
	lease *simLease
}

// simulate plays a generation on workers of equal speed and returns how long that took,
// in seconds. Games alone on a core take a second on average, half of that to one and a
// half times. Reports take 10 ms.
func simulate(t testing.TB, workers, games, inFlight int, speeds func(i int) float64) float64 {
	t.Helper()
	const step = 10 * time.Millisecond
	rng := rand.New(rand.NewPCG(uint64(workers), uint64(games)))
	c := newCoordinator(0)
	task := Task{Run: "r"}
	c.begin(task, 0, 0, int64(games))
	all := make([]*simWorker, workers)
	for i := range all {
		all[i] = &simWorker{id: fmt.Sprintf("%08d", i), speed: speeds(i), next: time.Duration(i) * time.Millisecond}
	}
	taken := 0
	for now := time.Duration(0); ; now += step {
		for _, w := range all {
			if now >= w.next {
				w.report(c, now, inFlight)
			}
			w.play(c, now, step, inFlight, rng)
		}
		for c.next() != nil {
			taken++
		}
		if taken == games {
			return now.Seconds()
		}
		if now > 24*time.Hour {
			t.Fatalf("%d workers have played %d of %d games in a day", workers, taken, games)
		}
	}
}

func (w *simWorker) report(c *coordinator, now time.Duration, inFlight int) {
	r := &Report{Worker: w.id, Run: "r", PositionsPerSecond: w.speed}
	have := len(w.active)
	for _, l := range w.held {
		have += int(l.End - l.First - l.begun)
		r.Holds = append(r.Holds, Hold{l.Lease, int(l.done)})
	}
	r.Wants = max(0, inFlight+(inFlight+1)/2-have)
	reply := c.report(now, r)
	for _, f := range reply.Drop {
		for i, l := range w.held {
			if l.Fence == f {
				l.begun = l.End - l.First
				w.held = append(w.held[:i:i], w.held[i+1:]...)
				break
			}
		}
	}
	w.asked = w.asked && len(reply.Leases) == 0
	for _, l := range reply.Leases {
		w.held = append(w.held, &simLease{Lease: l})
	}
	w.next = now + reportEvery
}

// play advances the games of a worker and sends what is finished.
func (w *simWorker) play(c *coordinator, now, step time.Duration, inFlight int, rng *rand.Rand) {
	for _, l := range w.held {
		for l.begun < l.End-l.First && len(w.active) < inFlight {
			l.begun++
			w.active = append(w.active, simGame{0.5 + rng.Float64(), l})
		}
	}
	if len(w.active) < inFlight && !w.asked { // a report is due, as the source is empty
		w.asked = true
		w.next = min(w.next, now+2*step)
	}
	if len(w.active) == 0 {
		return
	}
	each := step.Seconds() * w.speed / float64(len(w.active))
	kept := w.active[:0]
	for _, g := range w.active {
		if g.left -= each; g.left > 0 {
			kept = append(kept, g)
			continue
		}
		if g.lease.done++; g.lease.done == g.lease.End-g.lease.First {
			p := &Parcel{Digest: fmt.Sprint(g.lease.Fence), parcelHead: parcelHead{Task: g.lease.Task, Worker: w.id}}
			var list []*result
			for n := g.lease.First; n < g.lease.End; n++ {
				p.Games = append(p.Games, parcelGame{Number: n})
				list = append(list, &result{number: n})
			}
			c.arrive(p, list, nil, func() {})
			w.next = now + step
		}
	}
	w.active = kept
}

// TestShareOfLinear demands that 8 workers play a generation of 500 games at 95 % of eight
// times the speed of one, and 16 of 1000; without -short also up to 1000 workers, which takes some ten seconds.
func TestShareOfLinear(t *testing.T) {
	equal := func(int) float64 { return 1 }
	sizes := []struct {
		workers, games int
		want           float64
	}{{2, 500, 0.95}, {8, 500, 0.95}, {16, 1000, 0.95}}
	if !testing.Short() {
		for _, w := range []int{50, 200, 1000} {
			for _, x := range []struct {
				each int
				want float64
			}{{20, 0.65}, {60, 0.9}} {
				if w*x.each > 20000 {
					continue // half a minute
				}
				sizes = append(sizes, struct {
					workers, games int
					want           float64
				}{w, w * x.each, x.want})
			}
		}
	}
	for _, s := range sizes {
		began := time.Now()
		took := simulate(t, s.workers, s.games, 16, equal)
		one := float64(s.games) // on one core, all the time at work
		got := one / (took * float64(s.workers))
		t.Logf("%4d workers, %6d games: %5.1f %% of linear (coordinated in %v)", s.workers, s.games, 100*got, time.Since(began).Round(time.Millisecond))
		if got < s.want {
			t.Errorf("%d workers play %d games at %.3f of linear, want %.2f", s.workers, s.games, got, s.want)
		}
	}
	// Half of the workers are four times as slow.
	took := simulate(t, 8, 500, 16, func(i int) float64 { return []float64{1, 0.25}[i%2] })
	if got := 500 / (took * (4 + 4*0.25)); got < 0.85 {
		t.Errorf("fast and slow workers reach %.3f of linear, want 0.85", got)
	}
}
