package play

import (
	"context"

	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/train/rundir"
)

// Elsewhere plays the games of a run in place of the workers of this process: on other
// machines, and on this one if it chooses to.
type Elsewhere interface {
	// Play delivers the wanted games of an alternating run in order of number, one at a
	// time. They must be the games that selfplay.Run would have played, bit for bit. An
	// error of deliver or of ctx ends it.
	Play(ctx context.Context, w *Wanted, deliver Deliver) error
	// Stream begins to play the games of a concurrent run.
	Stream(s *Streamed) (Stream, error)
	// Describe says who plays.
	Describe() *rundir.ClusterEvent
}

// Deliver takes the next game. All games below written are in files of the run then,
// synced, and survive whatever happens to the process.
type Deliver func(*selfplay.Finished) (written int64, err error)

// Wanted is what is missing of a generation's games.
type Wanted struct {
	// Run is the identity of the run, ConfigHash that of its configuration.
	Run, ConfigHash string
	Generation      int
	// Weights is the file of the network that plays, Network its generation.
	Weights string
	Network int
	// Earlier are the games that others may begin in, oldest first; their order counts.
	// They are the caller's.
	Earlier []selfplay.EarlierGame
	// First to End-1 are the games to play.
	First, End int64
	// Counters are added to as games come in.
	Counters *selfplay.Counters
}

// OldestNetwork is how many generations the network that played a game of a concurrent run
// may be older than the generation of games that the game is counted in. On one machine it
// is two at most, as games are two generations ahead of what was learned. The rest is for
// machines that were cut off: what a window of some ten generations would hold still.
const OldestNetwork = 8

// Stream plays the games of a concurrent run. A game is played by the newest network that
// its player knows of and gets its number when it comes, so that no game is waited for. Its
// seed follows from the run's, but not from its number. Methods are safe for concurrent
// use.
type Stream interface {
	// Publish makes a network the newest. Generations rise.
	Publish(n *Network) error
	// Allow lets games below limit begin. More may come.
	Allow(limit int64)
	// Play delivers games in order of number, one at a time, until it has all. An error of
	// deliver or of ctx ends it.
	Play(ctx context.Context, deliver Deliver) error
}

// Streamed is what is played of a concurrent run.
type Streamed struct {
	// Run is the identity of the run, ConfigHash that of its configuration.
	Run, ConfigHash string
	// Next is the number of the next game, End above that of the last.
	Next, End int64
	// Known are the seeds of the games in files that may come once more, with the
	// generations of the networks that played them.
	Known map[uint64]int
	// Counters are added to as games come in.
	Counters *selfplay.Counters
}

// Network is a network that plays.
type Network struct {
	Generation int
	// Weights is its file. Earlier are the games that its own may begin in, as in Wanted.
	Weights string
	Earlier []selfplay.EarlierGame
}
