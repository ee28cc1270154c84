package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/record"
)

// flushEvery is how often, at most, an unfinished shard is written again with
// the games that were added to it: what a kill costs beyond the games in flight.
const flushEvery = time.Second

// shardWriter collects the games of one generation, in order, into shards of a
// fixed range of game numbers each, so that the files of an interrupted
// generation end up the same, byte for byte, as those of an uninterrupted one.
type shardWriter struct {
	shardFile
	base int64 // first game of the generation
	end  int64
	next int64 // game expected next
	// tally is of all games of the generation that were taken so far, before
	// and positions of those that an earlier process had played.
	tally             tally
	before, positions int
}

// shardOf places game n: shards are numbered over the whole run, and no shard
// holds games of two generations.
func (r *runner) shardOf(n int64) int64 {
	games, per, shards := r.layout()
	return n/games*shards + n%games/per
}

// shardGames is the range of games, from first up to but not including end,
// that a shard is for.
func (r *runner) shardGames(number int64) (first, end int64) {
	games, per, shards := r.layout()
	base := number / shards * games
	first = base + number%shards*per
	return first, min(first+per, base+games)
}

// layout is the number of games of a generation, of games in its shards but the
// last, and of shards.
func (r *runner) layout() (games, per, shards int64) {
	games = int64(r.cfg.GamesPerGeneration)
	per = min(games, int64(r.cfg.GamesPerShard))
	return games, per, (games-1)/per + 1
}

// shardEnd is where the shard of game n ends.
func (r *runner) shardEnd(n int64) int64 {
	_, end := r.shardGames(r.shardOf(n))
	return end
}

// openShard opens a shard and refuses it unless it is this run's and holds the
// games that its name says in the alternating loop. Errors name the file; it need
// not exist.
func (r *runner) openShard(generation int, number int64) (*record.Shard, error) {
	shard, err := r.openFile(generation, number)
	if err != nil {
		return nil, err
	}
	m := &shard.Meta
	if first, end := r.shardGames(number); m.FirstGame < first || m.LastGame >= end {
		return nil, fmt.Errorf("shard %s: %w: games %d to %d, want some of %d to %d", shard.Name, record.ErrCorrupt,
			m.FirstGame, m.LastGame, first, end-1)
	}
	return shard, nil
}

// openFile opens a shard and refuses it unless it is this run's and was written
// under its name.
func (r *runner) openFile(generation int, number int64) (*record.Shard, error) {
	path := filepath.Join(r.dir, shardsDir, record.FileName(int32(generation), number))
	shard, err := record.Open(path, r.game.Info())
	if err != nil {
		return nil, err
	}
	m := &shard.Meta
	switch {
	case m.Run != r.name || m.ConfigHash != r.configHash:
		return nil, fmt.Errorf("shard %s: %w: of run %q with configuration %s, want %q with %s", path, record.ErrForeign,
			m.Run, m.ConfigHash, r.name, r.configHash)
	case int(m.Generation) != generation || m.Number != number:
		return nil, fmt.Errorf("shard %s: %w: it was written as %s", path, record.ErrCorrupt, record.FileName(m.Generation, m.Number))
	}
	return shard, nil
}

// openShards finds what an earlier process has played of the generation. A shard
// names one kernel variant and is of one format, so the games of an unfinished one
// are left out, to be played again, if they were played with another variant than
// what goes on with them, or recorded in an earlier format.
func (r *runner) openShards() (*shardWriter, error) {
	per := int64(r.cfg.GamesPerGeneration)
	base := int64(r.state.Generation) * per
	w := &shardWriter{shardFile: shardFile{run: r}, base: base, end: base + per, next: base}
	var err error
	if w.tally.played.before, err = r.gamesBefore(); err != nil {
		return nil, err
	}
	for w.next < w.end {
		shard, err := r.openShard(r.state.Generation, r.shardOf(w.next))
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return nil, err
		}
		next := shard.Meta.LastGame + 1
		unfinished := next < r.shardEnd(shard.Meta.LastGame)
		if unfinished && (shard.Meta.Kernel != kernel.Arithmetic() || shard.Meta.Format != record.FormatVersion) {
			break
		}
		rows, err := shard.Rows()
		if err != nil {
			return nil, err
		}
		w.tally.count(rows)
		w.next = next
		if unfinished {
			w.rows = rows // to be completed
			break
		}
	}
	w.before, w.positions = w.tally.games, w.tally.positions
	return w, nil
}

// deliver takes the next game.
func (w *shardWriter) deliver(f *selfplay.Finished) error {
	w.add(f.Rows)
	w.tally.add(f.Rows, f.Rules, f.Turns, float64(f.Outcome.Value(0)), f.Outcome.Reason)
	w.next = f.Number + 1
	if w.next == w.run.shardEnd(f.Number) {
		err := w.flush(f.Number)
		w.rows = nil
		return err
	}
	if time.Since(w.flushed) >= flushEvery {
		return w.flush(f.Number)
	}
	return nil
}

// flush writes the shard of game n as far as it is.
func (w *shardWriter) flush(n int64) error { return w.write(w.run.state.Generation, w.run.shardOf(n)) }

// selfPlay plays what is missing of the generation's games.
func (r *runner) selfPlay(ctx context.Context) error {
	w, err := r.openShards()
	if err != nil {
		return err
	}
	if w.next < w.end {
		player, err := r.player(ctx, r.shardOf(w.base))
		if err != nil {
			return err
		}
		counters := &selfplay.Counters{}
		job := selfplay.Job{
			Game: r.game, Mix: r.mix, Run: r.name, Seed: r.cfg.Seed,
			Source:  &selfplay.Range{Start: w.next, Count: int(w.end - w.next), Player: player},
			Workers: r.cfg.workers(), Counters: counters,
		}
		began := time.Now()
		watch := r.watch(func() { r.show(Event{SelfPlay: w.event(r.state.Generation, counters, began)}) })
		err = selfplay.Run(ctx, r.cfg.SelfPlay, job, func(f *selfplay.Finished) error {
			watch.Lock()
			defer watch.Unlock()
			return w.deliver(f)
		})
		watch.stop()
		if lost := w.flush(w.next - 1); lost != nil {
			return lost // weighs more than the stop that it follows
		}
		if err != nil {
			return err
		}
		e := w.event(r.state.Generation, counters, began)
		e.Done = true
		if err := r.logSelfPlay(e); err != nil {
			return err
		}
		r.row.rates(e)
	}
	w.tally.fill(&r.row)
	r.keepGames(&w.tally)
	r.state.Games = int(w.end)
	return nil
}

func (w *shardWriter) event(generation int, c *selfplay.Counters, began time.Time) *SelfPlayEvent {
	e := &SelfPlayEvent{
		Generation: generation, Games: w.before + int(c.Games.Load()), GamesWant: int(w.end - w.base),
		Positions: w.positions + int(c.Decisions.Load()), Simulations: w.run.cfg.grownSimulations(generation),
	}
	w.tally.describe(e, w.run.mix != nil)
	e.rates(c.Decisions.Load(), c.Evaluations.Load(), c.Hits.Load(), time.Since(began))
	return e
}

// grownSimulations are those of a generation's full searches, 0 if all have the
// same.
func (c *Config) grownSimulations(generation int) int {
	if c.SelfPlay.FirstSimulations == 0 {
		return 0
	}
	full, _ := c.SelfPlay.SimulationsAt(generation)
	return full
}

// makeDirs makes the folders of a run.
func makeDirs(dir string) error {
	for _, d := range []string{shardsDir, checkpointsDir} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o777); err != nil {
			return err
		}
	}
	return nil
}
