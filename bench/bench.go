// Package bench measures a machine: how much arithmetic it can do, how fast the
// rules, the search, a network's evaluations, training, self-play and shards are
// on it, each as a share of what limits it, and what a night of learning would
// give with networks of several sizes.
//
// Whatever belongs together is measured in turn, a slice of each and then the
// next round, and shares are ratios of slices of the same round: other work on
// the machine, which comes and goes, then spoils both sides of a ratio alike.
// Each figure is the median of the rounds with the lowest and the highest.
//
// The package prints nothing and leaves nothing on disk. Its figures are of the
// clock; only the games and weights that they are measured with follow from
// Config.Seed.
package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
)

// Names of the sections, in their order.
const (
	Peaks     = "peaks"
	Engine    = "engine"
	Search    = "search"
	Threads   = "threads"
	Inference = "inference"
	Training  = "training"
	SelfPlay  = "selfplay"
	Shards    = "shards"
	NightPlan = "night"
)

// Sections lists the names of all sections.
func Sections() []string {
	return []string{Peaks, Engine, Search, Threads, Inference, Training, SelfPlay, Shards, NightPlan}
}

// Options say what is measured, and for how long.
type Options struct {
	// Config is the run whose game, rules, network, search, batch and window are
	// measured. Its rulesets mix and growth are left aside, and searches are as
	// long as they grow to be.
	Config plan.Config
	// Rules are Config's.
	Rules *plan.Rules
	// Reference is another game whose rules and handwritten search are measured beside
	// those of Rules, in turn with them; nil: none.
	Reference engine.Game
	// Threads is the number of goroutines of the measurements that use all
	// cores, at least 1.
	Threads int
	// Time is for one measurement with all its repeats. Where a single piece of
	// work takes longer, as a training step may, it takes longer.
	Time time.Duration
	// Only names the sections to measure; empty: all.
	Only []string
	// Night is the time of learning that the plan is for.
	Night time.Duration
	// Begin is told of a section before it, Progress how much of the expected time has been
	// spent and on what now, Done a section when it is complete. Nil is allowed.
	Begin    func(*Report)
	Progress func(spent time.Duration, what string)
	Done     func(*Section)
}

// Validate joins every problem of o, each with its flag, value and rule.
func (o *Options) Validate() error {
	var errs problems.List
	errs.If(o.Threads < 1 || o.Threads > 1024, "threads %d: want 1 to 1024", o.Threads)
	errs.If(o.Time <= 0 || o.Time > time.Hour, "time %v: want above 0, at most 1h", o.Time)
	errs.If(o.Night < time.Second || o.Night > 10000*time.Hour, "hours %g: want a second at least, 10000 at most", o.Night.Hours())
	for _, name := range o.Only {
		errs.If(!slices.Contains(Sections(), name), "section %q: want some of %s", name, strings.Join(Sections(), ", "))
	}
	return errs.Err()
}

// wants tells whether a section is to be measured: those that the plan rests on
// are if the plan is.
func (o *Options) wants(name string) bool {
	return len(o.Only) == 0 || slices.Contains(o.Only, name) || name == SelfPlay && slices.Contains(o.Only, NightPlan)
}

// threads lists the numbers of threads that things are measured with.
func (o *Options) threads() []int {
	if o.Threads == 1 {
		return []int{1}
	}
	return []int{1, o.Threads}
}

// Expect is about how long Run takes.
func (o *Options) Expect() time.Duration {
	slots := 0.0
	for _, s := range sections() {
		if o.wants(s.name) {
			slots += s.slots(o)
		}
	}
	return time.Duration(slots * float64(o.Time))
}

// Report is what Run found.
type Report struct {
	// Version changes when a field gets another meaning or goes.
	Version int     `json:"version"`
	Machine Machine `json:"machine"`
	Subject Subject `json:"subject"`
	// Sections lists the measured parts, in order.
	Sections []*Section `json:"sections"`
	// Conditions are the ones during the whole time.
	Conditions Conditions `json:"conditions"`
	// Night is nil if it was not asked for, or not reached.
	Night *Night `json:"night"`
	// Interrupted says that sections are missing, and figures of the last have
	// fewer repeats.
	Interrupted bool `json:"interrupted"`
}

// reportVersion is Report.Version.
const reportVersion = 1

// Subject is what was measured.
type Subject struct {
	Game    string       `json:"game"`
	Rules   string       `json:"rules"`
	Network model.Config `json:"network"`
	// Parameters and MultiplyAdds, see model.Network.MultiplyAdds, are of the
	// network.
	Parameters   int   `json:"parameters"`
	MultiplyAdds int64 `json:"multiply_adds"`
	// TrainingMultiplyAdds are of one sample of a training step.
	TrainingMultiplyAdds int64  `json:"training_multiply_adds"`
	Simulations          int    `json:"simulations"`
	Search               string `json:"search"`
	GamesInFlight        int    `json:"games_in_flight"`
	// Precision is the number format of the networks in self-play and search.
	Precision string `json:"precision"`
	Batch     int    `json:"batch"` // of a training step
	Threads   int    `json:"threads"`
	// Seconds are for one measurement, with Repeats slices.
	Seconds float64 `json:"seconds"`
	Repeats int     `json:"repeats"`
}

