package train

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/graph"
	"github.com/ludozero/ludozero/train/plan"
	G "gorgonia.org/gorgonia"
)

// Trainer moves the weights of one network: graph, solver and schedule. What it
// needs to go on where it stopped is its weights (Weights, NewTrainer), its
// state (MarshalBinary, UnmarshalBinary) and, if it averages, the averaged
// weights (Average, SetAverage); restored, it takes the same steps to
// the bit. It holds no random source and reads no clock. Not safe for
// concurrent use, and two trainers must not be made at the same time.
type Trainer struct {
	cfg     plan.TrainConfig
	threads int
	peak    float64 // learning rate after the warm-up
	graph   *graph.Graph
	solver  *AdamW
	model   []G.ValueGrad
	average *average // nil if the configuration asks for none
	past    past
}

// Progress is what one step did.
type Progress struct {
	graph.Losses
	// Step counts the steps taken, this one included.
	Step uint64
	// LearningRate is the rate it took.
	LearningRate float64
	// GradientNorm is the norm of the whole gradient before clipping.
	GradientNorm float64
}

// NewTrainer returns a trainer that begins with a copy of w and takes its steps
// on that many threads, at most graph.MaxThreads. Threads change speed, no
// result.
func NewTrainer(w *model.Weights, cfg plan.TrainConfig, threads int) (*Trainer, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.Precision == plan.PrecisionAuto {
		return nil, fmt.Errorf("precision: %s: want %s or %s, as what it stands for", cfg.Precision, plan.PrecisionF32, plan.PrecisionBF16)
	}
	t := &Trainer{cfg: cfg, threads: threads, peak: cfg.LearningRate}
	if err := t.setNetwork(w); err != nil {
		return nil, err
	}
	if cfg.Averages() {
		t.average = newAverage(w, cfg.AverageDecay)
	}
	return t, nil
}

// Close frees the graph.
func (t *Trainer) Close() error { return t.graph.Close() }

// Step takes one step on a full batch. If a loss or the gradient is not finite
// it returns ErrNotFinite and takes no step. Weights and moments are as before
// then; so are the running statistics, unless only the gradient overflowed.
func (t *Trainer) Step(b *Batch) (Progress, error) {
	if !b.Full() {
		return Progress{}, fmt.Errorf("train: batch of %d rows, want %d", b.Rows(), b.rows)
	}
	losses, err := t.graph.Run(&b.Batch)
	if err != nil {
		if math.IsNaN(losses.Total) || math.IsInf(losses.Total, 0) {
			err = fmt.Errorf("%w: %w", err, ErrNotFinite)
		}
		return Progress{}, fmt.Errorf("train: step %d: %w", t.Steps()+1, err)
	}
	rate := t.LearningRate()
	t.solver.SetLearningRate(rate)
	if err := t.solver.Step(t.model); err != nil {
		return Progress{}, fmt.Errorf("train: step %d: %w", t.Steps()+1, err)
	}
	if t.average != nil {
		t.average.follow(t.Steps()-1-t.past.average, t.solver.values)
	}
	return Progress{Losses: losses, Step: t.Steps(), LearningRate: rate, GradientNorm: t.solver.GradientNorm()}, nil
}

// Evaluate computes the losses of a full batch as in play, with the running
// statistics, and changes nothing.
func (t *Trainer) Evaluate(b *Batch) (graph.Losses, error) {
	if !b.Full() {
		return graph.Losses{}, fmt.Errorf("train: batch of %d rows, want %d", b.Rows(), b.rows)
	}
	return t.graph.Evaluate(&b.Batch)
}

// Steps is the number of steps taken.
func (t *Trainer) Steps() uint64 { return t.past.moments + t.solver.Steps() }

// LearningRate is the rate of the next step.
func (t *Trainer) LearningRate() float64 { return t.rate() }

// SetLearningRate replaces the rate after the warm-up; the schedule goes on. It
// is part of the state.
func (t *Trainer) SetLearningRate(rate float64) error {
	if !(rate > 0 && rate <= 1) {
		return fmt.Errorf("learning_rate: %g: want above 0, at most 1", rate)
	}
	t.peak = rate
	return nil
}

// SetThreads changes the number of threads from the next step on, 1 to
// graph.MaxThreads; others are taken for the nearest of these. It changes speed,
// no result.
func (t *Trainer) SetThreads(threads int) {
	t.threads = threads
	t.graph.SetThreads(bounded(threads))
}

// Weights returns a copy of the weights in training, running statistics
// included.
func (t *Trainer) Weights() *model.Weights { return t.graph.Weights() }

// trainerMagic begins the state: then, little-endian, the bits of the learning
// rate after the warm-up as uint64, their CRC-32C as uint32, and the state of
// AdamW, which has a checksum of its own. That of a trainer whose network was
// changed begins with changedMagic, and has the two numbers of past as uint64
// after the learning rate.
const (
	trainerMagic = "LZTRAIN1"
	changedMagic = "LZTRAIN2"
)

// MarshalBinary returns all of the trainer's state but the weights and their
// average.
func (t *Trainer) MarshalBinary() ([]byte, error) {
	solver, err := t.solver.MarshalBinary()
	if err != nil {
		return nil, err
	}
	magic := trainerMagic
	if t.past.moments > 0 {
		magic = changedMagic
	}
	head := binary.LittleEndian.AppendUint64([]byte(magic), math.Float64bits(t.peak))
	if t.past.moments > 0 {
		head = binary.LittleEndian.AppendUint64(head, t.past.moments)
		head = binary.LittleEndian.AppendUint64(head, t.past.average)
	}
	head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(head, castagnoli))
	return append(head, solver...), nil
}

// UnmarshalBinary restores what MarshalBinary of a trainer of the same network
// returned. The weights that belong to it went into NewTrainer. On error t is
// unchanged.
func (t *Trainer) UnmarshalBinary(data []byte) error {
	const start = len(trainerMagic)
	end := start + 8
	if len(data) > start && string(data[:start]) == changedMagic {
		end += 16
	} else if len(data) < start || string(data[:start]) != trainerMagic {
		return errors.New("trainer state: want it to begin with " + trainerMagic + " or " + changedMagic)
	}
	if len(data) < end+4 || crc32.Checksum(data[:end], castagnoli) != binary.LittleEndian.Uint32(data[end:]) {
		return errors.New("trainer state: checksum does not match: damaged")
	}
	peak := math.Float64frombits(binary.LittleEndian.Uint64(data[start:]))
	if !(peak > 0 && peak <= 1) {
		return fmt.Errorf("trainer state: learning rate %g: want above 0, at most 1", peak)
	}
	var before past
	if end > start+8 {
		before.moments, before.average = binary.LittleEndian.Uint64(data[start+8:]), binary.LittleEndian.Uint64(data[start+16:])
		if before.moments == 0 || before.average > before.moments {
			return fmt.Errorf("trainer state: %d steps before the optimizer, %d before the average: want the latter not larger, the former above 0",
				before.moments, before.average)
		}
	}
	if err := t.solver.UnmarshalBinary(data[end+4:]); err != nil {
		return fmt.Errorf("trainer state: %w", err)
	}
	t.peak, t.past = peak, before
	return nil
}

// Continue makes a trainer that has taken no step go on behind steps that others
// took to its weights, whose optimizer state is gone: steps and the decay of the
// learning rate go on from there, moments begin at zero, with a warm-up as after
// Grow. The average goes on at the weights with its full decay.
func (t *Trainer) Continue(steps uint64) error {
	if t.Steps() != 0 {
		return errors.New("train: continue: the trainer has taken steps")
	}
	t.past = past{moments: steps}
	return nil
}
