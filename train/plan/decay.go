package plan

import "time"

// used is the share of the run's budget that is used up in the middle of the
// training that begins at the checkpoint of a generation, after elapsed learning
// time and coreTime of processors, nil if unknown: the share of time, core time or
// generations, whichever is largest; above 1 beyond the end. It assumes that all
// generations take equally long. It depends on the checkpoint and the limits alone,
// so that a training that is repeated has the same rate.
func (c *Config) Used(generation int, elapsed time.Duration, coreTime *time.Duration) float64 {
	middle := float64(generation) + 0.5
	used := 0.0
	by := func(time, budget time.Duration) {
		if budget > 0 && generation > 0 {
			used = max(used, float64(time)/float64(budget)*middle/float64(generation))
		}
	}
	by(elapsed, c.Budget)
	if coreTime != nil {
		by(*coreTime, c.CoreBudget)
	}
	if c.Generations > 0 {
		used = max(used, middle/float64(c.Generations))
	}
	return used
}
