package cluster

import (
	"context"
	"errors"
	"fmt"
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
	"github.com/ludozero/ludozero/train/rundir"
)

// counted is a game in the files of a concurrent run.
type counted struct {
	seed    uint64
	network int
	sum     sum
}

// streamRun is a concurrent run without its training: networks are there beforehand.
type streamRun struct {
	cfg     plan.Config
	weights []string
	disk    []counted

	mu       sync.Mutex
	sent     map[string]*Parcel // by digest
	receipts map[string]bool    // of parcels that count
	whole    bool               // nobody needs any more games
}

// notingLink notes what a worker sends and gets receipts for.
type notingLink struct {
	*badLink
	r *streamRun
}

func (l *notingLink) Send(ctx context.Context, p *Parcel) error {
	l.r.mu.Lock()
	l.r.sent[p.Digest] = p
	l.r.mu.Unlock()
	return l.badLink.Send(ctx, p)
}

func (l *notingLink) Report(ctx context.Context, r *Report) (*Reply, error) {
	reply, err := l.badLink.Report(ctx, r)
	l.r.mu.Lock()
	defer l.r.mu.Unlock()
	if err == nil && !l.r.whole {
		for _, c := range reply.Receipts {
			if c.Refused == "" {
				l.r.receipts[c.Digest] = true
			}
		}
	}
	return reply, err
}

func newStreamRun(t *testing.T, generations int) *streamRun {
	r := &streamRun{cfg: tiny(), sent: map[string]*Parcel{}, receipts: map[string]bool{}}
	r.cfg.Mode, r.cfg.Generations = plan.ModeConcurrent, generations
	dir := t.TempDir()
	for g := range generations {
		r.weights = append(r.weights, network(t, &r.cfg, g, dir))
	}
	return r
}

// serve is what a process of the trainer does, up to the end of ctx or of the run: it
// learns a generation in the given time. Games are in files in fives.
func (r *streamRun) serve(ctx context.Context, t *testing.T, h *Host, learn time.Duration) error {
	per := len(r.disk) / r.cfg.GamesPerGeneration
	known := map[uint64]int{}
	for _, d := range r.disk {
		known[d.seed] = d.network
	}
	ends := r.cfg.Generations * r.cfg.GamesPerGeneration
	s, err := h.Stream(&play.Streamed{Run: "r", ConfigHash: r.cfg.Hash(), Next: int64(len(r.disk)), End: int64(ends), Known: known, Counters: &selfplay.Counters{}})
	if err != nil {
		t.Fatal(err)
	}
	for g := max(0, per-play.OldestNetwork); g <= per; g++ {
		if err := s.Publish(&play.Network{Generation: g, Weights: r.weights[g]}); err != nil {
			t.Fatal(err)
		}
	}
	limit := func(g int) int64 { return int64((g + 2) * r.cfg.GamesPerGeneration) }
	s.Allow(limit(per))
	complete := make(chan int, r.cfg.Generations)
	var trainer sync.WaitGroup
	trainer.Go(func() {
		for g := range complete {
			if pause(ctx, learn) != nil || g == r.cfg.Generations {
				return
			}
			if err := s.Publish(&play.Network{Generation: g, Weights: r.weights[g]}); err != nil {
				t.Error(err)
			}
			s.Allow(limit(g))
		}
	})
	unwritten := 0
	err = s.Play(ctx, func(f *selfplay.Finished) (int64, error) {
		if f.Number != int64(len(r.disk)) || f.Rows[0].GameNumber != f.Number {
			t.Fatalf("game %d, in its rows %d, was delivered: want %d", f.Number, f.Rows[0].GameNumber, len(r.disk))
		}
		r.disk = append(r.disk, counted{f.Rows[0].Seed, f.Generation, sumOf(f)})
		if unwritten++; len(r.disk)%5 == 0 || len(r.disk)%r.cfg.GamesPerGeneration == 0 {
			unwritten = 0
		}
		if len(r.disk) == ends {
			r.mu.Lock()
			r.whole = true
			r.mu.Unlock()
		}
		if len(r.disk)%r.cfg.GamesPerGeneration == 0 {
			complete <- len(r.disk) / r.cfg.GamesPerGeneration
		}
		return int64(len(r.disk) - unwritten), nil
	})
	close(complete)
	trainer.Wait()
	if err != nil {
		r.disk = r.disk[:len(r.disk)-unwritten] // as a kill leaves it
	}
	return err
}

