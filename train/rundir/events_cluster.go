package rundir

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
)

// ClusterEvent says who plays for a run that several machines play.
type ClusterEvent struct {
	Workers []WorkerEvent `json:"workers"`
	// Leases are out. HeldBack games have come and wait for one before them to be written.
	Leases   int `json:"leases"`
	HeldBack int `json:"held_back,omitempty"`
	// Waits says what the next game in order waits for, in words; empty: nobody knows.
	// WaitsFor is its kind: WaitsForWorker, WaitsForCheck or WaitsForGame.
	Waits    string        `json:"waits,omitempty"`
	WaitsFor string        `json:"waits_for,omitempty"`
	Faults   ClusterFaults `json:"faults"`
}

// Kinds of what a game waits for: any worker, a second worker to check it, or those who
// play it.
const (
	WaitsForWorker = "worker"
	WaitsForCheck  = "check"
	WaitsForGame   = "game"
)

// WorkerEvent is a worker that was heard of in the last ten minutes.
type WorkerEvent struct {
	Name   string `json:"name"`
	Cores  int    `json:"cores"`
	Leases int    `json:"leases"`
	// Games were the first of their number, since the trainer's process began.
	Games              int64   `json:"games"`
	PositionsPerSecond float64 `json:"positions_per_second"`
	// SilentSeconds is for how long it has said nothing.
	SilentSeconds float64 `json:"silent_seconds,omitempty"`
}

// Gone reports whether it has been silent for so long that it counts as gone.
func (w *WorkerEvent) Gone() bool { return w.SilentSeconds >= goneSeconds }

// ClusterFaults counts what went wrong and was dealt with since the trainer's process
// began.
type ClusterFaults struct {
	// Damaged parcels were sent again, Refused ones were not what was asked for. Of
	// Differing games two workers sent different results. Expired leases went to others,
	// Repeated games came twice.
	Damaged   int64 `json:"damaged,omitempty"`
	Refused   int64 `json:"refused,omitempty"`
	Differing int64 `json:"differing,omitempty"`
	Expired   int64 `json:"expired,omitempty"`
	Repeated  int64 `json:"repeated,omitempty"`
	// CutOff workers sent games that the trainer's own search refutes.
	CutOff int64 `json:"cut_off,omitempty"`
}

// FaultCount is how often one kind of fault was met.
type FaultCount struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

// Kinds lists the counts of faults by name. Repeated games are none: audits and the end of
// a generation have games played twice.
func (f *ClusterFaults) Kinds() []FaultCount {
	return []FaultCount{{"damaged", f.Damaged}, {"refused", f.Refused}, {"differing", f.Differing}, {"expired", f.Expired}, {"cut_off", f.CutOff}}
}

// silentSeconds is for how long a worker that is there never says nothing; after
// goneSeconds it counts as gone.
const (
	silentSeconds = 10
	goneSeconds   = 60
)

// Text says who plays in words, the workers by name if there are few, and what went wrong
// that a person should know of: repeated games and expired leases are usual.
func (e *ClusterEvent) Text() string {
	cores, rate, here := 0, 0.0, 0
	var names []string
	for _, w := range e.Workers {
		if w.Gone() {
			continue
		}
		here++
		cores += w.Cores
		name := fmt.Sprintf("%s %.0f/s", wording.PlainName(w.Name), w.PositionsPerSecond)
		if w.SilentSeconds >= silentSeconds {
			name = fmt.Sprintf("%s silent for %.0f s", wording.PlainName(w.Name), w.SilentSeconds)
		} else {
			rate += w.PositionsPerSecond
		}
		names = append(names, name)
	}
	text := fmt.Sprintf("%s on %s", wording.Count(here, "worker"), wording.Count(cores, "core"))
	if len(names) <= mostNamed && len(names) > 0 {
		text += " (" + strings.Join(names, ", ") + ")"
	} else {
		text += fmt.Sprintf(", %.0f positions/s", rate)
	}
	if gone := len(e.Workers) - here; gone > 0 {
		text += fmt.Sprintf(", %d gone", gone)
	}
	text += ", " + wording.Count(e.Leases, "lease")
	if e.HeldBack > 0 {
		text += ", " + wording.Count(e.HeldBack, "game") + " held back for one before them"
	}
	for _, x := range []struct {
		n    int64
		what string
	}{{e.Faults.Damaged, "damaged"}, {e.Faults.Refused, "refused"}, {e.Faults.Differing, "differing"}, {e.Faults.CutOff, "cut off"}} {
		if x.n > 0 {
			text += fmt.Sprintf(", %d %s", x.n, x.what)
		}
	}
	if e.Waits != "" {
		text += "; waits for " + wording.Plain(e.Waits)
	}
	return text
}

// mostNamed workers fit on a line.
const mostNamed = 4
