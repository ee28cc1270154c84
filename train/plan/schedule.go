package plan

import "time"

// Used is the share of the run's budget that is used up in the middle of the
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

// Samples is how many draws the positions earn that were seen last: those from
// number from, counted over all that were seen, up to but not including to.
//
// Below FullPassesAt a new position earns PassesPerPosition times the share of it
// that was seen, so that every position of a window that fills is drawn about as
// often in a generation as those of one of that size that is full. With all passes
// at once the first positions would be drawn in every generation until the window
// is full: of a window of n generations about log n times as often as later ones.
func (c *Config) Samples(from, to int64) float64 {
	full := c.FullPassesAt
	if from >= full {
		return float64(to-from) * c.PassesPerPosition
	}
	// The integral of the share; it depends on the two ends alone, however the
	// positions between them came.
	share := func(seen int64) float64 {
		if seen < full {
			return float64(seen) / float64(full) * float64(seen) / 2
		}
		return float64(seen) - float64(full)/2
	}
	return (share(to) - share(from)) * c.PassesPerPosition
}
