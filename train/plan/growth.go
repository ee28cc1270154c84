package plan

import (
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/model"
)

// Growth changes the network in the course of a run.
type Growth struct {
	// Generation is the first with a network of the new size, from 1.
	Generation int `mapstructure:"generation"`
	// The rest is as in model.Config; 0 leaves a value as it was.
	Blocks         int `mapstructure:"blocks"`
	Channels       int `mapstructure:"channels"`
	PoolEvery      int `mapstructure:"pool_every"`
	PolicyChannels int `mapstructure:"policy_channels"`
	ValueChannels  int `mapstructure:"value_channels"`
	ValueHidden    int `mapstructure:"value_hidden"`
	// Reply adds the head for the opponent's reply; false leaves it as it was.
	Reply bool `mapstructure:"reply"`
	// Passes above 0 begins with fresh weights, of any size, and trains them on
	// that many times the positions of the window, beside the steps that the
	// generation has earned, before they play. 0: the network grows and computes
	// at first what it did before; nothing may become smaller.
	Passes float64 `mapstructure:"passes"`
}

// apply is the network after g.
func (g *Growth) apply(c model.Config) model.Config {
	set := func(to *int, value int) {
		if value != 0 {
			*to = value
		}
	}
	set(&c.Blocks, g.Blocks)
	set(&c.Channels, g.Channels)
	set(&c.PoolEvery, g.PoolEvery)
	set(&c.PolicyChannels, g.PolicyChannels)
	set(&c.ValueChannels, g.ValueChannels)
	set(&c.ValueHidden, g.ValueHidden)
	c.Reply = c.Reply || g.Reply
	return c
}

// ModelAt is the network of a generation.
func (c *Config) ModelAt(generation int) model.Config {
	m := c.Model
	for i := range c.Growth {
		if c.Growth[i].Generation <= generation {
			m = c.Growth[i].apply(m)
		}
	}
	return m
}

// WantsReplies tells whether a network of the run has a head for them.
func (c *Config) WantsReplies() bool {
	return c.Model.Reply || slices.ContainsFunc(c.Growth, func(g Growth) bool { return g.Reply })
}

// ChangeAt is what makes the network of a generation another one than that
// before it; nil for nothing.
func (c *Config) ChangeAt(generation int) *Growth {
	for i := range c.Growth {
		if c.Growth[i].Generation == generation {
			return &c.Growth[i]
		}
	}
	return nil
}

// checkGrowth reports every problem of the entries of Growth, with its number
// from 1.
func (c *Config) checkGrowth() error {
	var all problems.List
	last, m := 0, c.Model
	for i := range c.Growth {
		g := &c.Growth[i]
		var errs problems.List
		errs.If(g.Generation <= last, "generation: %d: want above %d, generations ascend from 1", g.Generation, last)
		errs.Want(g.Passes >= 0 && g.Passes <= 1000, "passes: %g: want 0 to 1000", g.Passes)
		to := g.apply(m)
		err := to.Validate()
		if err == nil && g.Passes == 0 {
			err = m.CanGrow(to)
			errs.If(to == m, "it changes nothing: want a key of model with another value, or passes above 0")
		}
		all.Each(fmt.Sprintf("growth: entry %d: ", i+1), append(errs, err).Err())
		last, m = max(last, g.Generation), to
	}
	return all.Err()
}

// ConfigFrom is the configuration of a run that goes on from generation of a run
// of c: it begins with the network of that generation, and later entries of Growth and
// the end of growing simulations come that many generations earlier.
func (c Config) ConfigFrom(generation int) Config {
	c.Model = c.ModelAt(generation)
	var later []Growth
	for _, g := range c.Growth {
		if g.Generation > generation {
			g.Generation -= generation
			later = append(later, g)
		}
	}
	c.Growth = later
	c.SelfPlay.GoOnFrom(generation)
	return c
}
