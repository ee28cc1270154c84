package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
	"github.com/ludozero/ludozero/train/rundir"
)

// Host hands the games of a run out to workers. It is the play.Elsewhere of the trainer.
// Its methods are safe for concurrent use.
type Host struct {
	*desk
	cfg   plan.Config
	rules *plan.Rules
	// teacher is what the configuration names; nil: none.
	teacher play.Teacher

	// book notes who has sent what, under the desk's lock; bookFailed is why it could not.
	book       book
	bookFailed error

	judging sync.Mutex
	judge   *judge

	// Of the present task, under the desk's lock.
	path     string // of the weights
	earlier  []byte // the games that others may begin in, as JSON; nil: none
	counters *selfplay.Counters
}

// NewHost makes the host of the run in folder dir with that configuration. teacher is the
// one that it names, nil if none.
func NewHost(dir string, cfg plan.Config, games engine.Families, teacher play.Teacher, opt HostOptions) (*Host, error) {
	if err := play.CheckElsewhere(&cfg); err != nil {
		return nil, err
	}
	rules, err := cfg.NewRules(games)
	if err != nil {
		return nil, err
	}
	h := &Host{
		cfg: cfg, rules: rules, teacher: teacher, judge: newJudge(&cfg, rules), book: book{dir: dir, noted: map[string]int{}},
	}
	if h.desk, err = newDesk(h, dir, opt); err != nil {
		return nil, err
	}
	if h.c.banned, err = h.book.open(); err != nil {
		return nil, err
	}
	h.c.onCut = func(worker, name, why string) {
		h.noteFailed(h.book.add(&Entry{Worker: worker, Name: name, Generation: h.c.task.Generation, CutOff: why}))
	}
	return h, nil
}

// noteFailed keeps the first error of the book, which ends the run's play: games must not
// be written of which nobody knows who played them.
func (h *Host) noteFailed(err error) {
	if err != nil && h.bookFailed == nil {
		h.bookFailed = fmt.Errorf("who plays cannot be noted: %w", err)
	}
}

// Play implements play.Elsewhere.
func (h *Host) Play(ctx context.Context, w *play.Wanted, deliver play.Deliver) error {
	weights, err := input.Read(w.Weights, input.Large)
	if err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	t := Task{Run: w.Run, Config: w.ConfigHash, Generation: w.Generation, Network: w.Network, Weights: plan.SHA256(weights), Kernel: Kernel(), Build: Build()}
	files := map[string][]byte{t.Weights: weights}
	var earlier []byte
	if len(w.Earlier) > 0 {
		if earlier, err = json.Marshal(w.Earlier); err != nil {
			return fmt.Errorf("earlier games: %w", err)
		}
		t.Earlier = plan.SHA256(earlier)
		files[t.Earlier] = earlier
	}
	h.mu.Lock()
	h.path, h.earlier, h.counters = w.Weights, earlier, w.Counters
	h.mu.Unlock()
	return h.serve(ctx, &wanted{
		task: t, files: files, base: int64(w.Generation) * int64(h.cfg.GamesPerGeneration), first: w.First, end: w.End,
	}, func(f *result) (int64, error) {
		h.mu.Lock()
		err := h.bookFailed
		h.mu.Unlock()
		if err != nil {
			return 0, err
		}
		return deliver(f.game.(*selfplay.Finished))
	})
}

// KeepLive keeps the live file of the run until ctx ends, and removes it then. A file that
// cannot be written grows old, which its readers notice.
func (h *Host) KeepLive(ctx context.Context) {
	if h.Known(ctx) != nil {
		return
	}
	tick := time.NewTicker(rundir.LiveEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		_ = rundir.WriteLive(h.book.dir, h.live())
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	_ = rundir.ForgetLive(h.book.dir)
}

func (h *Host) live() *rundir.Live {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.c
	return &rundir.Live{
		Time: time.Now(), Generation: c.task.Generation, Games: int(c.taken - c.base), GamesWant: int(c.end - c.base), Playing: c.open,
		Cluster: *c.describe(time.Since(h.began)),
	}
}

// Welcome implements Desk.
func (h *Host) Welcome() (*Welcome, error) {
	text, err := encodeConfig(&h.cfg)
	if err != nil {
		return nil, err
	}
	w := h.welcome()
	w.Config, w.ConfigHash = text, h.cfg.Hash()
	return w, nil
}

// unpack implements kind.
func (h *Host) unpack(digest string, data []byte) (*Parcel, []*result, error) {
	p := &Parcel{}
	body, err := p.open(digest, data)
	if err != nil {
		return p, nil, err
	}
	transcripts, err := p.transcripts(body)
	if err != nil {
		return p, nil, err
	}
	h.judging.Lock()
	defer h.judging.Unlock()
	var list []*result
	for i := range p.Games {
		f, err := h.judge.game(p, &p.Games[i], transcripts[i])
		if err != nil {
			return p, nil, err
		}
		list = append(list, &result{f.Number, sumOfGame(f, transcripts[i]), f})
	}
	return p, list, nil
}

// play implements kind.
func (h *Host) play(ctx context.Context, p *Parcel, number int64) (is sum, err error) {
	h.mu.Lock()
	weights, earlier := h.path, h.earlier
	h.mu.Unlock()
	list, err := decodeEarlier(earlier)
	if err != nil {
		return is, err
	}
	player, err := play.PlayerOf(&h.cfg, h.rules, p.Network, weights, list)
	if err != nil {
		return is, err
	}
	job := selfplay.Job{
		Game: h.rules.Game, Mix: h.rules.Mix, Run: p.Run, Seed: h.cfg.Seed, Workers: 1, Teacher: h.teacher,
		Source: &selfplay.Range{Start: number, Count: 1, Player: player},
	}
	err = selfplay.Run(ctx, h.cfg.SelfPlay, job, func(f *selfplay.Finished) error {
		is = sumOf(f)
		return nil
	})
	return is, err
}

// took implements kind.
func (h *Host) took(p *Parcel, fresh []*result) {
	if w := h.c.workers[p.Worker]; w == nil || !w.trusted { // the host's own needs no note
		name := ""
		if w != nil {
			name = w.last.Name
		}
		h.noteFailed(h.book.sent(p.Worker, name, p.Generation))
	}
	c := h.counters
	if c == nil {
		return
	}
	c.Games.Add(int64(len(fresh)))
	for _, f := range fresh {
		c.Decisions.Add(int64(len(f.game.(*selfplay.Finished).Rows)))
	}
	c.Evaluations.Add(max(0, p.Evaluations))
	c.Hits.Add(max(0, p.Hits))
}
