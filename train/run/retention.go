package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/fault"
	"github.com/ludozero/ludozero/model"
)

// Retention says which checkpoints a run keeps. Nothing of a checkpoint goes
// before a newer one and the metrics are safe.
type Retention struct {
	// Checkpoints is how many of the newest are kept whole, so that the run could
	// go on from each. 0: all are, for good.
	Checkpoints int `mapstructure:"checkpoints"`
	// Every is of which older generations the network is kept, with its card and
	// state: the multiples of it. 0: of none. The untrained network stays in any
	// case, since the rating plays it, and so does what Rater keeps.
	Every int `mapstructure:"every"`
}

// Validate joins every problem of c, each with its key, value and rule.
func (c Retention) Validate() error {
	var errs []error
	if c.Checkpoints < 0 {
		errs = append(errs, fmt.Errorf("checkpoints: %d: want at least 0", c.Checkpoints))
	}
	if c.Every < 0 {
		errs = append(errs, fmt.Errorf("every: %d: want at least 0", c.Every))
	}
	if c.Every > 0 && c.Checkpoints == 0 {
		errs = append(errs, fmt.Errorf("every: %d: want 0 if checkpoints is 0: then all are kept", c.Every))
	}
	return errors.Join(errs...)
}

// keeping is how much of a checkpoint is kept.
type keeping int

const (
	keepAll keeping = iota
	keepNetwork
	keepNothing
)

// of says how much of a generation's checkpoint is kept if last is the newest.
func (c Retention) of(generation, last int) keeping {
	switch {
	case c.Checkpoints == 0 || generation > last-c.Checkpoints:
		return keepAll
	case generation == 0 || c.Every > 0 && generation%c.Every == 0:
		return keepNetwork
	}
	return keepNothing
}

// networkFiles is what a checkpoint needs to be played with and understood,
// resumeFiles what only going on from it needs. The optimizer comes first: a
// checkpoint without it is known to be none to go on from.
var (
	networkFiles = []string{WeightsFile, model.CardPath(WeightsFile), stateFile}
	resumeFiles  = []string{optimizerFile, trainingFile, model.CardPath(trainingFile)}
)

// prune takes from older checkpoints what the configuration does not keep. What
// is cut short by a kill is done at the next call.
func (r *runner) prune() error {
	if r.cfg.Retention.Checkpoints == 0 {
		return nil
	}
	generations, err := Generations(r.dir)
	if err != nil || len(generations) == 0 {
		return err
	}
	last := generations[len(generations)-1]
	for _, g := range generations {
		dir := CheckpointDir(r.dir, g)
		keep := r.cfg.Retention.of(g, last)
		if keep == keepNothing && r.opt.Rater != nil && r.opt.Rater.Keeps(g) {
			keep = keepNetwork
		}
		switch keep {
		case keepNetwork:
			err = removeFiles(dir, resumeFiles)
		case keepNothing:
			err = removeCheckpoint(dir)
		}
		if err != nil {
			return fmt.Errorf("retention: checkpoint %d: %w", g, err)
		}
	}
	return nil
}

// removeCheckpoint removes the folder of a checkpoint in one step. If somebody
// has put a file of his own into it, that and the network stay.
func removeCheckpoint(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !slices.Contains(networkFiles, e.Name()) && !slices.Contains(resumeFiles, e.Name()) {
			return removeFiles(dir, resumeFiles)
		}
	}
	return atomicfile.Remove(dir)
}

// removeFiles removes files of a folder, in order, as far as they are there.
func removeFiles(dir string, names []string) error {
	for _, name := range names {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		fault.PointAt("before-remove", path)
		if err := os.Remove(path); err != nil {
			return err
		}
		fault.PointAt("after-remove", path)
	}
	return nil
}
