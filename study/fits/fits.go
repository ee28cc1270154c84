// Package fits compares settings of training on the recorded games of a run: it fits a
// network from random weights to the same positions with each arm of a plan and each seed,
// and measures it on games held out. What it has done is kept in a folder,
//
//	plan.yaml              the plan with every key resolved
//	base.yaml              the configuration that all fits begin with, resolved
//	reference.safetensors  the network whose searches fits are measured by, if there is one
//	fits.json              the measures of finished fits
//	fits.csv               the result, a row for each fit
//
// from which the same comparison goes on after any stop, and may get more seeds and arms.
package fits

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/study/sweep"
	"github.com/ludozero/ludozero/train/fit"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// Study is a comparison that has been checked as far as that is possible before the first
// fit.
type Study struct {
	dir  string
	plan sweep.Fits
	base configs.Run
	arms map[string]*plan.Config
	// frozen is what is measured on, windows what each arm learns from.
	frozen  *fit.Frozen
	windows map[string]*fit.Frozen
	// network is the reference of a new comparison, if it has one.
	network open.Network
	begun   bool
}

// Names of the files in the folder of a comparison.
const (
	fitsFile      = "fits.json"
	rowsFile      = "fits.csv"
	referenceFile = "reference.safetensors"
)

// Read reads a plan, resolves the configuration of every arm, and freezes the window:
// if the comparison in folder dir was begun, to the shards that it has.
func Read(games engine.Families, path, dir string) (*Study, error) {
	path = configs.Find(path)
	p, err := configs.Load(sweep.DefaultFits(), path, nil, nil)
	if err != nil {
		return nil, err
	}
	resolve := sweep.Resolver(games, path, p.Config, p.Set)
	config := func(words []string) (configs.Run, error) {
		cfg, err := resolve(words)
		cfg.ResolveAuto(nil, kernel.Level())
		return cfg, err
	}
	f := &Study{dir: dir, plan: p, arms: map[string]*plan.Config{}, windows: map[string]*fit.Frozen{}}
	f.plan.Config, f.plan.Set = sweep.BaseFile, nil
	if f.base, err = config(nil); err != nil {
		return nil, err
	}
	known, err := configs.Load(sweep.DefaultFits(), filepath.Join(dir, sweep.PlanFile), nil, nil)
	f.begun = !errors.Is(err, fs.ErrNotExist)
	if f.begun && err != nil {
		return nil, err
	}
	fresh := func(arm string) bool {
		return !f.begun || !slices.ContainsFunc(known.Arms, func(k sweep.FitArm) bool { return k.Name == arm })
	}
	var resolved, read []configs.Run
	for _, a := range p.Arms {
		cfg, err := config(a.Set)
		if err == nil && fresh(a.Name) {
			err = cfg.Train.ValidateNew()
		}
		if err != nil {
			return nil, fmt.Errorf("arms: %s: %w", a.Name, err)
		}
		of := f.base
		of.Model, of.Train, of.Window = cfg.Model, cfg.Train, cfg.Window
		of.Window.MinPositions, of.Window.MaxPositions = f.base.Window.MinPositions, f.base.Window.MaxPositions
		of.Window.Exponent, of.Window.Taper = f.base.Window.Exponent, f.base.Window.Taper // which have no effect between equal bounds
		for i := range resolved {
			if p.Arms[i].Games != a.Games || len(configs.Diff(read[i], of)) > 0 {
				continue
			}
			why := ""
			if len(configs.Diff(resolved[i], cfg)) > 0 {
				if !fresh(a.Name) && !fresh(p.Arms[i].Name) {
					continue // an earlier program has begun with it
				}
				why = " of a fit, which reads model, train and of window what is not its size"
			}
			return nil, fmt.Errorf("arms: %s and %s come to the same configuration%s", p.Arms[i].Name, a.Name, why)
		}
		read = append(read, of)
		resolved, f.arms[a.Name] = append(resolved, cfg), &cfg.Config
	}
	rules, err := f.base.NewRules(games)
	if err != nil {
		return nil, err
	}
	if f.begun {
		f.plan.Until = cmp.Or(f.plan.Until, known.Until)
		if word, _, _ := strings.Cut(known.Measure.Network, "@"); word == p.Measure.Network {
			f.plan.Measure.Network = known.Measure.Network
		}
	} else if p.Measure.Network != "" {
		if f.network, err = open.Find(p.Measure.Network); err != nil {
			return nil, fmt.Errorf("measure.network: %w", err)
		}
		f.plan.Measure.Network = open.ByHash(p.Measure.Network)
	}
	if f.frozen, err = fit.Freeze(rules, p.Games, f.plan.Until, p.HeldOut, p.Positions); err != nil {
		return nil, fmt.Errorf("games: %w", err)
	}
	f.plan.Until = f.frozen.Until()
	for _, a := range p.Arms {
		f.windows[a.Name] = f.frozen
		if a.Games == "" {
			continue
		}
		if f.windows[a.Name], err = fit.Freeze(rules, a.Games, f.plan.Until, p.HeldOut, p.Positions); err != nil {
			return nil, fmt.Errorf("arms: %s: games: %w", a.Name, err)
		}
		// A run that is still working would give later seeds more games than earlier ones.
		if n := f.windows[a.Name].Until(); n < f.plan.Until {
			return nil, fmt.Errorf("arms: %s: games: %s has shards up to %d, not the %d that are compared: want until: %d or less", a.Name, a.Games, n, f.plan.Until, n)
		}
	}
	if f.begun {
		err = f.compare(games, &known)
	}
	return f, err
}

