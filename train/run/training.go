package run

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/train"
	"github.com/ludozero/ludozero/train/rundir"
)

// train takes the steps that the generation's new positions have earned, in parts that
// compute does; see lesson. They
// begin at the last checkpoint and draw from a stream of the generation, so a
// stage that was cut short is simply done again.
func (r *runner) train(ctx context.Context, compute func(context.Context, func() error) error) error {
	l, err := r.newLesson()
	if err != nil {
		return err
	}
	l.compute = compute
	// The games of the next generation may be there already.
	limit := r.cfg.ShardOf(int64(r.state.Generation+1) * int64(r.cfg.GamesPerGeneration))
	if err := l.compute(ctx, func() error { return l.read(limit) }); err != nil {
		return err
	}
	if err := l.steps(ctx); err != nil {
		return err
	}
	return l.end(ctx)
}

// lesson is the training of one generation. What it does depends on the
// checkpoint it begins at and on the shards it reads, in which order of reads
// and steps, and on nothing else.
type lesson struct {
	run   *runner
	rng   *rand.Rand
	batch *train.Batch

	earned     float64 // samples that the positions read so far have earned
	done, want int     // steps taken, and all that were earned so far

	sum, last    losses // of the lesson, and since what was shown last
	began, shown time.Time

	// compute does one part of the work, unless ctx has ended. In a concurrent
	// run it waits for a core.
	compute func(ctx context.Context, part func() error) error
}

// atOnce does a part of the work that needs to wait for nobody.
func atOnce(ctx context.Context, part func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return part()
}

// newLesson begins the training of the next network, with fresh weights if it is
// to have them, at the learning rate that the budget leaves.
func (r *runner) newLesson() (*lesson, error) {
	if err := r.renew(r.state.Generation); err != nil {
		return nil, err
	}
	if err := r.setRate(&r.state); err != nil {
		return nil, err
	}
	now := time.Now()
	return &lesson{
		run: r, rng: rand.New(seed.Stream(r.cfg.Seed, "training", uint64(r.state.Generation))),
		batch: train.NewBatch(r.game.Info(), r.cfg.Train.Batch), began: now, shown: now, compute: atOnce,
	}, nil
}

// read takes in the shards with numbers below limit.
func (l *lesson) read(limit int64) error {
	r := l.run
	if _, err := r.window.RefreshTo(limit); err != nil {
		return err
	}
	seen := r.window.Seen()
	earned := r.cfg.Samples(seen-r.window.Own()+int64(r.state.Rows), seen) * r.window.MeanWeight()
	l.earned = max(l.earned, r.state.Owed+earned) // what was earned stays if the mean falls
	l.want = int(l.earned) / r.cfg.Train.Batch
	return nil
}

// steps takes the steps that are wanted and were not taken yet.
func (l *lesson) steps(ctx context.Context) error {
	for l.done < l.want {
		if err := l.compute(ctx, l.step); err != nil {
			return err
		}
	}
	return nil
}

// step takes one step.
func (l *lesson) step() error {
	if err := l.batch.Fill(l.run.window, l.rng); err != nil {
		return err
	}
	if l.run.flipped {
		flipValues(l.batch.Value)
	}
	p, err := l.run.trainer.Step(l.batch)
	if err != nil {
		return err
	}
	l.done++
	l.sum.age += float64(l.run.state.Generation) - l.batch.MeanGeneration()
	l.sum.largestNorm = max(l.sum.largestNorm, p.GradientNorm)
	if clip := l.run.cfg.Train.ClipNorm; clip > 0 && p.GradientNorm > clip {
		l.sum.clipped++
	}
	l.sum.add(&p)
	l.last.add(&p)
	if now := time.Now(); now.Sub(l.shown) >= watchEvery {
		l.shown = now
		l.run.show(rundir.Event{Training: l.event(l.last)})
		l.last = losses{}
	}
	return nil
}

