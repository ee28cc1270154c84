package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/train/run"
	"github.com/spf13/cobra"
)

// stageFlags are those of a command that does one stage of a run.
type stageFlags struct {
	config, dir string
	set         []string
	json        bool
}

func (f *stageFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.config, "config", "", "configuration file (default: the run's own if it exists)")
	c.Flags().StringVar(&f.dir, "run", "", "folder of the run, made or gone on with")
	c.Flags().StringArrayVar(&f.set, "set", nil, "override a key of the configuration, KEY=VALUE; may be repeated")
	c.Flags().BoolVar(&f.json, "json", false, "print events as JSON, one object a line")
}

// do does a stage of the run.
func (f *stageFlags) do(c *cobra.Command, stage func(context.Context, string, run.Config, run.Options) error) error {
	cfg, err := trainConfig(f.config, f.dir, f.set)
	if err != nil {
		return usageError{err}
	}
	ctx, stop := interruptible(c.Context())
	defer stop()
	show := newStageDisplay(c, f.json, &cfg.Config)
	err = stage(ctx, f.dir, cfg.Config, run.Options{Resolved: configs.Dump(cfg), Report: show.event})
	show.close()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w\nthe same command goes on", err)
	}
	return err
}

func newSelfPlay() *cobra.Command {
	var f stageFlags
	c := &cobra.Command{
		Use:   "selfplay",
		Short: "Play the games of a generation, the first half of train",
		Long: "Plays what is missing of the games of a run's present generation and stops. `ludozero fit` then trains the next\n" +
			"network; both in turn leave the shards and weights that `ludozero train` leaves, byte for byte. Neither minds the\n" +
			"budget and the number of generations of the configuration.",
		Args:    cobra.NoArgs,
		Example: "  ludozero selfplay --run runs/first\n  ludozero selfplay --config configs/konreh/quick.yaml --run runs/second",
		RunE:    func(c *cobra.Command, _ []string) error { return f.do(c, run.SelfPlay) },
	}
	f.add(c)
	return c
}

func newFit() *cobra.Command {
	var f stageFlags
	c := &cobra.Command{
		Use:   "fit",
		Short: "Train the next network on the games that are there, the second half of train",
		Long: "Trains the next network of a run on its shards and writes its checkpoint. All games of the present generation must\n" +
			"be there: `ludozero selfplay` plays them. Training that was stopped begins again at the last checkpoint.",
		Args:    cobra.NoArgs,
		Example: "  ludozero fit --run runs/first",
		RunE:    func(c *cobra.Command, _ []string) error { return f.do(c, run.Fit) },
	}
	f.add(c)
	return c
}

// newStageDisplay shows one stage: its bar is of games, then of steps.
func newStageDisplay(c *cobra.Command, asJSON bool, cfg *run.Config) *display {
	d := &display{out: c.OutOrStdout(), errOut: c.ErrOrStderr(), json: asJSON, cfg: cfg, stage: true}
	if !asJSON {
		d.bar = newBar(d.errOut, cfg.GamesPerGeneration, "games")
	}
	return d
}

// setStage moves the bar of a stage.
func (d *display) setStage(e run.Event, text string) {
	if e.SelfPlay != nil {
		d.bar.set(min(e.SelfPlay.Games, d.bar.total), text)
		return
	}
	if d.bar.unit != "steps" {
		d.bar.clear()
		d.bar = newBar(d.errOut, e.Training.StepsWant, "steps")
	}
	d.bar.set(e.Training.StepsDone, text)
}
