package player

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/match"
)

// Without returns players of this description that never take an action of the given
// kinds (engine.Classifier) where they have another, in any game (restricted play; Jaffe
// et al. 2012). They know that of themselves: their searches leave such actions out
// wherever they themselves decide, and give the opponent all of them. Where every legal
// action is of such a kind the rules force one, and they choose among all.
//
// Only players that know a game by its rules alone can be restricted, which New checks:
// what judges positions by terms of the game would be another player without them.
func (s *Spec) Without(kinds ...string) (*Spec, error) {
	if !s.ByNetwork && s.Text != "random" && !strings.HasPrefix(s.Text, "mcts:") {
		return nil, fmt.Errorf("player %s: cannot be restricted: want one that knows the game by its rules alone, with a network, mcts or random", s.Text)
	}
	one := *s
	one.Text += " without " + strings.Join(kinds, ", ")
	if one.seeds != "" {
		one.seeds += " without " + strings.Join(kinds, ", ")
	}
	one.byHash = func() string { return one.Text }
	one.portable = func() (*match.Portable, error) {
		carried, err := s.portable()
		if err == nil {
			carried.Without = kinds
		}
		return carried, err
	}
	one.factory = func(g engine.Game) (match.Player, error) {
		r, err := newRestrictedGame(g, kinds)
		if err != nil {
			return nil, err
		}
		p, err := s.factory(r)
		if err != nil {
			return nil, err
		}
		return &restricted{Player: p, state: r.state()}, nil
	}
	return &one, nil
}

// KindsOf returns the kinds of actions that g counts, and indices of the named ones. It
// fails if g counts none or has none of a name.
func KindsOf(g engine.Game, names ...string) (all []string, indices []int, err error) {
	c, ok := g.NewState().(engine.Classifier)
	if !ok {
		return nil, nil, fmt.Errorf("%s: its actions have no kinds", g.Info().Name)
	}
	all = c.Kinds()
	var errs problems.List
	for _, name := range names {
		at := slices.Index(all, name)
		errs.Want(at >= 0, "kind %q: want one of %s", name, strings.Join(all, ", "))
		indices = append(indices, at)
	}
	return all, indices, errs.Err()
}

// restricted is a player that thinks in a restrictedGame.
type restricted struct {
	match.Player
	state *restrictedState
}

// Think implements match.Player.
func (p *restricted) Think(ctx context.Context, s engine.State, h *engine.History, b match.Bounds) (*match.Analysis, error) {
	p.state.State.CopyFrom(s)
	p.state.who = s.Actor()
	return p.Player.Think(ctx, p.state, h, b)
}

// Rest implements match.Rester.
func (p *restricted) Rest() {
	if r, ok := p.Player.(match.Rester); ok {
		r.Rest()
	}
}

// restrictedGame is a game in which one player has no actions of some kinds, except
// where there are no others.
type restrictedGame struct {
	engine.Game
	barred []bool // by kind
}

func newRestrictedGame(g engine.Game, kinds []string) (*restrictedGame, error) {
	all, indices, err := KindsOf(g, kinds...)
	if err != nil {
		return nil, err
	}
	r := &restrictedGame{Game: g, barred: make([]bool, len(all))}
	for _, i := range indices {
		r.barred[i] = true
	}
	return r, nil
}

// NewState implements engine.Game.
func (g *restrictedGame) NewState() engine.State { return g.state() }

func (g *restrictedGame) state() *restrictedState {
	return &restrictedState{State: g.Game.NewState(), game: g, who: engine.Nobody}
}

// restrictedState is a state of a restrictedGame. It hides what else a state may
// implement.
type restrictedState struct {
	engine.State
	game  *restrictedGame
	who   engine.Player // is restricted
	after engine.State  // scratch
	kinds []int         // scratch
}

// CopyFrom implements engine.State.
func (s *restrictedState) CopyFrom(src engine.State) {
	r := src.(*restrictedState)
	s.who = r.who
	s.State.CopyFrom(r.State)
}

// Legal implements engine.State.
func (s *restrictedState) Legal(dst []engine.Action, h *engine.History) []engine.Action {
	start := len(dst)
	dst = s.State.Legal(dst, h)
	if s.Actor() != s.who {
		return dst
	}
	if s.after == nil {
		s.after = s.game.Game.NewState()
	}
	all := dst[start:]
	free := 0
	for _, a := range all {
		if !s.barred(a) {
			all[free] = a
			free++
		}
	}
	if free > 0 {
		return dst[:start+free]
	}
	return dst // all are barred, and none was moved
}

// barred reports whether legal action a is of a kind that is left out.
func (s *restrictedState) barred(a engine.Action) bool {
	s.after.CopyFrom(s.State)
	s.after.Apply(a, nil)
	s.kinds = s.State.(engine.Classifier).AppendKinds(s.kinds[:0], a, s.after)
	for _, k := range s.kinds {
		if s.game.barred[k] {
			return true
		}
	}
	return false
}
