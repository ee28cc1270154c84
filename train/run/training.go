package run

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/train"
)

// train takes the steps that the generation's new positions have earned. They
// begin at the last checkpoint and draw from a stream of the generation, so a
// stage that was cut short is simply done again.
func (r *runner) train(ctx context.Context) error {
	if _, err := r.window.Refresh(); err != nil {
		return err
	}
	seen := int(r.window.Seen())
	fresh := seen - r.state.Rows
	if fresh <= 0 {
		return fmt.Errorf("generation %d played no position that could be learned from", r.state.Generation)
	}
	owed := r.state.Owed + float64(fresh)*r.cfg.PassesPerPosition
	steps := int(owed) / r.cfg.Train.Batch

	rng := rand.New(seed.Stream(r.cfg.Seed, "training", uint64(r.state.Generation)))
	batch := train.NewBatch(r.game.Info(), r.cfg.Train.Batch)
	var sum, last losses
	began := time.Now()
	done := 0
	event := func(l losses) *TrainingEvent {
		e := l.event()
		e.Generation, e.StepsDone, e.StepsWant = r.state.Generation, done, steps
		e.Step, e.LearningRate = int(r.trainer.Steps()), r.trainer.LearningRate()
		e.WindowPositions = int(r.window.Len())
		e.SamplesPerSecond = perSecond(done*r.cfg.Train.Batch, began)
		return e
	}
	shown := began
	for ; done < steps; done++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := batch.Fill(r.window, rng); err != nil {
			return err
		}
		p, err := r.trainer.Step(batch)
		if err != nil {
			return err
		}
		sum.add(&p)
		last.add(&p)
		if now := time.Now(); now.Sub(shown) >= watchEvery {
			shown = now
			r.show(Event{Training: event(last)})
			last = losses{}
		}
	}
	r.state.Step += steps
	r.state.Rows = seen
	r.state.Owed = owed - float64(steps*r.cfg.Train.Batch)
	e := event(sum)
	e.Done = true
	return r.log(Event{Training: e})
}

// losses sums up what steps reported.
type losses struct {
	steps                       int
	policy, value, turns, norms float64
}

func (l *losses) add(p *train.Progress) {
	l.steps++
	l.policy += p.Policy
	l.value += p.Value
	l.turns += p.Turns
	l.norms += p.GradientNorm
}

func (l *losses) event() *TrainingEvent {
	n := float64(max(1, l.steps))
	return &TrainingEvent{PolicyLoss: l.policy / n, ValueLoss: l.value / n, TurnsLoss: l.turns / n, GradientNorm: l.norms / n}
}
