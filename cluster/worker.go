package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/run"
)

const (
	// reportEvery is how often a worker reports when nothing calls for it, leastPause the
	// least time between two reports.
	reportEvery = time.Second
	leastPause  = 20 * time.Millisecond
	// answerWithin is how long the host may take to answer.
	answerWithin = 10 * time.Second
	// packAfter is how long a finished game waits for the others of its lease, at most:
	// what a kill costs beyond the games in flight.
	packAfter = 10 * time.Second
	// sendWithin is how long a parcel may travel, longestRetry the longest pause after one
	// could not.
	sendWithin   = time.Minute
	longestRetry = 15 * time.Second
	// farewell is how long a worker that is stopped tries to send what it has.
	farewell = 3 * time.Second
	// diskRetry is the pause after the spool could not be written.
	diskRetry = 5 * time.Second
)

// ErrMismatch says that this program on this machine cannot play the same games as the
// host, or not with its present settings.
var ErrMismatch = errors.New("this worker cannot play in that run")

// ErrAway says that the host has not answered for WorkerOptions.GiveUp.
var ErrAway = errors.New("the trainer has not answered")

// ErrNotAdmitted says that the host lets nobody in with the address that the worker has.
var ErrNotAdmitted = errors.New("the trainer does not let this worker in")

// givenUp is an error once the host has been away for too long.
func (w *Worker) givenUp() error {
	if away := time.Since(w.heard); w.why != nil && w.opt.GiveUp > 0 && away >= w.opt.GiveUp {
		return fmt.Errorf("%w for %v: %w", ErrAway, away.Round(time.Second), w.why)
	}
	return nil
}

// WorkerOptions are what a Worker needs.
type WorkerOptions struct {
	Link  Link
	Spool *Spool
	Games engine.Families
	// Name is the machine's, for people, Cores the number of goroutines that play.
	Name  string
	Cores int
	// Teacher makes the teacher that a configuration names; nil: none can be made.
	Teacher func(*plan.Config) (run.Teacher, error)
	// SpoolBytes is how much may wait for receipts before no more is played.
	// Zero: DefaultSpoolBytes.
	SpoolBytes int64
	// GiveUp is how long the host may be away before the worker ends. Zero: for ever.
	GiveUp time.Duration
	// Welcomed, if it is not nil, is asked before a run of the same build is joined. It may
	// refuse.
	Welcomed func(*Welcome) error
	// Show, if it is not nil, is called now and then, by one goroutine.
	Show func(WorkerView)
}

// WorkerView is what a worker has to show.
type WorkerView struct {
	Run        string // its name, "" before it is known
	Generation int    // -1: nothing is played
	Leases     int
	// Games and Positions were finished by this process, Waiting parcels have no receipt.
	Games, Positions   int64
	Waiting            int
	WaitingBytes       int64
	PositionsPerSecond float64
	// Away is for how long the host has not answered, Why the last error.
	Away time.Duration
	Why  error
	// Disk is why the spool cannot be written; nothing is played until it can.
	Disk error
	// Refused are the reasons of parcels refused since the last view.
	Refused []string
}

// Worker plays the games that a host hands out, until the run is over.
type Worker struct {
	opt   WorkerOptions
	coder coder
	cfg   *plan.Config
	rules *plan.Rules
	job   selfplay.Job
	run   string // identity of the run
	name  string // of the run

	due chan struct{} // a report is due

	send   chan struct{} // unsent has grown
	mu     sync.Mutex
	unsent []string
	queued map[string]bool

	s       *session
	playing chan error // of s
	stop    context.CancelFunc

	games, positions int64 // under mu
	disk             error // why the spool cannot be written; under mu
	rate             rate
	heard            time.Time
	why              error
	refused          []string
}

// NewWorker makes a worker.
func NewWorker(opt WorkerOptions) *Worker {
	if opt.SpoolBytes == 0 {
		opt.SpoolBytes = DefaultSpoolBytes
	}
	return &Worker{opt: opt, coder: shards{}, due: make(chan struct{}, 1), send: make(chan struct{}, 1), queued: map[string]bool{}}
}

// Run works until the run is over, which is no error, ctx ends, or the worker finds that
// it cannot take part. A host that is away is waited for.
func (w *Worker) Run(ctx context.Context) error {
	w.heard = time.Now()
	if err := w.join(ctx); err != nil {
		return err
	}
	// Parcels are sent for a moment longer than games are played.
	sending, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var sender sync.WaitGroup
	sender.Go(func() { w.sendAll(sending) })
	err := w.work(ctx)
	if packed := w.leave(); err == nil || ctx.Err() != nil {
		err = errors.Join(err, packed)
	}
	if ctx.Err() != nil {
		w.sayFarewell()
	}
	cancel()
	sender.Wait()
	return err
}

