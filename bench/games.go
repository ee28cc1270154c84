package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/record"
)

const (
	// wantRows positions are recorded first: those of some thirty games of
	// Kon'reh, from which batches, samples and shards are made.
	wantRows = 4096
	// recordSimulations are searched for each of them.
	recordSimulations = 16
	// recordTime is what this may take: on a slow machine there are fewer, and
	// games that do not end are refused.
	recordTime = 20 * time.Second
	// runName is the run that the rows are of.
	runName = "bench"
)

// freeNetwork knows nothing and costs nothing: all moves alike, all outcomes alike.
type freeNetwork struct{}

func (freeNetwork) Forward(_, _ []float32, _, _ []int32, logits, wdl, turns []float32) error {
	clear(logits)
	clear(wdl)
	clear(turns)
	return nil
}

// endless is a source of games that ends when it is told to.
type endless struct {
	player *selfplay.Player
	// begun, if not nil, is how many games may have begun by now.
	begun func() int64
	next  atomic.Int64
	ended atomic.Bool
}

func (e *endless) First() int64 { return 0 }

func (e *endless) Next() (selfplay.Assignment, bool) {
	if e.ended.Load() || e.begun != nil && e.next.Load() >= e.begun() {
		return selfplay.Assignment{}, false
	}
	return selfplay.Assignment{Number: e.next.Add(1) - 1, Player: e.player}, true
}

func (e *endless) Wait(context.Context) (bool, error) { return !e.ended.Load(), nil }

// record plays the games that later measurements take positions from, once: by
// small searches of a network that knows nothing.
func (b *bench) record(ctx context.Context) error {
	if len(b.rows) > 0 {
		return nil
	}
	b.tell("games to take positions from")
	return b.recordWithin(ctx, recordTime)
}

func (b *bench) recordWithin(ctx context.Context, limit time.Duration) error {
	limited, stop := context.WithTimeout(ctx, limit)
	defer stop()
	cfg := selfplay.DefaultConfig()
	cfg.Search.Simulations = recordSimulations
	source := &endless{player: &selfplay.Player{Fork: func() mcts.Network { return freeNetwork{} }}}
	err := selfplay.Run(limited, cfg, selfplay.Job{Game: b.game, Run: runName, Seed: b.cfg.Seed, Source: source, Workers: b.o.Threads},
		func(f *selfplay.Finished) error {
			if len(b.rows) < wantRows {
				b.rows = append(b.rows, f.Rows...)
				b.games++
			}
			source.ended.Store(len(b.rows) >= wantRows)
			return nil
		})
	switch {
	case ctx.Err() != nil:
		b.rows = nil
		return context.Cause(ctx)
	case err != nil && limited.Err() == nil:
		return err
	case len(b.rows) == 0 && err != nil:
		return fmt.Errorf("no game of %s has come to an end in %v", b.game.Rules(), limit)
	case len(b.rows) == 0:
		return errors.New("no game has a position with a choice")
	}
	return nil
}

// states are n of the recorded positions, drawn from all of them.
func (b *bench) states(ctx context.Context, n int) ([]engine.State, error) {
	if err := b.record(ctx); err != nil {
		return nil, err
	}
	rng := rand.New(seed.Stream(b.cfg.Seed, "bench-states", 0))
	states := make([]engine.State, n)
	for i := range states {
		r := &b.rows[rng.IntN(len(b.rows))]
		states[i] = b.game.NewState()
		if err := states[i].Unpack(r.Packed); err != nil {
			return nil, fmt.Errorf("a position of game %d: %w", r.GameNumber, err)
		}
	}
	return states, nil
}

// shardFolder is a temporary folder with a shard of the recorded rows.
func (b *bench) shardFolder(ctx context.Context) (string, error) {
	if b.dir != "" {
		return b.dir, nil
	}
	if err := b.record(ctx); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "ludozero-bench-")
	if err != nil {
		return "", err
	}
	b.dir = dir
	_, _, err = record.Write(dir, b.game.Info(), shardHead(), b.rows)
	return dir, err
}

func shardHead() record.Head {
	return record.Head{Run: runName, ConfigHash: record.HashText(runName), Kernel: kernel.Arithmetic()}
}

// question is what a network is asked about a batch.
type question struct {
	shape           sizes
	planes, globals []float32
	offsets, cells  []int32
	logits, wdl     []float32
}

// sizes of one position.
type sizes struct{ planes, globals int }

// Forward keeps a copy of a question.
func (q *question) Forward(planes, globals []float32, offsets, cells []int32, logits, wdl, _ []float32) error {
	q.planes, q.globals = append([]float32(nil), planes...), append([]float32(nil), globals...)
	q.offsets, q.cells = append([]int32(nil), offsets...), append([]int32(nil), cells...)
	q.logits, q.wdl = make([]float32, len(logits)), make([]float32, len(wdl))
	return freeNetwork{}.Forward(nil, nil, nil, nil, logits, wdl, nil)
}

// question asks about n recorded positions.
func (b *bench) question(ctx context.Context, n int) (*question, error) {
	states, err := b.states(ctx, n)
	if err != nil {
		return nil, err
	}
	info := b.game.Info()
	batch, q, past := mcts.NewBatch(info), &question{}, b.game.NewHistory()
	q.shape = sizes{info.Features.Planes * info.Features.Cells(), info.Features.Globals}
	var legal []engine.Action
	for _, s := range states {
		s.Begin(past)
		legal = s.Legal(legal[:0], past)
		batch.Add(s, legal)
	}
	return q, batch.Evaluate(q)
}

// own is the question with memory of its own for the answers.
func (q *question) own() *question {
	c := *q
	c.logits, c.wdl = make([]float32, len(q.logits)), make([]float32, len(q.wdl))
	return &c
}

// ask asks about the first n positions.
func (q *question) ask(net mcts.Network, n int) error {
	cells := q.offsets[n]
	return net.Forward(q.planes[:n*q.shape.planes], q.globals[:n*q.shape.globals], q.offsets[:n+1], q.cells[:cells], q.logits[:cells], q.wdl[:3*n], nil)
}
