package cluster

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/run"
	"github.com/ludozero/ludozero/train/rundir"
)

// PieceBytes is how much of a weight file travels in one message: below the 1 MiB that
// servers take unless told otherwise.
const PieceBytes = 512 << 10

// Host hands the games of a run out to workers. It is the run.Elsewhere of the trainer.
// Its methods are safe for concurrent use.
type Host struct {
	cfg   plan.Config
	rules *plan.Rules
	coder coder
	// teacher is what the configuration names; nil: none.
	teacher run.Teacher
	name    string
	began   time.Time

	judging sync.Mutex
	judge   *judge

	mu       sync.Mutex
	c        *coordinator
	weights  []byte
	path     string // of the weights
	earlier  []byte // the games that others may begin in, as JSON; nil: none
	counters *selfplay.Counters
	known    chan struct{} // closed once the task is known
	arrived  chan struct{} // a game may be there
	wake     []func()
}

// HostOptions are what a Host needs.
type HostOptions struct {
	Games engine.Families
	// Teacher is the one that the configuration names; nil: none.
	Teacher run.Teacher
	// Audit is the share of leases, in [0, 1], that a second worker plays, too. Games of
	// which two workers send different results are played again here, and who was wrong is
	// cut off.
	Audit float64
}

// NewHost makes the host of the run in folder dir with that configuration.
func NewHost(dir string, cfg plan.Config, opt HostOptions) (*Host, error) {
	if !(opt.Audit >= 0 && opt.Audit <= 1) {
		return nil, fmt.Errorf("audited share %g: want 0 to 1", opt.Audit)
	}
	if err := run.CheckElsewhere(&cfg); err != nil {
		return nil, err
	}
	rules, err := cfg.NewRules(opt.Games)
	if err != nil {
		return nil, err
	}
	session := randomSeed()
	c := newCoordinator(uint64(binary.BigEndian.Uint32(session[:])) << 32)
	c.audit = opt.Audit
	whole, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	return &Host{
		cfg: cfg, rules: rules, coder: shards{}, teacher: opt.Teacher, name: filepath.Base(whole), began: time.Now(), judge: newJudge(&cfg, rules),
		c: c, known: make(chan struct{}), arrived: make(chan struct{}, 1),
	}, nil
}

// OnWake has f called whenever workers should report. It is called before Play.
func (h *Host) OnWake(f func()) { h.wake = append(h.wake, f) }

func (h *Host) wakeAll() {
	for _, f := range h.wake {
		f()
	}
}

// Play implements run.Elsewhere.
func (h *Host) Play(ctx context.Context, w *run.Wanted, deliver run.Deliver) error {
	weights, err := input.Read(w.Weights, input.Large)
	if err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	t := Task{Run: w.Run, Config: w.ConfigHash, Generation: w.Generation, Weights: plan.SHA256(weights), Kernel: Kernel(), Build: Build()}
	var earlier []byte
	if len(w.Earlier) > 0 {
		if earlier, err = json.Marshal(w.Earlier); err != nil {
			return fmt.Errorf("earlier games: %w", err)
		}
		t.Earlier = plan.SHA256(earlier)
	}
	h.mu.Lock()
	h.weights, h.path, h.earlier, h.counters = weights, w.Weights, earlier, w.Counters
	h.c.begin(t, int64(w.Generation)*int64(h.cfg.GamesPerGeneration), w.First, w.End)
	select {
	case <-h.known:
	default:
		close(h.known)
	}
	h.mu.Unlock()
	h.wakeAll()
	defer func() {
		h.mu.Lock()
		h.c.close(false)
		h.mu.Unlock()
		h.wakeAll()
	}()
	for n := w.First; n < w.End; n++ {
		f, err := h.next(ctx)
		if err != nil {
			return err
		}
		written, err := deliver(f)
		if err != nil {
			return err
		}
		h.mu.Lock()
		h.c.wrote(written)
		h.mu.Unlock()
	}
	return nil
}

// next waits for the next game in order.
func (h *Host) next(ctx context.Context) (*selfplay.Finished, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h.mu.Lock()
		f := h.c.next()
		h.mu.Unlock()
		if f != nil {
			return f, nil
		}
		select {
		case <-h.arrived:
		case <-ctx.Done():
		}
	}
}

// Over tells the workers that report from now on that the run has all its games.
func (h *Host) Over() {
	h.mu.Lock()
	h.c.close(true)
	h.mu.Unlock()
	h.wakeAll()
}

