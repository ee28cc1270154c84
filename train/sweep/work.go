package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/ludozero/ludozero/train/run"
)

const (
	// pollEvery is how often a run's processor time is looked at: it overruns its
	// time by no more than that, and the training step at hand.
	pollEvery = 200 * time.Millisecond
	// saveEvery is how often the times of runs at work are kept. A sweep that is
	// killed, other than one that is stopped, forgets what they used since.
	saveEvery = 5 * time.Second
	// stopPatience is how long a run may take to stop; then it is killed, which costs
	// it no more than the games in flight and a training stage.
	stopPatience = time.Minute
)

// errUsedUp is why a process is stopped whose run has had its time.
var errUsedUp = errors.New("the core time is used up")

// Options are what Work needs beside the plan.
type Options struct {
	// Program is the executable of ludozero, Env the environment of its processes.
	Program string
	Env     []string
	// Report, if not nil, is told what happens, from the goroutine of Work.
	Report func(Event)
}

// Event tells how a run is getting on.
type Event struct {
	Run *Run
	// Kind says what has happened.
	Kind EventKind
	// CoreTime is what the run has used, Generation its newest checkpoint, -1 before
	// the first.
	CoreTime   time.Duration
	Generation int
	// Err is why it failed.
	Err error
}

// EventKind is a kind of event.
type EventKind int

// Kinds of events: a process has begun to work on the run, works on it, has ended
// it, was interrupted, or failed.
const (
	Began EventKind = iota
	Works
	Ended
	Interrupted
	Failed
)

// SideBySide is how many runs go on at the same time, and whether each has cores of
// its own: where the system can bind processes to cores and there are enough.
func (s *Sweep) SideBySide() (n int, pinned bool) {
	n = s.Plan.SideBySide
	if n == 0 {
		// A container may be given less than the time of all cores that it may use;
		// GOMAXPROCS goes by that.
		n = max(1, min(runtime.NumCPU(), runtime.GOMAXPROCS(0))/s.Plan.CoresEach)
	}
	return n, n*s.Plan.CoresEach <= len(allowedCores())
}

// Work does the runs that have not ended, each as a process or, after a stop, as
// several. If ctx ends, the processes are stopped and its cause is returned. A run
// that fails leaves the others alone; the error joins those of all.
func (s *Sweep) Work(ctx context.Context, o Options) error {
	if s.Plan.CoreTime > 0 {
		if _, err := coreTime(os.Getpid()); err != nil {
			return fmt.Errorf("core_time: the processor time of a process, which can be read on Linux only: %w: want generations", err)
		}
	}
	var missing []job
	for _, i := range s.Plan.order() {
		r := &s.Runs[i]
		if p := s.Of(r); !p.Ended {
			missing = append(missing, job{r, p.CoreTime})
		}
	}
	if len(missing) == 0 {
		return nil
	}
	slots, pinned := s.SideBySide()
	cores := allowedCores()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)

	jobs := make(chan job)
	events := make(chan Event)
	var working sync.WaitGroup
	working.Go(func() {
		defer close(jobs)
		for _, j := range missing {
			select {
			case jobs <- j:
			case <-ctx.Done():
				return
			}
		}
	})
	for i := range min(slots, len(missing)) {
		var own []int
		if pinned {
			own = cores[i*s.Plan.CoresEach : (i+1)*s.Plan.CoresEach]
		}
		working.Go(func() {
			if err := s.slot(ctx, own, &o, jobs, events); err != nil {
				stop(err)
			}
		})
	}
	go func() {
		working.Wait()
		close(events)
	}()
	failures := s.follow(events, stop, o.Report)
	if ctx.Err() != nil {
		return errors.Join(append(failures, context.Cause(ctx))...)
	}
	return errors.Join(failures...)
}

