package cluster

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
	"github.com/ludozero/ludozero/train/rundir"
)

// tiny is a run of tic-tac-toe whose games take milliseconds.
func tiny() plan.Config {
	c := plan.DefaultConfig()
	c.Game, c.Rules, c.Generations, c.Workers = "tictactoe", "standard", 2, 1
	c.GamesPerGeneration, c.GamesPerShard = 24, 5
	c.Model = model.Config{Blocks: 1, Channels: 8, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 16}
	c.SelfPlay.GamesInFlight, c.SelfPlay.Search.Simulations = 4, 4
	return c
}

// network writes the weights of a generation into dir and returns the file.
func network(t testing.TB, cfg *plan.Config, generation int, dir string) string {
	t.Helper()
	rules, err := cfg.NewRules(games.All())
	if err != nil {
		t.Fatal(err)
	}
	info := rules.Game.Info()
	w := model.NewWeights(model.Network{Shape: plan.Shape(info), Config: cfg.ModelAt(generation)})
	w.Init(rand.New(seed.Stream(cfg.Seed, "weights", uint64(generation))))
	path := filepath.Join(dir, fmt.Sprintf("weights-of-%d.safetensors", generation))
	if err := model.Save(path, w, model.Card{Identity: plan.Identity(info), Generation: generation}); err != nil {
		t.Fatal(err)
	}
	return path
}

