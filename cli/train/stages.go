package train

import (
	"context"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/run"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/spf13/cobra"
)

// NewSelfPlay is the command selfplay.
func NewSelfPlay(env *shell.Env) *cobra.Command {
	var o options
	c := stageCommand(env, &cobra.Command{
		Use:   "selfplay",
		Short: "Play the games of a generation, the first half of train",
		Long: "Plays what is missing of the games of a run's present generation and stops. `ludozero fit` then trains the next\n" +
			"network; both in turn leave the shards and weights that `ludozero train` leaves, byte for byte. Neither minds the\n" +
			"budget and the number of generations of the configuration.\n\n" +
			"With --network a new run begins with a network that was trained elsewhere, as its generation 0; the configuration\n" +
			"gives the rest, and --games how many games are played. The same command goes on where it was stopped.",
		Example: "  ludozero selfplay --run runs/first\n" +
			"  ludozero selfplay --config configs/konreh/quick.yaml --network strong.safetensors --games 500 --run runs/games",
	}, &o, run.SelfPlay)
	o.addNetwork(c)
	c.Flags().IntVar(&o.games, "games", 0, "games of a generation of a new run (default: as configured)")
	return c
}

// NewFit is the command fit.
func NewFit(env *shell.Env) *cobra.Command {
	return stageCommand(env, &cobra.Command{
		Use:   "fit",
		Short: "Train the next network on the games that are there, the second half of train",
		Long: "Trains the next network of a run on its shards and writes its checkpoint. All games of the present generation must\n" +
			"be there: `ludozero selfplay` plays them. Training that was stopped begins again at the last checkpoint.",
		Example: "  ludozero fit --run runs/first",
	}, &options{}, run.Fit)
}

// stageCommand makes a command of c that does one part of a run.
func stageCommand(env *shell.Env, c *cobra.Command, o *options, do job) *cobra.Command {
	c.Args = cobra.NoArgs
	c.RunE = func(c *cobra.Command, _ []string) error {
		s, err := o.resolve(env)
		if err != nil {
			return err
		}
		return s.stage(c, env, do)
	}
	o.noRating = true
	o.add(env, c)
	c.Flags().BoolVar(&o.json, "json", false, "print events as JSON, one object a line")
	return c
}

// stage does one part of a run.
func (s *setting) stage(c *cobra.Command, env *shell.Env, do job) error {
	rater, err := s.rater(env) // for what it keeps
	if err != nil {
		return err
	}
	ctx, stop := shell.Interruptible(c.Context())
	defer stop()
	err = s.work(ctx, env, do, rater, newStageDisplay(c, s.json, &s.cfg.Config))
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w\nthe same command goes on", err)
	}
	return err
}

// newStageDisplay shows one stage: its bar is of games, then of steps.
func newStageDisplay(c *cobra.Command, asJSON bool, cfg *plan.Config) *display {
	d := newDisplay(c.OutOrStdout(), c.ErrOrStderr(), asJSON, cfg)
	d.stage = true
	if d.view != nil {
		short := *cfg
		short.Budget, short.CoreBudget, short.Generations = 0, 0, 0 // they do not bound a stage
		d.view.cfg = &short
	}
	if d.bar != nil {
		d.bar = shell.NewBar(d.errOut, cfg.GamesPerGeneration, "games")
	}
	return d
}

// setStage moves the bar of a stage.
func (d *display) setStage(e rundir.Event, text string) {
	if e.SelfPlay != nil {
		d.bar.Set(min(e.SelfPlay.Games, d.bar.Total), text)
		return
	}
	if d.bar.Unit != "steps" {
		d.bar.Clear()
		d.bar = shell.NewBar(d.errOut, e.Training.StepsWant, "steps")
	}
	d.bar.Set(e.Training.StepsDone, text)
}
