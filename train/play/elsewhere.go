package play

import (
	"context"
	"errors"

	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// Elsewhere plays the games of an alternating run in place of the workers of this
// process: on other machines, and on this one if it chooses to.
type Elsewhere interface {
	// Play delivers the wanted games in order of number, one at a time. They must be the
	// games that selfplay.Run would have played, bit for bit. An error of deliver or of ctx
	// ends it.
	Play(ctx context.Context, w *Wanted, deliver Deliver) error
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

// CheckElsewhere says why the games of a run with this configuration cannot be played
// by an Elsewhere, nil if they can.
func CheckElsewhere(c *plan.Config) error {
	if c.Mode != plan.ModeAlternating {
		return errors.New("mode: " + c.Mode + ": want " + plan.ModeAlternating + " where other machines play: which network plays a game then depends on its number alone")
	}
	return nil
}