// alone plays a generation's games on one machine.
func alone(t *testing.T, cfg *plan.Config, generation int, weights string) []sum {
	t.Helper()
	rules, err := cfg.NewRules(games.All())
	if err != nil {
		t.Fatal(err)
	}
	player, err := play.PlayerOf(cfg, rules, generation, weights, nil)
	if err != nil {
		t.Fatal(err)
	}
	job := selfplay.Job{Game: rules.Game, Run: "r", Seed: cfg.Seed, Workers: 1,
		Source: &selfplay.Range{Start: int64(generation * cfg.GamesPerGeneration), Count: cfg.GamesPerGeneration, Player: player}}
	var sums []sum
	err = selfplay.Run(t.Context(), cfg.SelfPlay, job, func(f *selfplay.Finished) error {
		sums = append(sums, sumOf(f))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// office is where the host is, with the broker's disk: what was sent is kept there until
// it is settled, and comes again when the host does.
type office struct {
	mu     sync.Mutex
	host   Desk // nil: away
	ctx    context.Context
	kept   map[string][]byte // by the name under which it was sent
	damage int               // parcels that arrived damaged
	takes  sync.WaitGroup
}

// open lets a host in.
func (o *office) open(ctx context.Context, h Desk) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.host, o.ctx = h, ctx
	for digest, data := range o.kept {
		o.deliver(digest, data, 0)
	}
}

// deliver brings a message to the host. The caller has locked o.
func (o *office) deliver(digest string, data []byte, after time.Duration) {
	h, ctx := o.host, o.ctx
	if h == nil {
		return
	}
	o.takes.Go(func() {
		if pause(ctx, after) != nil {
			return
		}
		_ = h.Take(ctx, digest, data, func() {
			go func() { // it is called under the host's lock
				o.mu.Lock()
				defer o.mu.Unlock()
				if o.host == h {
					delete(o.kept, digest)
				}
			}()
		})
	})
}

func (o *office) leave() {
	o.mu.Lock()
	o.host = nil
	o.mu.Unlock()
}

var errLost = errors.New("lost on the way")

// badLink loses, delays, repeats and damages messages.
type badLink struct {
	o   *office
	mu  sync.Mutex
	rng *rand.Rand
	bad float64 // the share of messages that something happens to
	cut bool
}

// fate draws what happens to a message.
func (l *badLink) fate() (lost bool, delay time.Duration, other float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut {
		return true, 0, 0
	}
	if l.rng.Float64() < l.bad {
		delay = time.Duration(l.rng.Int64N(int64(15 * time.Second)))
	}
	return l.rng.Float64() < l.bad, delay, l.rng.Float64()
}

// call gets a message to the host and its answer back, or not.
func call[T any](ctx context.Context, l *badLink, do func(Desk) (T, error)) (answer T, err error) {
	for _, back := range []bool{false, true} {
		lost, delay, _ := l.fate()
		if err := pause(ctx, delay); err != nil {
			return answer, err
		}
		if lost {
			return answer, errLost
		}
		if !back {
			l.o.mu.Lock()
			h := l.o.host
			l.o.mu.Unlock()
			if h == nil {
				return answer, errLost
			}
			if answer, err = do(h); err != nil {
				return answer, err
			}
		}
	}
	return answer, nil
}

func (l *badLink) Welcome(ctx context.Context) (*Welcome, error) {
	return call(ctx, l, func(h Desk) (*Welcome, error) { return h.Welcome() })
}

func (l *badLink) Report(ctx context.Context, r *Report) (*Reply, error) {
	return call(ctx, l, func(h Desk) (*Reply, error) { return h.Report(r), nil })
}

func (l *badLink) Piece(ctx context.Context, digest string, offset int64) ([]byte, error) {
	return call(ctx, l, func(h Desk) ([]byte, error) { return h.Piece(digest, offset) })
}

func (l *badLink) Send(ctx context.Context, p *Parcel) error {
	lost, delay, other := l.fate()
	if lost {
		return errLost
	}
	l.o.mu.Lock()
	defer l.o.mu.Unlock()
	data := slices.Clone(p.Data)
	if other < l.bad/2 {
		data[int(other*1e9)%len(data)] ^= 1
		l.o.damage++
	}
	if l.o.kept[p.Digest] == nil {
		l.o.kept[p.Digest] = data
		l.o.deliver(p.Digest, data, delay)
		if other > 1-l.bad {
			l.o.deliver(p.Digest, data, 2*delay)
		}
	}
	if lost, _, _ := l.fate(); lost {
		return errLost // only the acknowledgement
	}
	return nil
}

func (l *badLink) Wake() <-chan struct{} { return nil }

func spoolOf(t *testing.T, dir string) *Spool {
	t.Helper()
	s, err := OpenSpool(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// lives runs worker i of schedule n again and again: one after the other plays from the same spool
// for some time, cut off or not, until ctx ends or the run is over. fit is called before each.
func lives(ctx context.Context, t *testing.T, o *office, n uint64, i int, dir string, fit func(context.Context, *Worker, *badLink)) {
	link := &badLink{o: o, rng: rand.New(rand.NewPCG(n, uint64(i)+2)), bad: []float64{0, 0.1, 0.3, 0.5}[n%4]}
	rng := rand.New(rand.NewPCG(n, uint64(i)+100))
	for ctx.Err() == nil {
		spool := spoolOf(t, dir)
		ctx, cancel := context.WithTimeout(ctx, time.Duration(1+rng.IntN(300))*time.Second)
		w := NewWorker(WorkerOptions{Link: link, Spool: spool, Games: games.All(), Name: fmt.Sprint("machine ", i), Cores: 1})
		fit(ctx, w, link)
		err := w.Run(ctx)
		if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
			t.Errorf("worker %d: %v", i, err)
		}
		cancel()
		if err := spool.Close(); err != nil {
			t.Error(err)
		}
		link.mu.Lock()
		link.cut = rng.IntN(2) == 0
		link.mu.Unlock()
		if err == nil {
			return
		}
		time.Sleep(time.Duration(rng.IntN(60)) * time.Second)
	}
}

// TestAnyFaultsLeaveTheSameGames runs two generations on three workers through links that
// lose, delay, repeat and damage messages, cuts links for minutes, stops workers and
// hosts, and demands the games that one machine plays, each once and in order.
func TestAnyFaultsLeaveTheSameGames(t *testing.T) {
	cfg := tiny()
	dir := t.TempDir()
	var weights []string
	var want []sum
	for g := range 2 {
		weights = append(weights, network(t, &cfg, g, dir))
		want = append(want, alone(t, &cfg, g, weights[g])...)
	}
	var all rundir.ClusterFaults
	damaged, hosts, stops := 0, 0, 0
	schedules := 8 // half of them with audits
	if !testing.Short() {
		schedules = 40
	}
	for n := range schedules {
		synctest.Test(t, func(t *testing.T) {
			o, h, s := faults(t, &cfg, weights, want, uint64(n), &all)
			damaged, hosts, stops = damaged+o.damage, hosts+h, stops+s
		})
	}
	t.Logf("%d hosts, %d stops of workers, %d parcels damaged on the way; noticed: %+v", hosts, stops, damaged, all)
	if all.Refused > 0 || all.Differing > 0 {
		t.Errorf("%d parcels were refused and %d games differ, want none", all.Refused, all.Differing)
	}
	if all.Damaged == 0 || all.Repeated == 0 || stops == 0 || hosts <= schedules {
		t.Errorf("the faults did not happen: %+v", all)
	}
}

// faults plays the schedule of faults number n.
func faults(t *testing.T, cfg *plan.Config, weights []string, want []sum, n uint64, all *rundir.ClusterFaults) (o *office, hosts, stops int) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	rng := rand.New(rand.NewPCG(n, 1))
	o = &office{kept: map[string][]byte{}}
	spools := t.TempDir()
	var workers sync.WaitGroup
	var ends atomic.Int64
	for i := range 3 {
		workers.Go(func() {
			lives(ctx, t, o, n, i, filepath.Join(spools, fmt.Sprint(i)), func(context.Context, *Worker, *badLink) { ends.Add(1) })
		})
	}
	var disk []sum // what the run's files have
	for len(disk) < len(want) {
		hosts++
		h, err := NewHost(t.TempDir(), *cfg, games.All(), nil, HostOptions{Audit: 0.3 * float64(n/4%2)})
		if err != nil {
			t.Fatal(err)
		}
		// The first hosts live for a short time.
		alive := 24 * time.Hour
		if hosts < 4 {
			alive = time.Duration(rng.IntN(120)) * time.Second
		}
		living, end := context.WithTimeout(ctx, alive)
		o.open(living, h)
		for len(disk) < len(want) {
			g := len(disk) / cfg.GamesPerGeneration
			unwritten := 0
			err = h.Play(living, &play.Wanted{
				Run: "r", ConfigHash: cfg.Hash(), Generation: g, Network: g, Weights: weights[g], First: int64(len(disk)), End: int64((g + 1) * cfg.GamesPerGeneration),
				Counters: &selfplay.Counters{},
			}, func(f *selfplay.Finished) (int64, error) {
				if f.Number != int64(len(disk)) {
					t.Fatalf("game %d was delivered, want %d", f.Number, len(disk))
				}
				disk = append(disk, sumOf(f))
				if unwritten++; f.Number%5 == 4 || len(disk)%cfg.GamesPerGeneration == 0 {
					unwritten = 0
				}
				return int64(len(disk) - unwritten), nil
			})
			if err != nil {
				disk = disk[:len(disk)-unwritten] // as a kill leaves it
				break
			}
			time.Sleep(time.Duration(rng.IntN(90)) * time.Second) // the network is trained
		}
		if err == nil {
			h.Over()
			for range 30 { // most say goodbye
				time.Sleep(time.Minute)
			}
		}
		f := h.Describe().Faults
		all.Damaged, all.Refused, all.Differing = all.Damaged+f.Damaged, all.Refused+f.Refused, all.Differing+f.Differing
		all.Expired, all.Repeated = all.Expired+f.Expired, all.Repeated+f.Repeated
		o.leave()
		end()
		if err != nil {
			time.Sleep(time.Duration(rng.IntN(3600)) * time.Second)
		}
	}
	cancel()
	workers.Wait()
	o.takes.Wait()
	if !slices.Equal(disk, want) {
		t.Errorf("schedule %d left other games than one machine", n)
	}
	return o, hosts, int(ends.Load())
}
