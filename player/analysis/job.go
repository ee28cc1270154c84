package analysis

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/player"
)

// job is one query.
type job struct {
	*run
	number uint64                     // of its line
	fields map[string]json.RawMessage // as they were read
	object map[string]any
	id     string // as JSON; empty in order
	query  *Query
	game   engine.Game
	spec   *player.Spec
	weight int // of the run's units, while it is searched
	ctx    context.Context
	cancel context.CancelCauseFunc
}

// errTerminated ends a query that somebody has terminated.
var errTerminated = errors.New("terminated")

// prepare reads the query of a job and finds its rules and its player.
func (j *job) prepare(fields map[string]json.RawMessage) (err error) {
	j.fields = fields
	if j.query, err = readQuery(fields); err != nil {
		return err
	}
	q := j.query
	if !j.Unordered && (q.Priority != 0 || q.ReportEvery != "") {
		return errors.New("priority, report_every: answers come in the order of the lines here: want --unordered")
	}
	if q.Preset == "" && len(q.Options) == 0 {
		q.Preset, q.Options = j.Preset, j.Options
	}
	key := fmt.Sprintf("%q %q", q.Preset, q.Options) // of any text, good or bad
	if j.game = j.games[key]; j.game == nil {
		if j.game, err = j.Family.New(q.Preset, q.Options); err != nil {
			return err
		}
		j.games[key] = j.game
	}
	if j.spec, err = j.Spec(q.Player, j.game); err != nil {
		return err
	}
	limited, _, err := q.apply(j.spec)
	if err != nil {
		return err
	}
	j.weight = min(j.units, j.Together*limited.Threads)
	if limited.ByNetwork && !limited.ByTime && limited.Threads == 1 {
		j.weight = 1
	}
	j.ctx, j.cancel = context.WithCancelCause(j.run.ctx)
	return nil
}

// search answers a query.
func (j *job) search() {
	a, err := j.answer()
	j.mu.Lock()
	delete(j.open, j.id) // who has read the answer may use it again
	j.mu.Unlock()
	terminated := errors.Is(context.Cause(j.ctx), errTerminated)
	j.cancel(nil)
	if terminated {
		j.object["terminated"] = true
		if errors.Is(err, errTerminated) {
			err = nil
		}
	}
	if a != nil {
		a.Into(j.object)
		if j.Finish != nil {
			j.Finish(j.game, j.object)
		}
	}
	j.send(j, err)
	j.mu.Lock() // not before: who does not read answers gets no further ones
	defer j.mu.Unlock()
	j.free += j.weight
	j.changed.Broadcast()
}

// answer asks the query's player.
func (j *job) answer() (*Answer, error) {
	if j.ctx.Err() != nil {
		return nil, context.Cause(j.ctx)
	}
	p, err := j.query.SetUp(j.game, j.Words)
	var s engine.State
	if err == nil {
		s = p.State
	}
	if err := errors.Join(Overlooked(j.fields, j.game, s), err); err != nil {
		return nil, err
	}
	spec, b, err := j.query.Asked(j.spec, p)
	if err != nil {
		return nil, err
	}
	one, err := j.pool.take(spec, j.game)
	if err != nil {
		return nil, err
	}
	defer j.pool.give(spec, j.game, one)
	var report func(*Answer)
	if b.Every = j.query.every(); b.Every > 0 {
		report = j.report
	}
	b.Partial = true
	return j.query.Ask(j.ctx, one, seed.Number(j.Seed, "analyze", j.number), p, b, report)
}

// report sends what is known so far, unless nobody reads.
func (j *job) report(a *Answer) {
	object := map[string]any{"interim": true}
	for name, value := range j.object {
		object[name] = value
	}
	a.Into(object)
	if j.Finish != nil {
		j.Finish(j.game, object)
	}
	select {
	case j.output <- line{text: encode(object), interim: true}:
	default:
	}
}
