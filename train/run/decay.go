package run

import "time"

// used is the share of the run's budget behind the middle of the training that
// begins at a checkpoint: of time, of core time or of generations, whichever is
// nearest to its end, from 0; above 1 beyond the end. Times are taken to be used
// evenly by generations. It depends on the checkpoint and the limits alone, so that a
// training that is done again has the rate that it had.
func (c *Config) used(s *State) float64 {
	middle := float64(s.Generation) + 0.5
	used := 0.0
	by := func(time, budget time.Duration) {
		if budget > 0 && s.Generation > 0 {
			used = max(used, float64(time)/float64(budget)*middle/float64(s.Generation))
		}
	}
	by(s.Elapsed, c.Budget)
	if s.CoreTime != nil {
		by(*s.CoreTime, c.CoreBudget)
	}
	if c.Generations > 0 {
		used = max(used, middle/float64(c.Generations))
	}
	return used
}

// setRate gives the trainer the learning rate of the generation, if that goes by
// the budget.
func (r *runner) setRate() error {
	if r.cfg.Train.DecayShare == 0 {
		return nil
	}
	return r.trainer.SetLearningRate(r.cfg.Train.PeakAt(r.cfg.used(&r.state)))
}
