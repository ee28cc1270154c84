package rundir

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/plan"
)

// Sums are what the other files of a checkpoint have in them, so that none can be that
// of another checkpoint: SHA-256 in hexadecimal. States of earlier programs have none.
// Of networks it is of the numbers alone, in the order of their tensors, since a
// calibration may be added to the file later.
type Sums struct {
	Weights string `json:"weights"`
	// Training is of the weights in training, empty if those are Weights.
	Training  string `json:"training,omitempty"`
	Optimizer string `json:"optimizer"`
}

// SumsOf computes what State.Sums keeps; training is nil where the network that plays is
// the one in training.
func SumsOf(plays, training *model.Weights, optimizer []byte) (sums Sums, err error) {
	sums.Optimizer = plan.SHA256(optimizer)
	if sums.Weights, err = networkSum(plays); err == nil && training != nil {
		sums.Training, err = networkSum(training)
	}
	return sums, err
}

func networkSum(w *model.Weights) (string, error) {
	h := sha256.New()
	err := binary.Write(h, binary.LittleEndian, w.All())
	return hex.EncodeToString(h.Sum(nil)), err
}

// CheckWeights refuses weights w from WeightsFile that are not those of the checkpoint.
func (s *State) CheckWeights(w *model.Weights) error {
	return s.checkNetwork(w, WeightsFile, s.Sums.Weights)
}

// CheckTraining is CheckWeights for TrainingFile.
func (s *State) CheckTraining(w *model.Weights) error {
	return s.checkNetwork(w, TrainingFile, s.Sums.Training)
}

// CheckOptimizer refuses contents of OptimizerFile that are not those of the checkpoint.
func (s *State) CheckOptimizer(data []byte) error {
	return s.check(plan.SHA256(data), OptimizerFile, s.Sums.Optimizer)
}

func (s *State) checkNetwork(w *model.Weights, name, want string) error {
	sum, err := networkSum(w)
	if err != nil {
		return err
	}
	return s.check(sum, name, want)
}

func (s *State) check(sum, name, want string) error {
	if s.Sums == (Sums{}) || sum == want {
		return nil
	}
	return fmt.Errorf("%s and %s do not belong together: one of them is of another run or was altered", name, StateFile)
}
