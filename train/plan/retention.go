package plan

import (
	"errors"
	"fmt"
)

// Retention says which checkpoints a run keeps. Nothing of a checkpoint goes
// before a newer one and the metrics are safe.
type Retention struct {
	// Checkpoints is how many of the newest are kept whole, so that the run could
	// go on from each. 0: all are, for good.
	Checkpoints int `mapstructure:"checkpoints"`
	// Every is of which older generations the network is kept, with its card and
	// state: the multiples of it. 0: of none. The untrained network stays in any
	// case, since the rating plays it, and so does what Rater keeps.
	Every int `mapstructure:"every"`
}

// Validate joins every problem of c, each with its key, value and rule.
func (c Retention) Validate() error {
	var errs []error
	if c.Checkpoints < 0 {
		errs = append(errs, fmt.Errorf("checkpoints: %d: want at least 0", c.Checkpoints))
	}
	if c.Every < 0 {
		errs = append(errs, fmt.Errorf("every: %d: want at least 0", c.Every))
	}
	if c.Every > 0 && c.Checkpoints == 0 {
		errs = append(errs, fmt.Errorf("every: %d: want 0 if checkpoints is 0: then all are kept", c.Every))
	}
	return errors.Join(errs...)
}

// keeping is how much of a checkpoint is kept.
type Keeping int

const (
	KeepAll Keeping = iota
	KeepNetwork
	KeepNothing
)

// of says how much of a generation's checkpoint is kept if last is the newest.
func (c Retention) Of(generation, last int) Keeping {
	switch {
	case c.Checkpoints == 0 || generation > last-c.Checkpoints:
		return KeepAll
	case generation == 0 || c.Every > 0 && generation%c.Every == 0:
		return KeepNetwork
	}
	return KeepNothing
}
