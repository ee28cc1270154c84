// Package match measures how strong players are by letting them play.
//
// A [Series] of games is made of pairs: one opening played twice with the seats
// swapped, so that neither an opening nor the first move favours anyone. All
// errors are computed from pairs. A game is a function of the seed, its pair's
// place in the schedule and the two players, so that a series has the same result
// whatever number of workers plays it, interrupted or not, and a match the
// opposite result if the two players are swapped. Games are counted in the
// order of the schedule, whichever ends first.
//
// The package knows games through package engine and players through an
// interface, and writes no file. It measures time only where games have a [Clock];
// with one, or with players that are limited by time, a match plays other games
// when it is repeated.
package match

import (
	"cmp"
	"context"
	"fmt"

	"github.com/ludozero/ludozero/engine"
)

// Contestant is a kind of player that takes part in a match.
type Contestant struct {
	// Name describes the player and all that its strength depends on.
	Name string
	// Identity is what its players' seeds follow from: what the player is, and not
	// where it is found. Empty: they follow from Name.
	Identity string
	// New makes one player; each worker has its own. Called concurrently.
	New func() (Player, error)
	// ByClock says that its players think by the clock of the game and can play
	// no game without.
	ByClock bool
	// Portable says what another machine makes the players from, or why none can. Nil:
	// none can.
	Portable func() (*Portable, error)
}

// Stream names the random streams of its players.
func (c *Contestant) Stream() string { return cmp.Or(c.Identity, c.Name) }

// Event reports one finished game. Events come in the order of the games.
type Event struct {
	Game *Game
	// Total is the number of games of the whole match.
	Total int
	// Tally counts those so far, in A's view.
	Tally
}

// Play plays a match between a and b from random openings and reports every finished
// game to progress, which may be nil and is called from this goroutine. If ctx ends,
// games under way are dropped, and the result of the pairs before the first
// unfinished one is returned with the cause; see Series.Run. The result is nil if
// there is no such pair.
func Play(ctx context.Context, cfg Config, g engine.Game, a, b Contestant, progress func(Event)) (*Result, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("match: %w", err)
	}
	openings, err := RandomOpenings(ctx, g, cfg.Pairs, cfg.OpeningTurns, cfg.Seed)
	if err != nil {
		return nil, fmt.Errorf("match: %w", err)
	}
	s, err := NewSeries(cfg, g, []Contestant{a, b}, false, openings)
	if err != nil {
		return nil, err
	}
	event := Event{Total: s.Games()}
	games, err := s.Run(ctx, nil, Hooks{Counted: func(g *Game) bool {
		event.Game = g
		event.Add(g.Points)
		if progress != nil {
			progress(event)
		}
		return true
	}})
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	return Summarise(cfg, s, games), err
}