// join asks what is played until somebody answers.
func (w *Worker) join(ctx context.Context) error {
	for {
		asking, cancel := context.WithTimeout(ctx, answerWithin)
		welcome, err := w.opt.Link.Welcome(asking)
		cancel()
		if err == nil && welcome.Run != "" {
			w.heard, w.why = time.Now(), nil
			return w.accept(welcome)
		}
		if w.run == "" && errors.Is(err, ErrNotAdmitted) { // whoever was let in once waits
			return err
		}
		w.why = err
		w.show()
		if err := w.givenUp(); err != nil {
			return err
		}
		if err := w.waitDue(ctx, err != nil); err != nil {
			return err
		}
	}
}

// accept takes part in a run.
func (w *Worker) accept(welcome *Welcome) error {
	refuse := func(err error) error { return fmt.Errorf("run %s: %w: %w", welcome.Name, ErrMismatch, err) }
	if welcome.Build != Build() {
		return refuse(fmt.Errorf("build %q: want %q as the trainer: copy its program to this machine", Build(), welcome.Build))
	}
	if w.opt.Welcomed != nil {
		if err := w.opt.Welcomed(welcome); err != nil {
			return refuse(err)
		}
	}
	if welcome.Kernel != Kernel() {
		return refuse(fmt.Errorf("kernel level %q: want %q", Kernel(), welcome.Kernel))
	}
	cfg, err := welcome.config()
	if err != nil {
		return refuse(err)
	}
	if err := cfg.Validate(w.opt.Games); err != nil {
		return refuse(err)
	}
	rules, err := cfg.NewRules(w.opt.Games)
	if err != nil {
		return refuse(err)
	}
	var teacher run.Teacher
	if cfg.SelfPlay.Teacher.Player != "" {
		if w.opt.Teacher == nil {
			return refuse(errors.New("its games have a teacher, which cannot be made here"))
		}
		if teacher, err = w.opt.Teacher(cfg); err != nil {
			return refuse(err)
		}
	}
	w.cfg, w.rules, w.run, w.name = cfg, rules, welcome.Run, welcome.Name
	w.job = selfplay.Job{Game: rules.Game, Mix: rules.Mix, Run: welcome.Run, Seed: cfg.Seed, Workers: w.opt.Cores, AnyOrder: true, Teacher: teacher}
	waiting, _ := w.opt.Spool.Waiting(w.run)
	for _, p := range waiting {
		w.queue(p.Digest)
	}
	return nil
}

// work reports and does what the host says.
func (w *Worker) work(ctx context.Context) error {
	for {
		asking, cancel := context.WithTimeout(ctx, answerWithin)
		reply, err := w.opt.Link.Report(asking, w.report())
		cancel()
		if err == nil {
			w.heard, w.why = time.Now(), nil
			var over bool
			if reply.CutOff {
				return fmt.Errorf("run %s: %w: %s", w.name, ErrMismatch, reply.Refused)
			}
			if reply.Refused != "" { // another run, or another program, is at that address now
				if err := errors.Join(w.leave(), pause(ctx, reportEvery)); err != nil {
					return err
				}
				if err := w.join(ctx); err != nil {
					return err
				}
			} else if over, err = w.obey(ctx, reply); over || errors.Is(err, errPlay) {
				return err
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		w.why = err
		w.show()
		if err := w.givenUp(); err != nil {
			return err
		}
		if err := w.waitDue(ctx, err != nil); err != nil {
			return err
		}
	}
}

// waitDue waits until a report is due.
func (w *Worker) waitDue(ctx context.Context, failed bool) error {
	if err := pause(ctx, leastPause); err != nil {
		return err
	}
	due, wake := w.due, w.opt.Link.Wake()
	if failed {
		due = nil // it would be asked for without an end
	}
	timer := time.NewTimer(reportEvery)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-due:
	case <-wake:
	case <-timer.C:
	case err := <-w.playing:
		w.playing = nil
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("%w: %w", errPlay, err)
		}
	}
	return nil
}

// errPlay says that games could not be played, whatever the host says.
var errPlay = errors.New("self-play")

func (w *Worker) nudge() {
	select {
	case w.due <- struct{}{}:
	default:
	}
}

func (w *Worker) report() *Report {
	waiting, bytes := w.opt.Spool.Waiting(w.run)
	r := &Report{
		Worker: w.opt.Spool.ID(), Name: w.opt.Name, Cores: w.opt.Cores, Run: w.run, Kernel: Kernel(), Build: Build(),
		Waiting: waiting, PositionsPerSecond: w.rate.perSecond(),
	}
	games := 0
	if w.s != nil {
		r.Holds, games = w.s.holds()
	}
	if bytes < w.opt.SpoolBytes {
		// Half as much again as it can have in flight, so that it need not wait for leases.
		inFlight := w.opt.Cores * w.cfg.SelfPlay.GamesInFlight
		r.Wants = max(0, inFlight+(inFlight+1)/2-games)
	}
	return r
}

