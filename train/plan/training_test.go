package plan

import (
	"strings"
	"testing"
)

// TestRateFalls: a fork with a lower rate does not rise to its source's final one.
func TestRateFalls(t *testing.T) {
	for _, x := range []struct {
		change func(*TrainConfig)
		want   string
	}{
		{func(c *TrainConfig) { c.DecayShare, c.LearningRate = 0.5, 1e-4 }, "train.final_learning_rate: 0.0003: want at most train.learning_rate, 0.0001,"},
		{func(c *TrainConfig) { c.DecaySteps, c.LearningRate = 5, 1e-4 }, "train.final_learning_rate: 0.0003: want at most train.learning_rate"},
		{func(c *TrainConfig) { c.LearningRate = 1e-4 }, ""},
		{func(c *TrainConfig) { c.DecayShare, c.LearningRate = 0.5, 3e-4 }, ""},
		{func(c *TrainConfig) { c.Epsilon = 1e-50 }, "train.epsilon: 1e-50: want at least 1e-30"},
	} {
		c := DefaultTrainConfig()
		c.FinalLearningRate = 3e-4
		x.change(&c)
		if err := c.ValidateNew(); (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("rate %g, epsilon %g: %v, want %q", c.LearningRate, c.Epsilon, err, x.want)
		}
		if err := c.Validate(); err != nil {
			t.Errorf("a run of an earlier program cannot go on: %v", err)
		}
	}
}

// TestNewRunsHaveTargets of their own: one simulation knows no more than the network. Runs of
// earlier programs are valid.
func TestNewRunsHaveTargets(t *testing.T) {
	for want, set := range map[string]func(*Config){
		"": func(*Config) {},
		"self_play.search.simulations: 1: want 2 or more":           func(c *Config) { c.SelfPlay.Search.Simulations = 1 },
		"self_play.search.gumbel_cscale: 0: want more than 0":       func(c *Config) { c.SelfPlay.Search.Target, c.SelfPlay.Search.GumbelCScale = "improved", 0 },
		"train.final_learning_rate: 0.5: want at most train.learni": func(c *Config) { c.Train.DecaySteps, c.Train.FinalLearningRate = 5, 0.5 },
	} {
		c := DefaultConfig()
		set(&c)
		if err := c.ValidateNew(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		c.SelfPlay.FastSimulations = 1
		if err := c.SelfPlay.Validate(); err != nil {
			t.Errorf("a run that is there: %v", err)
		}
	}
}
