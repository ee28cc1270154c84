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
	// Earlier are the games that new games may begin in, if Config.Beginnings asks for
	// it; nil if there are none.
	Earlier *Earlier
}

// Assignment is a game that one player plays from start to end.
type Assignment struct {
	Number int64
	Player *Player
}

// Source hands out the games of a job. Unless Job.AnyOrder is set their numbers ascend
// without a gap, and the generations of their players never fall. Workers call it concurrently.
type Source interface {
	// First is the number of the first game.
	First() int64
	// Next hands out the next game, or returns false if none is ready. Workers with
	// room for a game call it between batches and games. It must not wait.
	Next() (Assignment, bool)
	// Wait blocks a worker without games: it returns true when Next may have a game,
	// false when there will be no more, or the error of ctx.
	Wait(ctx context.Context) (bool, error)
}

// Cores shares the machine's cores between the workers of a job and others who
// compute. Workers are numbered from 0 to Job.Workers-1. An error is ctx's,
// and the worker then holds no core. Its methods are called between batches and
// between games, and should not allocate.
type Cores interface {
	// Take waits for a core.
	Take(ctx context.Context, worker int) error
	// Yield gives the worker's core to the next one waiting, and waits for another.
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
