package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model/infer"
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
	run     *runner
	base    int64 // first game of the generation
	end     int64
	next    int64 // game expected next
	rows    []record.Row
	dirty   bool
	flushed time.Time
	// tally is of all games of the generation that were taken so far, before
	// and positions of those that an earlier process had played.
	tally             tally
	rules             rulesTally
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
// games that its name says. Errors name the file; it need not exist.
func (r *runner) openShard(generation int, number int64) (*record.Shard, error) {
	path := filepath.Join(r.dir, shardsDir, record.FileName(int32(generation), number))
	shard, err := record.Open(path, r.game.Info())
	if err != nil {
		return nil, err
	}
	m := &shard.Meta
	first, end := r.shardGames(number)
	switch {
	case m.Run != r.name || m.ConfigHash != r.configHash:
		return nil, fmt.Errorf("shard %s: %w: of run %q with configuration %s, want %q with %s", path, record.ErrForeign,
			m.Run, m.ConfigHash, r.name, r.configHash)
	case int(m.Generation) != generation || m.Number != number:
		return nil, fmt.Errorf("shard %s: %w: it was written as %s", path, record.ErrCorrupt, record.FileName(m.Generation, m.Number))
	case m.FirstGame < first || m.LastGame >= end:
		return nil, fmt.Errorf("shard %s: %w: games %d to %d, want some of %d to %d", path, record.ErrCorrupt,
			m.FirstGame, m.LastGame, first, end-1)
	}
	return shard, nil
}

func (w *shardWriter) head(n int64) record.Head {
	return record.Head{
		Run: w.run.name, Generation: int32(w.run.state.Generation), Number: w.run.shardOf(n), ConfigHash: w.run.configHash,
		Kernel: kernel.Variant(),
	}
}

// openShards finds what an earlier process has played of the generation.
func (r *runner) openShards() (*shardWriter, error) {
	per := int64(r.cfg.GamesPerGeneration)
	base := int64(r.state.Generation) * per
	w := &shardWriter{run: r, base: base, end: base + per, next: base, rules: rulesTally{}}
	for w.next < w.end {
		shard, err := r.openShard(r.state.Generation, r.shardOf(w.next))
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return nil, err
		}
		rows, err := shard.Rows()
		if err != nil {
			return nil, err
		}
		w.count(rows)
		w.next = shard.Meta.LastGame + 1
		if w.next < r.shardEnd(shard.Meta.LastGame) {
			w.rows = rows // to be completed
			break
		}
	}
	w.before, w.positions = w.tally.games, w.tally.positions
	return w, nil
}

// count adds games read back from a shard to the tally.
func (w *shardWriter) count(rows []record.Row) {
	for i := 0; i < len(rows); {
		r := &rows[i]
		n := i
		for n < len(rows) && rows[n].GameNumber == r.GameNumber {
			n++
		}
		first := float64(r.Outcome)
		if r.Player == 1 {
			first = -first
		}
		w.tally.add(rows[i:n], int(r.Turn+r.TurnsLeft), first, r.Reason)
		w.rules.add(r.Rules, int(r.Turn+r.TurnsLeft), first)
		i = n
	}
}

// deliver takes the next game.
func (w *shardWriter) deliver(f *selfplay.Finished) error {
	w.rows = append(w.rows, f.Rows...)
	w.dirty = true
	w.tally.add(f.Rows, f.Turns, float64(f.Outcome.Value(0)), f.Outcome.Reason)
	w.rules.add(f.Rules, f.Turns, float64(f.Outcome.Value(0)))
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
func (w *shardWriter) flush(n int64) error {
	if !w.dirty || len(w.rows) == 0 {
		return nil
	}
	_, _, err := record.Write(filepath.Join(w.run.dir, shardsDir), w.run.game.Info(), w.head(n), w.rows)
	w.dirty, w.flushed = false, time.Now()
	return err
}

// selfPlay plays what is missing of the generation's games.
func (r *runner) selfPlay(ctx context.Context) error {
	w, err := r.openShards()
	if err != nil {
		return err
	}
	if w.next < w.end {
		net, err := infer.New(r.plays.Network(), r.plays, r.cfg.SelfPlay.GamesInFlight)
		if err != nil {
			return err
		}
		earlier, err := r.earlier(ctx, r.shardOf(w.base))
		if err != nil {
			return err
		}
		player := &selfplay.Player{
			Generation: r.state.Generation, Fork: func() mcts.Network { return net.Fork() }, Earlier: earlier,
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
		r.row.PositionsPerSecond, r.row.EvaluationsPerSecond = e.PositionsPerSecond, e.EvaluationsPerSecond
	}
	w.tally.fill(&r.row)
	r.state.Games = int(w.end)
	return nil
}

func (w *shardWriter) event(generation int, c *selfplay.Counters, began time.Time) *SelfPlayEvent {
	t := &w.tally
	e := &SelfPlayEvent{
		Generation: generation, Games: w.before + int(c.Games.Load()), GamesWant: int(w.end - w.base),
		Positions:            w.positions + int(c.Decisions.Load()),
		PositionsPerSecond:   perSecond(int(c.Decisions.Load()), began),
		EvaluationsPerSecond: perSecond(int(c.Evaluations.Load()), began),
	}
	if hits := c.Hits.Load(); hits > 0 {
		e.CacheHits = float64(hits) / float64(hits+c.Evaluations.Load())
	}
	e.Resigned, e.PlayedOn, e.WronglyResigned = t.resignations.Resigned, t.resignations.PlayedOn, t.resignations.Wrong
	e.Advice = t.resignations.Advice()
	if w.run.mix != nil {
		e.Rules = w.rules.events()
	}
	if t.games > 0 {
		n := float64(t.games)
		e.MeanTurns, e.DrawRate, e.FirstScore = float64(t.turns)/n, float64(t.draws)/n, t.firstPoints/n
	}
	return e
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
