package rundir

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/ludozero/ludozero/internal/input"
)

// EventsFormat changes when an event means something else than before. Every
// process writes it into its first event. New fields need no new format.
const EventsFormat = 1

// Event is one thing that happened in a run: what the display shows and the
// event file keeps. Exactly one of the pointers is set, or none in the file: such
// a line keeps the times alone, in a stage that takes long.
type Event struct {
	// Time is the wall clock, Elapsed the time spent learning, over all
	// processes that worked on the run.
	Time    time.Time     `json:"time"`
	Elapsed time.Duration `json:"elapsed_ns"`
	// CoreTime is what processors spent on that, 0 if it is unknown; see
	// State.CoreTime.
	CoreTime time.Duration `json:"core_ns,omitempty"`

	Start         *StartEvent         `json:"start,omitempty"`
	SelfPlay      *SelfPlayEvent      `json:"self_play,omitempty"`
	RarelyDecided *RarelyDecidedEvent `json:"rarely_decided,omitempty"`
	Training      *TrainingEvent      `json:"training,omitempty"`
	Growth        *GrowthEvent        `json:"growth,omitempty"`
	Checkpoint    *CheckpointEvent    `json:"checkpoint,omitempty"`
	Rating        *RatingEvent        `json:"rating,omitempty"`
	Warning       *WarningEvent       `json:"warning,omitempty"`
	Stop          *StopEvent          `json:"stop,omitempty"`
}

// StartEvent opens the work of one process on a run.
type StartEvent struct {
	Format int    `json:"format"` // of the events that follow
	Game   string `json:"game"`
	Rules  string `json:"rules"`
	// Rulesets is how many rulesets self-play draws from; 0: Rules alone.
	Rulesets   int    `json:"rulesets,omitempty"`
	Parameters int    `json:"parameters"`
	Kernel     string `json:"kernel"`
	// SelfPlayPrecision and TrainPrecision are the run's number formats.
	SelfPlayPrecision string `json:"self_play_precision"`
	TrainPrecision    string `json:"train_precision"`
	Generation        int    `json:"generation"`
	// Resumed is set if the run existed, Discarded counts leftovers of a
	// stopped process that were removed.
	Resumed   bool `json:"resumed"`
	Discarded int  `json:"discarded"`
	// Origin is set if the run is a fork.
	Origin *OriginEvent `json:"origin,omitempty"`
}

// OriginEvent says where a fork comes from: the generation of another run, with
// how many positions of its window, and whether its optimizer began anew, or its
// training at the average of the weights.
type OriginEvent struct {
	Run            string `json:"run"`
	Generation     int    `json:"generation"`
	Positions      int64  `json:"positions"`
	FreshOptimizer bool   `json:"fresh_optimizer,omitempty"`
	FromAverage    bool   `json:"from_average,omitempty"`
}

// SelfPlayEvent tells how far a generation's games are. Rates are over the
// generation so far, in this process. In a concurrent run the games are those
// that the generation learns from, by whatever network; only games whose turn to
// be delivered has come are counted, and rates are over the time since the games
// of the generation before, with all training in it.
type SelfPlayEvent struct {
	Generation int `json:"generation"`
	Games      int `json:"games"` // finished, in earlier processes as well
	GamesWant  int `json:"games_want"`
	Positions  int `json:"positions"` // recorded in the finished games
	// Simulations is the budget of a full search by the generation; 0: it is the same
	// for all.
	Simulations int `json:"simulations,omitempty"`
	// PositionsPerSecond and EvaluationsPerSecond also count games in flight.
	PositionsPerSecond   float64 `json:"positions_per_second"`
	EvaluationsPerSecond float64 `json:"evaluations_per_second"`
	// CacheHits is the share of evaluations that a cache saved the network;
	// EvaluationsPerSecond counts the others.
	CacheHits float64 `json:"cache_hits,omitempty"`
	MeanTurns float64 `json:"mean_turns"`
	DrawRate  float64 `json:"draw_rate"`
	// FirstScore is the first player's mean score, a draw counting one half.
	FirstScore float64 `json:"first_score"`
	// Resigned games ended by resignation. PlayedOn games went on although a
	// player would have resigned, who then drew or won WronglyResigned of them.
	// Advice says in words that these are too many for chance, if they are.
	Resigned        int    `json:"resigned,omitempty"`
	PlayedOn        int    `json:"played_on,omitempty"`
	WronglyResigned int    `json:"wrongly_resigned,omitempty"`
	Advice          string `json:"advice,omitempty"`
	// Taught games were played by the teacher, TaughtDraws of them drawn.
	Taught      int `json:"taught,omitempty"`
	TaughtDraws int `json:"taught_draws,omitempty"`
	// Rules tells the games taken so far apart by rules word, in the order of the
	// words. Only a mix has it.
	Rules []RulesEvent `json:"rules,omitempty"`
	// Cluster says who plays, if that are several machines.
	Cluster *ClusterEvent `json:"cluster,omitempty"`
	Done    bool          `json:"done"`
}

