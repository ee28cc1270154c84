package watch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/rundir"
)

// logLines bounds the events listed.
const logLines = 30

// Now is what a run is doing and did lately.
type Now struct {
	Running bool `json:"running"`
	// Doing says in words how far the generation is.
	Doing string `json:"doing,omitempty"`
	// Learned is the time spent learning, Time the time of the last event.
	Learned string     `json:"learned,omitempty"`
	Time    *time.Time `json:"time,omitempty"`
	// Log lists the last events, the newest first.
	Log []Line `json:"log"`
	// Cluster tells who plays for a trainer that serves; nil: nobody but its own process, or
	// it has stopped.
	Cluster *Cluster `json:"cluster,omitempty"`
	// Problem says why the log or Cluster is missing.
	Problem string `json:"problem,omitempty"`

	rates   rates
	stopped bool // by its last events it has stopped
}

// Cluster is what the live file of a run says.
type Cluster struct {
	Text string `json:"text"`
	// Holds is false if the trainer has said nothing for too long, or was killed.
	Holds bool `json:"holds"`
	// Workers are the first shownWorkers by name.
	Workers []rundir.WorkerEvent `json:"workers"`
	Faults  []rundir.FaultCount  `json:"faults"`

	live *rundir.Live
}

// shownWorkers bounds the workers listed; Cluster.Text counts them all.
const shownWorkers = 200

// Line is an event in words.
type Line struct {
	Time time.Time `json:"time"`
	Text string    `json:"text"`
}

// rates are the events with the newest figures of speed.
type rates struct {
	play  *rundir.SelfPlayEvent
	train *rundir.TrainingEvent
}

// measuresLast is what a run does that has learned all it will.
const measuresLast = "It has stopped learning; the matches that end the run are being played."

// doing reads the last events of a run.
func (w *Watcher) doing(name string) *Now {
	e := w.entry(name)
	now, _ := e.now.get(w.now, func() (*Now, error) {
		n := &Now{Log: []Line{}}
		g, err := w.glance(name, e)
		if err == nil {
			n.Running = g.working
			err = errors.Join(w.tail(name, n), w.live(name, n))
		}
		if err != nil {
			n.Problem = err.Error()
			return n, nil
		}
		e.mu.Lock()
		v := e.view
		e.mu.Unlock()
		switch {
		case n.Running && n.stopped:
			n.Doing = measuresLast
		case n.Running:
			n.Doing = w.progress(name, v)
		}
		return n, nil
	})
	return now
}

// live reads who plays.
func (w *Watcher) live(name string, n *Now) error {
	f, _, err := input.OpenIn(w.root, onDisk(path.Join(name, rundir.LiveFile)), maxConfigBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfigBytes))
	if err != nil {
		return err
	}
	l, err := rundir.ParseLive(text)
	if err != nil {
		return err
	}
	now := w.now()
	n.Cluster = &Cluster{
		Text: l.Text(now, n.Running), Holds: l.Holds(now, n.Running), live: l,
		Workers: l.Cluster.Workers[:min(len(l.Cluster.Workers), shownWorkers)], Faults: l.Cluster.Faults.Kinds(),
	}
	return nil
}

// tail fills n with the last events.
func (w *Watcher) tail(name string, n *Now) error {
	f, info, err := input.OpenIn(w.root, onDisk(path.Join(name, "events.jsonl")), maxFileBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // as in a pack, or a run that has just begun
	}
	if err != nil {
		return err
	}
	defer f.Close()
	// A stage of many hours has no other lines than the time, one every half a minute.
	for read := int64(tailBytes); ; read *= 4 {
		from := max(0, info.Size()-read)
		data, err := io.ReadAll(io.NewSectionReader(f, from, read))
		if err != nil {
			return err
		}
		if from > 0 { // the first line is cut
			_, data, _ = bytes.Cut(data, []byte("\n"))
		}
		n.events(data)
		if from == 0 || read >= mostTailBytes || len(n.Log) > 0 && n.rates.play != nil && n.rates.train != nil {
			return nil
		}
	}
}

// events fills n with what lines of events say.
func (n *Now) events(data []byte) {
	n.Log, n.stopped = []Line{}, false
	for line := range bytes.Lines(data) {
		var e rundir.Event
		if json.Unmarshal(line, &e) != nil {
			continue // it is being written, or a kill cut it short
		}
		at := e.Time.UTC()
		n.Time, n.Learned = &at, wording.Clock(e.Elapsed)
		if e.SelfPlay != nil {
			n.rates.play = e.SelfPlay
		}
		if e.Training != nil {
			n.rates.train = e.Training
		}
		n.stopped = e.Stop != nil || n.stopped && e.Start == nil
		if text := tell(&e); text != "" {
			n.Log = append(n.Log, Line{at, text})
		}
	}
	slices.Reverse(n.Log)
	n.Log = n.Log[:min(len(n.Log), logLines)]
}

