package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// makeDirs makes the folders of a run.
func Create(dir string) error {
	for _, d := range []string{ShardsDir, CheckpointsDir} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o777); err != nil {
			return err
		}
	}
	return nil
}

// Layout of a run folder.
const (
	ConfigFile     = "config.yaml"
	EventsFile     = "events.jsonl"
	MetricsName    = "metrics.parquet"
	LockFile       = "lock"
	ShardsDir      = "shards"
	CheckpointsDir = "checkpoints"

	StateFile     = "state.json"
	OptimizerFile = "optimizer.bin"
	// trainingFile holds the weights in training beside averaged ones.
	TrainingFile = "training.safetensors"
	// WeightsFile is the network inside a checkpoint folder.
	WeightsFile = "weights.safetensors"
)

// CheckpointDir is the folder of a generation's checkpoint below a run folder.
func CheckpointDir(run string, generation int) string {
	return filepath.Join(run, CheckpointsDir, fmt.Sprintf("%06d", generation))
}

// WeightsPath is the weight file of a generation.
func WeightsPath(run string, generation int) string {
	return filepath.Join(CheckpointDir(run, generation), WeightsFile)
}

// Generations lists the checkpoints of a run in ascending order.
func Generations(run string) ([]int, error) {
	entries, err := os.ReadDir(filepath.Join(run, CheckpointsDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []int
	for _, e := range entries {
		if n, err := strconv.Atoi(e.Name()); err == nil && e.IsDir() && fmt.Sprintf("%06d", n) == e.Name() {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all, nil
}
