package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/run"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/spf13/cobra"
)

// stageFlags are the flags of a command that does one stage of a run.
type stageFlags struct {
	config, dir string
	set         []string
	json        bool
	network     string // to begin a new run with
	games       int    // of a generation of it; 0: as configured
}

func configHelp(env *shell.Env) string {
	return "configuration file, or the name of one in the program such as " + env.Families[0].Name + "/quick (default: the run's own if it exists)"
}

func (f *stageFlags) add(env *shell.Env, c *cobra.Command) {
	c.Flags().StringVar(&f.config, "config", "", configHelp(env))
	c.Flags().StringVar(&f.dir, "run", "", "folder of the run, created or resumed")
	c.Flags().StringArrayVar(&f.set, "set", nil, "override a key of the configuration, KEY=VALUE; may be repeated")
	c.Flags().BoolVar(&f.json, "json", false, "print events as JSON, one object a line")
}

// do does a stage of the run.
func (f *stageFlags) do(env *shell.Env, c *cobra.Command, stage func(context.Context, string, plan.Config, run.Options) error) error {
	first, more, err := f.begin()
	if err != nil {
		return err
	}
	cfg, err := Config(env, f.config, f.dir, append(f.set, more...))
	if err != nil {
		return shell.Usage(err)
	}
	auto := cfg.ResolveAuto(nil, kernel.Level())
	ctx, stop := shell.Interruptible(c.Context())
	defer stop()
	measure, err := trainRater(env, f.dir, &cfg, true) // for what it keeps
	if err != nil {
		return err
	}
	show := newStageDisplay(c, f.json, &cfg.Config)
	show.auto = shell.AutoText(auto)
	show.recall(f.dir)
	teacher, err := env.Teacher(&cfg)
	if err != nil {
		return shell.Usage(err)
	}
	err = stage(ctx, f.dir, cfg.Config, run.Options{
		Games: env.Families, Resolved: configs.Dump(cfg), Report: show.event, First: first, Teacher: teacher, Rater: raterOf(measure), Check: healthOf(&cfg),
	})
	show.close()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w\nthe same command goes on", err)
	}
	return err
}

// NewSelfPlay is the command selfplay.
func NewSelfPlay(env *shell.Env) *cobra.Command {
	var f stageFlags
	c := &cobra.Command{
		Use:   "selfplay",
		Short: "Play the games of a generation, the first half of train",
		Long: "Plays what is missing of the games of a run's present generation and stops. `ludozero fit` then trains the next\n" +
			"network; both in turn leave the shards and weights that `ludozero train` leaves, byte for byte. Neither minds the\n" +
			"budget and the number of generations of the configuration.\n\n" +
			"With --network a new run begins with a network that was trained elsewhere, as its generation 0; the configuration\n" +
			"gives the rest, and --games how many games are played. The same command goes on where it was stopped.",
		Args: cobra.NoArgs,
		Example: "  ludozero selfplay --run runs/first\n" +
			"  ludozero selfplay --config configs/konreh/quick.yaml --network strong.safetensors --games 500 --run runs/games",
		RunE: func(c *cobra.Command, _ []string) error { return f.do(env, c, run.SelfPlay) },
	}
	f.add(env, c)
	c.Flags().StringVar(&f.network, "network", "", "network that a new run begins with: a weight file, a checkpoint, a run for its newest, or the name of a shipped one")
	c.Flags().IntVar(&f.games, "games", 0, "games of a generation of a new run (default: as configured)")
	return c
}

// begin reads the network that a new run begins with, if there is one, and says
// what that and the number of games are in the configuration.
func (f *stageFlags) begin() (*run.First, []string, error) {
	var more []string
	if f.games < 0 {
		return nil, nil, shell.Usagef("--games %d: want at least 1", f.games)
	}
	if f.games > 0 {
		more = append(more, fmt.Sprintf("games_per_generation=%d", f.games))
	}
	first, size, err := firstNetwork(f.network)
	return first, append(more, size...), err
}

// firstNetwork reads the network that a word names and a new run begins with, and
// says what the configuration is to say of it; nothing for no word.
func firstNetwork(word string) (*run.First, []string, error) {
	if word == "" {
		return nil, nil, nil
	}
	n, err := open.Find(word)
	if err != nil {
		return nil, nil, err
	}
	w, card, err := n.Load()
	if err != nil {
		return nil, nil, err
	}
	text, err := json.Marshal(card.Network.Config)
	if err != nil {
		return nil, nil, err
	}
	keys := map[string]any{"reply": false} // which the card leaves out
	if err := json.Unmarshal(text, &keys); err != nil {
		return nil, nil, err
	}
	var set []string
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		set = append(set, fmt.Sprintf("model.%s=%v", k, keys[k]))
	}
	return &run.First{Name: n.String(), Weights: w, Calibration: card.Calibration}, append(set, "game="+card.Game), nil
}

// NewFit is the command fit.
func NewFit(env *shell.Env) *cobra.Command {
	var f stageFlags
	c := &cobra.Command{
		Use:   "fit",
		Short: "Train the next network on the games that are there, the second half of train",
		Long: "Trains the next network of a run on its shards and writes its checkpoint. All games of the present generation must\n" +
			"be there: `ludozero selfplay` plays them. Training that was stopped begins again at the last checkpoint.",
		Args:    cobra.NoArgs,
		Example: "  ludozero fit --run runs/first",
		RunE:    func(c *cobra.Command, _ []string) error { return f.do(env, c, run.Fit) },
	}
	f.add(env, c)
	return c
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
