// Package terms holds the command that fits the weights of handwritten judges.
package terms

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/player/alphabeta"
	"github.com/ludozero/ludozero/player/alphabeta/fit"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/spf13/cobra"
)

// options are what the command is asked for.
type options struct {
	game       shell.GameFlags
	start, out string
	config     fit.Config
	asJSON     bool
}

// New is the command fit-terms.
func New(env *shell.Env) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "fit-terms [PATH...]",
		Short: "Fit what alphabeta judges positions by to the results of games",
		Long: "Fits the weights of the terms that a game brings, or else of its input planes, to the results of games: logistic\n" +
			"regression on quiet positions (Texel tuning). One game in five is held out; its loss chooses how strongly weights are\n" +
			"held to their start, unless --l2 says so, and is printed beside the loss of the weights before. Games are those of\n" +
			"alphabeta against itself, played here in --rounds rounds by the weights so far, or those of the runs or shards at\n" +
			"PATH. After a round the new weights play the old ones; if they lose, the old ones stay. Ctrl-C ends the fit with the\n" +
			"best weights so far.\n\n" +
			"Try a file before a game embeds it: alphabeta:depth=2,terms=FILE.",
		Args: cobra.ArbitraryArgs,
		Example: "  ludozero fit-terms --game connect4 --games 2000 --depth 4 --out weights.txt\n" +
			"  ludozero fit-terms --game connect4 runs/c4 --out weights.txt",
		RunE: func(c *cobra.Command, args []string) error { return o.run(c, args) },
	}
	o.game.Add(c, env)
	f := c.Flags()
	f.StringVar(&o.out, "out", "", "file for the weights (default: print them)")
	f.StringVar(&o.start, "start", "", "file of weights to begin with, or none, to begin with material (default: those that the game brings)")
	f.IntVar(&o.config.Rounds, "rounds", 2, "rounds of playing and fitting")
	f.IntVar(&o.config.Games, "games", 1000, "games of a round")
	f.IntVar(&o.config.Depth, "depth", 3, "player turns looked ahead in games")
	f.IntVar(&o.config.RandomTurns, "random-turns", 16, "random turns at the start of games, at most; at least a quarter of that")
	f.IntVar(&o.config.Blunder, "blunder", 20, "one decision in BLUNDER is random later, 0: none")
	f.IntVar(&o.config.Check, "check", 50, "pairs of games of the new weights against those before, after each round")
	f.Float64Var(&o.config.Penalty, "l2", 0, "penalty in nats for each weight that leaves its start by a nat, squared; 0: the held-out loss chooses")
	f.Uint64Var(&o.config.Seed, "seed", 1, "seed of the first round; the others count on")
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	return c
}

// check refuses impossible numbers.
func (o *options) check() error {
	c := &o.config
	return cmp.Or(
		shell.Within("rounds", c.Rounds, 1, 100),
		shell.Within("games", c.Games, 5, 1_000_000),
		shell.Within("depth", c.Depth, 1, alphabeta.MaxDepth),
		shell.Within("random-turns", c.RandomTurns, 0, 10_000),
		shell.Within("blunder", c.Blunder, 0, 1_000_000),
		shell.Within("check", c.Check, 0, 100_000),
		shell.Within("l2", c.Penalty, 0, 1e6),
	)
}

// Report is what the command prints as JSON.
type Report struct {
	Game    string           `json:"game"`
	Rules   string           `json:"rules"`
	Rounds  []fit.Round      `json:"rounds"`
	Weights map[string]int32 `json:"weights"`
}

func (o *options) run(c *cobra.Command, paths []string) error {
	if err := o.check(); err != nil {
		return err
	}
	for _, flag := range []string{"rounds", "games"} {
		if len(paths) > 0 && c.Flags().Changed(flag) {
			return shell.Usagef("--%s: it plays games, of which there are those at %s", flag, wording.PlainName(paths[0]))
		}
	}
	if o.out != "" {
		if err := shell.WantFile("out", o.out); err != nil {
			return err
		}
	}
	g, err := o.game.Open()
	if err != nil {
		return err
	}
	terms := alphabeta.TermsOf(g)
	o.config.Game = g
	switch o.start {
	case "":
		o.config.Start = terms.Shipped
	case "none":
	default:
		text, err := input.Read(o.start, input.Small)
		if err != nil {
			return err
		}
		if o.config.Start, err = engine.ParseWeights(terms.Names, string(text)); err != nil {
			return fmt.Errorf("%s: %w", o.start, err)
		}
	}
	ctx, stop := shell.Interruptible(c.Context())
	defer stop()
	if len(paths) > 0 {
		if err := o.read(ctx, c, paths); err != nil {
			return err
		}
	}
	bar := shell.NewBar(c.ErrOrStderr(), 1, "")
	o.config.Step = func(stage string, done, of int, text string) {
		if done == 0 && text == "" {
			bar.Clear()
			bar = shell.NewBar(c.ErrOrStderr(), of, stage)
		}
		bar.Set(done, text)
	}
	weights, rounds, err := fit.Run(ctx, o.config)
	bar.Clear()
	if err != nil && ctx.Err() == nil {
		return err
	}
	return o.finish(c, g, paths, weights, rounds, err)
}

