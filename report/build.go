package report

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/report/health"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/report/sample"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// Input is everything that goes into a report.
type Input struct {
	// Name is the name of the run, Rules the canonical word of its rules, State as
	// Run.State.
	Name, Rules, State string
	Config             *plan.Config
	// Origin is nil if the run is no fork.
	Origin *rundir.Origin
	// CoreTime, Spent and Before are as in Run; nil if unknown.
	CoreTime *time.Duration
	Spent    *model.Spent
	Before   *model.Spent
	// Events and Metrics are as run.ReadEvents and run.ReadMetrics return them.
	Events  []rundir.Event
	Metrics []rundir.Metrics
	// Matches are as ratings.Read returns them.
	Matches []ratings.Match
	// Games is a sample of the recorded games; nil if none were read.
	Games *Recorded
	// Samples are games chosen for show; nil if none were chosen.
	Samples *sample.Choice
	// Unreadable says which parts of the run could not be read, and why.
	Unreadable []string
}

// Recorded is a sample of a run's recorded games, counted.
type Recorded struct {
	// Shards of Of were read.
	Shards, Of int
	Sides      [2]string
	// Parts are in order of generations, Rules of rulesets.
	Parts []RecordedPart
	Rules []*census.Summary
}

// RecordedPart is the games played by the networks of the generations First to Last.
type RecordedPart struct {
	First, Last int
	Summary     *census.Summary
}

// Build makes the report.
func Build(in *Input) *Report {
	r := &Report{Version: Version, Warnings: []Warning{}}
	r.Run = describe(in)
	r.Course = course(in.Metrics)
	r.Games = in.games(r.Run.Learned)
	if in.Samples != nil && len(in.Samples.Games) > 0 {
		r.Samples = in.Samples
	}
	r.Strength = strength(in)
	r.Reliability = reliability(in.Metrics)
	r.Warnings = warnings(in)
	r.Headline = r.headline()
	return r
}

// describe sums up the run as a whole.
func describe(in *Input) Run {
	c := in.Config
	d := Run{
		Name: in.Name, Game: c.Game, Rules: in.Rules, State: in.State, Mode: c.Mode, Seed: c.Seed,
		Search: c.SelfPlay.Search.Search, Simulations: c.SelfPlay.Search.Simulations,
		CoreTime: in.CoreTime, Spent: in.Spent, Before: in.Before,
		Budget: c.Budget, CoreBudget: c.CoreBudget, GenerationsWanted: c.Generations, Kernels: []string{},
	}
	total := 0.0
	for _, e := range c.RulesMix {
		total += e.Weight
	}
	for _, e := range c.RulesMix {
		d.Mix = append(d.Mix, MixEntry{e.Rules, e.Weight / total})
	}
	if s := &c.SelfPlay; s.FirstSimulations > 0 {
		d.FirstSimulations, d.GrowthGenerations = s.FirstSimulations, s.GrowthGenerations
	}
	if s := &c.SelfPlay; s.FullShare < 1 {
		d.FullShare, d.FastSimulations = s.FullShare, s.FastSimulations
	}
	d.MovesLeft = c.SelfPlay.Search.Tuning.MovesLeft
	if t := &c.SelfPlay.Teacher; t.Player != "" {
		d.Teacher = &Teacher{t.Player, t.Share, t.Generations}
	}
	if in.Origin != nil {
		d.Origin = in.Origin.String()
	}
	for i := range in.Events {
		e := &in.Events[i]
		d.Learned = max(d.Learned, e.Elapsed)
		if i == 0 {
			d.Began = e.Time
		}
		d.Ended = e.Time
		if s := e.Start; s != nil {
			d.Processes++
			if !slices.Contains(d.Kernels, s.Kernel) {
				d.Kernels = append(d.Kernels, s.Kernel)
			}
		}
	}
	if n := len(in.Metrics); n > 0 {
		m := &in.Metrics[n-1]
		d.Generation, d.Steps, d.Games, d.Positions = int(m.Generation), m.Step, m.Games, m.Positions
		d.Learned = max(d.Learned, seconds(m.LearnedSeconds))
		if in.Origin != nil {
			d.Steps -= int64(in.Origin.Step)
		}
	}
	d.Networks = networks(in)
	return d
}