// end settles which network plays next, of which size, and books what was learned.
func (l *lesson) end(ctx context.Context) error {
	s := &l.run.state
	seen := int(l.run.window.Own())
	if seen <= s.Rows {
		return fmt.Errorf("generation %d played no position that could be learned from", s.Generation)
	}
	owed := l.earned - float64(l.done*l.run.cfg.Train.Batch)
	if err := l.repeat(ctx); err != nil {
		return err
	}
	before := l.run.plays
	var e *rundir.TrainingEvent
	// In one part: a stop in between would cost the steps of the whole lesson.
	if err := l.compute(ctx, func() error {
		if err := l.run.settle(ctx, s.Generation, l.batch); err != nil {
			return err
		}
		if err := l.run.probe(before, l.run.plays, &l.run.row); err != nil {
			return err
		}
		e = l.event(l.sum) // of the network that was trained
		if err := l.run.grow(s.Generation); err != nil {
			return err
		}
		return l.run.calibrate(s.Generation)
	}); err != nil {
		return err
	}
	grown := l.run.growthEvent(s.Generation)
	s.Step += l.done
	s.Rows = seen
	s.Owed = owed
	e.Done = true
	l.fill(&l.run.row, e)
	if err := l.run.log(rundir.Event{Training: e}); err != nil || grown == nil {
		return err
	}
	return l.run.log(rundir.Event{Growth: grown})
}

// fill sets what m says of the training; e is its last event.
func (l *lesson) fill(m *rundir.Metrics, e *rundir.TrainingEvent) {
	m.Steps, m.WindowPositions = int64(l.done), int64(e.WindowPositions)
	m.PolicyLoss, m.ValueLoss, m.TurnsLoss, m.GradientNorm = e.PolicyLoss, e.ValueLoss, e.TurnsLoss, e.GradientNorm
	m.PolicyFloor, m.ValueFloor = meanOf(l.sum.policyFloor, l.sum.policies), l.sum.mean(l.sum.valueFloor)
	m.ReplyLoss, m.ReplyFloor = e.ReplyLoss, meanOf(l.sum.replyFloor, l.sum.replies)
	m.MeanAge = l.sum.mean(l.sum.age)
	m.LearningRate, m.SamplesPerSecond = e.LearningRate, e.SamplesPerSecond
	m.Parameters = int64(l.run.plays.Count())
	m.GradientNormMax, m.ClippedSteps = l.sum.largestNorm, l.sum.clipped
	processFigures(m)
}

func (l *lesson) event(sum losses) *rundir.TrainingEvent {
	r, e := l.run, sum.event()
	e.Generation, e.StepsDone, e.StepsWant = r.state.Generation, l.done, l.want
	e.Step, e.LearningRate = int(r.trainer.Steps()), r.trainer.LearningRate()
	e.WindowPositions = int(r.window.Len())
	e.SamplesPerSecond = rundir.PerSecond(l.done*r.cfg.Train.Batch, time.Since(l.began))
	return e
}

// losses sums up what steps reported. Batches that have no target for a loss say nothing
// about it.
type losses struct {
	steps                       int
	policies, lengths, replies  int // steps whose batch had some
	policy, value, turns, norms float64
	policyFloor, valueFloor     float64
	reply, replyFloor           float64 // 0 without the head
	age                         float64 // mean of the samples' generations below the newest
	largestNorm                 float64
	clipped                     int64 // steps whose norm was above the limit
}

func (l *losses) add(p *train.Progress) {
	l.steps++
	if p.PolicyKnown {
		l.policies++
	}
	if p.TurnsKnown {
		l.lengths++
	}
	if p.ReplyKnown {
		l.replies++
	}
	l.policy += p.Policy
	l.value += p.Value
	l.turns += p.Turns
	l.reply += p.Reply
	l.norms += p.GradientNorm
	l.policyFloor += p.PolicyFloor
	l.valueFloor += p.ValueFloor
	l.replyFloor += p.ReplyFloor
}

// mean is a sum over the steps as a mean, 0 without steps.
func (l *losses) mean(sum float64) float64 { return meanOf(sum, l.steps) }

func meanOf(sum float64, n int) float64 { return sum / float64(max(1, n)) }

func (l *losses) event() *rundir.TrainingEvent {
	return &rundir.TrainingEvent{
		PolicyLoss: meanOf(l.policy, l.policies), ValueLoss: l.mean(l.value), TurnsLoss: meanOf(l.turns, l.lengths), ReplyLoss: meanOf(l.reply, l.replies), GradientNorm: l.mean(l.norms),
	}
}

// repeat trains fresh weights on the window as often as they are to see it.
func (l *lesson) repeat(ctx context.Context) error {
	r := l.run
	g := r.fresh(r.state.Generation)
	if g == nil {
		return nil
	}
	l.want = l.done + int(g.Passes*float64(r.window.Len()))/r.cfg.Train.Batch
	return l.steps(ctx)
}
