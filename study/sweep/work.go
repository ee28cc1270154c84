package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/train/rundir"
)

const (
	// lookEvery is how often the folders of runs at work are read for how far they are.
	lookEvery = 2 * time.Second
	// stopPatience is how long a run may take to stop; then it is killed, which costs
	// it no more than the games in flight and a training stage.
	stopPatience = time.Minute
)

// Options are what a sweep needs beside the job.
type Options struct {
	// Program is the executable of ludozero, Env the environment of its processes.
	Program string
	Env     []string
	// Auto says what settings that were auto have become; it may be empty.
	Auto     string
	Players  *open.Players
	Progress archive.Progress
	// Report, if not nil, is told what happens, from the goroutine of Work.
	Report func(Event)
}

// Do does what is missing of a sweep: its runs, their measures and the result, which
// RowsFile has, too.
func (w *Job) Do(ctx context.Context, o Options) (result *Result, err error) {
	s, err := Open(w.dir, w.Plan, w.compare, w.write)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.run(ctx, o); err != nil {
		return nil, err
	}
	responses, err := s.Measure(ctx, &Measurer{Game: w.game, Set: w.set, Players: o.Players, Progress: o.Progress})
	if err != nil {
		return nil, err
	}
	if result, err = s.Result(w.game.Info().Name, w.game.Rules(), responses); err != nil {
		return nil, err
	}
	return result, s.WriteRows(result)
}

// run does the runs and shows how far they are, in seconds of core time or in
// generations.
func (s *Sweep) run(ctx context.Context, o Options) error {
	each, unit := s.Plan.Generations, "generations"
	if each == 0 {
		each, unit = int(math.Ceil(s.Plan.CoreTime.Seconds())), "core-seconds"
	}
	done, ended := map[string]int{}, 0
	reached := func(r *Run, generation int, used time.Duration) {
		if done[r.Name] = min(each, max(0, generation)); s.Plan.Generations == 0 {
			done[r.Name] = min(each, int(used.Seconds()))
		}
	}
	for i := range s.Runs {
		r := &s.Runs[i]
		if p := s.Of(r); p.Ended {
			done[r.Name] = each
			ended++
		} else {
			reached(r, 0, p.CoreTime)
		}
	}
	if ended == len(s.Runs) {
		return nil
	}
	n, pinned := s.SideBySide()
	bound := "bound to no core"
	if pinned {
		bound = "each bound to cores of its own"
	}
	if o.Auto != "" {
		bound += "; " + o.Auto
	}
	o.Progress.Line(fmt.Sprintf("%s: %s, %d of them ended before; %d side by side, %s", s.dir, wording.Count(len(s.Runs), "run"), ended, n, bound))
	o.Progress.Start(each*len(s.Runs), unit)
	defer o.Progress.Stop()
	o.Report = func(e Event) {
		so := fmt.Sprintf("%s at generation %d, %.1f s of core time", e.Run.Name, max(0, e.Generation), e.CoreTime.Seconds())
		switch e.Kind {
		case Ended:
			ended++
			done[e.Run.Name] = each
			o.Progress.Line(so + ": ended")
		case Interrupted:
			o.Progress.Line(so + ": interrupted")
		case Failed:
			o.Progress.Line(so + ": " + e.Err.Error())
		case Began, Works:
			reached(e.Run, e.Generation, e.CoreTime)
		}
		sum := 0
		for _, d := range done {
			sum += d
		}
		o.Progress.Set(sum, fmt.Sprintf("%d runs ended, %s", ended, so))
	}
	return s.Work(ctx, o)
}

// Event tells how a run is getting on.
type Event struct {
	Run *Run
	// Kind says what has happened.
	Kind EventKind
	// CoreTime is what the run has learned for, as far as it has noted that,
	// Generation its newest checkpoint, -1 before the first.
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
// its own: where several do, the system can bind processes to cores and there are enough.
// A single one is bound to none, so that on a busy machine it goes where there is time.
func (s *Sweep) SideBySide() (n int, pinned bool) {
	n = s.Plan.SideBySide
	if n == 0 {
		// A container may be given less than the time of all cores that it may use;
		// GOMAXPROCS goes by that.
		n = max(1, min(runtime.NumCPU(), runtime.GOMAXPROCS(0))/s.Plan.CoresEach)
	}
	return n, n > 1 && n*s.Plan.CoresEach <= len(allowedCores())
}

// Work does the runs that have not ended, each as a process or, after a stop, as
// several. If ctx ends, the processes are stopped and its cause is returned. A run
// that fails leaves the others alone; the error joins those of all.
func (s *Sweep) Work(ctx context.Context, o Options) error {
	var missing []*Run
	for _, i := range s.Plan.order() {
		if r := &s.Runs[i]; !s.Of(r).Ended {
			missing = append(missing, r)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	slots, pinned := s.SideBySide()
	cores := allowedCores()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)

	jobs := make(chan *Run)
	events := make(chan Event)
	var working sync.WaitGroup
	working.Go(func() {
		defer close(jobs)
		for _, r := range missing {
			select {
			case jobs <- r:
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
		if e.Kind != Works {
			if err := s.Save(); err != nil {
				stop(err)
			}
		}
		if report != nil {
			report(e)
		}
	}
	return failures
}

// slot does runs one after the other on the given cores, none for any. Processes are
// bound to cores and end with this one by way of the thread that starts them, which
// is therefore the slot's own and ends with it.
func (s *Sweep) slot(ctx context.Context, cores []int, o *Options, jobs <-chan *Run, events chan<- Event) error {
	runtime.LockOSThread()
	if err := pin(cores); err != nil {
		return fmt.Errorf("bind runs to cores %v: %w", cores, err)
	}
	for r := range jobs {
		if ctx.Err() != nil {
			return nil
		}
		events <- s.work(ctx, o, r, events)
	}
	return nil
}

// work has one process work on a run and returns how that ended.
func (s *Sweep) work(ctx context.Context, o *Options, r *Run, events chan<- Event) Event {
	event := func(kind EventKind, err error) Event {
		generation, used, lost := s.reached(r)
		if kind == Ended && lost != nil {
			kind, err = Failed, lost
		}
		return Event{Run: r, Kind: kind, CoreTime: used, Generation: generation, Err: err}
	}
	c, err := s.command(ctx, o, r)
	if err != nil {
		return event(Failed, err)
	}
	defer c.close()
	if err := c.Start(); err != nil {
		return event(Failed, err)
	}
	events <- event(Began, nil)
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			events <- event(Works, nil)
			continue
		case err = <-ended:
		}
		switch {
		case err == nil:
			return event(Ended, nil)
		case ctx.Err() != nil:
			return event(Interrupted, nil)
		}
		return event(Failed, fmt.Errorf("%w; %s ends with: %s", err, s.log(r), lastLine(s.log(r))))
	}
}

// reached is the newest checkpoint of a run, -1 if there is none, and the processor
// time that the run has learned for, by that and its events; 0 if it is unknown.
func (s *Sweep) reached(r *Run) (generation int, used time.Duration, err error) {
	list, err := rundir.Generations(s.Folder(r))
	if err != nil || len(list) == 0 {
		return -1, 0, err
	}
	generation = list[len(list)-1]
	state, err := rundir.ReadState(s.Folder(r), generation)
	if err != nil {
		return generation, 0, err
	}
	past, err := rundir.ReadEvents(s.Folder(r))
	if t := state.CoreTimeUntil(past); t != nil {
		used = *t
	}
	return generation, used, err
}