func networks(in *Input) []NetworkSize {
	c := in.Config
	list := []NetworkSize{{Blocks: c.Model.Blocks, Channels: c.Model.Channels}}
	newest := 0
	for i := range in.Metrics {
		newest = int(in.Metrics[i].Generation)
	}
	for _, g := range c.Growth {
		if m := c.ModelAt(g.Generation); g.Generation <= newest {
			list = append(list, NetworkSize{Generation: g.Generation, Blocks: m.Blocks, Channels: m.Channels})
		}
	}
	for i := range list {
		for k := range in.Metrics {
			if m := &in.Metrics[k]; int(m.Generation) >= list[i].Generation {
				list[i].Parameters = int(m.Parameters)
				break
			}
		}
	}
	if list[0].Parameters == 0 {
		for i := range in.Events {
			if s := in.Events[i].Start; s != nil && s.Generation == 0 {
				list[0].Parameters = s.Parameters
				break
			}
		}
	}
	return list
}

// learned is the learning time when a generation was written; 0 if unknown.
func (in *Input) learned(generation int) time.Duration {
	if learned, _, _ := in.took(generation); !math.IsNaN(learned) {
		return seconds(learned)
	}
	return 0
}

// games adds learning times to the recorded games.
func (in *Input) games(learned time.Duration) *Games {
	if in.Games == nil || len(in.Games.Parts) == 0 {
		return nil
	}
	g := &Games{Shards: in.Games.Shards, Of: in.Games.Of, Sides: in.Games.Sides, Rules: in.Games.Rules}
	for _, p := range in.Games.Parts {
		part := GamesPart{p.First, p.Last, learned, p.Summary}
		for i := range in.Metrics {
			// The next network learns from the games of a network.
			if m := &in.Metrics[i]; int(m.Generation) > p.Last {
				part.Learned = seconds(m.LearnedSeconds)
				break
			}
		}
		g.Games += p.Summary.Games
		g.Parts = append(g.Parts, part)
	}
	return g
}

// unreadable is the code of warnings about files.
const unreadable = "unreadable"

// warnings lists all problems, the worst first.
func warnings(in *Input) []Warning {
	list := []Warning{}
	for _, text := range in.Unreadable {
		list = append(list, Warning{Code: unreadable, Severe: true, Text: text})
	}
	newest := 0
	if n := len(in.Metrics); n > 0 {
		newest = int(in.Metrics[n-1].Generation)
	}
	for _, w := range health.Check(in.Metrics, in.Config) {
		list = append(list, Warning{
			Code: w.Code, Severe: w.Severity == health.Alarm, First: int(w.First), Last: int(w.Last), Past: int(w.Last) < newest, Text: w.Text,
		})
	}
	list = append(list, rarelyDecided(in, newest)...)
	list = append(list, resignations(in, newest)...)
	slices.SortStableFunc(list, func(a, b Warning) int {
		rank := func(w Warning) int {
			n := 0
			if w.Past {
				n += 2
			}
			if !w.Severe {
				n++
			}
			return n
		}
		return rank(a) - rank(b)
	})
	return list
}

// rarelyDecided puts the last such event of each ruleset in words. The next generation
// learns from the games of a generation.
func rarelyDecided(in *Input, newest int) (list []Warning) {
	last := map[string]int{}
	for i := range in.Events {
		w := in.Events[i].RarelyDecided
		if w == nil {
			continue
		}
		at, known := last[w.Rules]
		if w.Over {
			if known {
				list[at].Last, list[at].Past = w.Generation, true
			}
			continue
		}
		if !known {
			at = len(list)
			last[w.Rules], list = at, append(list, Warning{})
		}
		list[at] = Warning{
			Code: "rarely-decided", First: w.Generation + 1, Last: max(w.Generation+1, newest),
			Text: fmt.Sprintf("%d of %d games by %s were drawn: such games teach little of who wins. Leave that ruleset to a run that plays better.", w.Draws, w.Games, w.Rules),
		}
	}
	return list
}

// resignations puts the newest advice on resigning in words.
func resignations(in *Input, newest int) []Warning {
	for i := len(in.Events) - 1; i >= 0; i-- {
		s := in.Events[i].SelfPlay
		if s == nil || !s.Done || s.Advice == "" {
			continue
		}
		return []Warning{{
			Code: "resignation", First: s.Generation + 1, Last: s.Generation + 1, Past: s.Generation+1 < newest,
			Text: fmt.Sprintf("Resigning was wrong in %d of %d games that were played on: %s.", s.WronglyResigned, s.PlayedOn, s.Advice),
		}}
	}
	return nil
}
