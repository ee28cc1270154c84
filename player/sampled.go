package player

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
)

// Sampling is how a player varies its games: it draws decisions from its own policy
// instead of playing what it thinks best.
type Sampling struct {
	// Decisions is how many of its own decisions with a choice a player draws in a
	// game, the first ones once the start balance is settled (engine.Settler).
	// Before and after it plays as it does otherwise.
	Decisions int
	// Temperature is T in the probability of a move, proportional to its part of
	// the policy (Move.Prob: shares of visits) to the power of 1/T. Above 0.
	Temperature float64
}

// maxTemperature is nearly uniform over what was looked at.
const maxTemperature = 10

// Validate reports impossible values.
func (p Sampling) Validate() error {
	if p.Decisions < 0 {
		return fmt.Errorf("%d sampled decisions: want 0 or more", p.Decisions)
	}
	if !(p.Temperature > 0 && p.Temperature <= maxTemperature) {
		return fmt.Errorf("temperature %g: want more than 0, up to %d", p.Temperature, maxTemperature)
	}
	return nil
}

func (p Sampling) String() string {
	return fmt.Sprintf("%d decisions drawn at temperature %g", p.Decisions, p.Temperature)
}

// Sampled enters players of this description that vary their games. It refuses
// those that weigh no moves, and those limited by time, whose games could not be
// repeated. p must be valid.
func (s *Spec) Sampled(g engine.Game, p Sampling) (match.Contestant, error) {
	one, err := s.New(g)
	if err != nil {
		return match.Contestant{}, err
	}
	if _, ok := one.(Analyst); !ok {
		return match.Contestant{}, fmt.Errorf("player %s: says nothing of its moves, so that none can be drawn", s.Text)
	}
	if byTime(one) {
		return match.Contestant{}, fmt.Errorf("player %s: limited by time, so that its games would be others each time: limit it by simulations or depth", s.Text)
	}
	return match.Contestant{Name: fmt.Sprintf("%s, %v", s.Text, p), New: func() (match.Player, error) {
		one, err := s.New(g)
		if err != nil {
			return nil, err
		}
		return &sampled{analyst: one.(Analyst), sampling: p}, nil
	}}, nil
}

// sampled is a player that draws its first decisions.
type sampled struct {
	analyst  Analyst
	sampling Sampling
	drawn    int // decisions of this game
	pcg      rand.PCG
}

// NewGame implements match.Player. The draws have a stream of their own, so
// that what the player thinks does not depend on them.
func (p *sampled) NewGame(number uint64) {
	p.analyst.NewGame(number)
	p.pcg.Seed(seed.State(number, "sampled decisions", 0))
	p.drawn = 0
}

// Rest implements match.Rester.
func (p *sampled) Rest() {
	if r, ok := p.analyst.(match.Rester); ok {
		r.Rest()
	}
}

// Choose implements match.Player.
func (p *sampled) Choose(ctx context.Context, s engine.State, h *engine.History) (engine.Action, error) {
	if p.drawn >= p.sampling.Decisions || !engine.Settled(s) {
		return p.analyst.Choose(ctx, s, h)
	}
	a, err := p.analyst.Analyze(ctx, s, h)
	if err != nil {
		return 0, err
	}
	if len(a.Moves) <= 1 {
		return a.Choice, nil // of a player that weighs no moves here, or has none to choose from
	}
	p.drawn++
	return a.Draw(p.sampling.Temperature, rand.New(&p.pcg).Float64()), nil
}

// Draw is the move of a that the uniform number u in [0, 1) falls on, if moves are
// as probable as Sampling.Temperature says; the choice if none was weighed.
func (a *Analysis) Draw(temperature, u float64) engine.Action {
	top := 0.0
	for i := range a.Moves {
		top = max(top, a.Moves[i].Prob)
	}
	if top == 0 {
		return a.Choice
	}
	// Relative to the largest, so that low temperatures do not underflow to nothing.
	weight := func(m *Move) float64 { return math.Pow(m.Prob/top, 1/temperature) }
	total := 0.0
	for i := range a.Moves {
		total += weight(&a.Moves[i])
	}
	choice := a.Choice
	for i := range a.Moves {
		w := weight(&a.Moves[i]) / total
		if w == 0 {
			continue
		}
		choice = a.Moves[i].Action // the last one if the sum is rounded below u
		if u -= w; u < 0 {
			break
		}
	}
	return choice
}
