package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train"
	"github.com/ludozero/ludozero/train/replay"
)

// lesson is a trainer with a window over the recorded rows.
type lesson struct {
	trainer *train.Trainer
	window  *replay.Window
	batch   *train.Batch
	rng     *rand.Rand
	rows    int // of a batch
	// precision is what convolutions multiply.
	precision string
}

// newLesson prepares the training of a network as configured.
func (b *bench) newLesson(ctx context.Context, w *model.Weights) (*lesson, error) {
	dir, err := b.shardFolder(ctx)
	if err != nil {
		return nil, err
	}
	rows := b.cfg.Train.Batch
	l := &lesson{rows: rows, precision: b.cfg.Train.Precision, batch: train.NewBatch(b.game.Info(), rows), rng: rand.New(seed.Stream(b.cfg.Seed, "bench-training", 0))}
	if l.window, err = replay.Open(b.cfg, b.o.Rules.Family, dir, runName); err != nil {
		return nil, err
	}
	if _, err := l.window.Refresh(); err != nil {
		return nil, err
	}
	l.trainer, err = train.NewTrainer(w, b.cfg.Train, 1)
	return l, err
}

// step draws a batch from the window and learns from it.
func (l *lesson) step() (float64, error) {
	if err := l.batch.Fill(l.window, l.rng); err != nil {
		return 0, err
	}
	_, err := l.trainer.Step(l.batch)
	return float64(l.batch.Rows()), err
}

// probe measures steps on that many threads, of which the trainer may use fewer.
func (l *lesson) probe(threads int, operations float64) *probe {
	f := Figure{Name: "training step", Unit: "samples/s", Precision: l.precision, Batch: l.rows, Operations: operations}
	p := newProbe(f, 1, l.step)
	p.figures[0].Threads, p.threads, p.uneven = threads, threads, threads > 1
	run := p.slice
	p.slice = func(ctx context.Context, d time.Duration) ([]float64, error) {
		l.trainer.SetThreads(threads)
		return run(ctx, d)
	}
	return p
}

func (b *bench) training(ctx context.Context, s *Section) error {
	l, err := b.newLesson(ctx, b.weights)
	if err != nil {
		return err
	}
	defer l.trainer.Close()
	operations := 2 * float64(b.network.TrainingMultiplyAdds())
	var probes, limits []*probe
	for _, threads := range b.o.threads() {
		limit := peakF32.probe(threads, limitPart)
		limits = append(limits, limit)
		probes = append(probes, limit, l.probe(threads, operations))
	}
	err = b.measure(ctx, probes...)
	for i, limit := range limits {
		b.noteClock(limit)
		p := probes[2*i+1]
		s.add(p, 0, shareOf(peakF32.direct, p.of(0), limit.of(0), operations))
	}
	s.Notes = append(s.Notes, fmt.Sprintf("whole steps as the loop takes them, batches drawn from a window of %d positions and AdamW included", l.window.Len()))
	return err
}
