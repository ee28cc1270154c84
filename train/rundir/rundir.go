package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/ludozero/ludozero/internal/lock"
)

// ours are files of a run that a new one would write over or go on with.
var ours = [...]string{EventsFile, MetricsName, "ratings.jsonl", "report.html", "report.txt"}

// Create makes the folders of a run. It refuses a folder with files of another origin
// under names of a run's.
func Create(dir string) error {
	if _, err := os.Lstat(filepath.Join(dir, CheckpointsDir)); errors.Is(err, fs.ErrNotExist) {
		for _, name := range ours {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				return fmt.Errorf("run %s: %s is there, but no %s: not a run whose files may be written over: want another folder, or the file elsewhere",
					dir, filepath.Join(dir, name), filepath.Join(dir, CheckpointsDir))
			}
		}
	}
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

// CheckConfigFile refuses a folder that has checkpoints but no configuration any
// more, and says how to get it back.
func CheckConfigFile(run string) error {
	path := filepath.Join(run, ConfigFile)
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil // what else may be wrong with it shows when it is read
	}
	generations, err := Generations(run)
	if err != nil || len(generations) == 0 {
		return err
	}
	return fmt.Errorf("%s is missing, but there is a checkpoint %d: put the file back, "+
		"or run `ludozero train` with the --config, --network, --from and --set that the run began with, which writes it again and refuses another configuration",
		path, generations[len(generations)-1])
}

// Working tells whether a process is working on the run in folder dir, without
// writing there. Only a process that begins to work on the run in that very moment
// would be refused.
func Working(dir string) (bool, error) {
	held, err := lock.Held(filepath.Join(dir, LockFile), dir)
	if err != nil {
		return false, fmt.Errorf("run %s: %w", dir, err)
	}
	return held, nil
}

// Lock makes this the process that works on the run in folder dir, which must
// exist, until unlock is called. Run and the other functions that work on a run
// do it themselves.
func Lock(dir string) (unlock func() error, err error) {
	unlock, err = lock.Take(filepath.Join(dir, LockFile), dir)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", dir, err)
	}
	return unlock, nil
}