// obey does what a reply says.
func (w *Worker) obey(ctx context.Context, r *Reply) (over bool, err error) {
	for _, c := range r.Receipts {
		if c.Refused != "" {
			w.refused = append(w.refused, c.Refused)
		}
		if err := w.opt.Spool.Forget(c.Digest, c.Refused != ""); err != nil {
			return false, err
		}
	}
	for _, digest := range r.Again {
		w.queue(digest)
	}
	if w.s != nil {
		w.s.drop(r.Drop)
	}
	if len(r.Leases) > 0 {
		if err := w.begin(ctx, r.Leases); err != nil {
			return false, err
		}
	}
	left, _ := w.opt.Spool.Waiting(w.run)
	return r.Over && len(left) == 0, nil
}

// begin plays leases, all of one task. Those of another task than before end its play:
// the host has all its games.
func (w *Worker) begin(ctx context.Context, leases []Lease) error {
	t := leases[0].Task
	for _, l := range leases {
		if l.Task != t || l.Run != w.run || l.First < 0 || l.End <= l.First {
			return fmt.Errorf("lease of games %d to %d of run %s: want some of run %s, all of one task", l.First, l.End-1, l.Run, w.run)
		}
	}
	if w.s == nil || w.s.task != t {
		player, err := w.player(ctx, &t)
		if err != nil {
			return err
		}
		w.endSession()
		w.startSession(ctx, t, player)
	}
	w.s.add(leases)
	return nil
}

// player makes the player of a task from what the host has for it.
func (w *Worker) player(ctx context.Context, t *Task) (*selfplay.Player, error) {
	path, err := w.fetch(ctx, t.Weights)
	if err != nil {
		return nil, fmt.Errorf("weights %.16s: %w", t.Weights, err)
	}
	var earlier []selfplay.EarlierGame
	if t.Earlier != "" {
		file, err := w.fetch(ctx, t.Earlier)
		if err != nil {
			return nil, fmt.Errorf("earlier games %.16s: %w", t.Earlier, err)
		}
		text, err := input.Read(file, input.Large)
		if err == nil {
			earlier, err = decodeEarlier(text)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errPlay, err)
		}
	}
	if err := w.opt.Spool.keepWeights(t.Weights, t.Earlier); err != nil {
		return nil, err
	}
	player, err := run.PlayerOf(w.cfg, w.rules, t.Generation, path, earlier)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errPlay, err)
	}
	return player, nil
}

func (w *Worker) startSession(ctx context.Context, t Task, player *selfplay.Player) {
	s := newSession(t, player, w.nudge)
	ctx, w.stop = context.WithCancel(ctx)
	done := make(chan error, 1)
	w.s, w.playing = s, done
	job := w.job
	job.Source, job.Counters = s, &s.counters
	cfg := w.cfg.SelfPlay
	go func() {
		done <- selfplay.Run(ctx, cfg, job, func(f *selfplay.Finished) error { return w.finished(ctx, s, f) })
	}()
}

// endSession ends the play of a task and drops its games in flight.
func (w *Worker) endSession() {
	if w.s == nil {
		return
	}
	w.s.end()
	w.stop()
	if w.playing != nil {
		<-w.playing
	}
	w.s, w.playing = nil, nil
}

// leave ends the play and packs what was finished.
func (w *Worker) leave() error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // on a full disk these games are lost, and played again
	s := w.s
	if s == nil {
		return nil
	}
	w.endSession()
	for {
		games, l := s.rest()
		if games == nil {
			return nil
		}
		if err := w.keep(ctx, s, l, games); err != nil {
			return err
		}
	}
}

// finished takes a game that has ended.
func (w *Worker) finished(ctx context.Context, s *session, f *selfplay.Finished) error {
	w.mu.Lock()
	w.games++
	w.positions += int64(len(f.Rows))
	w.rate.add(len(f.Rows))
	w.mu.Unlock()
	if games, l := s.finish(f, packAfter); games != nil {
		return w.keep(ctx, s, l, games)
	}
	return nil
}

// show tells what there is to see.
func (w *Worker) show() {
	if w.opt.Show == nil {
		return
	}
	v := WorkerView{Run: w.name, Generation: -1, Why: w.why, Refused: w.refused, PositionsPerSecond: w.rate.perSecond()}
	if w.why != nil {
		v.Away = time.Since(w.heard)
	}
	w.refused = nil
	if w.s != nil {
		holds, games := w.s.holds()
		if v.Leases = len(holds); games > 0 {
			v.Generation = w.s.task.Generation
		}
	}
	waiting, bytes := w.opt.Spool.Waiting("")
	v.Waiting, v.WaitingBytes = len(waiting), bytes
	w.mu.Lock()
	v.Games, v.Positions, v.Disk = w.games, w.positions, w.disk
	w.mu.Unlock()
	w.opt.Show(v)
}
