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

	// Of the present task, or of all networks whose games count, under the desk's lock.
	networks map[int]playedBy // by generation
	counters *selfplay.Counters
}

// playedBy is a network that plays.
type playedBy struct {
	path    string // of the weights
	earlier []byte // the games that others may begin in, as JSON; nil: none
}

// NewHost makes the host of the run in folder dir with that configuration. teacher is the
// one that it names, nil if none.
func NewHost(dir string, cfg plan.Config, games engine.Families, teacher play.Teacher, opt HostOptions) (*Host, error) {
	rules, err := cfg.NewRules(games)
	if err != nil {
		return nil, err
	}
	h := &Host{
		cfg: cfg, rules: rules, teacher: teacher, judge: newJudge(&cfg, rules), book: book{dir: dir, noted: map[noted]bool{}},
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
	t := Task{Run: w.Run, Config: w.ConfigHash, Generation: w.Generation, Network: w.Network, Kernel: Kernel(), Build: Build()}
	by, files, err := t.readFiles(w.Weights, w.Earlier)
	if err != nil {
		return err
	}
	h.mu.Lock()
	h.networks, h.counters = map[int]playedBy{w.Network: by}, w.Counters
	h.mu.Unlock()
	return h.serve(ctx, &wanted{
		task: t, files: files, base: int64(w.Generation) * int64(h.cfg.GamesPerGeneration), first: w.First, end: w.End,
	}, func(f *result) (int64, error) { return h.deliver(f, deliver) })
}

// readFiles reads the files of a task's network, by digest, and names them in the task.
func (t *Task) readFiles(path string, games []selfplay.EarlierGame) (by playedBy, files map[string][]byte, err error) {
	weights, err := input.Read(path, input.Large)
	if err != nil {
		return by, nil, fmt.Errorf("weights: %w", err)
	}
	by.path, t.Weights = path, plan.SHA256(weights)
	files = map[string][]byte{t.Weights: weights}
	if len(games) > 0 {
		if by.earlier, err = json.Marshal(games); err != nil {
			return by, nil, fmt.Errorf("earlier games: %w", err)
		}
		t.Earlier = plan.SHA256(by.earlier)
		files[t.Earlier] = by.earlier
	}
	return by, files, nil
}

// deliver hands on the next game, if it is known who has played.
func (h *Host) deliver(f *result, deliver play.Deliver) (int64, error) {
	h.mu.Lock()
	err := h.bookFailed
	h.mu.Unlock()
	if err != nil {
		return 0, err
	}
	return deliver(f.game.(*selfplay.Finished))
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
	l := &rundir.Live{
		Time: time.Now(), Generation: c.task.Generation, Games: int(c.taken - c.base), GamesWant: int(c.end - c.base), Playing: c.open,
		Cluster: *c.describe(time.Since(h.began)),
	}
	if s := c.stream; s != nil { // the generation that games are counted in
		l.Generation, l.Games, l.GamesWant = int(c.taken/s.per), int(c.taken%s.per), int(s.per)
	}
	return l
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
		list = append(list, &result{number: f.Number, sum: sumOfGame(f, transcripts[i]), game: f, seed: h.judge.seed(f.Number), unsure: len(transcripts[i]) == 0 && h.judge.drawn()})
	}
	return p, list, nil
}

// play implements kind.
func (h *Host) play(ctx context.Context, p *Parcel, number int64) (is sum, err error) {
	h.mu.Lock()
	by := h.networks[p.Network]
	h.mu.Unlock()
	list, err := decodeEarlier(by.earlier)
	if err != nil {
		return is, err
	}
	player, err := play.PlayerOf(&h.cfg, h.rules, p.Network, by.path, list)
	if err != nil {
		return is, err
	}
	job := selfplay.Job{
		Game: h.rules.Game, Mix: h.rules.Mix, Run: p.Run, Seed: h.cfg.Seed, SeedOf: seedOf(&h.cfg), Workers: 1, Teacher: h.teacher,
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
