package run

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/train/play"
	"github.com/ludozero/ludozero/train/rundir"
)

// ownSource is the liveSource that plays in this process.
type ownSource struct {
	*liveGames
	run    *runner
	shards *liveShards
	cores  *cores
}

func (r *runner) openSource(ctx context.Context, w *liveShards, c *cores, end int64) (liveSource, error) {
	player, err := r.players.Player(ctx, r.state.Generation, r.plays, r.calibration, w.learned)
	if err != nil {
		return nil, err
	}
	return &ownSource{newLiveGames(w.next, w.next, end, player), r, w, c}, nil
}

func (s *ownSource) play(ctx context.Context, deliver func(*selfplay.Finished) error) error {
	r := s.run
	return selfplay.Run(ctx, r.cfg.SelfPlay, selfplay.Job{
		Game: r.game, Mix: r.mix, Run: r.run, Seed: r.cfg.Seed, Source: s.liveGames, Workers: r.cfg.WorkerCount(), Cores: s.cores, Counters: s.shards.counters, Teacher: r.opt.Teacher,
	}, deliver)
}

func (s *ownSource) publish(ctx context.Context, limit int64) error {
	r := s.run
	player, err := r.players.Player(ctx, r.state.Generation, r.plays, r.calibration, limit)
	if err == nil {
		s.liveGames.publish(player)
	}
	return err
}

// farSource is the liveSource of Options.Elsewhere.
type farSource struct {
	play.Stream
	run    *runner
	shards *liveShards
}

// openStream tells Options.Elsewhere of the games that are in files and may come once
// more, and of the networks whose games still count, as far as they are kept.
func (r *runner) openStream(ctx context.Context, w *liveShards, end int64) (liveSource, error) {
	per := int64(r.cfg.GamesPerGeneration)
	oldest := max(0, int(w.next/per)-play.OldestNetwork)
	known := map[uint64]int{}
	for _, m := range r.played {
		if m.LastGame < int64(oldest)*per {
			continue
		}
		rows, err := r.rowsOf(&m)
		if err != nil {
			return nil, err
		}
		for i := range rows {
			known[rows[i].Seed] = int(rows[i].Generation)
		}
	}
	stream, err := r.opt.Elsewhere.Stream(&play.Streamed{
		Run: r.run, ConfigHash: r.configHash, Next: w.next, End: end, Known: known, Counters: w.counters,
	})
	if err != nil {
		return nil, err
	}
	s := &farSource{stream, r, w}
	for g := oldest; g <= r.state.Generation; g++ {
		limit := int64(0) // as when it was published
		for _, m := range r.played {
			if m.LastGame < int64(g)*per {
				limit = m.Number + 1
			}
		}
		if err := s.publishOf(ctx, g, limit); err != nil && (g == r.state.Generation || !errors.Is(err, fs.ErrNotExist)) {
			return nil, err
		}
	}
	return s, nil
}

func (s *farSource) play(ctx context.Context, deliver func(*selfplay.Finished) error) error {
	return s.Play(ctx, func(f *selfplay.Finished) (int64, error) {
		err := deliver(f)
		return s.shards.written, err
	})
}

func (s *farSource) allow(limit int64) { s.Allow(limit) }

func (s *farSource) publish(ctx context.Context, limit int64) error {
	return s.publishOf(ctx, s.run.state.Generation, limit)
}

// publishOf publishes a network that has learned from the shards below limit.
func (s *farSource) publishOf(ctx context.Context, generation int, limit int64) error {
	path := rundir.WeightsPath(s.run.dir, generation)
	if _, err := os.Stat(path); err != nil {
		return err
	}
	if _, err := s.run.players.Earlier(ctx, limit); err != nil {
		return err
	}
	return s.Publish(&play.Network{Generation: generation, Weights: path, Earlier: s.run.players.Games()})
}