// follow keeps what is told of runs until events is closed, and returns why some
// failed. If that cannot be kept, the runs are stopped.
func (s *Sweep) follow(events <-chan Event, stop context.CancelCauseFunc, report func(Event)) []error {
	var failures []error
	saved := time.Now()
	for e := range events {
		p := s.Of(e.Run)
		p.CoreTime = e.CoreTime
		switch e.Kind {
		case Began:
			p.Processes++
		case Ended:
			p.Ended, p.Generation = true, e.Generation
		case Failed:
			failures = append(failures, fmt.Errorf("run %s: %w", e.Run.Name, e.Err))
		}
		if e.Kind != Works || time.Since(saved) >= saveEvery {
			if err := s.Save(); err != nil {
				stop(err)
			}
			saved = time.Now()
		}
		if report != nil {
			report(e)
		}
	}
	return failures
}

// job is a run to work on, which has used so much before.
type job struct {
	run    *Run
	before time.Duration
}

// slot does runs one after the other on the given cores, none for any. Processes are
// bound to cores and end with this one by way of the thread that starts them, which
// is therefore the slot's own and ends with it.
func (s *Sweep) slot(ctx context.Context, cores []int, o *Options, jobs <-chan job, events chan<- Event) error {
	runtime.LockOSThread()
	if err := pin(cores); err != nil {
		return fmt.Errorf("bind runs to cores %v: %w", cores, err)
	}
	for j := range jobs {
		if ctx.Err() != nil {
			return nil
		}
		if limit := s.Plan.CoreTime; limit > 0 && j.before >= limit { // killed before that was kept
			events <- s.ended(j.run, j.before)
			continue
		}
		events <- s.work(ctx, o, j, events)
	}
	return nil
}

// work has one process work on a run and returns how that ended.
func (s *Sweep) work(ctx context.Context, o *Options, j job, events chan<- Event) Event {
	e := Event{Run: j.run, CoreTime: j.before, Generation: s.newest(j.run)}
	fail := func(err error) Event {
		e.Kind, e.Err = Failed, err
		return e
	}
	own, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	c, err := s.command(own, o, j.run)
	if err != nil {
		return fail(err)
	}
	defer c.close()
	if err := c.Start(); err != nil {
		return fail(err)
	}
	events <- e
	e.Kind = Works
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for running := true; running; {
		select {
		case err = <-ended:
			running = false
		case <-tick.C:
			used, cerr := coreTime(c.Process.Pid)
			if cerr == nil { // else it has ended
				e.CoreTime = j.before + used
			}
			if limit := s.Plan.CoreTime; limit > 0 && e.CoreTime >= limit {
				stop(errUsedUp)
			}
			e.Generation = s.newest(j.run)
			events <- e
		}
	}
	e.CoreTime, e.Generation = j.before+c.ProcessState.UserTime()+c.ProcessState.SystemTime(), s.newest(j.run)
	switch {
	case errors.Is(context.Cause(own), errUsedUp):
		return s.ended(j.run, e.CoreTime)
	case ctx.Err() != nil && err != nil:
		e.Kind = Interrupted
		return e
	case err != nil:
		return fail(fmt.Errorf("%w; %s ends with: %s", err, s.log(j.run), lastLine(s.log(j.run))))
	}
	return s.ended(j.run, e.CoreTime)
}

// ended is the event of a run that has had its time or its generations.
func (s *Sweep) ended(r *Run, used time.Duration) Event {
	e := Event{Run: r, Kind: Ended, CoreTime: used, Generation: s.newest(r)}
	if e.Generation < 0 {
		e.Kind, e.Err = Failed, errors.New("the time was over before it had a checkpoint: want a longer core_time, in a new folder")
	}
	return e
}

// newest is the generation of the last checkpoint of a run, -1 if there is none.
func (s *Sweep) newest(r *Run) int {
	list, err := run.Generations(s.Folder(r))
	if err != nil || len(list) == 0 {
		return -1
	}
	return list[len(list)-1]
}
