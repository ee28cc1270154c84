package run

import (
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// checkPrecisions reports the number formats that the kernels in use cannot compute,
// and what a run in folder dir, new or not, can do instead.
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
			way = fmt.Sprintf("a run keeps its own, a fork need not: --from %s --set %s=%s", wording.Quoted(dir), p.Key, precision.Auto)
		}
		errs = append(errs, fmt.Errorf("%s: %s: %w\n%s", p.Key, *p.Value, err, way))
	}
	return errors.Join(errs...)
}
