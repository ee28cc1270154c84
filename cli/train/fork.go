package train

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/train/run"
	"github.com/ludozero/ludozero/train/rundir"
)

// forkConfig resolves the configuration of a fork in folder dir, and settles which
// checkpoint it is of. A fork that exists has a configuration of its own; for a new one
// see configs.Source.Fork.
func forkConfig(env *shell.Env, f *run.Fork, path, dir string, set []string) (configs.Run, error) {
	if dir == "" {
		return configs.Run{}, errors.New("--run is required: the folder of the new run, such as runs/second")
	}
	there, err := rundir.Generations(dir)
	if err != nil {
		return configs.Run{}, err
	}
	if len(there) > 0 {
		return Config(env, path, dir, set)
	}
	if zoo.Has(strings.TrimPrefix(f.Dir, open.ShippedPrefix)) && !shell.IsDir(f.Dir) {
		return configs.Run{}, fmt.Errorf("--from %s: a shipped network comes without optimizer and games: want --network %s", f.Dir, f.Dir)
	}
	if f.Generation, err = f.Choose(); err != nil {
		return configs.Run{}, err
	}
	var seen func() (int64, error)
	if f.FreshWindow {
		seen = f.Seen
	}
	return source(env, path, set).Fork(f.Dir, f.Generation, seen)
}

// originText says where a fork comes from.
func originText(o *rundir.OriginEvent) string {
	return fmt.Sprintf("%s@%d", o.Run, o.Generation)
}

// beginningText says what a new fork has taken over.
func beginningText(o *rundir.OriginEvent) string {
	text := "fork of " + originText(o)
	if o.Positions > 0 {
		text += fmt.Sprintf(" with the last %d positions of its games", o.Positions)
	}
	if o.FromAverage {
		text += ", from the average of its weights on, without those in training, which packs leave out"
	}
	if o.FreshOptimizer {
		text += ", without its optimizer, which was not kept: there is a warm-up"
	}
	return text
}

// forkFlags has the flags of a command that may begin a fork.
type forkFlags struct {
	from        string
	freshWindow bool
}

// config resolves the configuration of the run in folder dir, and which other it
// goes on from, if --from is given.
func (f *forkFlags) config(env *shell.Env, path, dir string, set []string) (configs.Run, *run.Fork, error) {
	if f.from == "" {
		if f.freshWindow {
			return configs.Run{}, nil, errors.New("--fresh-window: want --from with it")
		}
		cfg, err := Config(env, path, dir, set)
		return cfg, nil, err
	}
	fork := run.Fork{}
	fork.Dir, fork.Generation = shell.ParseRun(f.from)
	fork.FreshWindow = f.freshWindow
	cfg, err := forkConfig(env, &fork, path, dir, set)
	return cfg, &fork, err
}
