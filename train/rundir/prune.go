package rundir

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
	"github.com/ludozero/ludozero/train/plan"
)

// networkFiles is what a checkpoint needs to be played with and understood,
// ResumeFiles what only going on from it needs. The optimizer comes first: a
// checkpoint without it is known to be none to go on from.
var (
	NetworkFiles = []string{WeightsFile, model.CardPath(WeightsFile), StateFile}
	ResumeFiles  = []string{OptimizerFile, TrainingFile, model.CardPath(TrainingFile)}
)

// Prune removes from the older checkpoints of the run in folder dir what c does not
// keep. keeps, unless it is nil, tells whether a network is still needed. What is
// cut short by a kill is done at the next call.
func Prune(dir string, c plan.Retention, keeps func(generation int) bool) error {
	if c.Checkpoints == 0 {
		return nil
	}
	generations, err := Generations(dir)
	if err != nil || len(generations) == 0 {
		return err
	}
	last := generations[len(generations)-1]
	for _, g := range generations {
		dir := CheckpointDir(dir, g)
		keep := c.Of(g, last)
		if keep == plan.KeepNothing && keeps != nil && keeps(g) {
			keep = plan.KeepNetwork
		}
		switch keep {
		case plan.KeepNetwork:
			err = removeFiles(dir, ResumeFiles)
		case plan.KeepNothing:
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
		if !slices.Contains(NetworkFiles, e.Name()) && !slices.Contains(ResumeFiles, e.Name()) {
			return removeFiles(dir, ResumeFiles)
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
