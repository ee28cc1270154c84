package run

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/play"
	"github.com/ludozero/ludozero/train/rundir"
)

// closedShard says that all games below end are in shards with numbers below
// limit, which do not change any more. Where the games of a generation end it
// says what is to be said of them.
type closedShard struct {
	limit, end int64
	played     *rundir.Metrics
}

// liveShards collects games, in order, into shards that are numbered as they
// come. A shard is closed when it has its games, where those of a generation to
// be learned end, and before the first game of a newer network; one that a
// stopped process left unfinished stays as it is. Games of older networks, which other
// machines may still send, are in the shard of the newest that came before.
type liveShards struct {
	shardFile
	journal    *journal
	elsewhere  play.Elsewhere // who plays; nil: this process
	number     int64          // of the shard being filled
	learned    int64          // shards below it were learned from when the process began
	generation int            // the newest whose network has played a game
	next       int64          // game expected next
	written    int64          // all games below it are in files

	// tally is of the games from base on, which one generation learns from;
	// counted is what the counters were when the first of them was awaited, after
	// a learning time of began.
	base     int64
	tally    tally
	counters *selfplay.Counters
	counted  struct{ decisions, evaluations, hits int64 }
	began    time.Duration

	mu     sync.Mutex
	closed []closedShard // and not yet handed to the trainer
	signal chan struct{} // that there are some
}

// checkLiveShards is checkShards for a concurrent run. Shards are numbered
// without a gap, and there may be any number that are newer than what the
// checkpoint has learned from. It returns what they hold.
func (s *site) checkLiveShards(st *rundir.State) ([]record.Meta, error) {
	dir := filepath.Join(s.dir, rundir.ShardsDir)
	files, err := rundir.ListShards(dir)
	if err != nil {
		return nil, err
	}
	rows, per := 0, int64(s.cfg.GamesPerGeneration)
	var all []record.Meta
	for _, f := range files {
		shard, err := s.shards().Open(f.Generation, f.Number)
		if err != nil {
			return nil, err
		}
		m := shard.Meta
		cell := m.FirstGame / per
		switch {
		case f.Generation > st.Generation:
			return nil, fmt.Errorf("shard %s: its generation is newer than the last checkpoint, %d", f.Path, st.Generation)
		case f.Number != int64(len(all)):
			return nil, fmt.Errorf("shard %s: want number %d next: shards before it are missing or twice there", f.Path, len(all))
		case len(all) > 0 && m.FirstGame <= all[len(all)-1].LastGame:
			return nil, fmt.Errorf("shard %s: %w: games %d to %d, but the shard before it goes up to %d", f.Path, record.ErrCorrupt,
				m.FirstGame, m.LastGame, all[len(all)-1].LastGame)
		case s.cfg.ShardEnd(m.FirstGame) != s.cfg.ShardEnd(m.LastGame):
			return nil, fmt.Errorf("shard %s: %w: games %d to %d, want none from %d on", f.Path, record.ErrCorrupt,
				m.FirstGame, m.LastGame, s.cfg.ShardEnd(m.FirstGame))
		case cell < int64(f.Generation) || cell > int64(f.Generation)+play.OldestNetwork:
			return nil, fmt.Errorf("shard %s: %w: games %d to %d of generation %d, want some of %d to %d", f.Path, record.ErrCorrupt,
				m.FirstGame, m.LastGame, f.Generation, int64(f.Generation)*per, int64(f.Generation+play.OldestNetwork+1)*per-1)
		}
		all = append(all, m)
		if m.LastGame < int64(st.Games) {
			rows += m.Rows
		}
	}
	if rows != st.Rows {
		return nil, fmt.Errorf("checkpoint %d has learned from %d positions: the shards of games before %d in %s hold %d",
			st.Generation, st.Rows, st.Games, dir, rows)
	}
	return all, nil
}