// compare refuses a folder that was begun with another plan or configuration. More seeds
// and more arms are welcome.
func (f *Study) compare(games engine.Families, known *sweep.Fits) error {
	base, err := configs.Load(configs.DefaultRun(games), filepath.Join(f.dir, sweep.BaseFile), nil, nil)
	if err != nil {
		return err
	}
	now := f.plan
	if n := len(known.Arms); n < len(now.Arms) {
		now.Arms = now.Arms[:n]
	}
	now.Seeds = min(now.Seeds, known.Seeds)
	for _, d := range append(configs.Diff(*known, now), configs.Diff(base, f.base)...) {
		err = errors.Join(err, fmt.Errorf("%s is %s there, now %s: want a folder for each comparison", d.Key, d.Old, d.New))
	}
	return err
}

// begin writes what the comparison is, the plan last: with it there is one. The network of
// the reference is copied, since the run may go on and delete it.
func (f *Study) begin() error {
	if !f.begun {
		// A process that was killed before it had written the plan leaves the others.
		if err := atomicfile.Vacant(f.dir, sweep.PlanFile, "such a comparison", sweep.BaseFile, referenceFile, rundir.LockFile); err != nil {
			return fmt.Errorf("folder %s: %w", f.dir, err)
		}
	}
	if err := os.MkdirAll(f.dir, 0o777); err != nil {
		return err
	}
	if !f.begun && f.plan.Measure.Network != "" {
		data, err := f.network.File()
		if err == nil {
			err = atomicfile.WriteBytes(filepath.Join(f.dir, referenceFile), data)
		}
		if err != nil {
			return err
		}
	}
	if err := atomicfile.WriteBytes(filepath.Join(f.dir, sweep.BaseFile), configs.Dump(f.base)); err != nil {
		return err
	}
	return atomicfile.WriteBytes(filepath.Join(f.dir, sweep.PlanFile), configs.Dump(f.plan))
}

// Do fits what was not fitted before and works out the result.
func (f *Study) Do(ctx context.Context, p archive.Progress) (*sweep.FitsResult, error) {
	if err := f.begin(); err != nil {
		return nil, err
	}
	unlock, err := rundir.Lock(f.dir)
	if err != nil {
		return nil, err
	}
	result, err := f.fit(ctx, p)
	return result, errors.Join(err, unlock())
}