// tell says an event in words; it is empty for an event that is not listed.
func tell(e *rundir.Event) string {
	switch {
	case e.Start != nil && e.Start.Resumed:
		return fmt.Sprintf("A process continues with generation %d, kernels %s.", e.Start.Generation, e.Start.Kernel)
	case e.Start != nil:
		return fmt.Sprintf("The run begins: %s, %d parameters, kernels %s.", e.Start.Game, e.Start.Parameters, e.Start.Kernel)
	case e.SelfPlay != nil:
		s := e.SelfPlay
		taught := ""
		if s.Taught > 0 {
			taught = fmt.Sprintf(" (the teacher's: %d, %d drawn)", s.Taught, s.TaughtDraws)
		}
		others := ""
		if s.Cluster != nil {
			others = " Played by " + s.Cluster.Text() + "."
		}
		return fmt.Sprintf("Games of generation %d: %d of %d, %d positions, %.0f %% drawn%s, %.0f turns a game, %.0f positions/s.%s",
			s.Generation, s.Games, s.GamesWant, s.Positions, 100*s.DrawRate, taught, s.MeanTurns, s.PositionsPerSecond, others)
	case e.Training != nil:
		t := e.Training
		// The event names the generation that the training began with.
		policy := ""
		if t.PolicyLoss != 0 { // else nothing had a policy target
			policy = fmt.Sprintf("%.3f policy, ", t.PolicyLoss)
		}
		return fmt.Sprintf("Training of generation %d: step %d, losses %s%.3f value, %.3f turns, %.0f samples/s.",
			t.Generation+1, t.Step, policy, t.ValueLoss, t.TurnsLoss, t.SamplesPerSecond)
	case e.Growth != nil:
		return fmt.Sprintf("From generation %d the network has %d blocks of %d channels.", e.Growth.Generation, e.Growth.Blocks, e.Growth.Channels)
	case e.Rating != nil && e.Rating.Problem != "":
		return fmt.Sprintf("Generation %d could not be measured: %s.", e.Rating.Generation, e.Rating.Problem)
	case e.Rating != nil:
		return tellRating(e.Rating)
	case e.RarelyDecided != nil && !e.RarelyDecided.Over:
		return fmt.Sprintf("%d of the last %d games by %s were drawn.", e.RarelyDecided.Draws, e.RarelyDecided.Games, e.RarelyDecided.Rules)
	case e.Warning != nil && e.Warning.Over:
		return fmt.Sprintf("%s no longer holds.", e.Warning.Code)
	case e.Warning != nil:
		return fmt.Sprintf("%s: %s", e.Warning.Code, e.Warning.Text)
	case e.Stop != nil:
		return fmt.Sprintf("The process stops: %s.", strings.ReplaceAll(e.Stop.Reason, "_", " "))
	}
	return ""
}

func tellRating(r *rundir.RatingEvent) string {
	text := fmt.Sprintf("Generation %d was measured in %d games", r.Generation, r.Games)
	for i, m := range r.Matches {
		text += []string{": ", ", "}[min(i, 1)] + fmt.Sprintf("%d won, %d drawn, %d lost against %s", m.Wins, m.Draws, m.Losses, m.Opponent)
	}
	if e := r.Elo; e != nil && e.Value != nil && e.Low != nil && e.High != nil {
		text += fmt.Sprintf("; Elo %+.0f (%+.0f to %+.0f) from %s", *e.Value, *e.Low, *e.High, e.Anchor)
	}
	return text + "."
}

// progress says how many games of the present generation are recorded.
func (w *Watcher) progress(name string, v *View) string {
	list, err := w.shards(name)
	if err != nil || len(list) == 0 || v == nil {
		return ""
	}
	newest := list[0].generation
	n := 0
	for n < len(list) && list[n].generation == newest {
		n++
	}
	switch games := n * v.perGame[0]; {
	case v.perGame[1] == 0:
		return fmt.Sprintf("It plays and learns at the same time; %d files of games of generation %d are written.", n, newest)
	case int(newest) < v.Generation:
		return fmt.Sprintf("Generation %d begins to play, or its network is being measured.", v.Generation)
	case games >= v.perGame[1]:
		return fmt.Sprintf("All %d games of generation %d are recorded; generation %d is trained on them.", v.perGame[1], newest, newest+1)
	default:
		return fmt.Sprintf("About %d of %d games of generation %d are recorded.", games, v.perGame[1], newest)
	}
}

// shard is a file of recorded games.
type shard struct {
	name       string // of the file
	generation int32
	number     int64
}

// shards lists the shards of a run, the newest first.
func (w *Watcher) shards(name string) ([]shard, error) {
	names, err := w.names(path.Join(name, "shards"))
	if err != nil {
		return nil, err
	}
	list := make([]shard, 0, len(names))
	for i := len(names) - 1; i >= 0; i-- { // names sort by generation, then number
		if generation, number, ours := record.ParseFileName(names[i]); ours {
			list = append(list, shard{names[i], generation, number})
		}
	}
	return list, nil
}