// openLiveShards goes on behind the shards that checkLiveShards found. Those
// that the checkpoint has not learned from are closed ones.
func (r *runner) openLiveShards() (*liveShards, error) {
	w := &liveShards{
		shardFile: shardFile{site: r.site}, journal: r.journal, elsewhere: r.opt.Elsewhere, number: int64(len(r.played)), next: int64(r.state.Games),
		counters: &selfplay.Counters{}, signal: make(chan struct{}, 1), began: r.elapsed(),
	}
	w.base = w.next
	var before playedGames
	for _, m := range r.played {
		w.generation = int(m.Generation)
		if m.LastGame < w.next {
			w.learned = m.Number + 1
			if m.FirstGame >= w.base-int64(r.cfg.GamesPerGeneration) {
				shard, err := r.shards().Open(int(m.Generation), m.Number)
				if err == nil {
					err = before.read(shard)
				}
				if err != nil {
					return nil, err
				}
				w.tally.played.before = before.known
			}
			continue
		}
		for end := r.cfg.ShardEnd(w.next); end <= m.FirstGame; end = r.cfg.ShardEnd(w.next) {
			w.next = end // the games before it had no row
			w.tell(m.Number, nil)
		}
		rows, err := r.rowsOf(&m)
		if err != nil {
			return nil, err
		}
		w.tally.count(rows)
		w.next = m.LastGame + 1
		w.tell(m.Number+1, nil)
	}
	w.written = w.next
	return w, nil
}

// complete tells whether all games of the generation from base on are there.
func (w *liveShards) complete() bool { return w.next == w.base+int64(w.cfg.GamesPerGeneration) }

// tell hands the trainer what came until now, in shards below limit. If that
// completes a generation, the next one is begun; e tells the rates then, if they
// are known.
func (w *liveShards) tell(limit int64, e *rundir.SelfPlayEvent) {
	s := closedShard{limit: limit, end: w.next}
	if w.complete() {
		s.played = &rundir.Metrics{}
		if e != nil {
			s.played.SetRates(e)
		}
		w.tally.fill(s.played)
		next := tally{played: playedGames{before: w.tally.played.known}}
		w.base, w.tally, w.began = w.next, next, w.journal.elapsed()
		c := w.counters
		w.counted.decisions, w.counted.evaluations, w.counted.hits = c.Decisions.Load(), c.Evaluations.Load(), c.Hits.Load()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = append(w.closed, s)
	select {
	case w.signal <- struct{}{}:
	default:
	}
}

// deliver takes the next game.
func (w *liveShards) deliver(f *selfplay.Finished) error {
	if f.Generation > w.generation && len(w.rows) > 0 {
		if err := w.close(); err != nil {
			return err
		}
	}
	w.generation = max(w.generation, f.Generation)
	w.add(f.Rows)
	w.tally.add(f.Rows, f.Rules, f.Turns, float64(f.Outcome.Value(0)), f.Outcome.Reason)
	w.next = f.Number + 1
	if w.next == w.cfg.ShardEnd(f.Number) {
		return w.close()
	}
	every := flushEvery
	if w.elsewhere != nil {
		every = flushElsewhere
	}
	if time.Since(w.flushed) >= every {
		return w.flush()
	}
	return nil
}

// flush writes the shard as far as it is.
func (w *liveShards) flush() error {
	if err := w.write(w.generation, w.number); err != nil {
		return err
	}
	w.written = w.next
	return nil
}

// close finishes the shard, if it has a row, and tells the trainer.
func (w *liveShards) close() error {
	if err := w.flush(); err != nil {
		return err
	}
	if len(w.rows) > 0 {
		w.number++
		w.rows = nil
	}
	var e *rundir.SelfPlayEvent
	if w.complete() {
		e = w.event()
		e.Done = true
		if err := w.journal.logSelfPlay(e); err != nil {
			return err
		}
	}
	w.tell(w.number, e)
	return nil
}

// nextClosed waits for the next closed shard.
func (w *liveShards) nextClosed(ctx context.Context) (closedShard, error) {
	for {
		w.mu.Lock()
		if len(w.closed) > 0 {
			s := w.closed[0]
			w.closed = w.closed[1:]
			w.mu.Unlock()
			return s, nil
		}
		w.mu.Unlock()
		select {
		case <-w.signal:
		case <-ctx.Done():
			return closedShard{}, ctx.Err()
		}
	}
}

// event tells of the games that one generation is to learn from. Rates are since
// the last of the generation before came.
func (w *liveShards) event() *rundir.SelfPlayEvent {
	per := int64(w.cfg.GamesPerGeneration)
	e := &rundir.SelfPlayEvent{Generation: int(w.base / per), Games: int(w.next - w.base), GamesWant: int(per), Positions: w.tally.positions}
	e.Simulations = w.cfg.GrownSimulations(e.Generation)
	if w.elsewhere != nil {
		e.Cluster = w.elsewhere.Describe()
	}
	w.tally.describe(e, w.mix != nil)
	e.SetRates(w.counters.Decisions.Load()-w.counted.decisions, w.counters.Evaluations.Load()-w.counted.evaluations,
		w.counters.Hits.Load()-w.counted.hits, w.journal.elapsed()-w.began)
	return e
}
