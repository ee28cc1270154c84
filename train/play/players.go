// Package play is how the networks of a run play its games: on this machine, on others,
// or once more to compare them with the record. It learns nothing.
package play

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// Teacher makes teachers of self-play; see selfplay.Job.Teacher.
type Teacher func(engine.Game) (selfplay.Teacher, error)

// Players makes the players of self-play. It keeps the newest games of the run that
// games may begin in, oldest first: they depend on the shards alone, whether read
// bit by bit or at once.
type Players struct {
	dir, run  string
	cfg       *plan.Config
	rules     *plan.Rules
	games     []selfplay.EarlierGame
	next      int64 // shards below it were read, or hold older games than are kept
	replayers map[string]*record.Replayer
}

// NewPlayers makes players for the run in folder dir, which has identity run.
func NewPlayers(dir, run string, cfg *plan.Config, rules *plan.Rules) *Players {
	return &Players{dir: dir, run: run, cfg: cfg, rules: rules}
}

// Games are the earlier games that are kept, oldest first.
func (p *Players) Games() []selfplay.EarlierGame { return p.games }

// Earlier returns what games may begin in: the newest games of the shards with
// numbers below limit, which must be closed; nil if the configuration asks for
// none.
func (p *Players) Earlier(ctx context.Context, limit int64) (*selfplay.Earlier, error) {
	b := &p.cfg.SelfPlay.Beginnings
	if b.EarlierShare == 0 {
		return nil, nil
	}
	files, err := rundir.ListShards(filepath.Join(p.dir, rundir.ShardsDir))
	if err != nil {
		return nil, err
	}
	var fresh [][]selfplay.EarlierGame // newest first
	count, next := 0, p.next
	for _, f := range slices.Backward(files) {
		if f.Number >= limit {
			continue
		}
		if f.Number < p.next || count >= b.EarlierGames {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		games, err := p.readEarlier(f.Path)
		if err != nil {
			return nil, err
		}
		fresh = append(fresh, games)
		count += len(games)
		next = max(next, f.Number+1)
	}
	for _, games := range slices.Backward(fresh) {
		p.games = append(p.games, games...)
	}
	p.games = slices.Delete(p.games, 0, max(0, len(p.games)-b.EarlierGames))
	p.next = next
	return selfplay.NewEarlier(p.games), nil
}

// readEarlier reads the games of a shard and plays them by the rules, since they
// are played again without a look at what is legal.
func (p *Players) readEarlier(path string) ([]selfplay.EarlierGame, error) {
	shard, err := record.Open(path, p.rules.Game.Info())
	if err != nil {
		return nil, err
	}
	if shard.Meta.Run != p.run {
		return nil, fmt.Errorf("shard %s: %w: of run %q, want %q", path, record.ErrForeign, shard.Meta.Run, p.run)
	}
	rows, err := shard.Rows()
	if err != nil {
		return nil, err
	}
	var all []selfplay.EarlierGame
	for _, game := range record.Games(rows) {
		replayer, err := p.replayer(game[0].Rules)
		if err == nil {
			for _, bad := range replayer.Play(game, nil) {
				err = fmt.Errorf("ply %d: %w", game[bad.Row].Ply, bad.Err)
				break
			}
		}
		if err != nil {
			return nil, fmt.Errorf("shard %s: %w: game %d: %w", path, record.ErrCorrupt, game[0].GameNumber, err)
		}
		all = append(all, selfplay.NewEarlierGame(game, p.cfg.SelfPlay.Beginnings.EarlierRegret))
	}
	return all, nil
}

func (p *Players) replayer(rules string) (*record.Replayer, error) {
	if r := p.replayers[rules]; r != nil {
		return r, nil
	}
	g, err := p.rules.Family.Parse(rules)
	if err != nil {
		return nil, err
	}
	if p.replayers == nil {
		p.replayers = map[string]*record.Replayer{}
	}
	p.replayers[rules] = record.NewReplayer(g)
	return p.replayers[rules], nil
}

// Player is the network of a generation at play, with the games that its own may
// begin in: those in shards below limit, which must be closed.
func (p *Players) Player(ctx context.Context, generation int, w *model.Weights, k *model.Calibration, limit int64) (*selfplay.Player, error) {
	net, err := inference(p.cfg, w, k)
	if err != nil {
		return nil, fmt.Errorf("checkpoint %d: %w", generation, err)
	}
	earlier, err := p.Earlier(ctx, limit)
	if err != nil {
		return nil, err
	}
	return &selfplay.Player{Generation: generation, Fork: func() mcts.Network { return net.Fork() }, Earlier: earlier}, nil
}

// PlayerOf makes the player of a generation from its weight file and the games that its
// own may begin in, as the run with that configuration does.
func PlayerOf(cfg *plan.Config, rules *plan.Rules, generation int, weights string, earlier []selfplay.EarlierGame) (*selfplay.Player, error) {
	w, card, err := model.Load(weights)
	if err != nil {
		return nil, err
	}
	info := rules.Game.Info()
	err = card.Fits(plan.Identity(info), plan.Shape(info))
	if network := cfg.NetworkOf(info, generation); err == nil && (card.Network != network || card.Generation != generation) {
		err = fmt.Errorf("it is the network of generation %d, %+v: want that of generation %d, %+v", card.Generation, card.Network.Config, generation, network.Config)
	}
	if err != nil {
		return nil, fmt.Errorf("weights %s: %w", weights, err)
	}
	net, err := inference(cfg, w, card.Calibration)
	if err != nil {
		return nil, err
	}
	return &selfplay.Player{Generation: generation, Fork: func() mcts.Network { return net.Fork() }, Earlier: selfplay.NewEarlier(earlier)}, nil
}

// inference makes the network that plays in self-play, of weights with that
// calibration, which may be nil.
func inference(cfg *plan.Config, w *model.Weights, k *model.Calibration) (*infer.Net, error) {
	p, err := precision.Parse(cfg.SelfPlay.Precision)
	if err != nil {
		return nil, err
	}
	return infer.New(w.Network(), w, infer.Options{MaxBatch: cfg.SelfPlay.GamesInFlight, Precision: p, Calibration: k})
}
