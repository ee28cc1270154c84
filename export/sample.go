package export

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// Limits of the games that positions are from.
const (
	minGames      = 16
	enoughGames   = 64   // unless they have too few positions
	randomMoves   = 8    // most moves at random before the network plays
	mostDecisions = 1000 // of a game without end
)

// Position is a decision of a player, with the game it was met in.
type Position struct {
	Game  engine.Game
	State engine.State
	Legal []engine.Action
}

// Sample is n positions from games that the network plays against itself without
// search, after up to eight random moves, under the rulesets it was trained on, as
// often as they occurred there. Whatever head plane or global an action stands
// on, if it was legal anywhere in these games, it is legal in one of them, as far
// as n allows; the others are drawn evenly from all decisions. No position comes
// twice; there are fewer than n if n games do not have n different ones.
func Sample(ctx context.Context, n *Network, count int, rng *rand.Rand) ([]Position, error) {
	if count < 1 {
		return nil, fmt.Errorf("%d positions: want at least 1", count)
	}
	e, err := newEvaluator(n)
	if err != nil {
		return nil, err
	}
	s := &sampler{evaluator: e, count: count, rng: rng, net: n, covered: map[int32]bool{}, games: map[string]engine.Game{}, met: map[string]bool{}}
	for played := 0; played < max(minGames, min(enoughGames, count)) || len(s.met) < count && played < count; played++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := s.play(); err != nil {
			return nil, err
		}
	}
	rest := max(0, count-len(s.first))
	list := append(s.first[:min(count, len(s.first))], s.others[:min(rest, len(s.others))]...)
	return list, nil
}

// sampler plays games and keeps positions of them.
type sampler struct {
	*evaluator
	net   *Network
	count int
	rng   *rand.Rand
	games map[string]engine.Game

	met     map[string]bool // rules and position lines that were kept or could have been
	covered map[int32]bool  // head planes, and below 0 head globals, met so far
	first   []Position      // that had something new
	others  []Position      // a sample of the rest

	actions, again []engine.Action
	logits         []float32
}

// rules draws one of the rulesets that the network was trained on.
func (s *sampler) rules() (engine.Game, error) {
	word, at := "", s.rng.Float64()
	for _, r := range s.net.Card.Rules {
		word = r.Rules
		if at -= r.Share; at < 0 {
			break
		}
	}
	if g, ok := s.games[word]; ok {
		return g, nil
	}
	g, err := s.net.Family.Parse(word)
	if err != nil {
		return nil, fmt.Errorf("card: rules %s: %w", word, err)
	}
	s.games[word] = g
	return g, nil
}

func (s *sampler) play() error {
	g, err := s.rules()
	if err != nil {
		return err
	}
	state, h := g.NewState(), g.NewHistory()
	state.Start(h)
	random := s.rng.IntN(randomMoves + 1)
	for range mostDecisions {
		switch state.Actor() {
		case engine.Nobody:
			return nil
		case engine.Chance:
			state.Apply(s.roll(state.Chance(nil)), h)
			continue
		}
		s.actions = state.Legal(s.actions[:0], h)
		if err := s.keep(g, state); err != nil {
			return err
		}
		a := s.actions[s.rng.IntN(len(s.actions))]
		if random--; random < 0 {
			if a, err = s.choose(g, state); err != nil {
				return err
			}
		}
		state.Apply(a, h)
	}
	return nil
}

// roll draws an outcome of chance.
func (s *sampler) roll(all []engine.Weighted) engine.Action {
	at := s.rng.Float64()
	for _, w := range all {
		if at -= w.Prob; at < 0 {
			return w.Code
		}
	}
	return all[len(all)-1].Code
}

// keep takes the position or not.
func (s *sampler) keep(g engine.Game, state engine.State) error {
	line := string(state.AppendPosition(nil))
	key := g.Rules() + " " + line
	if s.met[key] {
		return nil
	}
	c, h := g.NewState(), g.NewHistory()
	if err := c.ParsePosition(line); err != nil {
		return fmt.Errorf("BUG: position %q: %w", line, err)
	}
	c.Begin(h)
	s.again = c.Legal(s.again[:0], h)
	if c.EncodingHash() != state.EncodingHash() || !slices.Equal(s.again, s.actions) {
		return nil // it has a past that its line does not tell
	}
	info := g.Info()
	area := int32(info.Features.Cells())
	fresh := false
	for _, a := range s.actions {
		what := info.Policy.Cells[a]
		if spatial := int32(info.Policy.Planes) * area; what < spatial {
			what /= area
		} else {
			what = spatial - what - 1
		}
		fresh = fresh || !s.covered[what]
		s.covered[what] = true
	}
	p := Position{g, c, slices.Clone(s.actions)}
	s.met[key] = true
	place := s.rng.IntN(len(s.met))
	switch {
	case fresh:
		s.first = append(s.first, p)
	case len(s.others) < s.count:
		s.others = append(s.others, p)
	case place < s.count:
		s.others[place] = p
	}
	return nil
}

// choose draws an action of the network's policy.
func (s *sampler) choose(g engine.Game, state engine.State) (engine.Action, error) {
	s.logits = slices.Grow(s.logits[:0], len(s.actions))[:len(s.actions)]
	var wdl [3]float32
	if err := s.evaluate(state, s.actions, s.logits, wdl[:], nil); err != nil {
		return 0, err
	}
	top, sum := slices.Max(s.logits), 0.0
	for _, x := range s.logits {
		sum += math.Exp(float64(x - top))
	}
	at := s.rng.Float64() * sum
	for i, x := range s.logits {
		if at -= math.Exp(float64(x - top)); at < 0 {
			return s.actions[i], nil
		}
	}
	return s.actions[len(s.actions)-1], nil
}
