// Package train holds the commands that train: train, selfplay and fit, and what they
// show while they work.
package train

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/ludozero/ludozero/cli/report"
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/train/run"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/spf13/cobra"
)

// NewTrain is the command train.
func NewTrain(env *shell.Env) *cobra.Command {
	var config, dir, network string
	var set []string
	var asJSON, noRating bool
	var fork forkFlags
	c := &cobra.Command{
		Use:   "train",
		Short: "Train a bot by self-play, then measure its strength",
		Long: "Plays games of a network against itself, trains the network on them, and goes on until the time, the core\n" +
			"time or the number of generations of the configuration is reached. On the way it measures networks now and then, in\n" +
			"a few games against fixed opponents and the network before; at the end it plays matches of the last network and of\n" +
			"the untrained one, and writes a report. A run that was stopped, in whatever way, goes on with the same command.\n\n" +
			"With --from a new run begins where another has come to, at its last checkpoint or RUN@GENERATION: with its network,\n" +
			"optimizer, steps and the games of its window, and with its configuration where --config and --set do not say\n" +
			"otherwise. The network may be larger. Generations, time and figures begin at 0; the other run is only read. With\n" +
			"--network it begins with a network alone, which gives its size: a weight file, or one that is shipped.\n\n" +
			"The configuration is the file, then environment variables (LUDOZERO_TRAIN_BATCH is train.batch), then --set.",
		Args: cobra.NoArgs,
		Example: "  ludozero train --config configs/konreh/quick.yaml --run runs/first\n  ludozero train --run runs/first --set budget=30m\n" +
			"  ludozero train --from runs/first@20 --run runs/second --set model.blocks=6",
		RunE: func(c *cobra.Command, _ []string) error {
			if network != "" && fork.from != "" {
				return shell.Usagef("--network: a run that goes on --from another begins with its network")
			}
			first, size, err := firstNetwork(network)
			if err != nil {
				return err
			}
			cfg, from, err := fork.config(env, config, dir, append(set, size...))
			if err != nil {
				return shell.Usage(err)
			}
			if !noRating {
				if err := checkPrograms(env, &cfg, dir, namesOpponents(set)); err != nil {
					return err
				}
			}
			auto := cfg.ResolveAuto(nil, kernel.Level())
			measure, err := trainRater(env, dir, &cfg, noRating)
			if err != nil {
				return err
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			show := newDisplay(c.OutOrStdout(), c.ErrOrStderr(), asJSON, &cfg.Config)
			show.auto = shell.AutoText(auto)
			if !noRating {
				show.measuring = measuringText(measure, &cfg, first == nil && from == nil && rundir.BeganUntrained(dir))
			}
			show.recall(dir)
			teacher, err := env.Teacher(&cfg)
			if err != nil {
				return shell.Usage(err)
			}
			err = run.Run(ctx, dir, cfg.Config, run.Options{
				Games: env.Families, Resolved: configs.Dump(cfg), Report: show.event, First: first, Fork: from, Teacher: teacher, Rater: raterOf(measure), Check: healthOf(&cfg),
			})
			show.close()
			if errors.Is(err, context.Canceled) {
				return fmt.Errorf("%w\nwhat was learned is in %s; the same command goes on", err, dir)
			}
			if err != nil {
				return err
			}
			if !noRating {
				err = rate(ctx, c, measure, &cfg, dir, asJSON)
				if errors.Is(err, context.Canceled) {
					return fmt.Errorf("%w\nthe matches were not finished; the same command plays those that are missing", err)
				}
			}
			// Matches that cannot be played leave the rest to be reported.
			return errors.Join(err, report.WriteTrained(ctx, env, c, dir, asJSON))
		},
	}
	c.Flags().StringVar(&config, "config", "", configHelp(env))
	c.Flags().StringVar(&dir, "run", "", "folder of the run, created or resumed")
	c.Flags().StringVar(&fork.from, "from", "", "run that a new one goes on from, RUN or RUN@GENERATION")
	c.Flags().BoolVar(&fork.freshWindow, "fresh-window", false, "with --from: do not learn from the games of that run")
	c.Flags().StringVar(&network, "network", "", "network that a new run begins with: a weight file, a checkpoint, a run for its newest, or the name of a shipped one")
	c.Flags().StringArrayVar(&set, "set", nil, "override a key of the configuration, KEY=VALUE; may be repeated")
	c.Flags().BoolVar(&asJSON, "json", false, "print events and ratings as JSON, one object a line")
	c.Flags().BoolVar(&noRating, "no-rating", false, "play no matches, neither on the way nor at the end")
	return c
}

// Config resolves the configuration of the run in folder dir; see configs.Source.Run.
func Config(env *shell.Env, path, dir string, set []string) (configs.Run, error) {
	cfg, err := source(env, path, set).Run(dir)
	if errors.Is(err, configs.ErrNoFile) {
		err = fmt.Errorf("--config is required: %w", err)
	}
	if dir == "" {
		err = errors.Join(errors.New("--run is required: the folder of the run, such as runs/first"), err)
	}
	return cfg, err
}

// source is where the command line, the environment and the file at path have settings.
func source(env *shell.Env, path string, set []string) *configs.Source {
	return &configs.Source{
		Games: env.Families, Path: path, Environ: os.Environ(), Overrides: set, Level: kernel.Level(),
		Check: func(cfg *configs.Run) error { return checkPlayers(env, cfg) },
	}
}

// checkPlayers finds out now what players would fail later.
func checkPlayers(env *shell.Env, cfg *configs.Run) error {
	_, err := env.Teacher(cfg)
	return errors.Join(err, checkRating(env, cfg))
}

// checkRating finds out now what would fail in the matches, hours later.
func checkRating(env *shell.Env, cfg *configs.Run) error {
	ev := &cfg.Evaluation
	g, err := env.Open(cfg.Game, cfg.Rules)
	if err != nil || len(ev.Opponents) == 0 {
		return nil // if the settings themselves are wrong, that is said of them
	}
	var errs []error
	if ev.Simulations > 0 {
		if _, err := env.Players.Parse(player.NetText("weights", ev.Simulations)); err != nil {
			errs = append(errs, fmt.Errorf("evaluation.simulations: %w", err))
		}
	}
	if ev.Match.OpeningTurns > 0 {
		if _, err := match.RandomOpenings(context.Background(), g, 1, ev.Match.OpeningTurns, ev.Match.Seed); err != nil {
			errs = append(errs, fmt.Errorf("evaluation.match.opening_turns: %w", err))
		}
	}
	for _, opponent := range ev.Opponents {
		spec, err := env.Players.Parse(opponent)
		if err == nil && !open.StartsProgram(spec) { // see checkPrograms
			_, err = env.Contestants(g, shell.Begin(g, ev.Match.OpeningTurns), opponent)
		}
		if err == nil {
			err = shell.WantClock([]match.Contestant{{Name: opponent, ByClock: spec.ByClock}}, ev.Match.Clock, "evaluation.match.clock")
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("evaluation.opponents: %w", err))
		}
	}
	return problems.Join(errs)
}
