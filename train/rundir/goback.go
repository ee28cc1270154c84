package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/ludozero/ludozero/internal/atomicfile"
)

// GoBack takes the run in folder dir back to the newest checkpoint up to a generation from
// which it can go on: it removes later checkpoints and the games that were played from
// then on, which the next process makes again. The time that they took stays spent. It
// returns that checkpoint's generation. Stopped in between it is done again.
func GoBack(dir string, generation int) (to int, err error) {
	unlock, err := Lock(dir)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if to, err = backTo(dir, generation); err != nil {
		return 0, err
	}
	shards, err := ListShards(filepath.Join(dir, ShardsDir))
	if err != nil {
		return 0, err
	}
	for _, s := range slices.Backward(shards) {
		if s.Generation >= to {
			if err := atomicfile.Remove(s.Path); err != nil {
				return 0, err
			}
		}
	}
	generations, err := Generations(dir)
	if err != nil {
		return 0, err
	}
	for _, g := range slices.Backward(generations) {
		if g > to {
			if err := atomicfile.Remove(CheckpointDir(dir, g)); err != nil {
				return 0, err
			}
		}
	}
	return to, nil
}

// backTo is the newest checkpoint up to a generation that has what resuming needs.
func backTo(dir string, generation int) (int, error) {
	generations, err := Generations(dir)
	if err != nil {
		return 0, err
	}
	for _, g := range slices.Backward(generations) {
		if g > generation {
			continue
		}
		_, err := os.Stat(filepath.Join(CheckpointDir(dir, g), OptimizerFile))
		if err == nil {
			return g, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
	}
	return 0, fmt.Errorf("run %s: no checkpoint up to %d can be gone on from: retention has removed what that takes", dir, generation)
}
