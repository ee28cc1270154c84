package run

import (
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/train"
)

// ResolveAuto puts a number format in the place of precision.Auto, in
// SelfPlay.Precision and Train.Precision: that of like, the configuration of a run
// that goes on, or, if like is nil, the one that the kernels in use compute fastest.
// It returns what it has settled, key=value. Run takes no configuration that says auto: what
// that stands for is settled before a run is created and is part of its
// configuration, so that it keeps its arithmetic on whatever machine it goes on.
func (c *Config) ResolveAuto(like *Config) []string {
	var from Config
	if like != nil {
		from = *like
	} else {
		from.SelfPlay.Precision, from.Train.Precision = fastest(kernel.Level())
	}
	values := from.precisions()
	var settled []string
	for i, p := range c.precisions() {
		if *p.value == precision.Auto {
			*p.value = *values[i].value
			settled = append(settled, p.key+"="+*p.value)
		}
	}
	return settled
}

// fastest names the number formats in which kernels of a level play and train
// fastest, by the measurements in docs/performance.md: int8 where the processor
// multiplies bytes, bfloat16 where it multiplies matrices, though int8 is the faster
// of the two in play.
func fastest(level string) (play, learn string) {
	play, learn = precision.Default, train.PrecisionF32
	switch level {
	case "amx":
		play, learn = precision.Int8.String(), train.PrecisionBF16
	case "avx512vnni", "avx2vnni":
		play = precision.Int8.String()
	}
	return play, learn
}

// setting is a key with the place of its value.
type setting struct {
	key   string
	value *string
}

// precisions are the keys that choose a number format.
func (c *Config) precisions() []setting {
	return []setting{{"self_play.precision", &c.SelfPlay.Precision}, {"train.precision", &c.Train.Precision}}
}

// checkResolved wants nothing left to settle.
func (c *Config) checkResolved() error {
	var errs []error
	for _, p := range c.precisions() {
		if *p.value == precision.Auto {
			errs = append(errs, fmt.Errorf("%s: %s: want the number format that it stands for, which a run keeps", p.key, *p.value))
		}
	}
	return errors.Join(errs...)
}

// checkPrecisions reports those that the kernels in use have not, with the way on for
// a run in folder dir, new or not.
func (c *Config) checkPrecisions(dir string) error {
	if err := c.checkResolved(); err != nil {
		return err
	}
	var errs []error
	for _, p := range c.precisions() {
		if *p.value != precision.BF16.String() {
			continue
		}
		err := kernel.CheckBFloat16()
		if err == nil {
			continue
		}
		way := fmt.Sprintf("--set %s=%s takes what is fastest here", p.key, precision.Auto)
		if generations, _ := Generations(dir); len(generations) > 0 { // else it is new, or refused later
			way = fmt.Sprintf("a run keeps its own, a fork need not: --from %s --set %s=%s", dir, p.key, precision.Auto)
		}
		errs = append(errs, fmt.Errorf("%s: %s: %w\n%s", p.key, *p.value, err, way))
	}
	return errors.Join(errs...)
}