// AllTold reports whether every worker that was heard of lately knows what became of the
// run and has a receipt for all its parcels.
func (h *Host) AllTold() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.c.allTold(time.Since(h.began))
}

// Welcome tells a worker what is played, once that is known.
func (h *Host) Welcome() (*Welcome, error) {
	text, err := encodeConfig(&h.cfg)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return &Welcome{
		Run: h.c.task.Run, Name: h.name, Config: text, ConfigHash: h.cfg.Hash(), Level: kernel.Variant(), Kernel: Kernel(), Build: Build(),
	}, nil
}

// Known waits until the run's identity and network are.
func (h *Host) Known(ctx context.Context) error {
	select {
	case <-h.known:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Run is the identity of the run, once it is known.
func (h *Host) Run() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.c.task.Run
}

// Report answers a worker.
func (h *Host) Report(r *Report) *Reply {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.c.report(time.Since(h.began), r)
}

// errNotNow says that weights or games are wanted that do not play.
var errNotNow = errors.New("these weights or games are not of the present generation")

// Piece returns up to PieceBytes of the weights or earlier games with that digest; none is
// their end.
func (h *Host) Piece(digest string, offset int64) ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	data := h.weights
	if h.earlier != nil && digest == h.c.task.Earlier {
		data = h.earlier
	} else if digest != h.c.task.Weights {
		return nil, errNotNow
	}
	if offset < 0 || offset > int64(len(data)) {
		return nil, errNotNow
	}
	return data[offset:min(int64(len(data)), offset+PieceBytes)], nil
}

// Take takes a parcel that was sent under the name digest, once the task is known. settle
// is called when the message that brought it may be forgotten. The only error is ctx's.
func (h *Host) Take(ctx context.Context, digest string, data []byte, settle func()) error {
	if err := h.Known(ctx); err != nil {
		return err
	}
	p, games, fault := h.coder.unpack(h.rules.Game.Info(), digest, data)
	if errors.Is(fault, ErrDamaged) {
		h.mu.Lock()
		h.c.damaged(settle)
		h.mu.Unlock()
		h.wakeAll()
		return nil
	}
	p.Digest = digest
	for i := 0; i < len(games) && fault == nil; i++ {
		h.judging.Lock()
		fault = h.judge.check(p.Run, games[i])
		h.judging.Unlock()
	}
	h.mu.Lock()
	fresh, d := h.c.arrive(p, games, fault, settle)
	for d != nil {
		path, earlier := h.path, h.earlier
		h.mu.Unlock()
		truth, err := h.search(ctx, p, path, earlier, d.number)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		h.mu.Lock()
		if err != nil { // neither can be believed
			fresh, _ = h.c.arrive(p, games, fmt.Errorf("game %d differs from the same game of another worker and cannot be played here: %w", d.number, err), settle)
			break
		}
		h.c.decide(d, truth)
		fresh, d = h.c.arrive(p, games, fault, settle)
	}
	if c := h.counters; c != nil && len(fresh) > 0 {
		c.Games.Add(int64(len(fresh)))
		for _, f := range fresh {
			c.Decisions.Add(int64(len(f.Rows)))
		}
		c.Evaluations.Add(max(0, p.Evaluations))
		c.Hits.Add(max(0, p.Hits))
	}
	h.mu.Unlock()
	select {
	case h.arrived <- struct{}{}:
	default:
	}
	return nil
}

// search plays a game of the parcel's task here and returns its checksum.
func (h *Host) search(ctx context.Context, p *Parcel, weights string, earlier []byte, number int64) (sum uint64, err error) {
	list, err := decodeEarlier(earlier)
	if err != nil {
		return 0, err
	}
	player, err := run.PlayerOf(&h.cfg, h.rules, p.Generation, weights, list)
	if err != nil {
		return 0, err
	}
	job := selfplay.Job{
		Game: h.rules.Game, Mix: h.rules.Mix, Run: p.Run, Seed: h.cfg.Seed, Workers: 1, Teacher: h.teacher,
		Source: &selfplay.Range{Start: number, Count: 1, Player: player},
	}
	err = selfplay.Run(ctx, h.cfg.SelfPlay, job, func(f *selfplay.Finished) error {
		for i := range f.Rows {
			f.Rows[i].Round() // as shards do
		}
		sum = sumOf(f)
		return nil
	})
	return sum, err
}

// Describe implements run.Elsewhere.
func (h *Host) Describe() *rundir.ClusterEvent {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.c.describe(time.Since(h.began))
}
