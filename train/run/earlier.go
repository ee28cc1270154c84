package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/rundir"
)

// earlierGames are the newest games of the run that games may begin in, oldest
// first. They depend on the shards alone, whether read bit by bit or at once.
type earlierGames struct {
	games     []selfplay.EarlierGame
	next      int64 // shards below it were read, or hold older games than are kept
	replayers map[string]*record.Replayer
}

// earlier returns what games may begin in: the newest games of the shards with
// numbers below limit, which must be closed; nil if the configuration asks for
// none.
func (r *runner) earlier(ctx context.Context, limit int64) (*selfplay.Earlier, error) {
	b := &r.cfg.SelfPlay.Beginnings
	if b.EarlierShare == 0 {
		return nil, nil
	}
	dir := filepath.Join(r.dir, rundir.ShardsDir)
	entries, err := os.ReadDir(dir) // by name: by generation, then number
	if err != nil {
		return nil, err
	}
	p := &r.pool
	var fresh [][]selfplay.EarlierGame // newest first
	count, next := 0, p.next
	for _, e := range slices.Backward(entries) {
		_, number, ours := record.ParseFileName(e.Name())
		if !ours || number >= limit {
			continue
		}
		if number < p.next || count >= b.EarlierGames {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		games, err := r.readEarlier(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		fresh = append(fresh, games)
		count += len(games)
		next = max(next, number+1)
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
func (r *runner) readEarlier(path string) ([]selfplay.EarlierGame, error) {
	shard, err := record.Open(path, r.game.Info())
	if err != nil {
		return nil, err
	}
	if shard.Meta.Run != r.name {
		return nil, fmt.Errorf("shard %s: %w: of run %q, want %q", path, record.ErrForeign, shard.Meta.Run, r.name)
	}
	rows, err := shard.Rows()
	if err != nil {
		return nil, err
	}
	var all []selfplay.EarlierGame
	for _, game := range record.Games(rows) {
		replayer, err := r.pool.replayer(r.family, game[0].Rules)
		if err == nil {
			for _, p := range replayer.Play(game, nil) {
				err = fmt.Errorf("ply %d: %w", game[p.Row].Ply, p.Err)
				break
			}
		}
		if err != nil {
			return nil, fmt.Errorf("shard %s: %w: game %d: %w", path, record.ErrCorrupt, game[0].GameNumber, err)
		}
		all = append(all, selfplay.NewEarlierGame(game))
	}
	return all, nil
}

func (p *earlierGames) replayer(f *engine.Family, rules string) (*record.Replayer, error) {
	if r := p.replayers[rules]; r != nil {
		return r, nil
	}
	g, err := f.Parse(rules)
	if err != nil {
		return nil, err
	}
	if p.replayers == nil {
		p.replayers = map[string]*record.Replayer{}
	}
	p.replayers[rules] = record.NewReplayer(g)
	return p.replayers[rules], nil
}
