package watch

import (
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"sync"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/report"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// The states of a run; stateDamaged is one that cannot be read, stateUnknown one of a game
// that this program does not have.
const (
	stateRunning = "running"
	stateDamaged = "damaged"
	stateUnknown = "unknown"
	stateUnread  = "not read yet"
)

// Row is a run in a list. Unknown numbers are 0, unknown words empty.
type Row struct {
	Name string `json:"name"` // in the folder
	// Label is the name for people.
	Label string `json:"label"`
	State string `json:"state"`
	// Problem says why the run cannot be read.
	Problem    string `json:"problem,omitempty"`
	Game       string `json:"game,omitempty"`
	Rules      string `json:"rules,omitempty"`
	Generation int    `json:"generation"`
	// Generations and BudgetSeconds are the limits of the run; 0 is none.
	Generations    int     `json:"generations,omitempty"`
	LearnedSeconds float64 `json:"learned_seconds"`
	BudgetSeconds  float64 `json:"budget_seconds,omitempty"`
	Games          int64   `json:"games"`
	Positions      int64   `json:"positions"`
	PolicyLoss     float64 `json:"policy_loss,omitempty"`
	ValueLoss      float64 `json:"value_loss,omitempty"`
	Elo            string  `json:"elo,omitempty"`
	// Warnings counts the warnings that hold now, Alarms the severe ones among them.
	Warnings int `json:"warnings"`
	Alarms   int `json:"alarms"`
	// Report is the path of the finished report.
	Report string `json:"report,omitempty"`
}

// View is a run with its curves, up to the newest generation.
type View struct {
	Row
	Headline []string        `json:"headline"`
	Notices  []Notice        `json:"notices"`
	Facts    [][2]string     `json:"facts"`
	Figures  []report.Figure `json:"figures"`

	report  *report.Report
	newest  *rundir.Metrics // nil if no generation was trained
	kernel  string
	perGame [2]int // games of a shard and of a generation; 0 in a concurrent run
}

// Notice is a warning in words.
type Notice struct {
	About  string `json:"about"`
	Text   string `json:"text"`
	Severe bool   `json:"severe"`
	Past   bool   `json:"past"`

	code string
}

// entry caches what was read of a run.
type entry struct {
	mu   sync.Mutex
	sign string
	view *View // nil until the run was read

	look  cached[glance]
	now   cached[*Now]
	games cached[*Games]
}

// glance is the state of a run's files.
type glance struct {
	sign    string
	working bool
}

func (w *Watcher) entry(name string) *entry {
	w.mu.Lock()
	defer w.mu.Unlock()
	e := w.runs[name]
	if e == nil {
		if len(w.runs) > 2*maxRuns { // folders come and go
			clear(w.runs)
		}
		e = &entry{}
		w.runs[name] = e
	}
	return e
}

// glance checks the files of a run without reading them.
func (w *Watcher) glance(name string, e *entry) (glance, error) {
	return e.look.get(w.now, func() (glance, error) {
		sign, err := w.checkRun(name)
		if err != nil {
			return glance{}, err
		}
		working := false
		if _, err := w.regular(path.Join(name, "lock"), maxConfigBytes); err == nil {
			if working, err = rundir.Working(w.path(name)); err != nil {
				return glance{}, err
			}
		}
		if info, err := w.regular(path.Join(name, "events.jsonl"), maxFileBytes); err == nil && !working {
			sign += fmt.Sprint(info.Size()) // what the last process wrote when it left
		}
		return glance{fmt.Sprint(working, sign), working}, nil
	})
}

// view returns the run of a name. It returns the cached view while no generation was
// added, during another reading, and in the pause after one.
func (w *Watcher) view(name string) *View {
	e := w.entry(name)
	g, err := w.glance(name, e)
	if err != nil {
		return &View{Row: w.damaged(name, err)}
	}
	e.mu.Lock()
	old, sign := e.view, e.sign
	e.mu.Unlock()
	if old != nil && sign == g.sign {
		return old
	}
	if old == nil {
		w.reading.Lock()
	} else if !w.reading.TryLock() {
		return old
	}
	defer w.reading.Unlock()
	e.mu.Lock()
	other, sign := e.view, e.sign
	e.mu.Unlock()
	if other != nil && sign == g.sign { // read by another goroutine meanwhile
		return other
	}
	began := w.now()
	if old != nil && began.Before(w.rest) {
		return old
	}
	v := w.read(name, g.working)
	ended := w.now()
	w.rest = ended.Add(max(minPause, pausePerReading*ended.Sub(began)))
	sign = g.sign
	if g.working && !v.whole() {
		sign = "" // a file changed while it was read: try again
	}
	e.mu.Lock()
	e.view, e.sign = v, sign
	e.mu.Unlock()
	return v
}

// whole reports whether everything could be read.
func (v *View) whole() bool {
	return v.Problem == "" && !slices.ContainsFunc(v.Notices, func(n Notice) bool { return n.code == "unreadable" })
}

// each calls do with the runs of the folder. The view is nil for a run that was never
// read and that the request has no time left for.
func (w *Watcher) each(names []string, do func(name string, v *View)) {
	until := w.now().Add(firstReadings)
	for _, name := range names {
		e := w.entry(name)
		e.mu.Lock()
		known := e.view != nil
		e.mu.Unlock()
		if known || w.now().Before(until) {
			do(name, w.view(name))
		} else {
			do(name, nil)
		}
	}
}

// label is the name of a run for people.
func (w *Watcher) label(name string) string {
	if name == "." {
		return w.name
	}
	return name
}

func (w *Watcher) damaged(name string, err error) Row {
	row := Row{Name: name, Label: w.label(name), State: stateDamaged, Problem: err.Error()}
	if missing := (*engine.UnknownGame)(nil); errors.As(err, &missing) {
		row.State = stateUnknown
	}
	return row
}

// read reads a run and makes its view.
func (w *Watcher) read(name string, working bool) (v *View) {
	defer func() { // the reader of a damaged file may panic
		if p := recover(); p != nil {
			v = &View{Row: w.damaged(name, fmt.Errorf("it cannot be read: %v", p))}
		}
	}()
	in, err := w.cfg.Read(w.path(name))
	if err == nil && in.Config == nil {
		err = errors.New("it has no configuration")
	}
	if err != nil {
		v := &View{Row: w.damaged(name, err)}
		if working {
			v.State = stateRunning // it has just begun
		}
		return v
	}
	r := report.Build(in)
	v = &View{
		Row: Row{
			Name: name, Label: w.label(name), State: r.Run.State, Game: r.Run.Game, Rules: r.Run.Rules,
			Generation: r.Run.Generation, Generations: r.Run.GenerationsWanted,
			LearnedSeconds: r.Run.Learned.Seconds(), BudgetSeconds: r.Run.Budget.Seconds(),
			Games: r.Run.Games, Positions: r.Run.Positions, Elo: r.EloText(),
		},
		Headline: r.Headline, Facts: r.Facts(), Figures: r.Figures(), Notices: []Notice{}, report: r,
	}
	if n := len(in.Metrics); n > 0 {
		v.newest = &in.Metrics[n-1]
		v.PolicyLoss, v.ValueLoss = finite(v.newest.PolicyLoss), finite(v.newest.ValueLoss)
	}
	for i := range r.Warnings {
		x := &r.Warnings[i]
		v.Notices = append(v.Notices, Notice{x.About(), x.Text, x.Severe, x.Past, x.Code})
		if !x.Past {
			v.Warnings++
			if x.Severe {
				v.Alarms++
			}
		}
	}
	if n := len(r.Run.Kernels); n > 0 {
		v.kernel = r.Run.Kernels[n-1]
	}
	if in.Config.Mode != plan.ModeConcurrent {
		v.perGame = [2]int{in.Config.GamesPerShard, in.Config.GamesPerGeneration}
	}
	if _, err := w.regular(path.Join(name, "report.html"), maxReportBytes); err == nil {
		v.Report = path.Join(name, "report.html")
	}
	return v
}

// finite is x, or 0 where JSON has no number for it.
func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}
