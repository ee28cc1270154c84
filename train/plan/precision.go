package plan

import (
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/model/precision"
)

// setting is a key with the place of its value.
type setting struct {
	Key   string
	Value *string
}

// precisions are the keys that choose a number format.
func (c *Config) Precisions() []setting {
	return []setting{{"self_play.precision", &c.SelfPlay.Precision}, {"train.precision", &c.Train.Precision}}
}

// checkResolved wants nothing left to settle.
func (c *Config) CheckResolved() error {
	var errs []error
	for _, p := range c.Precisions() {
		if *p.Value == precision.Auto {
			errs = append(errs, fmt.Errorf("%s: %s: want the number format that it stands for, which a run keeps", p.Key, *p.Value))
		}
	}
	return errors.Join(errs...)
}
