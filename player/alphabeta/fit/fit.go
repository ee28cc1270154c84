package fit

import (
	"context"
	"slices"

	"github.com/ludozero/ludozero/player/alphabeta"
	"github.com/ludozero/ludozero/player/alphabeta/positions"
)

// Config says what is fitted, and to which games.
type Config struct {
	// Play says how games are played; its Seed is for the first round.
	positions.Play
	// Start are the weights that the fit begins with and stays near; nil: none, and the first
	// games are played by material.
	Start []int32
	// Samples are fitted to in one round if there are any. Else Games games are played in
	// each of Rounds rounds, by the weights so far, and added to those of the rounds before.
	Samples       []Sample
	Rounds, Games int
	// Check is how many pairs of games the new weights play the old ones after a round. If
	// they lose, the old ones stay.
	Check int
	// Penalty holds weights near their start; 0: the held-out loss chooses it.
	Penalty float64
	// Step, which may be nil, hears how many of how many games of a stage are done, or of the
	// penalties that are tried; text says how a fit stands. A stage begins with done 0.
	Step func(stage string, done, of int, text string)
}

// Round is what came of a round.
type Round struct {
	Fitted
	// Results counts how the round's games ended; it is empty for games from shards.
	Results Tally `json:"results"`
	// Check is the score of the new weights, First, against those before, Second.
	Check Tally `json:"check"`
	// Kept says that the new weights did not lose; without a check, when the round was
	// stopped, that their held-out loss is below that of those before.
	Kept bool `json:"kept"`
	// Stopped says that the context ended during the fit or the check: there is no check.
	Stopped bool `json:"stopped,omitempty"`
}

// Run fits weights and returns those of the last round that was kept, Start if none was.
// If ctx ends, the error is its cause, and the weights are still the best so far: those of
// a fit that has begun count.
func Run(ctx context.Context, c Config) (weights []int32, rounds []Round, err error) {
	weights = slices.Clone(c.Start)
	samples, n := c.Samples, c.Rounds
	if samples != nil {
		n = 1
	}
	for k := range n {
		a := &arena{Play: c.Play, terms: alphabeta.TermsOf(c.Game)}
		a.Seed += uint64(k)
		stage := func(name string, of int) {
			a.step = func(done int, text string) {
				if c.Step != nil {
					c.Step(name, done, of, text)
				}
			}
			a.step(0, "")
		}
		var r Round
		if c.Samples == nil {
			stage("games", c.Games)
			var played []Sample
			if played, r.Results, err = a.play(ctx, c.Games, weights); err != nil {
				return ended(ctx, weights, rounds, err)
			}
			for i := range played {
				played[i].Game += k * c.Games
			}
			samples = append(samples, played...)
		}
		stage("penalties", penalties(c.Penalty))
		f, err := regress(ctx, samples, len(a.terms.Names), weights, c.Penalty, a.step)
		if err != nil {
			return ended(ctx, weights, rounds, err)
		}
		r.Fitted = *f
		if c.Check > 0 && ctx.Err() == nil {
			stage("check", 2*c.Check)
			r.Check, err = a.compare(ctx, c.Check, f.Weights, weights)
		}
		r.Kept, r.Stopped = r.Check.First >= r.Check.Second, ctx.Err() != nil
		if r.Stopped {
			r.Check, r.Kept, err = Tally{}, r.HeldLoss < r.StartLoss, context.Cause(ctx)
		}
		if r.Kept {
			weights = f.Weights
		}
		if rounds = append(rounds, r); err != nil {
			return ended(ctx, weights, rounds, err)
		}
	}
	return weights, rounds, nil
}

// ended is what Run returns with an error: all so far if that is the end of ctx.
func ended(ctx context.Context, weights []int32, rounds []Round, err error) ([]int32, []Round, error) {
	if ctx.Err() == nil {
		return nil, nil, err
	}
	return weights, rounds, context.Cause(ctx)
}
