// Package sweep runs experiments on the settings of training: many short runs of
// `ludozero train` that differ in a few keys, each with the same core_budget, so that a
// busy machine is fair to all of them.
//
// A [Plan] says what is varied: factors with two levels each, in a fractional
// factorial design, or arms with the same seeds. [Sweep.Work] has child processes
// do the runs, some side by side, and keeps how far each is in the folder of the
// sweep,
//
//	plan.yaml      the plan with every key resolved
//	base.yaml      the configuration that all runs begin with, resolved
//	progress.json  how far each run is
//	NAME/          the folder of a run, NAME.log what its processes said
//	runs.csv       the finished sweep, a row for each run
//
// so that a sweep can be stopped anywhere and resumed. [Sweep.Result] says what the
// plan's measures show, by package stats/design. [Read] checks a plan with the
// configurations of all its runs before any work.
package sweep

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/stats/design"
)

// Plan says which runs a sweep has and what decides.
type Plan struct {
	// Config is the run file that all runs begin with. In a file it is relative to
	// the folder of the plan.
	Config string `mapstructure:"config"`
	// Set lists key=value that all runs have in its place. The folder of a sweep has
	// them in its base configuration, and none in its plan.
	Set []string `mapstructure:"set"`
	// Seed is the seed of the first run; the next run has the next number. It also decides
	// the order of the runs and the openings of a tournament.
	Seed uint64 `mapstructure:"seed"`
	// SideBySide is how many runs work at the same time; 0: what the cores allow.
	SideBySide int `mapstructure:"side_by_side"`
	// CoresEach is how many cores each of them has, and so self-play workers and
	// threads of its trainer.
	CoresEach int `mapstructure:"cores_each"`
	// CoreTime is the core_budget of each run: the processor time that it learns for.
	// 0: each run ends after Generations. Exactly one of the two is set.
	CoreTime    time.Duration `mapstructure:"core_time"`
	Generations int           `mapstructure:"generations"`
	// Measure is what decides.
	Measure Measure `mapstructure:"measure"`

	// Runs is the size of a factorial design, 8, 16 or 32, and Factors what it varies.
	Runs    int      `mapstructure:"runs"`
	Factors []Factor `mapstructure:"factors"`
	// Seeds is how many runs each of the Arms has. A plan has factors or arms. A single arm
	// compares nothing: it trains networks alike, for studies that need several, and its
	// measures say how far they differ.
	Seeds int   `mapstructure:"seeds"`
	Arms  []Arm `mapstructure:"arms"`
}

// Measure says how the final networks of runs are measured.
type Measure struct {
	// Score lists numbers of simulations, with each of which networks decide in the
	// positions of known value of their game.
	Score      []int      `mapstructure:"score"`
	Tournament Tournament `mapstructure:"tournament"`
}

// Tournament is a round robin of all final networks.
type Tournament struct {
	// Simulations is what a network has for a move; 0: there is no tournament.
	Simulations int `mapstructure:"simulations"`
	// Pairs is how many pairs of games each two networks play.
	Pairs int `mapstructure:"pairs"`
	// OpeningTurns and MaxTurns are as in match.Config.
	OpeningTurns int `mapstructure:"opening_turns"`
	MaxTurns     int `mapstructure:"max_turns"`
}

// Config is the tournament as evaluation plays it.
func (t *Tournament) Config(seed uint64) match.Config {
	return match.Config{Pairs: t.Pairs, OpeningTurns: t.OpeningTurns, MaxTurns: t.MaxTurns, Seed: seed}
}

// Factor is varied between two levels, settings "key=value" each; without any a
// level is the configuration as it is.
type Factor struct {
	Name string   `mapstructure:"name"`
	Low  []string `mapstructure:"low"`
	High []string `mapstructure:"high"`
}

// Arm is one alternative: settings "key=value".
type Arm struct {
	Name string   `mapstructure:"name"`
	Set  []string `mapstructure:"set"`
}

// DefaultPlan lacks what only its user can say.
func DefaultPlan() Plan {
	m := match.DefaultConfig()
	return Plan{
		Seed: 1, CoresEach: 1,
		Measure: Measure{Tournament: Tournament{Pairs: 4, OpeningTurns: m.OpeningTurns, MaxTurns: m.MaxTurns}},
	}
}

// reserved are keys that the sweep sets itself, or that all runs must share.
var reserved = []string{"budget", "core_budget", "game", "generations", "seed", "workers"}

// maxRuns bounds a sweep: more are a mistake in a file, at any price of a run.
const maxRuns = 1000

