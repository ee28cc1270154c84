package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
)

// craft is what a worker does differently for self-play and for series.
type craft interface {
	// inFlight is how many games are played at the same time.
	inFlight() int
	// prepare fetches what a task needs and returns what plays it.
	prepare(ctx context.Context, t *Task) (playTask, error)
	// pack makes the parcel of at least one game.
	pack(head parcelHead, games []*result) (*Parcel, error)
}

// playTask plays the games that s hands out until it ends and calls finished for each, one
// at a time, with the number of positions searched in it.
type playTask func(ctx context.Context, s *session, finished func(f *result, positions int) error) error

// craftOf returns what is wanted of a worker that was welcomed so.
func (w *Worker) craftOf(welcome *Welcome) (craft, error) {
	if welcome.Series {
		return newSeriesCraft(w)
	}
	cfg, err := welcome.config()
	if err != nil {
		return nil, err
	}
	if err := cfg.Validate(w.opt.Games); err != nil {
		return nil, err
	}
	rules, err := cfg.NewRules(w.opt.Games)
	if err != nil {
		return nil, err
	}
	var teacher play.Teacher
	if cfg.SelfPlay.Teacher.Player != "" {
		if w.opt.Teacher == nil {
			return nil, errors.New("its games have a teacher, which cannot be made here")
		}
		if teacher, err = w.opt.Teacher(cfg); err != nil {
			return nil, err
		}
	}
	job := selfplay.Job{Game: rules.Game, Mix: rules.Mix, Run: welcome.Run, Seed: cfg.Seed, SeedOf: seedOf(cfg), Workers: w.opt.Cores, AnyOrder: true, Teacher: teacher}
	return &selfPlay{w, cfg, rules, job}, nil
}

// selfPlay plays the games of a run.
type selfPlay struct {
	w     *Worker
	cfg   *plan.Config
	rules *plan.Rules
	job   selfplay.Job
}

func (c *selfPlay) inFlight() int { return c.w.opt.Cores * c.cfg.SelfPlay.GamesInFlight }

func (c *selfPlay) pack(head parcelHead, games []*result) (*Parcel, error) {
	list := make([]*selfplay.Finished, len(games))
	for i, f := range games {
		list[i] = f.game.(*selfplay.Finished)
	}
	return c.w.pack(head, list)
}

func (c *selfPlay) prepare(ctx context.Context, t *Task) (playTask, error) {
	player, err := c.player(ctx, t)
	if err != nil {
		return nil, err
	}
	return c.play(player), c.w.opt.Spool.keepWeights(t.Weights, t.Earlier)
}

// player fetches and makes the player of a task.
func (c *selfPlay) player(ctx context.Context, t *Task) (*selfplay.Player, error) {
	w := c.w
	path, err := w.fetch(ctx, t.Weights)
	if err != nil {
		return nil, fmt.Errorf("weights %.16s: %w", t.Weights, err)
	}
	var earlier []selfplay.EarlierGame
	if t.Earlier != "" {
		file, err := w.fetch(ctx, t.Earlier)
		if err != nil {
			return nil, fmt.Errorf("earlier games %.16s: %w", t.Earlier, err)
		}
		text, err := input.Read(file, input.Large)
		if err == nil {
			earlier, err = decodeEarlier(text)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errPlay, err)
		}
	}
	player, err := play.PlayerOf(c.cfg, c.rules, t.Network, path, earlier)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errPlay, err)
	}
	return player, nil
}

// play is the playTask of a player, in a concurrent run of those that the session has.
func (c *selfPlay) play(player *selfplay.Player) playTask {
	return func(ctx context.Context, s *session, finished func(*result, int) error) error {
		job := c.job
		job.Source, job.Counters = &sessionSource{s, player}, &s.counters
		return selfplay.Run(ctx, c.cfg.SelfPlay, job, func(f *selfplay.Finished) error {
			return finished(&result{number: f.Number, game: f}, len(f.Rows))
		})
	}
}

// sessionSource is the selfplay.Source of a session's games.
type sessionSource struct {
	s      *session
	player *selfplay.Player
}

// First implements selfplay.Source. Games come in any order.
func (*sessionSource) First() int64 { return 0 }

// Next implements selfplay.Source.
func (x *sessionSource) Next() (selfplay.Assignment, bool) {
	number, player, ok := x.s.begin()
	return selfplay.Assignment{Number: number, Player: cmp.Or(player, x.player)}, ok
}

// Wait implements selfplay.Source.
func (x *sessionSource) Wait(ctx context.Context) (bool, error) { return x.s.wait(ctx) }
