package configs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/train/rundir"
)

// ErrNoFile is returned where no file is named and the folder has no run with one.
var ErrNoFile = errors.New("the run does not exist yet")

// Source is where the settings of a run come from.
type Source struct {
	// Games lists the games that the program knows.
	Games engine.Families
	// Path is a file or the name of one, see Find; "" for the run's own.
	Path string
	// Environ and Overrides come after the file, as Load takes them.
	Environ, Overrides []string
	// Level is the level of the kernels (kernel.Level), which settles what is auto.
	Level string
	// Check, if not nil, finds what else is wrong with settings that were read.
	Check func(*Run) error
}

// Run resolves the settings of the run in folder dir, "" for none yet. Those of an
// existing run may differ in free keys alone, and what is auto becomes what that run has;
// for a new one it is left to be settled.
func (s *Source) Run(dir string) (Run, error) {
	stored, path := filepath.Join(dir, rundir.ConfigFile), s.Path
	_, err := os.Stat(stored)
	exists := dir != "" && err == nil
	switch {
	case path == "" && exists:
		path = stored
	case path == "":
		if err := rundir.CheckConfigFile(dir); err != nil {
			return Run{}, err
		}
		return Run{}, ErrNoFile
	}
	r, err := s.load(DefaultRun(s.Games), path)
	if err == nil && !exists {
		err = r.ValidateNew()
	}
	if err != nil || !exists {
		return r, err
	}
	old, err := Load(DefaultRun(s.Games), stored, nil, nil)
	if err != nil {
		return r, err
	}
	r.ResolveAuto(&old.Config, s.Level)
	var errs problems.List
	for _, d := range Diff(old, r) {
		errs.If(!FreeKey(d.Key), "%s is %s in run %s, now %s: a run cannot change it", d.Key, d.Old, dir, d.New)
	}
	return r, errs.Err()
}

// Fork resolves the settings of the run in folder dir that goes on from a checkpoint of
// the run in folder from, and which checkpoint that is: that of a generation, or the last
// for -1. A fork that exists has settings of its own. Those of a new one are, without a
// file, the other run's, as they are from there on. One whose window begins fresh goes
// easy on the first positions, see plan.Config.FullPassesAt.
func (s *Source) Fork(dir, from string, generation int, fresh bool) (r Run, chosen int, err error) {
	there, err := rundir.Generations(dir)
	if err != nil {
		return Run{}, 0, err
	}
	if len(there) > 0 {
		r, err = s.Run(dir)
		return r, generation, err
	}
	if _, err := rundir.CheckPack(from); err != nil { // else an altered file is taken for a bad setting
		return Run{}, 0, err
	}
	if chosen, err = rundir.Choose(from, generation); err != nil {
		return Run{}, 0, err
	}
	r, err = s.fork(from, chosen, fresh)
	return r, chosen, err
}

// fork resolves the settings of a new fork.
func (s *Source) fork(from string, generation int, fresh bool) (Run, error) {
	base := DefaultRun(s.Games)
	if s.Path == "" {
		source, err := Load(base, filepath.Join(from, rundir.ConfigFile), nil, nil)
		if err != nil {
			return source, fmt.Errorf("%w\nthe source's configuration cannot be used: want --config", err)
		}
		source.Config = source.ConfigFrom(generation)
		base = source
	}
	r, err := s.load(base, s.Path)
	if err == nil && fresh && s.Path == "" && r.FullPassesAt == 0 {
		n, wrong := rundir.Seen(from, generation)
		if wrong != nil {
			return r, wrong
		}
		base.FullPassesAt = min(n, r.Window.MinPositions) // what its window held, or was to hold at least
		r, err = s.load(base, "")                         // 0 that is asked for stays
	}
	if err == nil {
		err = r.ValidateNew()
	}
	return r, err
}

func (s *Source) load(defaults Run, path string) (Run, error) {
	r, err := Load(defaults, path, s.Overrides, s.Environ)
	if s.Check != nil {
		err = errors.Join(err, s.Check(&r))
	}
	return r, err
}
