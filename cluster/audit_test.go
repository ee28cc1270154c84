package cluster

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
)

// forger packs parcels in some of which an evaluation is changed: nothing that the rules
// could tell.
type forger struct {
	rng    *rand.Rand
	forged int
}

func (f *forger) pack(head parcelHead, games []*selfplay.Finished) (*Parcel, error) {
	if f.rng.IntN(4) == 0 {
		f.forged++
		games[0].Rows[0].NetworkValue = 0.5 - games[0].Rows[0].NetworkValue/2
	}
	return packGames(head, games)
}

// findsTheForger has three workers, one of which falsifies parcels, play what serve wants,
// with every lease audited, and demands that it is cut off.
func findsTheForger(t *testing.T, cfg *plan.Config, serve func(context.Context, *testing.T, *Host) error) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		h, err := NewHost(t.TempDir(), *cfg, games.All(), nil, HostOptions{Audit: 1})
		if err != nil {
			t.Fatal(err)
		}
		o := &office{kept: map[string][]byte{}}
		o.open(ctx, h)
		var workers sync.WaitGroup
		liar := &forger{rng: rand.New(rand.NewPCG(5, 6))}
		cut := false
		for i := range 3 {
			spool := spoolOf(t, filepath.Join(t.TempDir(), "spool"))
			w := NewWorker(WorkerOptions{Link: &badLink{o: o, rng: rand.New(rand.NewPCG(1, uint64(i)))}, Spool: spool, Games: games.All(), Cores: 1})
			// A game takes a second, or two workers play all before the third has asked again
			// what is played.
			w.ended = func() { _ = pause(ctx, time.Second) }
			if i == 0 {
				w.pack = liar.pack
			}
			workers.Go(func() {
				switch err := w.Run(ctx); {
				case i == 0 && errors.Is(err, ErrMismatch):
					cut = true
				case err != nil && !errors.Is(err, context.Canceled):
					t.Errorf("worker %d: %v", i, err)
				}
				if err := spool.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		if err := serve(ctx, t, h); err != nil {
			t.Error(err)
		}
		time.Sleep(5 * time.Second)
		cancel()
		workers.Wait()
		o.takes.Wait()
		if f := h.Describe().Faults; liar.forged == 0 || !cut || f.CutOff != 1 {
			t.Errorf("%d parcels were forged, and who did it was cut off: %v, %+v", liar.forged, cut, f)
		}
	})
}

// TestAuditedRunHasNoForgedGame: with every lease audited, a worker that falsifies some is
// cut off before one counts, and two honest ones leave the games of one machine.
func TestAuditedRunHasNoForgedGame(t *testing.T) {
	cfg := tiny()
	cfg.GamesPerGeneration = 60
	weights := network(t, &cfg, 0, t.TempDir())
	want := alone(t, &cfg, 0, weights)
	var got []sum
	findsTheForger(t, &cfg, func(ctx context.Context, _ *testing.T, h *Host) error {
		return h.Play(ctx, &play.Wanted{Run: "r", ConfigHash: cfg.Hash(), Weights: weights, End: int64(len(want)), Counters: &selfplay.Counters{}},
			func(f *selfplay.Finished) (int64, error) {
				got = append(got, sumOf(f))
				return f.Number + 1, nil
			})
	})
	if !slices.Equal(got, want) {
		t.Error("the games are not those of one machine")
	}
}

// TestDisputeAboutACountedGameEnds: where a game that was not audited counts already, a second
// worker's other result cuts off who was wrong, and is taken.
func TestDisputeAboutACountedGameEnds(t *testing.T) {
	b := newTable(t)
	forged := b.games()
	forged[1].Rows[0].NetworkValue = 0.5 - forged[1].Rows[0].NetworkValue/2
	send := func(worker string, list []*selfplay.Finished) {
		p, err := packGames(parcelHead{Task: b.task, Worker: worker}, list)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.h.Take(t.Context(), p.Digest, p.Data, func() {}); err != nil {
			t.Fatal(err)
		}
	}
	send("liar", forged)
	for b.h.c.next() != nil {
	}
	send("honest", b.games())
	// The host may have played it for longer than the generation went on.
	b.h.c.begin(b.task, 24, 24, 48)
	b.h.c.decide(&dispute{number: 1, first: "honest", second: "honest"}, sum{})
	if b.h.c.banned["liar"] == "" || b.h.c.banned["honest"] != "" || b.h.c.faults.CutOff != 1 {
		t.Errorf("cut off: %v", b.h.c.banned)
	}
}