// check plays every game again by its network and seed, and demands that none is there
// twice, nor one that is too old, and all for which there is a receipt.
func (r *streamRun) check(t *testing.T) {
	t.Helper()
	rules, err := r.cfg.NewRules(games.All())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uint64]bool{}
	for n, d := range r.disk {
		if seen[d.seed] {
			t.Errorf("game %d is there twice", n)
		}
		seen[d.seed] = true
		if age := n/r.cfg.GamesPerGeneration - d.network; age < 0 || age > play.OldestNetwork {
			t.Errorf("game %d was played by network %d", n, d.network)
		}
		player, err := play.PlayerOf(&r.cfg, rules, d.network, r.weights[d.network], nil)
		if err != nil {
			t.Fatal(err)
		}
		job := selfplay.Job{Game: rules.Game, Run: "r", SeedOf: func(int64) uint64 { return d.seed }, Workers: 1,
			Source: &selfplay.Range{Start: int64(n), Count: 1, Player: player}}
		if err := selfplay.Run(t.Context(), r.cfg.SelfPlay, job, func(f *selfplay.Finished) error {
			if sumOf(f) != d.sum {
				t.Errorf("game %d is another when network %d plays it again", n, d.network)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	for digest := range r.receipts {
		if p := r.sent[digest]; p == nil {
			t.Errorf("there is a receipt for parcel %s, which nobody sent", digest)
		} else {
			for _, g := range p.Games {
				if !seen[seedOf(&r.cfg)(g.Number)] {
					t.Errorf("there is a receipt for game %d of a lease, which does not count", g.Number)
				}
			}
		}
	}
}

// TestStreamUnderFaults runs concurrent runs on three workers through the faults of
// TestAnyFaultsLeaveTheSameGames. Their games differ, but each counts once, in order, and is
// what its network and seed give.
func TestStreamUnderFaults(t *testing.T) {
	var all rundir.ClusterFaults
	schedules, hosts, receipts := 4, 0, 0 // half of them with audits
	if !testing.Short() {
		schedules = 24
	}
	for n := range schedules {
		r := newStreamRun(t, 5)
		synctest.Test(t, func(t *testing.T) { hosts += r.faults(t, uint64(n), &all) })
		r.check(t)
		receipts += len(r.receipts)
	}
	t.Logf("%d hosts, %d receipts; noticed: %+v", hosts, receipts, all)
	if all.Differing > 0 {
		t.Errorf("%d games differ, want none", all.Differing)
	}
	if all.Damaged == 0 || all.Repeated == 0 || receipts == 0 || hosts <= schedules {
		t.Errorf("the faults did not happen: %+v", all)
	}
}

func (r *streamRun) faults(t *testing.T, n uint64, all *rundir.ClusterFaults) (hosts int) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	rng := rand.New(rand.NewPCG(n, 1))
	o := &office{kept: map[string][]byte{}}
	spools := t.TempDir()
	var workers sync.WaitGroup
	for i := range 3 {
		workers.Go(func() {
			lives(ctx, t, o, n, i, filepath.Join(spools, fmt.Sprint(i)), func(ctx context.Context, w *Worker, link *badLink) {
				w.opt.Link = &notingLink{link, r}
				w.ended = func() { _ = pause(ctx, time.Second) } // or a worker plays all that it may in no time
			})
		})
	}
	for done := false; !done; {
		hosts++
		h, err := NewHost(t.TempDir(), r.cfg, games.All(), nil, HostOptions{Audit: 0.3 * float64(n%2)})
		if err != nil {
			t.Fatal(err)
		}
		alive := 24 * time.Hour
		if hosts < 4 { // the first live for a short time
			alive = time.Duration(rng.IntN(60)) * time.Second
		}
		living, end := context.WithTimeout(ctx, alive)
		o.open(living, h)
		if done = r.serve(living, t, h, time.Duration(rng.IntN(90))*time.Second) == nil; done {
			h.Over()
			time.Sleep(30 * time.Minute) // most say goodbye
		}
		f := h.Describe().Faults
		all.Damaged, all.Differing = all.Damaged+f.Damaged, all.Differing+f.Differing
		all.Expired, all.Repeated, all.Refused = all.Expired+f.Expired, all.Repeated+f.Repeated, all.Refused+f.Refused
		o.leave()
		end()
		if !done {
			time.Sleep(time.Duration(rng.IntN(3600)) * time.Second)
		}
	}
	cancel()
	workers.Wait()
	o.takes.Wait()
	return hosts
}

// TestPlayGoesOnThroughAnOutage: a worker that is cut off plays on with the network that it
// has, and waits when it has played its part. All of that counts when it is back in time;
// when the others have learned on, what is too old is refused by name.
func TestPlayGoesOnThroughAnOutage(t *testing.T) {
	r := newStreamRun(t, 24)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		h, err := NewHost(t.TempDir(), r.cfg, games.All(), nil, HostOptions{})
		if err != nil {
			t.Fatal(err)
		}
		o := &office{kept: map[string][]byte{}}
		o.open(ctx, h)
		var all sync.WaitGroup
		var mu sync.Mutex
		var refused []string
		var links []*badLink
		var spools []*Spool
		var views [2]WorkerView
		join := func() {
			i := len(links)
			link, spool := &badLink{o: o, rng: rand.New(rand.NewPCG(1, uint64(i)))}, spoolOf(t, filepath.Join(t.TempDir(), "spool"))
			links, spools = append(links, link), append(spools, spool)
			w := NewWorker(WorkerOptions{Link: link, Spool: spool, Games: games.All(), Cores: 1, Show: func(v WorkerView) {
				mu.Lock()
				defer mu.Unlock()
				views[i] = v
				refused = append(refused, v.Refused...)
			}})
			w.ended = func() { time.Sleep(time.Second) }
			all.Go(func() {
				err := w.Run(ctx)
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Errorf("worker %d: %v", i, err)
				}
				if err := spool.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		cut := func(yes bool) {
			links[0].mu.Lock()
			defer links[0].mu.Unlock()
			links[0].cut = yes
		}
		view := func(i int) WorkerView {
			mu.Lock()
			defer mu.Unlock()
			return views[i]
		}
		after := func(d time.Duration) { // nobody else is at work when it returns
			time.Sleep(d)
			synctest.Wait()
		}
		all.Go(func() { _ = r.serve(ctx, t, h, 30*time.Second) })

		join()
		after(time.Minute)
		cut(true)
		counted := len(r.disk)
		after(5 * time.Minute)
		before := view(0)
		if before.Games < int64(counted+3*r.cfg.GamesPerGeneration) || before.Waiting == 0 || !before.Resting {
			t.Errorf("five minutes after it was cut off with %d games counted the worker shows %+v", counted, before)
		}
		after(time.Hour)
		if later := view(0); later.Games != before.Games {
			t.Errorf("it has played %d games after an hour: want no more than %d", later.Games, before.Games)
		}
		cut(false)
		after(time.Minute)
		// What waits are parcels of the last seconds, for the shard that their games come into.
		if waiting, _ := spools[0].Waiting(""); len(refused) > 0 || len(r.disk) < int(before.Games)-r.cfg.SelfPlay.GamesInFlight || len(waiting) > 5 {
			t.Errorf("of %d games %d count after the outage, %d parcels wait, refused: %q", before.Games, len(r.disk), len(waiting), refused)
		}

		cut(true)
		join() // another plays on
		for range 3600 {
			if time.Sleep(time.Second); view(1).Generation >= 20 {
				break
			}
		}
		cut(false)
		after(time.Minute)
		if len(refused) == 0 || !strings.Contains(refused[0], "has played it, and games of generation ") {
			t.Errorf("refused: %q", refused)
		}
		t.Logf("counted %d before the outage; after five minutes %+v; %d refused in the end, of %d games, for %q", counted, before, len(refused), len(r.disk), refused)
		if f := h.Describe().Faults; f.Refused < int64(len(refused)) { // some may not be told yet
			t.Errorf("%d parcels were refused, and the host counts %+v", len(refused), f)
		}
		cancel()
		all.Wait()
		o.takes.Wait()
	})
	r.check(t)
}

// TestRestingWorkerKeepsNoGame: once no game may begin, all that were played have come, also the
// last.
func TestRestingWorkerKeepsNoGame(t *testing.T) {
	r := newStreamRun(t, 4)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		h, err := NewHost(t.TempDir(), r.cfg, games.All(), nil, HostOptions{})
		if err != nil {
			t.Fatal(err)
		}
		o := &office{kept: map[string][]byte{}}
		o.open(ctx, h)
		spool := spoolOf(t, filepath.Join(t.TempDir(), "spool"))
		var last WorkerView
		w := NewWorker(WorkerOptions{Link: &badLink{o: o, rng: rand.New(rand.NewPCG(1, 1))}, Spool: spool, Games: games.All(), Cores: 1, Show: func(v WorkerView) { last = v }})
		w.ended = func() { _ = pause(ctx, time.Second) }
		var all sync.WaitGroup
		all.Go(func() { _ = w.Run(ctx) })
		all.Go(func() { _ = r.serve(ctx, t, h, time.Hour) }) // learns nothing
		for range 300 {
			if time.Sleep(time.Second); last.Resting {
				break
			}
		}
		time.Sleep(8 * time.Second) // some were in flight
		synctest.Wait()
		if !last.Resting || last.Games < int64(2*r.cfg.GamesPerGeneration) || int(last.Games) != len(r.disk) {
			t.Errorf("%d games have come of a worker that shows %+v", len(r.disk), last)
		}
		cancel()
		all.Wait()
		o.takes.Wait()
		if err := spool.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestForgedGamesOfAStreamDoNotCount: with every parcel audited, a worker that falsifies
// some is cut off, and what it forged does not count.
func TestForgedGamesOfAStreamDoNotCount(t *testing.T) {
	r := newStreamRun(t, 4)
	findsTheForger(t, &r.cfg, func(ctx context.Context, t *testing.T, h *Host) error { return r.serve(ctx, t, h, time.Second) })
	r.check(t)
}

// TestStreamedParcelsCountOnce: games of a lease that came before, with another network,
// are refused; the same games again, also after the host began anew, are not counted twice;
// and so are games that no network of the run has played.
func TestStreamedParcelsCountOnce(t *testing.T) {
	r := newStreamRun(t, 3)
	rules, err := r.cfg.NewRules(games.All())
	if err != nil {
		t.Fatal(err)
	}
	var h *Host
	var s play.Stream
	begin := func(known map[uint64]int, audit float64) {
		if h, err = NewHost(t.TempDir(), r.cfg, games.All(), nil, HostOptions{Audit: audit}); err != nil {
			t.Fatal(err)
		}
		if s, err = h.Stream(&play.Streamed{Run: "r", ConfigHash: r.cfg.Hash(), Next: int64(len(known)), End: 720, Known: known, Counters: &selfplay.Counters{}}); err != nil {
			t.Fatal(err)
		}
		for g := range 2 {
			if err := s.Publish(&play.Network{Generation: g, Weights: r.weights[g]}); err != nil {
				t.Fatal(err)
			}
		}
		close(h.known)
	}
	begin(map[uint64]int{}, 0)
	var settled int
	send := func(first int64, by int) (p *Parcel, refused string) {
		player, err := play.PlayerOf(&r.cfg, rules, by, r.weights[by], nil)
		if err != nil {
			t.Fatal(err)
		}
		task := h.c.task
		task.Generation, task.Network = by, by
		if known, ok := h.c.stream.networks[by]; ok {
			task = known
		}
		var list []*selfplay.Finished
		job := selfplay.Job{Game: rules.Game, Run: "r", Seed: r.cfg.Seed, SeedOf: seedOf(&r.cfg), Workers: 1, Source: &selfplay.Range{Start: first, Count: 3, Player: player}}
		if err := selfplay.Run(t.Context(), r.cfg.SelfPlay, job, func(f *selfplay.Finished) error { list = append(list, f); return nil }); err != nil {
			t.Fatal(err)
		}
		p, err = packGames(parcelHead{Task: task, Worker: "w", Evaluations: int64(settled)}, list) // of another digest each time
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Take(t.Context(), p.Digest, p.Data, func() { settled++ }); err != nil {
			t.Fatal(err)
		}
		return p, h.c.parcels[p.Digest].refused
	}
	if _, why := send(5, 0); why != "" || settled != 0 {
		t.Errorf("the first parcel: refused %q, %d settled", why, settled)
	}
	if _, why := send(6, 1); !strings.Contains(why, "game 6 of its lease has come before, played by network 0") || settled != 1 {
		t.Errorf("the same games by another network: refused %q, %d settled", why, settled)
	}
	if _, why := send(6, 0); why != "" || settled != 1 {
		t.Errorf("two of the games again: refused %q, %d settled", why, settled)
	}
	for _, limit := range []int64{4, 5} {
		s.Allow(limit)
		if r := h.Report(&Report{Worker: "v", Run: "r", Kernel: Kernel(), Build: Build()}); r.Enough != (limit == 4) {
			t.Errorf("four games have come, and are enough where %d may begin: %v", limit, r.Enough)
		}
	}
	if _, why := send(20, 2); !strings.Contains(why, "network 2") || settled != 2 {
		t.Errorf("games of a network that is none: refused %q, %d settled", why, settled)
	}
	known := map[uint64]int{}
	for f := h.c.next(); f != nil; f = h.c.next() {
		if int(f.number) != len(known) {
			t.Errorf("game %d: want number %d", f.number, len(known))
		}
		known[f.seed] = 0
	}
	if len(known) != 4 {
		t.Errorf("%d games count, want 5 to 8 of the lease", len(known))
	}
	h.c.wrote(4)
	if settled != 4 {
		t.Errorf("%d parcels are settled once all is written, want 4", settled)
	}
	begin(known, 0)
	if _, why := send(5, 0); why != "" || settled != 5 {
		t.Errorf("the first parcel at the next host: refused %q, %d settled", why, settled)
	}
	if f := h.c.next(); f != nil {
		t.Errorf("game %d of a lease counts once more as %d", f.seed, f.number)
	}

	// Games that wait for a second worker until they are too old are refused, and nobody is
	// asked to play them any more: their network is gone.
	begin(map[uint64]int{}, 1)
	p, why := send(5, 0)
	toCheck := func() bool {
		reply := h.Report(&Report{Worker: "v", Run: "r", Kernel: Kernel(), Build: Build()})
		return slices.ContainsFunc(reply.Leases, func(l Lease) bool { return l.Exact })
	}
	if why != "" || settled != 5 || !toCheck() {
		t.Errorf("a parcel to be checked: refused %q, %d settled", why, settled)
	}
	h.c.taken = 9 * h.c.stream.per
	if err := s.Publish(&play.Network{Generation: 1, Weights: r.weights[1]}); err != nil {
		t.Fatal(err)
	}
	if why := h.c.parcels[p.Digest].refused; !strings.Contains(why, "network 0 has played it, and games of generation 9 are due") || settled != 6 || toCheck() {
		t.Errorf("a parcel that was not checked in time: refused %q, %d settled", why, settled)
	}
}
