package player

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/opening"
)

// Sampling is how a player varies its games: it draws decisions from its own policy
// instead of playing the best move.
type Sampling struct {
	// Decisions is how many of its own decisions with a choice a player draws in a
	// game, the first ones once the start balance is settled (engine.Settler).
	// Before and after it plays as it does otherwise.
	Decisions int
	// Temperature is T in the probability of a move, proportional to its part of
	// the policy (Move.Prob: shares of visits) to the power of 1/T. Above 0.
	Temperature float64
	// Slips is the share of the drawn decisions that are any legal move, all alike: games
	// of players that see one best move everywhere differ, too. 0 to 1.
	Slips float64
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
	if !(p.Slips >= 0 && p.Slips <= 1) {
		return fmt.Errorf("slips %g: want 0 to 1", p.Slips)
	}
	return nil
}

func (p Sampling) String() string {
	text := fmt.Sprintf("%d decisions drawn at temperature %g", p.Decisions, p.Temperature)
	if p.Slips > 0 {
		text += fmt.Sprintf(" with slips in %g", p.Slips)
	}
	return text
}

// repeatable refuses players that say nothing of what is asked of them, and those
// limited by time, of which what would be other each time.
func (s *Spec) repeatable(asked, what string) error {
	switch {
	case s.ByTime:
		return fmt.Errorf("player %s: limited by time, so that %s would be others each time: limit it by simulations or depth", s.Text, what)
	case s.ChoiceOnly:
		return fmt.Errorf("player %s: says nothing of %s", s.Text, asked)
	}
	return nil
}

// Sampled enters players of this description that vary their games. It refuses
// those that give no policy, and those limited by time, whose games could not be
// repeated. p must be valid.
func (s *Spec) Sampled(g engine.Game, p Sampling) (match.Contestant, error) {
	one, err := s.New(g)
	if err == nil {
		match.Dismiss(one)
		err = s.repeatable("its moves, so that none can be drawn", "its games")
	}
	if err != nil {
		return match.Contestant{}, err
	}
	c := s.Contestant(g)
	c.Name = fmt.Sprintf("%s, %v", c.Name, p)
	if c.Identity != "" {
		c.Identity = fmt.Sprintf("%s, %v", c.Identity, p)
	}
	c.Portable = func() (*match.Portable, error) {
		carried, err := s.portable()
		if err == nil {
			carried.Decisions, carried.Temperature, carried.Slips = p.Decisions, p.Temperature, p.Slips
		}
		return carried, err
	}
	plain := c.New
	c.New = func() (match.Player, error) {
		one, err := plain()
		if err != nil {
			return nil, err
		}
		return &sampled{Player: one, sampling: p}, nil
	}
	return c, nil
}

// sampled is a player that draws its first decisions.
type sampled struct {
	match.Player
	sampling Sampling
	drawn    int // decisions of this game
	pcg      rand.PCG
}

// NewGame implements match.Player. The draws have a stream of their own, so
// that the player's analysis does not depend on them.
func (p *sampled) NewGame(ctx context.Context, number uint64) error {
	p.pcg.Seed(seed.State(number, "sampled decisions", 0))
	p.drawn = 0
	return p.Player.NewGame(ctx, number)
}

// Rest implements match.Rester.
func (p *sampled) Rest() {
	if r, ok := p.Player.(match.Rester); ok {
		r.Rest()
	}
}

// Think implements match.Player.
func (p *sampled) Think(ctx context.Context, s engine.State, h *engine.History, b match.Bounds) (*match.Analysis, error) {
	if p.drawn >= p.sampling.Decisions || !engine.Settled(s) {
		return p.Player.Think(ctx, s, h, b)
	}
	b.Analyze, b.Play = true, true
	a, err := p.Player.Think(ctx, s, h, b)
	if err != nil || len(a.Moves) <= 1 {
		return a, err // no policy, or nothing to choose from
	}
	p.drawn++
	rng := rand.New(&p.pcg)
	if p.sampling.Slips > 0 && rng.Float64() < p.sampling.Slips {
		a.Choice = a.Moves[rng.IntN(len(a.Moves))].Action
	} else {
		a.Choice = Draw(a, p.sampling.Temperature, rng.Float64())
	}
	a.Line = []engine.Action{a.Choice}
	return a, nil
}

// judge says how balanced openings are: opening.Valuer.
type judge struct{ match.Player }

// Judge has players of this description judge whether openings of g are balanced.
// It refuses those that say nothing of a position's value, and those limited by
// time: openings would differ from run to run.
func (s *Spec) Judge(g engine.Game) (opening.Judge, error) {
	p, err := s.New(g)
	if err == nil {
		match.Dismiss(p)
		err = s.repeatable("the value of a position", "the openings")
	}
	if err != nil {
		return opening.Judge{}, err
	}
	return opening.Judge{Name: s.Text, New: func() (opening.Valuer, error) {
		p, err := s.New(g)
		return judge{p}, err
	}}, nil
}

// Value implements opening.Valuer.
func (j judge) Value(ctx context.Context, s engine.State, h *engine.History, seed uint64) (float64, error) {
	a, err := match.Analyze(ctx, j.Player, seed, s, h)
	if err != nil {
		return 0, err
	}
	if !a.Judged {
		return 0, errors.New("it says no value of the position")
	}
	return a.Value, nil
}

// Draw is the move of a that the uniform number u in [0, 1) falls on, if moves are
// as probable as Sampling.Temperature says; the choice if there is no policy.
func Draw(a *match.Analysis, temperature, u float64) engine.Action {
	top := 0.0
	for i := range a.Moves {
		top = max(top, a.Moves[i].Prob)
	}
	if top == 0 {
		return a.Choice
	}
	// Relative to the largest, so that low temperatures do not underflow to nothing.
	weight := func(m *match.Move) float64 { return math.Pow(m.Prob/top, 1/temperature) }
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
