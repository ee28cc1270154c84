package run

import (
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// ResolveAuto puts a number format in the place of precision.Auto, in
// SelfPlay.Precision and Train.Precision: that of like, the configuration of a run
// that goes on, or, if like is nil, the one that the kernels in use compute fastest.
// It returns what it has settled, key=value. Run takes no configuration that says auto: what
// that stands for is settled before a run is created and is part of its
// configuration, so that it keeps its arithmetic on whatever machine it goes on.
func ResolveAuto(c, like *plan.Config) []string {
	var from plan.Config
	if like != nil {
		from = *like
	} else {
		from.SelfPlay.Precision, from.Train.Precision = fastest(kernel.Level())
	}
	values := from.Precisions()
	var settled []string
	for i, p := range c.Precisions() {
		if *p.Value == precision.Auto {
			*p.Value = *values[i].Value
			settled = append(settled, p.Key+"="+*p.Value)
		}
	}
	return settled
}

// fastest names the number formats in which kernels of a level play and train
// fastest, by the measurements in docs/performance.md: int8 where the processor
// multiplies bytes, bfloat16 where it multiplies matrices, though int8 is the faster
// of the two in play.
func fastest(level string) (play, learn string) {
	play, learn = precision.Default, plan.PrecisionF32
	switch level {
	case "amx":
		play, learn = precision.Int8.String(), plan.PrecisionBF16
	case "avx512vnni", "avx2vnni":
		play = precision.Int8.String()
	}
	return play, learn
}

// checkPrecisions reports those that the kernels in use have not, with the way on for
// a run in folder dir, new or not.
func checkPrecisions(c *plan.Config, dir string) error {
	if err := c.CheckResolved(); err != nil {
		return err
	}
	var errs []error
	for _, p := range c.Precisions() {
		if *p.Value != precision.BF16.String() {
			continue
		}
		err := kernel.CheckBFloat16()
		if err == nil {
			continue
		}
		way := fmt.Sprintf("--set %s=%s takes what is fastest here", p.Key, precision.Auto)
		if generations, _ := rundir.Generations(dir); len(generations) > 0 { // else it is new, or refused later
			way = fmt.Sprintf("a run keeps its own, a fork need not: --from %s --set %s=%s", dir, p.Key, precision.Auto)
		}
		errs = append(errs, fmt.Errorf("%s: %s: %w\n%s", p.Key, *p.Value, err, way))
	}
	return errors.Join(errs...)
}
