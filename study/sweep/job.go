package sweep

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/study"
	"github.com/ludozero/ludozero/study/yardstick"
	"github.com/ludozero/ludozero/train/rundir"
)

// Job is a sweep that has been checked as far as that is possible before any work.
type Job struct {
	Plan Plan
	// Base is the configuration that all runs begin with, and Auto what was auto in it in
	// a new sweep, as ResolveAuto lists it.
	Base configs.Run
	Auto []string

	dir   string
	games engine.Families
	game  engine.Game
	set   *yardstick.Set // nil: no score is asked for
}

// Solved returns the positions of known value of the game of that name.
type Solved func(game string) (*yardstick.Set, error)

// Read reads the plan at path and the configuration that its runs begin with, and resolves
// the configuration of every run. What is auto is settled once for all of them: it is
// what the sweep in folder dir has, if that was begun.
func Read(games engine.Families, solved Solved, path, dir string) (*Job, error) {
	path = configs.Find(path)
	plan, err := configs.Load(DefaultPlan(), path, nil, nil)
	if err != nil {
		return nil, err
	}
	w := &Job{Plan: plan, dir: dir, games: games}
	config := Resolver(games, path, plan.Config, plan.Set)
	if w.Base, err = config(nil); err != nil {
		return nil, err
	}
	// A folder whose base cannot be read is refused when it is opened.
	there, missing := w.loadBase()
	if missing == nil {
		w.Base.ResolveAuto(&there.Config, kernel.Level())
	}
	w.Auto = w.Base.ResolveAuto(nil, kernel.Level())
	load := func(words []string) (configs.Run, error) {
		cfg, err := config(words)
		cfg.ResolveAuto(&w.Base.Config, kernel.Level())
		return cfg, err
	}
	// The folder has a copy, so that its plan can be used in the place of this one.
	w.Plan.Config, w.Plan.Set = BaseFile, nil
	rules, err := w.Base.NewRules(games)
	if err != nil {
		return nil, err
	}
	w.game = rules.Game
	return w, errors.Join(w.checkRuns(load), w.checkMeasure(solved))
}

// WritePlan writes how many runs the sweep has in all and how long they take.
func (w *Job) WritePlan(out io.Writer) {
	p, runs := study.NewPlan(out), len(w.Plan.All())
	n, _ := (&Sweep{Plan: w.Plan}).SideBySide()
	if each := w.Plan.CoreTime; each > 0 {
		p.Line("plan", "%s of %s, %v of core time each, %d side by side", wording.Count(runs, "run"), w.game.Info().Name, each, n)
		p.Time(time.Duration(runs)*each/time.Duration(w.Plan.CoresEach), n, "by the plan; measuring the networks comes on top")
		return
	}
	p.Line("plan", "%s of %s, %s each, %d side by side", wording.Count(runs, "run"), w.game.Info().Name, wording.Count(w.Plan.Generations, "generation"), n)
	p.Line("time", "unknown: what a generation takes is seen as they run")
}

// Resolver resolves the configurations of runs of the plan at path: config, a file relative
// to the plan or the name of one in the program, then set, what words set in its place, and
// the environment.
func Resolver(games engine.Families, path, config string, set []string) func(words []string) (configs.Run, error) {
	if !filepath.IsAbs(config) {
		beside := filepath.Join(filepath.Dir(path), config)
		if _, err := os.Stat(beside); err == nil || configs.Find(config) == config {
			config = beside
		}
	}
	return func(words []string) (configs.Run, error) {
		set := slices.DeleteFunc(slices.Clone(set), func(s string) bool {
			key, _, _ := strings.Cut(s, "=")
			return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, key+"=") })
		})
		return configs.LoadCalled(configs.DefaultRun(games), config, "plan setting", slices.Concat(set, words), os.Environ())
	}
}

// loadBase reads the base of the sweep that was begun in the folder.
func (w *Job) loadBase() (configs.Run, error) {
	return configs.Load(configs.DefaultRun(w.games), filepath.Join(w.dir, BaseFile), nil, nil)
}