// TestGamesWithoutALeaseAreAudited: who sends games that nobody asked it for, or of a lease
// of an earlier process of the host, is checked like anybody else.
func TestGamesWithoutALeaseAreAudited(t *testing.T) {
	b := newTable(t)
	b.h.c.audit = 1
	forged := b.games()
	forged[1].Rows[0].NetworkValue = 0.5 - forged[1].Rows[0].NetworkValue/2
	if got := b.send(t, parcelHead{Task: b.task, Worker: "liar"}, forged, nil); got != "" {
		t.Fatal(got)
	}
	if f := b.h.c.next(); f != nil {
		t.Fatalf("game %d counts, and nobody has checked it", f.number)
	}
	b.send(t, parcelHead{Task: b.task, Worker: "honest"}, b.games(), nil)
	b.send(t, parcelHead{Task: b.task, Worker: "another"}, b.games(), nil)
	if b.h.c.banned["liar"] == "" || b.h.c.banned["honest"] != "" || b.h.c.next() == nil {
		t.Errorf("cut off: %v, or no game counts that two have sent", b.h.c.banned)
	}
	c := newCoordinator(1 << 32)
	c.audit = 1
	c.begin(Task{Run: "r"}, 0, 0, 10)
	hold := []Hold{{Lease: Lease{Task: Task{Run: "r"}, First: 2, End: 5, Fence: 7}}}
	c.report(time.Second, &Report{Worker: "a", Run: "r", Holds: hold})
	for n, s := range c.games {
		if want := n >= 2 && n < 5; s.audit != want {
			t.Errorf("game %d of a lease on 2 to 4 that goes on is audited: %t", n, s.audit)
		}
	}
}

// TestGameWithoutDecisionIsPlayed: where games begin at drawn positions one without a decision
// may be, and only playing it tells.
func TestGameWithoutDecisionIsPlayed(t *testing.T) {
	b := newTable(t)
	b.h.judge.cfg.SelfPlay.Beginnings.SampledShare = 0.5
	forged := b.games()
	forged[0].Rows = nil
	if got := b.send(t, parcelHead{Task: b.task, Worker: "liar"}, forged, nil); !strings.Contains(got, "cut off") || b.h.c.faults.Differing != 1 {
		t.Errorf("answer %q, %+v", got, b.h.c.faults)
	}
	if b.h.c.next() != nil {
		t.Error("a game of it counts")
	}
	c := newCoordinator(0)
	d := c.unsure(&Parcel{parcelHead: parcelHead{Worker: "honest"}}, &result{number: 3, sum: sum{1}, unsure: true})
	if c.decide(d, sum{1}); len(c.banned) > 0 || c.faults.Differing > 0 {
		t.Errorf("a game that is what it says: %v, %+v", c.banned, c.faults)
	}
}

// TestShareOfLeasesThatIsAudited, with numbers that nobody can foretell, is what was asked
// for, within four standard deviations.
func TestShareOfLeasesThatIsAudited(t *testing.T) {
	const share, leases = 0.05, 20000
	c := newCoordinator(0)
	c.audit = share
	c.task = Task{Run: "r"}
	for _, w := range []string{"a", "b"} {
		c.workers[w] = &workerState{}
	}
	audited := 0
	for range leases {
		c.games = []slot{{}}
		if c.choose("a", 0, 1); c.games[0].audit {
			audited++
		}
	}
	if got := float64(audited) / leases; math.Abs(got-share) > 4*math.Sqrt(share*(1-share)/leases) {
		t.Errorf("%.4f of the leases are audited, want %.2f", got, share)
	}
	caught := 1 - math.Pow(1-share*0.1, 1000)
	if caught < 0.99 {
		t.Errorf("who falsifies a tenth is caught within 1000 leases with %.3f, want 0.99", caught)
	}
}
