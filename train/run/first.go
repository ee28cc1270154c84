package run

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/rundir"
)

// First is a network to begin a run with. Its optimizer state is not part of it:
// the first training begins as that of an untrained network does, warm-up
// included. In the run it is generation 0.
type First struct {
	// Name says where it came from, for people.
	Name    string
	Weights *model.Weights
	// Calibration is that of Weights; nil has the run measure it.
	Calibration *model.Calibration
}

// firstWeights are those of generation 0 of a new run, and where they came from.
func (r *runner) firstWeights() (*model.Weights, string, error) {
	f := r.opt.First
	if f == nil {
		return r.freshWeights(0), "", nil
	}
	if f.Weights.Network() != r.networkOf(0) {
		return nil, "", fmt.Errorf("the first network, %s, is of %+v: the configuration asks for %+v", f.Name, f.Weights.Network().Config, r.cfg.ModelAt(0))
	}
	return f.Weights.Clone(), f.Name, nil
}

// checkFirst refuses to go on with a run that began with another network than
// the one that is given.
func (r *runner) checkFirst() error {
	if r.opt.First == nil {
		return nil
	}
	w, _, err := model.Load(rundir.WeightsPath(r.dir, 0))
	if err != nil {
		return fmt.Errorf("checkpoint 0: %w", err)
	}
	if f := r.opt.First.Weights; w.Network() != f.Network() || !slices.Equal(w.All(), f.All()) {
		return errors.New("it began with another network than " + r.opt.First.Name)
	}
	return nil
}
