// Package trained reads the folders of runs: what can be known of one without opening
// its games, lists of them, two side by side, and what a report is made from. It
// resolves the configuration that a run keeps and holds the last checkpoint to it, as
// training would. Nothing is written.
package trained

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// The states that a folder among runs can be in.
const (
	StateRunning  = "running"  // a process is working on it
	StateFinished = "finished" // a budget or its generations were reached
	StateStopped  = "stopped"  // it was left before that, in whatever way
	StatePacked   = "packed"   // it is a pack, to be forked
	StateDamaged  = "damaged"  // training would not go on, or a file cannot be read
	StateUnknown  = "unknown"  // its game is not in this program, which cannot judge it
	stateForeign  = "foreign"  // it is no run
)

// Run is what can be known of a run without opening its games.
type Run struct {
	games engine.Families
	Name  string `json:"name"`
	Path  string `json:"path"`
	State string `json:"state"`
	// Problem says what is wrong: why the state is damaged, unknown or foreign, or what is
	// damaged in a run that a process works on nevertheless.
	Problem string `json:"problem,omitempty"`

	// What follows is zero where it could not be read. Rules is the canonical
	// word. The counts are read from the last checkpoint: what it has learned.
	Game       string `json:"game"`
	Rules      string `json:"rules"`
	Generation int    `json:"generation"`
	Step       int    `json:"step"`
	Games      int    `json:"games"`
	Positions  int    `json:"positions"`
	// Origin says of a fork which checkpoint of which run it goes on from, as
	// RUN@GENERATION.
	Origin string `json:"origin,omitempty"`
	// Packed says of a pack which checkpoint of which run it holds.
	Packed string `json:"packed,omitempty"`
	// Networks are the generations whose checkpoints are there, whole or without
	// what going on from them needs.
	Networks []int `json:"networks"`
	// Elapsed is the time spent learning, also since the last checkpoint.
	Elapsed time.Duration `json:"elapsed_ns"`
	// CoreTime is what processors spent on that, each core by itself; nil if it is
	// unknown.
	CoreTime *time.Duration `json:"core_ns"`
	// Spent is what the network took, over the run and all before it, and what was
	// spent since the last checkpoint; nil if it is unknown.
	Spent *model.Spent `json:"spent"`
	// Losses are read from the last finished training stage that took a step.
	Losses  *LossMeans `json:"losses,omitempty"`
	Ratings []rating   `json:"ratings"`
	// Elo is what they mean for the newest network that was measured.
	Elo *newestElo `json:"elo,omitempty"`
	// Live tells who plays for a trainer that serves, or did when it was killed; nil:
	// nobody else.
	Live *rundir.Live `json:"live,omitempty"`
	// Report is the path of the report on the run, if there is one.
	Report string `json:"report,omitempty"`

	Config configs.Run `json:"-"`
	known  bool        // cfg is
	events []rundir.Event
	rows   []rundir.Metrics
	before *model.Spent // what the run began with; nil if unknown
}

// LossMeans are means over one generation's training.
type LossMeans struct {
	Policy float64 `json:"policy"`
	Value  float64 `json:"value"`
	Turns  float64 `json:"turns"`
	Reply  float64 `json:"reply,omitempty"` // of networks with that head
}

// LossesOf are the losses of a training stage.
func LossesOf(t *rundir.TrainingEvent) *LossMeans {
	return &LossMeans{t.PolicyLoss, t.ValueLoss, t.TurnsLoss, t.ReplyLoss}
}

// IsRun tells a run from another folder, however damaged it is.
func IsRun(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "events.jsonl"))
	return err == nil || rundir.IsPack(dir) || isDir(filepath.Join(dir, "checkpoints")) || isDir(filepath.Join(dir, "shards"))
}

// readRun reads the folder of a run and writes nothing there. Whatever is wrong
// with it ends up in Problem.
func readRun(games engine.Families, dir, name string) *Run {
	r := &Run{games: games, Name: name, Path: dir, State: StateStopped, Networks: []int{}, Ratings: []rating{}}
	var errs []error
	note := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	pack, err := rundir.CheckPack(dir)
	note(err)
	if pack != nil {
		r.Packed = pack.String()
	}
	working, err := rundir.Working(dir)
	note(err)
	r.Live, _ = rundir.ReadLive(dir) // one that cannot be read says nothing, and does no harm
	note(r.readEvents())
	note(r.readConfig())
	note(r.readCheckpoint(working))
	if len(errs) == 0 { // what is wrong with the checkpoint is said once
		r.rows, err = rundir.ReadMetrics(dir)
		note(err)
	}
	if n := len(r.rows); pack != nil && n > 0 { // it has no events
		if m := &r.rows[n-1]; m.Steps > 0 {
			r.Losses = &LossMeans{m.PolicyLoss, m.ValueLoss, m.TurnsLoss, m.ReplyLoss}
		}
	}
	note(r.ReadRatings())
	if report := filepath.Join(dir, ReportHTML); isRegular(report) {
		r.Report = report
	}
	if len(errs) > 0 {
		r.Problem = wording.OneLine(errors.Join(errs...))
	}
	var missing *engine.UnknownGame
	switch {
	case working:
		r.State = StateRunning
	case len(errs) == 1 && errors.As(errs[0], &missing):
		r.State = StateUnknown
		r.Problem = fmt.Sprintf("its game %s is not in this program, which has %s", missing.Name, strings.Join(missing.Known, ", "))
	case len(errs) > 0:
		r.State = StateDamaged
	case pack != nil:
		r.State = StatePacked
	case r.reachedItsEnd():
		r.State = StateFinished
	}
	return r
}

