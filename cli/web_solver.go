package cli

import (
	"context"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

const (
	// webSolver is the solver of Connect Four as a page offers it. Its table is the
	// memory that other searches have there, which changes no move.
	webSolver = "solver"
	// webSolved is with how many stones it is asked: from there on it takes a second or
	// so, with none it would take many minutes. Until then webOpening plays.
	webSolved  = 12
	webOpening = "net:connect4,sims=400"
)

// opened is a player for whom another one plays the opening.
type opened struct {
	opening, rest match.Player
	from          int // the turn from which rest plays
}

// newWebSolver is the solver after an opening by the shipped network.
func newWebSolver(g engine.Game) (match.Player, error) {
	opening, err := newWebPlayer(webOpening, g)
	if err != nil {
		return nil, err
	}
	spec, err := player.Parse(webSolver+":table=16", nil)
	if err != nil {
		return nil, err
	}
	rest, err := spec.New(g)
	if err != nil {
		return nil, err
	}
	return &opened{opening, rest, webSolved}, nil
}

func (p *opened) in(s engine.State) match.Player {
	if s.Turn() < p.from {
		return p.opening
	}
	return p.rest
}

// NewGame implements match.Player.
func (p *opened) NewGame(seed uint64) {
	p.opening.NewGame(seed)
	p.rest.NewGame(seed)
}

// Choose implements match.Player.
func (p *opened) Choose(ctx context.Context, s engine.State, h *engine.History) (engine.Action, error) {
	return p.in(s).Choose(ctx, s, h)
}

// Analyze implements player.Analyst.
func (p *opened) Analyze(ctx context.Context, s engine.State, h *engine.History) (*player.Analysis, error) {
	return player.Analyze(ctx, p.in(s), s, h)
}
