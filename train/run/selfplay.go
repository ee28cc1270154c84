package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/play"
	"github.com/ludozero/ludozero/train/rundir"
)

// flushEvery is how often, at most, an unfinished shard is written again with
// the games that were added to it: what a kill costs beyond the games in flight.
const flushEvery = time.Second

// flushElsewhere is flushEvery where others play, who keep their games until they are in
// a file.
const flushElsewhere = 10 * time.Second

// shardFile is the shard that is being filled.
type shardFile struct {
	*site
	rows    []record.Row
	dirty   bool  // rows were added since it was written
	lost    error // why it could not be written; nil: it could
	flushed time.Time
}

func (f *shardFile) add(rows []record.Row) {
	f.rows = append(f.rows, rows...)
	f.dirty = true
}

// write writes the shard as far as it is, if there is anything new in it.
func (f *shardFile) write(generation int, number int64) error {
	if !f.dirty || len(f.rows) == 0 {
		return nil
	}
	_, _, err := record.Write(filepath.Join(f.dir, rundir.ShardsDir), f.game.Info(), record.Head{
		Run: f.run, Generation: int32(generation), Number: number, ConfigHash: f.configHash, Kernel: kernel.Arithmetic(),
	}, f.rows)
	f.dirty, f.lost, f.flushed = err != nil, err, time.Now()
	return err
}

// shardWriter collects the games of one generation, in order, into shards of a
// fixed range of game numbers each, so that the files of an interrupted
// generation end up the same, byte for byte, as those of an uninterrupted one.
type shardWriter struct {
	shardFile
	generation int
	flushEvery time.Duration
	base       int64 // first game of the generation
	end        int64
	next       int64 // game expected next
	written    int64 // all games below it are in files
	// tally is of all games of the generation that were taken so far, before
	// and positions of those that an earlier process had played.
	tally             tally
	before, positions int
	// last is the last event of this process's play; nil: there was nothing to play.
	last *rundir.SelfPlayEvent
}

// openShards finds what an earlier process has played of the generation. A shard
// names one kernel variant and is of one format, so the games of an unfinished one
// are left out, to be played again, if they were played with another variant than
// what continues them, or recorded in an earlier format.
func (r *runner) openShards(generation int) (*shardWriter, error) {
	per := int64(r.cfg.GamesPerGeneration)
	base := int64(generation) * per
	w := &shardWriter{shardFile: shardFile{site: r.site}, generation: generation, flushEvery: flushEvery, base: base, end: base + per, next: base}
	if r.opt.Elsewhere != nil {
		w.flushEvery = flushElsewhere
	}
	var err error
	if w.tally.played.before, err = r.games.before(generation); err != nil {
		return nil, err
	}
	for w.next < w.end {
		shard, err := r.openShard(generation, r.cfg.ShardOf(w.next))
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return nil, err
		}
		next := shard.Meta.LastGame + 1
		unfinished := next < r.cfg.ShardEnd(shard.Meta.LastGame)
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
	w.before, w.positions, w.written = w.tally.games, w.tally.positions, w.next
	return w, nil
}

// deliver takes the next game.
func (w *shardWriter) deliver(f *selfplay.Finished) error {
	w.add(f.Rows)
	w.tally.add(f.Rows, f.Rules, f.Turns, float64(f.Outcome.Value(0)), f.Outcome.Reason)
	w.next = f.Number + 1
	if w.next == w.cfg.ShardEnd(f.Number) {
		err := w.flush(f.Number)
		w.rows = nil
		return err
	}
	if time.Since(w.flushed) >= w.flushEvery {
		return w.flush(f.Number)
	}
	return nil
}

// flush writes the shard of game n as far as it is.
func (w *shardWriter) flush(n int64) error {
	if err := w.write(w.generation, w.cfg.ShardOf(n)); err != nil {
		return err
	}
	w.written = w.next
	return nil
}

// selfPlay plays what is missing of the generation's games.
func (r *runner) selfPlay(ctx context.Context) error {
	p, err := r.preparePlay(ctx, r.state.Generation, nil)
	if err != nil {
		return err
	}
	if err := r.play(ctx, p); err != nil {
		return err
	}
	r.book(p.w)
	return nil
}

// playing is what is needed to play the missing games of a generation.
type playing struct {
	w      *shardWriter
	player *selfplay.Player // nil: nothing is missing, or they are played elsewhere
	cores  *cores           // shared with the trainer; nil: they are all its own
}

