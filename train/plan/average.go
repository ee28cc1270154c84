package plan

// Averages tells whether the configuration asks for averaged weights.
func (c TrainConfig) Averages() bool { return c.AverageDecay > 0 }
