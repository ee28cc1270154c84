package run

// setRate gives the trainer the learning rate of the generation, if that goes by
// the budget.
func (r *runner) setRate() error {
	if r.cfg.Train.DecayShare == 0 {
		return nil
	}
	return r.trainer.SetLearningRate(r.cfg.Train.PeakAt(r.cfg.Used(r.state.Generation, r.state.Elapsed, r.state.CoreTime)))
}