// preparePlay finds what is missing of the games of a generation, and the network that
// plays them.
func (r *runner) preparePlay(ctx context.Context, generation int, c *cores) (*playing, error) {
	w, err := r.openShards(generation)
	p := &playing{w: w, cores: c}
	if err != nil || w.next == w.end {
		return p, err
	}
	// Games may begin in those that their network has learned from.
	network := r.cfg.Plays(generation)
	learned := r.cfg.ShardOf(int64(network) * int64(r.cfg.GamesPerGeneration))
	if r.opt.Elsewhere != nil {
		_, err := r.players.Earlier(ctx, learned)
		return p, err
	}
	weights, calibration := r.plays, r.calibration
	if network != r.state.Generation {
		if weights, calibration, err = r.earlierNetwork(network); err != nil {
			return nil, fmt.Errorf("games of generation %d: %w", generation, err)
		}
	}
	p.player, err = r.players.Player(ctx, network, weights, calibration, learned)
	return p, err
}

// earlierNetwork reads the network of a checkpoint before the last.
func (r *runner) earlierNetwork(generation int) (*model.Weights, *model.Calibration, error) {
	w, card, err := model.Load(rundir.WeightsPath(r.dir, generation))
	if err != nil {
		return nil, nil, fmt.Errorf("network %d plays them, as lag says: %w", generation, err)
	}
	return w, card.Calibration, nil
}

// play plays the games of p that are missing. It changes nothing of the runner.
func (r *runner) play(ctx context.Context, p *playing) error {
	w := p.w
	if w.next == w.end {
		return nil
	}
	counters := &selfplay.Counters{}
	began := time.Now()
	event := func() *rundir.SelfPlayEvent {
		e := w.event(counters, began)
		if r.opt.Elsewhere != nil {
			e.Cluster = r.opt.Elsewhere.Describe()
		}
		return e
	}
	watch := newWatch(func() { r.show(rundir.Event{SelfPlay: event()}) })
	err := r.playGames(ctx, p, counters, func(f *selfplay.Finished) error {
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
	w.last = event()
	w.last.Done = true
	return r.logSelfPlay(w.last)
}

// playGames plays the games from w.next to the end of the generation.
func (r *runner) playGames(ctx context.Context, p *playing, c *selfplay.Counters, deliver func(*selfplay.Finished) error) error {
	w := p.w
	if r.opt.Elsewhere != nil {
		return r.playElsewhere(ctx, w, c, deliver)
	}
	job := selfplay.Job{
		Game: r.game, Mix: r.mix, Run: r.run, Seed: r.cfg.Seed,
		Source:  &selfplay.Range{Start: w.next, Count: int(w.end - w.next), Player: p.player},
		Workers: r.cfg.WorkerCount(), Counters: c, Teacher: r.opt.Teacher,
	}
	if p.cores != nil {
		job.Cores = p.cores
	}
	return selfplay.Run(ctx, r.cfg.SelfPlay, job, deliver)
}

// book enters the games of the present generation, all of which w has, and how fast they
// were played.
func (r *runner) book(w *shardWriter) {
	if w.last != nil {
		r.row.SetRates(w.last)
	}
	w.tally.fill(&r.row)
	r.games.keep(&w.tally, w.generation)
	r.state.Games = int(w.end)
}

func (w *shardWriter) event(c *selfplay.Counters, began time.Time) *rundir.SelfPlayEvent {
	e := &rundir.SelfPlayEvent{
		Generation: w.generation, Games: w.before + int(c.Games.Load()), GamesWant: int(w.end - w.base),
		Positions: w.positions + int(c.Decisions.Load()), Simulations: w.cfg.GrownSimulations(w.cfg.Plays(w.generation)),
	}
	w.tally.describe(e, w.mix != nil)
	e.SetRates(c.Decisions.Load(), c.Evaluations.Load(), c.Hits.Load(), time.Since(began))
	return e
}

// playElsewhere has the games from w.next on played by r.opt.Elsewhere.
func (r *runner) playElsewhere(ctx context.Context, w *shardWriter, c *selfplay.Counters, deliver func(*selfplay.Finished) error) error {
	network := r.cfg.Plays(w.generation)
	return r.opt.Elsewhere.Play(ctx, &play.Wanted{
		Run: r.run, ConfigHash: r.configHash, Generation: w.generation, Weights: rundir.WeightsPath(r.dir, network), Network: network, Earlier: r.players.Games(),
		First: w.next, End: w.end, Counters: c,
	}, func(f *selfplay.Finished) (int64, error) {
		err := deliver(f)
		return w.written, err
	})
}
