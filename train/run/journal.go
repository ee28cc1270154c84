package run

import (
	"sync"
	"time"

	"github.com/ludozero/ludozero/train/rundir"
)

// watchEvery is how often a stage reports how far it is.
const watchEvery = 500 * time.Millisecond

// timesEvery is how often the event file gets the times while nothing is logged:
// what a kill takes from learning and core time, about.
const timesEvery = 30 * time.Second

// journal reports what happens in a run, keeps it in the event file, and notices
// what has come to be off or has ended. It is safe for concurrent use: events come
// from a stage and from its watch.
type journal struct {
	*clock
	report  func(rundir.Event) // nil: nobody is told
	events  *rundir.EventLog
	mu      sync.Mutex
	kept    time.Time // when the last event was written, or failed to be
	off     warnings
	decided decided
}

// recall takes in what earlier processes have logged.
func (j *journal) recall(past []rundir.Event) {
	for i := range past {
		if w := past[i].Warning; w != nil {
			j.off.recall(w)
		}
		j.decided.recall(&past[i])
	}
}

// show reports an event without keeping it; only its times are kept now and then. If
// they cannot be written that is no error: the disk may have room again when the next
// event is logged.
func (j *journal) show(e rundir.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.tell(&e)
	if j.running() && e.Time.Sub(j.kept) >= timesEvery {
		_ = j.keep(&rundir.Event{Time: e.Time, Elapsed: e.Elapsed, CoreTime: e.CoreTime})
	}
}

// log reports an event and keeps it.
func (j *journal) log(e rundir.Event) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.tell(&e)
	return j.keep(&e)
}

// tell gives an event its times and reports it. The caller has locked j.
func (j *journal) tell(e *rundir.Event) {
	e.Time, e.Elapsed = time.Now(), j.elapsed()
	if c := j.spent(); c != nil {
		e.CoreTime = *c
	}
	if j.report != nil {
		j.report(*e)
	}
}

// keep writes an event into the event file. The caller has locked j.
func (j *journal) keep(e *rundir.Event) error {
	j.kept = e.Time
	return j.events.Append(e)
}

// logSelfPlay reports and keeps the end of a generation's self-play, and which
// rulesets have come to be rarely decided or are not any more.
func (j *journal) logSelfPlay(e *rundir.SelfPlayEvent) error {
	if err := j.log(rundir.Event{SelfPlay: e}); err != nil {
		return err
	}
	for _, w := range j.decided.add(e.Generation, e.Rules) {
		if err := j.log(rundir.Event{RarelyDecided: &w}); err != nil {
			return err
		}
	}
	return nil
}

// logWarnings logs which of the warnings at the checkpoint of a generation are new,
// and which have ended.
func (j *journal) logWarnings(generation int, found []rundir.WarningEvent) error {
	for _, w := range j.off.add(generation, found) {
		if err := j.log(rundir.Event{Warning: &w}); err != nil {
			return err
		}
	}
	return nil
}

// watch calls show regularly, under a lock that the stage takes for changes to
// what show reads, until it is stopped.
type watch struct {
	sync.Mutex
	quit chan struct{}
	done chan struct{}
}

func newWatch(show func()) *watch {
	w := &watch{quit: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(w.done)
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				w.Lock()
				show()
				w.Unlock()
			case <-w.quit:
				return
			}
		}
	}()
	return w
}

func (w *watch) stop() {
	close(w.quit)
	<-w.done
}
