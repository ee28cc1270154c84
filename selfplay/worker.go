package selfplay

import (
	"context"
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/mcts"
)

// worker plays games on one goroutine. All its games in flight advance by one
// evaluation at a time; games of one network share a batch.
type worker struct {
	cfg  *Config
	job  *Job
	id   int
	done chan<- *Finished
	core bool // it holds one of job.Cores

	teachers teachers

	games []*game // in flight
	idle  []*game // ended; their trees wait for the next game
	// lanes are the networks of games in flight, and the newest. There is more
	// than one only while games that began with an older network go on.
	lanes []*lane
}

// lane is a worker's network with its batch.
type lane struct {
	player *Player
	net    mcts.Network
	batch  *mcts.Batch // with a cache of this network alone
	games  int         // in flight
}

// run plays until the source has no more games.
func (w *worker) run(ctx context.Context) error {
	defer w.give()
	for {
		if err := w.take(ctx); err != nil {
			return err
		}
		if err := w.fill(); err != nil {
			return err
		}
		if len(w.games) == 0 {
			w.give()
			if more, err := w.job.Source.Wait(ctx); !more || err != nil {
				return err
			}
			continue
		}
		if err := w.round(ctx); err != nil {
			return err
		}
	}
}

// take gets a core, or yields the one it has and gets another.
func (w *worker) take(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.job.Cores == nil {
		return nil
	}
	ask := w.job.Cores.Take
	if w.core {
		ask = w.job.Cores.Yield
	}
	err := ask(ctx, w.id)
	w.core = err == nil
	return err
}

// give hands back the core, if the worker has one.
func (w *worker) give() {
	if w.core {
		w.job.Cores.Give(w.id)
		w.core = false
	}
}

// fill begins games up to the limit, or until the source has none.
func (w *worker) fill() error {
	for len(w.games) < w.cfg.GamesInFlight {
		a, ok := w.job.Source.Next()
		if !ok {
			return nil
		}
		if err := w.begin(a); err != nil {
			return err
		}
	}
	return nil
}

// begin starts a game.
func (w *worker) begin(a Assignment) error {
	var g *game
	if n := len(w.idle); n > 0 {
		g, w.idle = w.idle[n-1], w.idle[:n-1]
	} else {
		var err error
		if g, err = newGame(w.cfg, w.job); err != nil {
			return err
		}
	}
	g.start(a.Number, w.lane(a.Player))
	g.lane.games++
	w.games = append(w.games, g)
	return nil
}

// lane returns the lane of a player. A new one replaces the lanes that no game uses any
// more, and takes over the batch of one of them.
func (w *worker) lane(p *Player) *lane {
	for _, l := range w.lanes {
		if l.player == p {
			return l
		}
	}
	needed := w.lanes[:0]
	var batch *mcts.Batch
	for _, l := range w.lanes {
		if l.games > 0 {
			needed = append(needed, l)
		} else {
			batch = l.batch
		}
	}
	if batch == nil {
		batch = newBatch(w.cfg, w.job.Game)
	} else {
		batch.Forget()
	}
	clear(w.lanes[len(needed):])
	l := &lane{player: p, net: p.Fork(), batch: batch}
	w.lanes = append(needed, l)
	return l
}

// round advances every game to its next position to evaluate, replaces finished games,
// and evaluates the positions.
func (w *worker) round(ctx context.Context) error {
	for _, l := range w.lanes {
		l.batch.Clear()
	}
	var done work
	for i := 0; i < len(w.games); {
		g := w.games[i]
		waits := g.advance(&done)
		for !waits && g.teacherDecides() {
			if err := w.teach(ctx, g); err != nil {
				return err
			}
			waits = g.advance(&done)
		}
		if waits {
			i++
			continue
		}
		w.count(&done)
		w.job.Counters.Games.Add(1)
		g.taught.end()
		select {
		case w.done <- g.finish():
		case <-ctx.Done():
			return ctx.Err()
		}
		g.lane.games--
		w.games = append(w.games[:i], w.games[i+1:]...)
		w.idle = append(w.idle, g)
		// Cached evaluations may end this game and any number of games after it.
		if err := w.take(ctx); err != nil {
			return err
		}
		if a, ok := w.job.Source.Next(); ok {
			if err := w.begin(a); err != nil {
				return err
			}
		}
	}
	w.count(&done)
	for _, l := range w.lanes {
		if l.batch.Len() == 0 {
			continue
		}
		if err := l.batch.Evaluate(l.net); err != nil {
			return fmt.Errorf("self-play of generation %d: %w", l.player.Generation, err)
		}
		w.job.Counters.Evaluations.Add(int64(l.batch.Len()))
	}
	for _, g := range w.games {
		g.receive()
	}
	return nil
}

// count adds done to the counters of the job and clears it.
func (w *worker) count(done *work) {
	w.job.Counters.Decisions.Add(done.decisions)
	w.job.Counters.Hits.Add(done.hits)
	*done = work{}
}

func newBatch(cfg *Config, game engine.Game) *mcts.Batch {
	b := mcts.NewBatch(game.Info())
	if cfg.CachePositions > 0 {
		b.Remember(mcts.NewCache(game.Info(), cfg.CachePositions))
	}
	if cfg.FoldSymmetries {
		b.Fold(game)
	}
	return b
}
