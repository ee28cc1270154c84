package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model"
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

// playElsewhere has the games from w.next on played by r.opt.Elsewhere.
func (r *runner) playElsewhere(ctx context.Context, w *shardWriter, c *selfplay.Counters, deliver func(*selfplay.Finished) error) error {
	network := r.cfg.Plays(w.generation)
	return r.opt.Elsewhere.Play(ctx, &Wanted{
		Run: r.run, ConfigHash: r.configHash, Generation: w.generation, Weights: rundir.WeightsPath(r.dir, network), Network: network, Earlier: r.players.games,
		First: w.next, End: w.end, Counters: c,
	}, func(f *selfplay.Finished) (int64, error) {
		err := deliver(f)
		return w.written, err
	})
}

// PlayerOf makes the player of a generation from its weight file and the games that its
// own may begin in, as the run with that configuration does.
func PlayerOf(cfg *plan.Config, rules *plan.Rules, generation int, weights string, earlier []selfplay.EarlierGame) (*selfplay.Player, error) {
	s := newSite("", *cfg, rules)
	w, card, err := model.Load(weights)
	if err != nil {
		return nil, err
	}
	info := rules.Game.Info()
	err = card.Fits(plan.Identity(info), plan.Shape(info))
	if network := s.networkOf(generation); err == nil && (card.Network != network || card.Generation != generation) {
		err = fmt.Errorf("it is the network of generation %d, %+v: want that of generation %d, %+v", card.Generation, card.Network.Config, generation, network.Config)
	}
	if err != nil {
		return nil, fmt.Errorf("weights %s: %w", weights, err)
	}
	net, err := s.inference(w, card.Calibration)
	if err != nil {
		return nil, err
	}
	return &selfplay.Player{Generation: generation, Fork: func() mcts.Network { return net.Fork() }, Earlier: selfplay.NewEarlier(earlier)}, nil
}