func (f *Study) fit(ctx context.Context, p archive.Progress) (*sweep.FitsResult, error) {
	done := map[string]*fit.Measures{}
	if b, err := input.Read(filepath.Join(f.dir, fitsFile), input.Small); err == nil {
		if err := json.Unmarshal(b, &done); err != nil {
			return nil, fmt.Errorf("%s: %w", fitsFile, err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var exam *fit.Exam
	for _, r := range f.plan.All() {
		if done[r.Name] != nil {
			continue
		}
		var err error
		if exam == nil {
			if exam, err = f.exam(ctx, p); err != nil {
				return nil, err
			}
		}
		p.Start(f.plan.Steps, "steps")
		job := &fit.Job{Config: f.arms[r.Arm], Seed: r.Seed, Steps: f.plan.Steps, Threads: f.plan.Threads, Shown: func(steps int) { p.Set(steps, r.Name) }}
		done[r.Name], err = f.windows[r.Arm].Fit(ctx, job, exam)
		p.Stop()
		if err != nil {
			return nil, fmt.Errorf("fit %s: %w", r.Name, err)
		}
		b, err := json.MarshalIndent(done, "", "  ")
		if err == nil {
			err = atomicfile.WriteBytes(filepath.Join(f.dir, fitsFile), append(b, '\n'))
		}
		if err != nil {
			return nil, err
		}
	}
	return f.result(done)
}

// exam prepares what all networks are measured on.
func (f *Study) exam(ctx context.Context, p archive.Progress) (*fit.Exam, error) {
	m := &f.plan.Measure
	exam, err := f.frozen.NewExam(m.Batches, f.plan.Seed)
	if err != nil || m.Network == "" {
		return exam, err
	}
	n, err := open.Find(filepath.Join(f.dir, referenceFile))
	if err != nil {
		return nil, err
	}
	weights, _, err := n.Load()
	if err != nil {
		return nil, err
	}
	p.Start(m.Positions, "positions")
	defer p.Stop()
	r := &fit.Reference{Weights: weights, Simulations: m.Simulations, CPuct: m.CPuct, Positions: m.Positions}
	return exam, exam.AddReference(ctx, f.frozen, r, func(done int) { p.Set(done, "reference") })
}

// result works out what the fits show and writes a row for each.
func (f *Study) result(done map[string]*fit.Measures) (*sweep.FitsResult, error) {
	r := &sweep.FitsResult{Game: f.base.Game, Steps: f.plan.Steps, Positions: f.frozen.Positions, HeldOut: f.frozen.HeldPositions}
	m := &f.plan.Measure
	responses := []sweep.Response{
		{Name: "policy", What: "policy: cross-entropy of recorded targets above their entropy", Unit: "nats"},
		{Name: "value", What: "value: cross-entropy of the results of games", Unit: "nats"},
	}
	if m.Network != "" {
		of := fmt.Sprintf("%d simulations of %s in %d positions", m.Simulations, m.Network, m.Positions)
		responses = append(responses,
			sweep.Response{Name: "search_policy", What: "policy: divergence from the visits of " + of, Unit: "nats"},
			sweep.Response{Name: "search_value", What: "value: divergence from the win, draw and loss of " + of, Unit: "nats"})
	}
	for _, run := range f.plan.All() {
		x := done[run.Name]
		r.Fits = append(r.Fits, sweep.FitResult{Run: run, Values: []float64{x.Policy, x.Value, x.SearchPolicy, x.SearchValue}[:len(responses)]})
	}
	for _, a := range f.plan.Arms {
		x := done[fmt.Sprintf("%s-%d", a.Name, f.plan.Seed)]
		r.Sizes = append(r.Sizes, sweep.Size{Parameters: x.Parameters, MultiplyAdds: x.MultiplyAdds})
	}
	if err := r.Work(&f.plan, responses); err != nil {
		return nil, err
	}
	return r, atomicfile.Write(filepath.Join(f.dir, rowsFile), r.CSV().Write)
}