// TrainingEvent tells how far a generation's training is. Losses are means
// since the last event.
type TrainingEvent struct {
	Generation       int     `json:"generation"`
	Step             int     `json:"step"`
	StepsDone        int     `json:"steps_done"`
	StepsWant        int     `json:"steps_want"`
	WindowPositions  int     `json:"window_positions"`
	PolicyLoss       float64 `json:"policy_loss"`
	ValueLoss        float64 `json:"value_loss"`
	TurnsLoss        float64 `json:"turns_loss"`
	ReplyLoss        float64 `json:"reply_loss,omitempty"` // of a network with the head for it
	GradientNorm     float64 `json:"gradient_norm"`
	LearningRate     float64 `json:"learning_rate"`
	SamplesPerSecond float64 `json:"samples_per_second"`
	Done             bool    `json:"done"`
}

// GrowthEvent tells that the next network is of another size than the one before
// it, or begins with fresh weights.
type GrowthEvent struct {
	Generation int  `json:"generation"` // of the first network of that size
	Blocks     int  `json:"blocks"`
	Channels   int  `json:"channels"`
	Parameters int  `json:"parameters"`
	Fresh      bool `json:"fresh"`
}

// CheckpointEvent closes a generation.
type CheckpointEvent struct {
	Generation int    `json:"generation"` // of the network that was written
	Step       int    `json:"step"`
	Games      int    `json:"games"`
	Rows       int    `json:"rows"`
	Path       string `json:"path"`
}

// StopEvent ends the work of one process.
type StopEvent struct {
	// Reason is "budget", "core_budget", "generations" or "interrupted"; after a
	// stage alone, "played" or "fitted".
	Reason string `json:"reason"`
}

// PerSecond is the rate of n things that took so long. It is finite, as JSON
// wants it, also where the clock has not moved.
func PerSecond(n int, took time.Duration) float64 {
	return float64(n) / max(took, time.Microsecond).Seconds()
}

// SetRates sets what was done per second.
func (e *SelfPlayEvent) SetRates(decisions, evaluations, hits int64, took time.Duration) {
	e.PositionsPerSecond, e.EvaluationsPerSecond = PerSecond(int(decisions), took), PerSecond(int(evaluations), took)
	if hits > 0 {
		e.CacheHits = float64(hits) / float64(hits+evaluations)
	}
}

// EventLog appends events to the run's event file.
type EventLog struct {
	// File is the event file, open for appending.
	File *os.File
	torn bool // a write failed, and may have left a part of a line
}

// OpenEvents opens the event file for appending. A last line that a killed
// process left unfinished is closed, so that it spoils no other.
func OpenEvents(run string) (*EventLog, error) {
	f, err := os.OpenFile(filepath.Join(run, EventsFile), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() > 0 {
		last := make([]byte, 1)
		if _, err = f.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			_, err = f.Write([]byte("\n"))
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &EventLog{File: f}, nil
}

// Close closes the file.
func (l *EventLog) Close() error { return l.File.Close() }

// Append writes an event as one line.
func (l *EventLog) Append(e *Event) error {
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	b = append(b, '\n')
	if l.torn {
		b = append([]byte{'\n'}, b...)
	}
	_, err = l.File.Write(b)
	if l.torn = err != nil; l.torn {
		return fmt.Errorf("event log: %w", err)
	}
	return nil
}

// ReadEvents reads the events of a run in order. Lines that a kill cut short
// are left out; events of another format are refused.
func ReadEvents(run string) ([]Event, error) {
	path := filepath.Join(run, EventsFile)
	b, err := input.Read(path, input.Large)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []Event
	n := 0
	for line := range bytes.Lines(b) {
		n++
		var e Event
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		if s := e.Start; s != nil && s.Format != EventsFormat {
			return nil, fmt.Errorf("events %s: line %d: format %d: this program reads format %d", path, n, s.Format, EventsFormat)
		}
		all = append(all, e)
	}
	return all, nil
}

// RulesEvent is what the games of one ruleset of a mix were like.
type RulesEvent struct {
	Rules string `json:"rules"`
	Games int    `json:"games"`
	Draws int    `json:"draws"`
	// MeanTurns is their length, FirstScore the first player's mean score.
	MeanTurns  float64 `json:"mean_turns"`
	FirstScore float64 `json:"first_score"`
}

// RarelyDecidedEvent tells that so few games of a ruleset are decided from now on
// that its positions teach little of who wins, or that this is over.
type RarelyDecidedEvent struct {
	Generation int    `json:"generation"`
	Rules      string `json:"rules"`
	// Games are its newest games, in whole generations, and Draws those of them
	// that were drawn.
	Games int  `json:"games"`
	Draws int  `json:"draws"`
	Over  bool `json:"over"`
}

// WarningEvent tells that a figure of the run is off from now on, or is not any
// more.
type WarningEvent struct {
	// Code names what is off: a short word that does not change.
	Code     string `json:"code"`
	Severity string `json:"severity"`
	// Generation is the newest one, FirstGeneration since when it has been off.
	Generation      int `json:"generation"`
	FirstGeneration int `json:"first_generation"`
	// Text says in words what is off and what to try.
	Text string `json:"text,omitempty"`
	// Over is set when it ends; there is no Text then.
	Over bool `json:"over"`
}
