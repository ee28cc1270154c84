// Package train holds the commands that train: train, selfplay and fit, and what they
// show while they work.
package train

import (
	"context"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/cli/report"
	"github.com/ludozero/ludozero/cli/serve"
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/report/health"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/run"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/spf13/cobra"
)

// NewTrain is the command train.
func NewTrain(env *shell.Env) *cobra.Command {
	var o options
	var others serve.Flags
	c := &cobra.Command{
		Use:   "train",
		Short: "Train a bot by self-play, then measure its strength",
		Long: "Plays games of a network against itself, trains the network on them, and goes on until the time, the core\n" +
			"time or the number of generations of the configuration is reached. On the way it measures networks now and then, in\n" +
			"a few games against fixed opponents and the network before; at the end it plays matches of the last network and of\n" +
			"the untrained one, and writes a report. The same command resumes a run that was stopped, in whatever way.\n\n" +
			"With --from a new run begins where another has come to, at its last checkpoint or RUN@GENERATION: with its network,\n" +
			"optimizer, steps and the games of its window, and with its configuration where --config and --set do not say\n" +
			"otherwise. The network may be larger. Generations, time and figures begin at 0; the other run is only read. With\n" +
			"--network it begins with a network alone, which gives its size: a weight file, or one that is shipped.\n\n" +
			"With --serve other machines play, too: it prints the command that joins them, `ludozero work` with an address. They\n" +
			"may come and go; with mode: alternating the run's files are those of one machine.\n\n" +
			"The configuration is the file, then environment variables (LUDOZERO_TRAIN_BATCH is train.batch), then --set.",
		Args: cobra.NoArgs,
		Example: "  ludozero train --config configs/konreh/quick.yaml --run runs/first\n  ludozero train --run runs/first --set budget=30m\n" +
			"  ludozero train --from runs/first@20 --run runs/second --set model.blocks=6\n" +
			"  ludozero train --config configs/konreh/quick.yaml --run runs/first --serve :4222",
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := o.resolve(env)
			if err != nil {
				return err
			}
			return s.train(c, env, &others)
		},
	}
	o.add(env, c)
	o.addNetwork(c)
	c.Flags().StringVar(&o.from, "from", "", "run that a new one goes on from, RUN or RUN@GENERATION")
	c.Flags().BoolVar(&o.freshWindow, "fresh-window", false, "with --from: do not learn from the games of that run")
	c.Flags().BoolVar(&o.json, "json", false, "print events and ratings as JSON, one object a line")
	c.Flags().BoolVar(&o.noRating, "no-rating", false, "play no matches, neither on the way nor at the end")
	others.Add(c, "play no games of self-play here, only train")
	return c
}

// train trains, measures and reports.
func (s *setting) train(c *cobra.Command, env *shell.Env, others *serve.Flags) error {
	if !s.noRating {
		if err := s.checkPrograms(env); err != nil {
			return err
		}
	}
	rater, err := s.rater(env)
	if err != nil {
		return err
	}
	ctx, stop := shell.Interruptible(c.Context())
	defer stop()
	show := newDisplay(c.OutOrStdout(), c.ErrOrStderr(), s.json, &s.cfg.Config)
	if !s.noRating {
		show.measuring = measuringText(rater, &s.cfg, s.first == nil && s.fork == nil && rundir.BeganUntrained(s.dir))
	}
	service, err := startService(c, env, others, s)
	if err != nil {
		return err
	}
	err = s.work(ctx, env, service.job, rater, show)
	service.close(err == nil)
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w\nwhat was learned is in %s; the same command goes on", err, s.dir)
	}
	if err != nil {
		return err
	}
	if !s.noRating {
		err = s.rate(ctx, c, rater)
		if errors.Is(err, context.Canceled) {
			return fmt.Errorf("%w\nthe matches were not finished; the same command plays those that are missing", err)
		}
	}
	// Matches that cannot be played leave the rest to be reported.
	return errors.Join(err, report.WriteTrained(ctx, env, c, s.dir, s.json))
}

// job is run.Run, or a part of it.
type job func(ctx context.Context, dir string, cfg plan.Config, opt run.Options) error

// work does a job on the run and shows its events.
func (s *setting) work(ctx context.Context, env *shell.Env, do job, rater *ratings.Rater, show *display) error {
	show.auto = s.auto
	show.recall(s.dir)
	defer show.close()
	return do(ctx, s.dir, s.cfg.Config, run.Options{
		Games: env.Families, Resolved: configs.Dump(s.cfg), Report: show.event, First: s.first, Fork: s.fork, Teacher: s.teacher, Rater: rater, Check: health.Events(&s.cfg.Config),
	})
}
