package fit

import (
	"context"
	"fmt"

	"github.com/ludozero/ludozero/internal/atomicfile"
)

// Watch hears how Run goes. Every field is set.
type Watch struct {
	// Resumed is called if the file held a fit, after that many epochs.
	Resumed func(epochs int)
	// Step is called after a step of an epoch, from 1: done positions of Fit.Learned have
	// that mean loss.
	Step func(epoch, done int, loss float64)
	// Epoch is called after an epoch.
	Epoch func(Epoch)
}

// Run fits to the end and returns the last epoch. It begins with the fit that file holds, if
// there is one, and keeps the fit there after each epoch: the next Run resumes it after any
// stop. If ctx ends, the fit must not be used any more.
func (f *Fit) Run(ctx context.Context, file string, w Watch) (last Epoch, err error) {
	m, err := load(file)
	if err != nil {
		return last, err
	}
	if m != nil {
		if err := f.resume(m); err != nil {
			return last, inFile(file, err)
		}
		w.Resumed(f.epoch)
	}
	for f.epoch < f.config.Epochs {
		last, err = f.Epoch(ctx, func(done int, loss float64) { w.Step(f.epoch+1, done, loss) })
		if err != nil {
			if f.epoch > 0 {
				err = fmt.Errorf("stopped: the same command resumes after epoch %d: %w", f.epoch, err)
			}
			return last, err
		}
		w.Epoch(last)
		data, err := f.save()
		if err != nil {
			return last, err
		}
		if err := atomicfile.WriteBytes(file, data); err != nil {
			return last, err
		}
	}
	return last, nil
}
