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
	// Calibration belongs to Weights; nil: the run measures it.
	Calibration *model.Calibration
}

// weights returns the network of generation 0 of a new run, a fresh one without f, and
// where it came from.
func (f *First) weights(s *site) (*model.Weights, string, error) {
	if f == nil {
		return s.freshWeights(0), "", nil
	}
	if f.Weights.Network() != s.networkOf(0) {
		return nil, "", fmt.Errorf("the first network, %s, is of %+v: the configuration asks for %+v", f.Name, f.Weights.Network().Config, s.cfg.ModelAt(0))
	}
	return f.Weights.Clone(), f.Name, nil
}

// check refuses to go on with the run in folder dir if that began with another
// network than f.
func (f *First) check(dir string) error {
	if f == nil {
		return nil
	}
	w, _, err := model.Load(rundir.WeightsPath(dir, 0))
	if err != nil {
		return fmt.Errorf("checkpoint 0: %w", err)
	}
	if w.Network() != f.Weights.Network() || !slices.Equal(w.All(), f.Weights.All()) {
		return errors.New("it began with another network than " + f.Name)
	}
	return nil
}