func (r *Run) readEvents() error {
	var err error
	r.events, err = rundir.ReadEvents(r.Path)
	for _, e := range r.events {
		r.Elapsed = max(r.Elapsed, e.Elapsed)
		if t := e.Training; t != nil && t.Done && t.StepsDone > 0 {
			r.Losses = LossesOf(t)
		}
	}
	return err
}

// reachedItsEnd tells whether the last process left because there was no more
// to do.
func (r *Run) reachedItsEnd() bool {
	end := false
	for _, e := range r.events {
		switch {
		case e.Start != nil:
			end = false
		case e.Stop != nil:
			end = slices.Contains([]string{"budget", "core_budget", "generations"}, e.Stop.Reason)
		}
	}
	return end
}

// readConfig resolves the run's own configuration. That there is none is for
// readCheckpoint to judge.
func (r *Run) readConfig() error {
	path := filepath.Join(r.Path, "config.yaml")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	cfg, err := configs.Load(configs.DefaultRun(r.games), path, nil, nil)
	if err != nil {
		return err
	}
	g, err := r.games.Open(cfg.Game, cfg.Rules)
	if err != nil {
		return err
	}
	r.Config, r.known = cfg, true
	r.Game, r.Rules = cfg.Game, g.Rules()
	for _, e := range r.events {
		if s := e.Start; s != nil && s.Game != "" && s.Game != r.Game {
			return fmt.Errorf("events %s: of a run of %s, not of %s", filepath.Join(r.Path, rundir.EventsFile), s.Game, r.Game)
		}
	}
	return nil
}

// readCheckpoint reads the last checkpoint and holds it to the configuration, as
// a process that resumes the run would. working tells whether one is at work.
func (r *Run) readCheckpoint(working bool) error {
	generations, err := rundir.Generations(r.Path)
	if err != nil {
		return err
	}
	r.Networks = append(r.Networks, generations...)
	if len(generations) == 0 {
		// The first process makes folders, the configuration and the first
		// checkpoint in this order, and then the first game.
		if shards, _ := filepath.Glob(filepath.Join(r.Path, "shards", "*.parquet")); len(shards) > 0 && !working {
			return errors.New("there are games and no checkpoint")
		}
		half, err := rundir.HalfForked(r.Path)
		if half && !working {
			err = errors.New("its fork was not finished: train --from begins it again")
		}
		if err != nil {
			return err
		}
		return nil
	}
	last := generations[len(generations)-1]
	s, err := rundir.ReadState(r.Path, last)
	if err != nil {
		return err
	}
	r.Generation, r.Step, r.Games, r.Positions = s.Generation, s.Step, s.Games, s.Rows
	r.Elapsed = max(r.Elapsed, s.Elapsed)
	origin, err := rundir.CheckOrigin(r.Path, &s)
	if err != nil {
		return err
	}
	if origin != nil {
		r.Origin = origin.String()
	}
	if r.Game == "" {
		r.Game = s.Game
	}
	if !r.known {
		return rundir.CheckConfigFile(r.Path) // what else is wrong with the configuration has been said
	}
	g, err := r.games.Open(r.Config.Game, r.Config.Rules)
	if err != nil {
		return err
	}
	info := g.Info()
	if s.Game != info.Name || s.GameVersion != info.Version || s.EncoderVersion != info.EncoderVersion {
		return fmt.Errorf("checkpoint %d is of %s version %d, encoder %d: the configuration and this program play %s version %d, encoder %d",
			last, s.Game, s.GameVersion, s.EncoderVersion, info.Name, info.Version, info.EncoderVersion)
	}
	w, card, err := model.Load(rundir.WeightsPath(r.Path, last))
	if err == nil {
		err = s.CheckWeights(w)
	}
	if err == nil {
		r.CoreTime, r.before = s.CoreTimeUntil(r.events), rundir.SpentBefore(r.Path, &s)
		r.Spent, err = rundir.SpentOn(r.Path, &s, card, r.events)
	}
	if err == nil {
		err = card.Fits(plan.Identity(info), plan.Shape(info))
	}
	switch {
	case err != nil:
		return fmt.Errorf("checkpoint %d: %w", last, err)
	case card.Network.Config != r.Config.ModelAt(last):
		return fmt.Errorf("checkpoint %d holds a network of %+v: the configuration asks for %+v", last, card.Network.Config, r.Config.ModelAt(last))
	case card.Step != s.Step || card.Generation != s.Generation:
		return fmt.Errorf("checkpoint %d: weights of step %d and state of step %d do not belong together", last, card.Step, s.Step)
	}
	if rundir.IsPack(r.Path) {
		return nil // a fork of it has a configuration of its own
	}
	return s.CheckConfig(&r.Config.Config)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
