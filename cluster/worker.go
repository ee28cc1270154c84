package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
)

const (
	// reportEvery is how often a worker reports when nothing calls for it, leastPause the
	// least time between two reports.
	reportEvery = time.Second
	leastPause  = 20 * time.Millisecond
	// answerWithin is how long the host may take to answer.
	answerWithin = 10 * time.Second
	// packAfter is how long a finished game waits for the others of its lease, about: what a
	// kill costs beyond the games in flight. packEvery is how often that is looked at.
	packAfter = 10 * time.Second
	packEvery = time.Second
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
	Teacher func(*plan.Config) (play.Teacher, error)
	// Contestant makes the players of series; nil: none can be made.
	Contestant MakeContestant
	// FullEnds has a spool that cannot be written end the worker, which else waits for room: a
	// host's own has its disk, and nobody to show that to.
	FullEnds bool
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

// Worker plays the games that a host hands out, until the run is over.
type Worker struct {
	opt   WorkerOptions
	craft craft
	pack  func(parcelHead, []*selfplay.Finished) (*Parcel, error) // games of self-play
	ended func()                                                  // is told of each finished game; nil but in tests
	run   string                                                  // identity of the run
	name  string                                                  // of the run

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
	return &Worker{opt: opt, pack: packGames, due: make(chan struct{}, 1), send: make(chan struct{}, 1), queued: map[string]bool{}}
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
		if err := w.pauseAfter(ctx, err); err != nil {
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
	if welcome.Kernel != Kernel() && !welcome.AnyKernel {
		return refuse(fmt.Errorf("kernel level %q: want %q", Kernel(), welcome.Kernel))
	}
	craft, err := w.craftOf(welcome)
	if err != nil {
		return refuse(err)
	}
	w.craft, w.run, w.name = craft, welcome.Run, welcome.Name
	waiting, _ := w.opt.Spool.Waiting(w.run)
	for _, p := range waiting {
		w.queue(p.Digest)
	}
	return nil
}

// work reports and does what the host says.
func (w *Worker) work(ctx context.Context) error {
	refused := "" // the last report, by this; "" if it was not
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
			if refused != "" && reply.Refused == refused { // by a host that it has just joined again
				return fmt.Errorf("run %s: %w: %s", w.name, ErrMismatch, refused)
			}
			if refused = reply.Refused; refused != "" { // another run, or another program, is at that address now
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
		w.steer(reply)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := w.pauseAfter(ctx, err); err != nil {
			return err
		}
	}
}

// pauseAfter waits until the host should be asked again, after an answer or an error.
func (w *Worker) pauseAfter(ctx context.Context, err error) error {
	w.why = err
	w.show()
	if err := w.givenUp(); err != nil {
		return err
	}
	return w.waitDue(ctx, err != nil)
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
	w.mu.Lock()
	for i := range waiting {
		waiting[i].Unsent = w.queued[waiting[i].Digest]
	}
	w.mu.Unlock()
	games := 0
	if w.s != nil {
		r.Holds, games = w.s.holds()
	}
	if bytes < w.opt.SpoolBytes {
		// Half as much again as it can have in flight, so that it need not wait for leases.
		inFlight := w.craft.inFlight()
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
	if r.Newest != nil {
		if err := w.beginStream(ctx, r); err != nil {
			return false, err
		}
	} else if len(r.Leases) > 0 {
		if err := w.begin(ctx, r.Leases); err != nil {
			return false, err
		}
	}
	left, _ := w.opt.Spool.Waiting(w.run)
	return r.Over && len(left) == 0, nil
}