// Validate joins every problem of p.
func (p *Plan) Validate() error {
	var errs problems.List
	errs.Want(p.Config != "", "config: want a run file")
	checkSettings(p.Set, func(format string, args ...any) { errs = append(errs, fmt.Errorf("set: "+format, args...)) })
	errs.Want(p.SideBySide >= 0, "side_by_side: %d: want 0 or more", p.SideBySide)
	errs.Want(p.CoresEach >= 1, "cores_each: %d: want at least 1", p.CoresEach)
	errs.Want(p.CoreTime >= 0, "core_time: %v: want 0 or more", p.CoreTime)
	errs.Want(p.Generations >= 0, "generations: %d: want 0 or more", p.Generations)
	errs.Want((p.CoreTime > 0) != (p.Generations > 0), "core_time and generations: want exactly one of them above 0")
	p.Measure.validate(errs.Want)
	errs.Want((len(p.Factors) > 0) != (len(p.Arms) > 0), "factors and arms: want one of them")
	switch {
	case len(p.Factors) > 0:
		errs.Want(p.Seeds == 0, "seeds: %d: want none with factors, whose runs have a seed each", p.Seeds)
		most := design.MostFactors(p.Runs)
		errs.Want(most > 0, "runs: %d: want 8, 16 or 32", p.Runs)
		errs.Want(most == 0 || len(p.Factors) <= most, "factors: %d: want at most %d in %d runs, so that something is left to tell the error from", len(p.Factors), most, p.Runs)
	case len(p.Arms) > 0:
		errs.Want(p.Runs == 0, "runs: %d: want none with arms, which have seeds", p.Runs)
		errs.Want(p.Seeds >= 2 && p.Seeds*len(p.Arms) <= maxRuns, "seeds: %d: want 2 or more, and no more than %d runs in all", p.Seeds, maxRuns)
	}
	errs = append(errs, p.checkList()...)
	return errs.Err()
}

func (m *Measure) validate(check func(ok bool, format string, args ...any)) {
	for i, n := range m.Score {
		check(n >= 1, "measure.score: %d: want at least 1 simulation", n)
		check(n < 1 || !slices.Contains(m.Score[:i], n), "measure.score: %d is there twice", n)
	}
	t := &m.Tournament
	check(t.Simulations >= 0, "measure.tournament.simulations: %d: want 0 or more", t.Simulations)
	check(t.Simulations != 0 || len(m.Score) > 0, "measure.score: want numbers of simulations, or measure.tournament.simulations above 0")
	cfg := t.Config(0)
	err := cfg.Validate()
	check(err == nil, "measure.tournament: %w", err)
}

// checkList checks the factors or arms of a plan, each a name with lists of settings.
func (p *Plan) checkList() []error {
	var errs []error
	names, keys := map[string]bool{}, map[string]string{}
	check := func(what, name string) func(string, ...any) {
		fail := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("%s: %s: %s", what, name, fmt.Sprintf(format, args...)))
		}
		checkName(name, names, fail)
		return fail
	}
	for _, f := range p.Factors {
		fail := check("factors", f.Name)
		both := slices.Concat(f.Low, f.High)
		checkSettings(f.Low, fail)
		checkSettings(f.High, fail)
		refuseAuto(both, fail)
		if slices.Equal(f.Low, f.High) {
			fail("low and high are the same")
		}
		for _, s := range both {
			key, _, _ := strings.Cut(s, "=")
			if other, ok := keys[key]; ok && other != f.Name {
				fail("%s: factor %s sets it, too", key, other)
			}
			keys[key] = f.Name
		}
	}
	for _, a := range p.Arms {
		fail := check("arms", a.Name)
		checkSettings(a.Set, fail)
		refuseAuto(a.Set, fail)
	}
	return errs
}

// checkName wants a name that can be one of a folder, and no other's.
func checkName(name string, seen map[string]bool, fail func(string, ...any)) {
	switch plain := strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."); {
	case name == "":
		fail("want a name")
	case plain != "" || strings.Trim(name, ".") == "":
		fail("want a name of letters, digits, dots, - and _")
	case seen[strings.ToLower(name)]:
		fail("the name is there twice")
	}
	seen[strings.ToLower(name)] = true // some file systems take both cases for one
}

// refuseAuto wants values that are the same on all machines: what runs differ in is
// compared.
func refuseAuto(list []string, fail func(string, ...any)) {
	for _, s := range list {
		if strings.HasSuffix(s, "="+precision.Auto) {
			fail("%s: want the value that it stands for, so that runs differ in the same on all machines", s)
		}
	}
}

// checkSettings wants words key=value with keys that a sweep may vary. What they can
// be besides is known to whoever reads configurations.
func checkSettings(list []string, fail func(string, ...any)) {
	seen := map[string]bool{}
	for _, s := range list {
		key, _, ok := strings.Cut(s, "=")
		switch {
		case !ok || key == "":
			fail("%q: want key=value", s)
		case slices.Contains(reserved, key) || strings.HasPrefix(key, "evaluation."):
			fail("%s: it is the same for all runs of a sweep", key)
		case seen[key]:
			fail("%s is set twice", key)
		}
		seen[key] = true
	}
}