// Section is what was measured of one thing. Notes say what limits it.
type Section struct {
	Name    string   `json:"name"`
	Figures []Figure `json:"figures"`
	Notes   []string `json:"notes"`
}

// section is one part of the work. slots is its expected length in units of
// Options.Time; measure appends to s what it has, also if it fails.
type section struct {
	name    string
	slots   func(o *Options) float64
	measure func(b *bench, ctx context.Context, s *Section) error
}

// sections lists the parts in their order.
func sections() []section {
	perThread := func(n float64) func(o *Options) float64 {
		return func(o *Options) float64 { return n * float64(len(o.threads())) }
	}
	return []section{
		{Peaks, func(o *Options) float64 { return float64(len(peaks())+1) * float64(len(o.threads())) }, (*bench).peaks},
		{Engine, engineSlots, (*bench).engine},
		{Search, func(o *Options) float64 { return 1 + 2*float64(len(o.threads())) }, (*bench).search},
		{Threads, threadSlots, (*bench).threads},
		{Inference, inferenceSlots, (*bench).inference},
		{Training, perThread(1 + limitPart), (*bench).training},
		{SelfPlay, func(o *Options) float64 { return 1 + (selfPlayPart+1)*float64(len(o.threads())) }, (*bench).selfPlay},
		{Shards, func(*Options) float64 { return 2 }, (*bench).shards},
		{NightPlan, func(*Options) float64 { return 2 * float64(len(measuredSizes)) }, (*bench).night},
	}
}

// bench is one run of measurements.
type bench struct {
	o       *Options
	cfg     *plan.Config
	game    engine.Game
	network model.Network
	weights *model.Weights
	report  *Report
	format  precision.Precision // of self-play
	cost    sharing             // of self-play, for the plan

	calibratedFor *model.Weights // the last weights that were calibrated
	calibratedAs  *model.Calibration

	dir   string // of shards; "" until they are needed
	rows  []record.Row
	games int // that rows are of
	spent time.Duration
	watch watch
}

// Run measures what o asks for. If ctx ends, the report has what there is by
// then, and the error is ctx's.
func Run(ctx context.Context, o Options) (*Report, error) {
	if err := errors.Join(o.Validate(), kernel.Check()); err != nil {
		return nil, err
	}
	network := model.Network{Shape: plan.Shape(o.Rules.Game.Info()), Config: o.Config.Model}
	if err := network.Validate(); err != nil {
		return nil, err
	}
	format, err := precision.Parse(o.Config.SelfPlay.Precision)
	if err != nil {
		return nil, err
	}
	b := &bench{format: format, o: &o, cfg: &o.Config, game: o.Rules.Game, network: network, weights: untrained(network, o.Config.Seed)}
	b.report = &Report{
		Version: reportVersion, Machine: machine(), Sections: []*Section{},
		Subject: Subject{
			Game: o.Rules.Game.Info().Name, Rules: o.Rules.Game.Rules(), Network: network.Config, Parameters: b.weights.Count(),
			MultiplyAdds: network.MultiplyAdds(), TrainingMultiplyAdds: network.TrainingMultiplyAdds(),
			Simulations: o.Config.SelfPlay.Search.Simulations, Search: o.Config.SelfPlay.Search.Search,
			GamesInFlight: o.Config.SelfPlay.GamesInFlight, Precision: format.String(), Batch: o.Config.Train.Batch,
			Threads: o.Threads, Seconds: o.Time.Seconds(), Repeats: repeats,
		},
	}
	defer func() {
		if b.dir != "" {
			_ = os.RemoveAll(b.dir) // in the system's folder for such
		}
	}()
	if o.Begin != nil {
		o.Begin(b.report)
	}
	b.watch.begin()
	err = b.measureAll(ctx)
	b.report.Conditions = b.watch.conditions()
	b.report.Interrupted = ctx.Err() != nil
	return b.report, err
}

func (b *bench) measureAll(ctx context.Context) error {
	for _, part := range sections() {
		if !b.o.wants(part.name) {
			continue
		}
		runtime.GC() // what the last section left is no cost of the next
		s := &Section{Name: part.name, Figures: []Figure{}, Notes: []string{}}
		err := part.measure(b, ctx, s)
		if err == nil || ctx.Err() != nil && len(s.Figures) > 0 {
			b.report.Sections = append(b.report.Sections, s)
			if b.o.Done != nil {
				b.o.Done(s)
			}
		}
		if err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return nil
}

// untrained are the weights that a run begins with.
func untrained(n model.Network, from uint64) *model.Weights {
	w := model.NewWeights(n)
	w.Init(rand.New(seed.Stream(from, "bench-weights", 0)))
	return w
}
