package selfplay

import (
	"context"
	"sync/atomic"

	"github.com/ludozero/ludozero/mcts"
)

// Player is the network of a generation and what else its games depend on. It
// never changes; new weights are a new Player.
type Player struct {
	Generation int
	// Fork returns the network for one worker more. All compute the same; none
	// needs be safe for concurrent use, but Fork must be.
	Fork func() mcts.Network
	// Earlier are the games that the player's games may begin in, if
	// Config.Beginnings asks for it. Nil is allowed: there are none.
	Earlier *Earlier
}

// Assignment is a game to be played from its start to its end by one player.
type Assignment struct {
	Number int64
	Player *Player
}

// Source hands out the games of a job. Their numbers ascend without a gap, and
// the generations of their players never fall. Workers call it concurrently.
type Source interface {
	// First is the number of the first game.
	First() int64
	// Next hands out the next game; false if there is none at present. It is
	// called between batches and games while a worker has room for a game, and
	// must not wait.
	Next() (Assignment, bool)
	// Wait is for a worker without any game: it returns true when Next may have
	// one, false if it never will again, or the error of ctx.
	Wait(ctx context.Context) (bool, error)
}

// Cores shares the machine's cores between the workers of a job and others who
// compute. Workers are numbered from 0 to Job.Workers-1. An error is that of ctx,
// and the worker holds no core then. Its methods are called between batches and
// between games, and should not allocate.
type Cores interface {
	// Take waits for a core.
	Take(ctx context.Context, worker int) error
	// Yield lets whoever waits for a core have that of the worker, and waits for
	// another.
	Yield(ctx context.Context, worker int) error
	// Give hands a core back.
	Give(worker int)
}

// Range is a Source of Count games, Start the first, all by one player. A Range
// is used up by one job.
type Range struct {
	Start  int64
	Count  int
	Player *Player

	taken atomic.Int64
}

// First is the number of the first game.
func (r *Range) First() int64 { return r.Start }

// Next hands out the next game of the range.
func (r *Range) Next() (Assignment, bool) {
	if r.taken.Load() >= int64(r.Count) { // asked for ever, the counter stays where it is
		return Assignment{}, false
	}
	n := r.taken.Add(1) - 1
	return Assignment{r.Start + n, r.Player}, n < int64(r.Count)
}

// Wait tells that the range is used up: without that no worker is out of games.
func (r *Range) Wait(context.Context) (bool, error) { return false, nil }