// checkRuns resolves the configurations of all runs, and wants levels and arms to
// differ.
func (w *Job) checkRuns(load func(words []string) (configs.Run, error)) error {
	var errs []error
	var said []string
	fail := func(err error) {
		if text := err.Error(); !slices.Contains(said, text) { // many runs share a fault
			said = append(said, text)
			errs = append(errs, err)
		}
	}
	runs := w.Plan.All()
	resolved := make([]configs.Run, len(runs))
	for i := range runs {
		var err error
		resolved[i], err = load(w.Plan.Words(&runs[i]))
		// As its process will see it: a run that was begun by an earlier program goes on.
		if _, new := os.Stat(filepath.Join(w.dir, runs[i].Name, rundir.ConfigFile)); err == nil && new != nil {
			err = resolved[i].ValidateNew()
		}
		if err != nil {
			fail(err)
		}
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	// The first run with one factor at its other level is another run, too. If it is
	// none that can be, then all the more.
	for k := range w.Plan.Factors {
		f := &w.Plan.Factors[k]
		other := w.Plan
		other.Factors = slices.Clone(other.Factors)
		other.Factors[k].Low, other.Factors[k].High = f.High, f.Low
		cfg, err := load(other.Words(&other.All()[0]))
		if err == nil && len(configs.Diff(resolved[0], cfg)) == 0 {
			fail(fmt.Errorf("factors: %s: low and high come to the same configuration", f.Name))
		}
	}
	n := w.Plan.Seeds
	for i := range w.Plan.Arms {
		for j := range i {
			if len(configs.Diff(resolved[i*n], resolved[j*n])) == 0 {
				fail(fmt.Errorf("arms: %s and %s come to the same configuration", w.Plan.Arms[j].Name, w.Plan.Arms[i].Name))
			}
		}
	}
	return errors.Join(errs...)
}

// checkMeasure wants positions and openings for the measures.
func (w *Job) checkMeasure(solved Solved) error {
	var errs problems.List
	m := &w.Plan.Measure
	if len(m.Score) > 0 {
		set, err := solved(w.game.Info().Name)
		if err == nil && w.game.Rules() != set.Rules {
			err = fmt.Errorf("the positions of %s are of rules %s: the configuration has %s", set.Game, set.Rules, w.game.Rules())
		}
		errs.If(err != nil, "measure.score: %w", err)
		w.set = set
	}
	if m.Tournament.Simulations > 0 {
		// Networks are not there yet; how many there will be is known.
		none := make([]match.Contestant, len(w.Plan.All()))
		if _, err := match.NewSeries(m.Tournament.Config(w.Plan.Seed), w.game, none, false, &match.Openings{}); err != nil {
			errs.Add("measure.tournament.pairs: %w", err)
		}
	}
	return errs.Err()
}

// write begins the folder of the sweep. The plan comes last: with it there is one.
func (w *Job) write(dir string) error {
	if err := atomicfile.WriteBytes(filepath.Join(dir, BaseFile), configs.Dump(w.Base)); err != nil {
		return err
	}
	return atomicfile.WriteBytes(filepath.Join(w.dir, PlanFile), configs.Dump(w.Plan))
}

// compare refuses a folder that was begun with another plan or configuration. A plan
// that has more seeds or more arms than the folder's takes its place.
func (w *Job) compare() error {
	plan, err := configs.Load(DefaultPlan(), filepath.Join(w.dir, PlanFile), nil, nil)
	if err != nil {
		return err
	}
	base, err := w.loadBase()
	if err != nil {
		return err
	}
	var errs []error
	more := false
	for _, d := range configs.Diff(plan, w.Plan) {
		switch d.Key {
		case "factors":
			d = firstOther(plan.Factors, w.Plan.Factors, d)
		case "seeds":
			if plan.Seeds < w.Plan.Seeds {
				more = true
				continue
			}
		case "arms":
			n := len(plan.Arms)
			if n < len(w.Plan.Arms) && len(configs.Diff(Plan{Arms: plan.Arms}, Plan{Arms: w.Plan.Arms[:n]})) == 0 {
				more = true
				continue
			}
			d = firstOther(plan.Arms, w.Plan.Arms, d)
		}
		errs = append(errs, fmt.Errorf("plan: %s is %s there, now %s: a sweep cannot change it", d.Key, d.Old, d.New))
	}
	for _, d := range configs.Diff(base, w.Base) {
		errs = append(errs, fmt.Errorf("configuration: %s is %s there, now %s: a sweep cannot change it", d.Key, d.Old, d.New))
	}
	if more && len(errs) == 0 {
		return atomicfile.WriteBytes(filepath.Join(w.dir, PlanFile), configs.Dump(w.Plan))
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
