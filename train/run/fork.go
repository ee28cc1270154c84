package run

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// Fork says that a new run begins where another has come to.
type Fork struct {
	// Dir is the folder of the other run, the source, Generation the checkpoint,
	// -1 for its last.
	Dir        string
	Generation int
	// FreshWindow leaves the source's games behind.
	FreshWindow bool
}

// forked is a fork as far as it is known before anything is written: a trainer as
// the source's checkpoint left it, and where the shards to inherit are.
type forked struct {
	origin  rundir.Origin
	trainer *train.Trainer
	plays   *model.Weights
	// calibration belongs to plays; nil if the source has none.
	calibration *model.Calibration
	folders     []string       // of origin.Inherited
	before      *rundir.Origin // of the source; nil if that is no fork
	// spent is what plays took, nil if it is unknown.
	spent *model.Spent
}

// close frees the trainer of a fork that did not come to pass.
func (k *forked) close() {
	if k != nil && k.trainer != nil {
		_ = k.trainer.Close() // there is nothing it could lose
	}
}

// source is identity and name of the source, s the state of one of its checkpoints or
// nil: of a pack, those of the run that was packed.
func (f Fork) source(s *rundir.State) (run, name string, err error) {
	if p, err := rundir.ReadPack(f.Dir); err != nil {
		return "", "", err
	} else if p != nil {
		return p.Run, p.Name, nil
	}
	whole, err := filepath.Abs(f.Dir)
	if err == nil {
		run, err = rundir.Identity(f.Dir, s)
	}
	if name = filepath.Base(whole); name == run {
		name = ""
	}
	return run, name, err
}

// apart refuses to make something of a run in its own folder, or around it.
func apart(source, dir string) error {
	var whole [2]string
	for i, path := range []string{source, dir} {
		var err error
		if whole[i], err = realPath(path); err != nil {
			return err
		}
	}
	for _, pair := range [][2]string{whole, {whole[1], whole[0]}} {
		if pair[0] == pair[1] || strings.HasPrefix(pair[1], pair[0]+string(filepath.Separator)) {
			return fmt.Errorf("a run cannot be forked into itself, or packed: %s and %s: want folders apart", source, dir)
		}
	}
	return nil
}

// realPath is the whole path without symbolic links, as far as it exists.
func realPath(path string) (string, error) {
	p, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for rest := ""; ; {
		real, err := filepath.EvalSymlinks(p)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if !errors.Is(err, fs.ErrNotExist) || p == filepath.Dir(p) {
			return "", err
		}
		p, rest = filepath.Dir(p), filepath.Join(filepath.Base(p), rest)
	}
}

// readFork reads what a new run in folder dir is to take over, nil if that is
// nothing or the run exists.
func readFork(dir string, cfg *plan.Config, info *engine.Info, opt Options) (*forked, error) {
	if opt.Fork == nil {
		return nil, nil
	}
	if opt.First != nil {
		return nil, errors.New("a fork begins with the network of its source: want no other")
	}
	generations, err := rundir.Generations(dir)
	if err != nil || len(generations) > 0 {
		return nil, err
	}
	return opt.Fork.fork(dir, cfg, info)
}

// fork reads all that a run with configuration cfg in folder dir takes over from
// the source. It writes nothing.
func (f Fork) fork(dir string, cfg *plan.Config, info *engine.Info) (*forked, error) {
	if err := apart(f.Dir, dir); err != nil {
		return nil, err
	}
	var err error
	if f.Generation, err = rundir.Choose(f.Dir, f.Generation); err != nil {
		return nil, err
	}
	k, err := f.all(cfg, info)
	if err != nil {
		return nil, fmt.Errorf("fork of %s: %w", f.Dir, err)
	}
	return k, nil
}

// all reads the checkpoint and, unless the window is to be fresh, which games it
// has learned from.
func (f Fork) all(cfg *plan.Config, info *engine.Info) (*forked, error) {
	pack, err := rundir.CheckPack(f.Dir)
	if err != nil {
		return nil, err
	}
	if pack != nil && !f.FreshWindow {
		return nil, errors.New("it is a pack, which has no games: want --fresh-window")
	}
	k, s, err := f.checkpoint(cfg, info)
	if err != nil {
		return nil, err
	}
	if pack != nil {
		k.origin.Weights = pack.Weights
	}
	k.origin.FreshWindow = f.FreshWindow
	if !f.FreshWindow {
		if err := k.inherit(f.Dir, s, cfg, info); err != nil {
			k.close()
			return nil, err
		}
	}
	return k, nil
}

// checkpoint reads the checkpoint, of a generation that was chosen, and makes a
// trainer of it.
func (f Fork) checkpoint(cfg *plan.Config, info *engine.Info) (*forked, *rundir.State, error) {
	s, err := rundir.ReadState(f.Dir, f.Generation)
	if err == nil && s.Game != cfg.Game {
		err = fmt.Errorf("game: %s: want %s, which the source plays", cfg.Game, s.Game)
	}
	if err != nil {
		return nil, nil, err
	}
	before, err := rundir.CheckOrigin(f.Dir, &s)
	if err != nil {
		return nil, nil, err
	}
	run, name, err := f.source(&s)
	if err != nil {
		return nil, nil, err
	}
	k, err := f.network(&s, cfg, info)
	if err != nil {
		return nil, nil, err
	}
	k.before, k.origin.Run, k.origin.Name = before, run, name
	if before != nil {
		k.origin.Lineage = append(slices.Clone(before.Lineage), before.Source)
	}
	return k, &s, nil
}

// isWeights tells whether a weight file has that checksum, with or without a
// calibration that was added to it since.
func isWeights(file []byte, sum string) bool {
	return plan.SHA256(file) == sum || plan.SHA256(uncalibrated(file)) == sum
}

// uncalibrated is a weight file without the calibration that Calibrate may have
// added to it; nil for what is none.
func uncalibrated(file []byte) []byte {
	w, card, err := model.Decode(file)
	if err != nil {
		return nil
	}
	card.Calibration = nil
	var b bytes.Buffer
	if model.Encode(&b, w, *card) != nil {
		return nil
	}
	return b.Bytes()
}

// check refuses to go on with a run that does not come from the source that
// is given. The source may be gone, or have gone on.
func (f *Fork) check(origin *rundir.Origin) error {
	if f == nil {
		return nil
	}
	if origin == nil {
		return fmt.Errorf("it exists and is no fork: want a new folder for a fork of %s, or no --from", f.Dir)
	}
	last, err := rundir.LastState(f.Dir)
	if err != nil {
		return err
	}
	run, name, err := f.source(last)
	if err != nil {
		return err
	}
	same := run == origin.Run
	switch {
	case !same && cmp.Or(name, run) != origin.Label() || f.Generation >= 0 && f.Generation != origin.Generation:
		return fmt.Errorf("it is a fork of %s already: want a new folder for another, or no --from", origin)
	case f.FreshWindow != origin.FreshWindow:
		return fmt.Errorf("it is a fork of %s with fresh window: %t: that cannot be changed", origin, origin.FreshWindow)
	}
	if pack, err := rundir.ReadPack(f.Dir); err != nil {
		return err
	} else if pack != nil {
		same = same && pack.Weights == origin.Weights
	} else if last == nil { // the source is gone
		same = true
	} else if file, err := input.Read(rundir.WeightsPath(f.Dir, origin.Generation), input.Large); err == nil {
		same = same && isWeights(file, origin.Weights)
	}
	if !same {
		return fmt.Errorf("it is a fork of another %s: the network in %s is not the one it began with", origin, f.Dir)
	}
	return nil
}
