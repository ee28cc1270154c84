package sweep

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/study/sweep"
	"github.com/ludozero/ludozero/study/yardstick"
)

// job is a sweep that has been checked as far as that is possible before any work.
type job struct {
	env  *shell.Env
	plan sweep.Plan
	base configs.Run
	game engine.Game
	set  *yardstick.Set // nil: no score is asked for
	auto []string       // what was auto in a new sweep, as ResolveAuto lists it
}

// readSweep reads a plan and the configuration that its runs begin with, and resolves
// the configuration of every run. What is auto is settled once for all of them: it is
// what the sweep in folder dir has, if that was begun.
func read(env *shell.Env, path, dir string) (*job, error) {
	path = configs.Find(path)
	plan, err := configs.Load(sweep.DefaultPlan(), path, nil, nil)
	if err != nil {
		return nil, err
	}
	w := &job{env: env, plan: plan}
	file := plan.Config
	if !filepath.IsAbs(file) {
		file = filepath.Join(filepath.Dir(path), file)
	}
	config := func(words []string) (configs.Run, error) {
		set := slices.DeleteFunc(slices.Clone(plan.Set), func(s string) bool { return settingOf(words, s) })
		return configs.Load(configs.DefaultRun(env.Families), file, slices.Concat(set, words), os.Environ())
	}
	if w.base, err = config(nil); err != nil {
		return nil, err
	}
	// A folder whose base cannot be read is refused when it is opened.
	if there, err := configs.Load(configs.DefaultRun(env.Families), filepath.Join(dir, sweep.BaseFile), nil, nil); err == nil {
		w.base.ResolveAuto(&there.Config, kernel.Level())
	}
	w.auto = w.base.ResolveAuto(nil, kernel.Level())
	load := func(words []string) (configs.Run, error) {
		cfg, err := config(words)
		cfg.ResolveAuto(&w.base.Config, kernel.Level())
		return cfg, err
	}
	// The folder has a copy, so that its plan can be used in the place of this one.
	w.plan.Config, w.plan.Set = sweep.BaseFile, nil
	if w.game, err = env.Open(w.base.Game, w.base.Rules); err != nil {
		return nil, err
	}
	return w, errors.Join(w.checkRuns(load), w.checkMeasure())
}

// settingOf is whether one of the words key=value sets what s sets.
func settingOf(words []string, s string) bool {
	key, _, _ := strings.Cut(s, "=")
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, key+"=") })
}

// checkRuns resolves the configurations of all runs, and wants levels and arms to
// differ.
func (w *job) checkRuns(load func(words []string) (configs.Run, error)) error {
	var errs []error
	var said []string
	fail := func(err error) {
		if text := err.Error(); !slices.Contains(said, text) { // many runs share a fault
			said = append(said, text)
			errs = append(errs, err)
		}
	}
	runs := w.plan.All()
	resolved := make([]configs.Run, len(runs))
	for i := range runs {
		var err error
		if resolved[i], err = load(w.plan.Words(&runs[i])); err != nil {
			fail(err)
		}
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	// The first run with one factor at its other level is another run, too. If it is
	// none that can be, then all the more.
	for k := range w.plan.Factors {
		f := &w.plan.Factors[k]
		other := w.plan
		other.Factors = slices.Clone(other.Factors)
		other.Factors[k].Low, other.Factors[k].High = f.High, f.Low
		cfg, err := load(other.Words(&other.All()[0]))
		if err == nil && len(configs.Diff(resolved[0], cfg)) == 0 {
			fail(fmt.Errorf("factors: %s: low and high come to the same configuration", f.Name))
		}
	}
	n := w.plan.Seeds
	for i := range w.plan.Arms {
		for j := range i {
			if len(configs.Diff(resolved[i*n], resolved[j*n])) == 0 {
				fail(fmt.Errorf("arms: %s and %s come to the same configuration", w.plan.Arms[j].Name, w.plan.Arms[i].Name))
			}
		}
	}
	return errors.Join(errs...)
}

// checkMeasure wants positions and openings for the measures.
func (w *job) checkMeasure() error {
	var errs problems.List
	m := &w.plan.Measure
	if len(m.Score) > 0 {
		set, err := w.env.Solved(w.game.Info().Name)
		if err == nil && w.game.Rules() != set.Rules {
			err = fmt.Errorf("the positions of %s are of rules %s: the configuration has %s", set.Game, set.Rules, w.game.Rules())
		}
		errs.If(err != nil, "measure.score: %w", err)
		w.set = set
	}
	if m.Tournament.Simulations > 0 {
		// Networks are not there yet; how many there will be is known.
		none := make([]match.Contestant, len(w.plan.All()))
		if _, err := match.NewSeries(m.Tournament.Config(w.plan.Seed), w.game, none, false, &match.Openings{}); err != nil {
			errs.Add("measure.tournament.pairs: %w", err)
		}
	}
	return errs.Err()
}

// write begins the folder of the sweep. The plan comes last: with it there is one.
func (w *job) write(dir string) error {
	if err := atomicfile.WriteBytes(filepath.Join(dir, sweep.BaseFile), configs.Dump(w.base)); err != nil {
		return err
	}
	return atomicfile.WriteBytes(filepath.Join(dir, sweep.PlanFile), configs.Dump(w.plan))
}

// compare refuses a folder that was begun with another plan or configuration. A plan
// that has more seeds or more arms than the folder's takes its place.
func (w *job) compare(dir string) error {
	plan, err := configs.Load(sweep.DefaultPlan(), filepath.Join(dir, sweep.PlanFile), nil, nil)
	if err != nil {
		return err
	}
	base, err := configs.Load(configs.DefaultRun(w.env.Families), filepath.Join(dir, sweep.BaseFile), nil, nil)
	if err != nil {
		return err
	}
	var errs []error
	more := false
	for _, d := range configs.Diff(plan, w.plan) {
		switch d.Key {
		case "factors":
			d = firstOther(plan.Factors, w.plan.Factors, d)
		case "seeds":
			if plan.Seeds < w.plan.Seeds {
				more = true
				continue
			}
		case "arms":
			n := len(plan.Arms)
			if n < len(w.plan.Arms) && len(configs.Diff(sweep.Plan{Arms: plan.Arms}, sweep.Plan{Arms: w.plan.Arms[:n]})) == 0 {
				more = true
				continue
			}
			d = firstOther(plan.Arms, w.plan.Arms, d)
		}
		errs = append(errs, fmt.Errorf("plan: %s is %s there, now %s: a sweep cannot change it", d.Key, d.Old, d.New))
	}
	for _, d := range configs.Diff(base, w.base) {
		errs = append(errs, fmt.Errorf("configuration: %s is %s there, now %s: a sweep cannot change it", d.Key, d.Old, d.New))
	}
	if more && len(errs) == 0 {
		return atomicfile.WriteBytes(filepath.Join(dir, sweep.PlanFile), configs.Dump(w.plan))
	}
	return errors.Join(errs...)
}

// firstOther is the first difference between two lists of factors or arms, which as
// a whole are too long to be read.
func firstOther[T any](there, now []T, lists configs.Difference) configs.Difference {
	for i := range min(len(there), len(now)) {
		if d := configs.Diff(there[i], now[i]); len(d) > 0 {
			lists.Key = fmt.Sprintf("%s: of entry %d %s", lists.Key, i+1, d[0].Key)
			lists.Old, lists.New = d[0].Old, d[0].New
			return lists
		}
	}
	lists.Key, lists.Old, lists.New = lists.Key+": the number of entries", strconv.Itoa(len(there)), strconv.Itoa(len(now))
	return lists
}