// finish prints and writes what was fitted, also if stopped says why the fit ended early.
func (o *options) finish(c *cobra.Command, g engine.Game, paths []string, weights []int32, rounds []fit.Round, stopped error) error {
	found := slices.ContainsFunc(rounds, func(r fit.Round) bool { return r.Kept })
	switch {
	case stopped != nil && !found:
		return fmt.Errorf("stopped before there were better weights: %w", stopped)
	case weights == nil:
		write(c.ErrOrStderr(), len(rounds), &rounds[len(rounds)-1])
		return errors.New("the weights lost to material alone, so there are none: want more games, or deeper ones")
	}
	terms := alphabeta.TermsOf(g)
	text := o.comment(g, paths, rounds, stopped != nil) + engine.FormatWeights(terms.Names, weights)
	if o.out != "" {
		if err := atomicfile.WriteBytes(o.out, []byte(text)); err != nil {
			return err
		}
	}
	r := Report{Game: g.Info().Name, Rules: g.Rules(), Rounds: rounds, Weights: map[string]int32{}}
	for i, name := range terms.Names {
		r.Weights[name] = weights[i]
	}
	if err := shell.Print(c, o.asJSON, r, func(out io.Writer) error {
		for i := range rounds {
			write(out, i+1, &rounds[i])
		}
		if o.out != "" {
			_, err := fmt.Fprintf(out, "%s in %s\n", wording.Count(len(terms.Names), "weight"), wording.PlainName(o.out))
			return err
		}
		_, err := io.WriteString(out, text)
		return err
	}); err != nil || stopped == nil {
		return err
	}
	return fmt.Errorf("stopped: these weights are the best so far, and --start with their file goes on from them: %w", stopped)
}

// read takes the games at paths.
func (o *options) read(ctx context.Context, c *cobra.Command, paths []string) error {
	files, err := census.Find(paths)
	if err != nil {
		return shell.Usage(err)
	}
	family, err := o.game.Family()
	if err != nil {
		return err
	}
	shards := fit.NewShards(family, o.config.Seed)
	err = shell.NewBar(c.ErrOrStderr(), len(files), "shards").Each(ctx, len(files), func(i int) (string, error) {
		err := shards.Add(files[i].Path)
		return wording.Count(len(shards.Samples()), "position"), err
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(c.ErrOrStderr(), "%s of %s\n", wording.Count(len(shards.Samples()), "quiet position"), wording.Count(shards.Games(), "game"))
	o.config.Samples = shards.Samples()
	return nil
}

// comment says in a file of weights where they are from.
func (o *options) comment(g engine.Game, paths []string, rounds []fit.Round, stopped bool) string {
	f := &o.config
	source := fmt.Sprintf("--rounds %d --games %d --depth %d --random-turns %d --blunder %d", f.Rounds, f.Games, f.Depth, f.RandomTurns, f.Blunder)
	if len(paths) > 0 {
		source = strings.Join(paths, " ")
	}
	if o.start != "" {
		source += " --start " + o.start
	}
	if f.Penalty > 0 {
		source += fmt.Sprintf(" --l2 %g", f.Penalty)
	}
	text := fmt.Sprintf("# What one of each term is worth in hundredths of the smallest piece.\n# fit-terms --game %s --rules %s %s --seed %d\n",
		g.Info().Name, g.Rules(), wording.PlainName(source), f.Seed)
	if stopped {
		text += "# stopped before the end\n"
	}
	for i := len(rounds) - 1; i >= 0; i-- {
		if r := &rounds[i]; r.Kept {
			return text + fmt.Sprintf("# round %d: held-out loss %.4f of %s (start %.4f, mean result %.4f)\n", i+1, r.HeldLoss, wording.Count(r.HeldOut, "position"), r.StartLoss, r.MeanLoss)
		}
	}
	return text + "# no round was kept: these are the weights of the start\n"
}

func write(out io.Writer, number int, r *fit.Round) {
	if n := r.Results.Games(); n > 0 {
		fmt.Fprintf(out, "round %d: %s: first won %d, second won %d, %d drawn\n", number, wording.Count(n, "game"), r.Results.First, r.Results.Second, r.Results.Drawn)
	}
	fmt.Fprintf(out, "held-out loss %.4f of %s; start %.4f, mean result %.4f; on the %d learned from %.4f; penalty %.2g, %.0f a nat\n",
		r.HeldLoss, wording.Count(r.HeldOut, "position"), r.StartLoss, r.MeanLoss, r.Samples, r.TrainLoss, r.Penalty, r.Scale)
	if r.Stopped {
		fmt.Fprintln(out, "stopped before games could compare them with the weights before")
	}
	if n := r.Check.Games(); n > 0 {
		verdict := "kept"
		if !r.Kept {
			verdict = "not kept, those before stay"
		}
		fmt.Fprintf(out, "against the weights before: won %d, drawn %d, lost %d; %s\n", r.Check.First, r.Check.Drawn, r.Check.Second, verdict)
	}
}
