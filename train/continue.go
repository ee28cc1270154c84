package train

import "errors"

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
