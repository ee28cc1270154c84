package selfplay

import (
	"math"

	"github.com/ludozero/ludozero/mcts"
)

// SimulationsAt returns the budgets of a generation's full and fast searches. With
// FirstSimulations above 0 the budget of a full search is, rounded,
//
//	FirstSimulations · (Search.Simulations / FirstSimulations)^(generation / GrowthGenerations)
//
// up to generation GrowthGenerations and Search.Simulations from there on. A fast
// search has the same part of its own budget, rounded, at least 1. c must be valid.
func (c *Config) SimulationsAt(generation int) (full, fast int) {
	last := c.Search.Simulations
	if c.FirstSimulations == 0 || generation >= c.GrowthGenerations {
		return last, c.FastSimulations
	}
	first := float64(c.FirstSimulations)
	part := float64(generation) / float64(c.GrowthGenerations)
	// A root of an integer is an integer or irrational, never halfway between two,
	// so the last bit of Pow, which processors may differ in, decides nothing.
	full = int(math.Round(first * math.Pow(float64(last)/first, part)))
	return full, max(1, (2*c.FastSimulations*full+last)/(2*last))
}

// GoOnFrom makes c the configuration of a run whose generation 0 is a generation
// of a run of c: simulations go on to grow from what they have grown to, which
// was rounded, and the teacher's share to fall from where it is.
func (c *Config) GoOnFrom(generation int) {
	c.Teacher.goOnFrom(generation)
	if c.FirstSimulations == 0 {
		return
	}
	if generation >= c.GrowthGenerations {
		c.FirstSimulations = 0
		return
	}
	c.FirstSimulations, _ = c.SimulationsAt(generation)
	c.GrowthGenerations -= generation
}

// fewestSimulations are what growing may begin with: PUCT learns nothing from
// less than a visit below the root, Gumbel compares two actions.
func (c *Config) fewestSimulations() int {
	if c.Search.Search == mcts.SearchGumbel {
		return 3
	}
	return 2
}
