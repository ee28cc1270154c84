// Package evaluation holds the command that fits learned evaluations for alpha-beta.
package evaluation

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/wording"
	model "github.com/ludozero/ludozero/model/nnue"
	"github.com/ludozero/ludozero/player/alphabeta"
	"github.com/ludozero/ludozero/player/alphabeta/positions"
	"github.com/ludozero/ludozero/player/nnue"
	"github.com/ludozero/ludozero/player/nnue/fit"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/spf13/cobra"
)

// options are what the command is asked for.
type options struct {
	game    shell.GameFlags
	out     string
	runs    []string
	own     ownGames
	choice  fit.Choice
	config  fit.Config
	licence string
	asJSON  bool
}

// ownGames are the games that the command plays.
type ownGames struct {
	Number      int      `json:"number"` // for each of From
	Depth       int      `json:"depth"`
	RandomTurns int      `json:"random_turns"`
	Blunder     int      `json:"blunder"`
	From        []string `json:"from"` // files of evaluations that play, or ownTerms; on a card, what they are
}

const (
	// defaultGames are played if there is no run to learn from.
	defaultGames = 3000
	// ownTerms stands for the game's own terms where an evaluation can be named.
	ownTerms = "terms"
)

// New is the command fit-evaluation.
func New(env *shell.Env) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "fit-evaluation [PATH...]",
		Short: "Fit a small network for alpha-beta",
		Long: "Fits an evaluation for alpha-beta: a small network that is updated move by move, over the pieces and counters of a\n" +
			"position and the terms that the game brings. It learns from games that alphabeta plays against itself for it, by the\n" +
			"game's own terms or by the evaluations that --from names, and from those of a run (--run, or runs or shards at PATH):\n" +
			"from positions where a turn begins, what the search expected there and the result of the game. One game in 20 is held\n" +
			"out, and its loss is printed beside that of the game's own terms and beside the least that is possible.\n\n" +
			"After each epoch the fit is saved as --out with .fit behind it. Ctrl-C ends it, and the same command resumes it;\n" +
			"the same command gives the same file on any number of cores, interrupted or not. Play by it: nnue:FILE,depth=4.",
		Args: cobra.ArbitraryArgs,
		Example: "  ludozero fit-evaluation --game konreh --out konreh.eval\n" +
			"  ludozero fit-evaluation --game konreh --from terms --from konreh.eval --out second.eval\n" +
			"  ludozero fit-evaluation --game konreh --run runs/night --out night.eval",
		RunE: func(c *cobra.Command, args []string) error { return o.run(c, args) },
	}
	o.game.Add(c, env)
	f := c.Flags()
	f.StringVar(&o.out, "out", "", "file for the evaluation (required)")
	f.StringArrayVar(&o.runs, "run", nil, "run whose games are learned from, too; repeatable")
	f.IntVar(&o.own.Number, "games", 0, fmt.Sprintf("games that alphabeta plays for it, by each --from (default %d without a run, none with one)", defaultGames))
	f.StringArrayVar(&o.own.From, "from", []string{ownTerms}, "evaluation that plays these games, a file or a shipped one; repeatable: each plays --games; "+ownTerms+": the game's own terms")
	f.IntVar(&o.own.Depth, "depth", 3, "player turns looked ahead in these games")
	f.IntVar(&o.own.RandomTurns, "random-turns", 16, "random turns at the start of these games, at most; at least a quarter of that")
	f.IntVar(&o.own.Blunder, "blunder", 20, "one decision in BLUNDER is random later, 0: none")
	f.IntVar(&o.config.Units, "units", 128, "units of the first layer for each seat, a multiple of 64")
	f.IntVar(&o.config.Epochs, "epochs", 6, "how often all positions are gone through")
	f.IntVar(&o.config.Batch, "batch", 1024, "positions of a step")
	f.Float64Var(&o.config.Rate, "rate", 0.001, "learning rate at first; it falls to a hundredth along a cosine")
	f.Float64Var(&o.config.Decay, "decay", 0.01, "weight decay, per unit of learning rate")
	f.Float64Var(&o.choice.Result, "result", 0.1, "weight of the result beside what the search expected, 0 to 1")
	f.IntVar(&o.choice.Every, "every", 1, "take one position in EVERY")
	f.BoolVar(&o.choice.Quiet, "quiet", false, "leave out positions where a loud action changes the value")
	f.Uint64Var(&o.config.Seed, "seed", 1, "seed of games (of the second --from, one more), weights, positions and their order")
	f.StringVar(&o.licence, "licence", "", "SPDX expression for the card, if the evaluation is to be published")
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	return c
}

// check refuses impossible numbers.
func (o *options) check() error {
	c := &o.config
	err := cmp.Or(
		shell.Within("units", c.Units, model.UnitStep, model.MaxUnits),
		shell.Within("epochs", c.Epochs, 1, 1000),
		shell.Within("batch", c.Batch, 1, 1<<20),
		shell.Within("every", o.choice.Every, 1, 1000),
		shell.Within("games", o.own.Number, 0, 1_000_000),
		shell.Within("depth", o.own.Depth, 1, alphabeta.MaxDepth),
		shell.Within("random-turns", o.own.RandomTurns, 0, 10_000),
		shell.Within("blunder", o.own.Blunder, 0, 1_000_000),
		shell.Within("rate", c.Rate, 0, 1),
		shell.Within("decay", c.Decay, 0, 10),
		shell.Within("result", o.choice.Result, 0, 1),
	)
	switch {
	case err != nil:
		return err
	case c.Units%model.UnitStep != 0:
		return shell.Usagef("--units %d: want a multiple of %d", c.Units, model.UnitStep)
	case o.own.Number == 0 && slices.ContainsFunc(o.own.From, func(from string) bool { return from != ownTerms }):
		return shell.Usagef("--from %s: it plays games, of which --games asks for none", strings.Join(o.own.From, ", "))
	case o.out == "":
		return shell.Usagef("--out: want a file for the evaluation")
	case c.Rate == 0:
		return shell.Usagef("--rate 0: want more, or nothing is learned")
	}
	return nil
}

// Report is what the command prints as JSON.
type Report struct {
	Game      string  `json:"game"`
	Games     int     `json:"games"`
	Positions int     `json:"positions"`
	HeldOut   int     `json:"held_out"`
	TrainLoss float64 `json:"train_loss,omitempty"` // not of a fit that had its epochs already
	HeldLoss  float64 `json:"held_out_loss"`
	TermsLoss float64 `json:"terms_held_out_loss,omitempty"`
	LeastLoss float64 `json:"least_held_out_loss"`
	File      string  `json:"file"`
}

func (o *options) run(c *cobra.Command, paths []string) error {
	if paths = append(paths, o.runs...); len(paths) == 0 && !c.Flags().Changed("games") {
		o.own.Number = defaultGames
	}
	if err := o.check(); err != nil {
		return err
	}
	for _, flag := range []string{"depth", "random-turns", "blunder"} {
		if o.own.Number == 0 && c.Flags().Changed(flag) {
			return shell.Usagef("--%s: it is of games that are played, of which --games asks for none", flag)
		}
	}
	g, err := o.game.Open()
	if err != nil {
		return err
	}
	in, err := nnue.InputsOf(g)
	if err != nil {
		return err
	}
	sides, err := o.sides(g)
	if err != nil {
		return err
	}
	ctx, stop := shell.Interruptible(c.Context())
	defer stop()
	family, err := o.game.Family()
	if err != nil {
		return err
	}
	o.choice.Seed = o.config.Seed
	if err := o.mayFit(); err != nil {
		return err
	}
	samples := fit.NewSamples(family, o.choice)
	if err := o.read(ctx, c, samples, paths); err != nil {
		return err
	}
	if err := o.play(ctx, c, samples, g, sides); err != nil {
		return err
	}
	fmt.Fprintf(c.ErrOrStderr(), "%s of %s\n", wording.Count(samples.Len(), "position"), wording.Count(samples.Games(), "game"))
	start := fit.Start{Words: engine.BitWords(in.Bits), Weights: fit.OwnWeights(g, in)}
	f, err := fit.New(samples, start, o.config)
	if err != nil {
		return err
	}
	last, err := o.fit(ctx, c, f)
	if err != nil {
		return err
	}
	card, err := o.card(g, in, samples, f, start.Weights)
	if err != nil {
		return err
	}
	if _, err := model.Quantize(f.Network()); err != nil {
		return err
	}
	data, err := model.Encode(f.Network(), *card)
	if err != nil {
		return err
	}
	if err := atomicfile.WriteBytes(o.out, data); err != nil {
		return err
	}
	if err := os.Remove(o.saved()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	r := Report{
		Game: g.Info().Name, Games: samples.Games(), Positions: f.Learned(), HeldOut: f.HeldOut(),
		TrainLoss: last.TrainLoss, HeldLoss: card.HeldLoss, TermsLoss: card.TermsLoss, LeastLoss: card.LeastLoss, File: o.out,
	}
	return shell.Print(c, o.asJSON, r, func(out io.Writer) error {
		terms := ""
		if r.TermsLoss > 0 {
			terms = fmt.Sprintf("; the game's own terms %.4f", r.TermsLoss)
		}
		_, err := fmt.Fprintf(out, "%s in %s: held-out loss %.4f of %s, %.4f above the least%s\n", wording.Count(len(data), "byte"), wording.PlainName(o.out),
			r.HeldLoss, wording.Count(r.HeldOut, "position"), r.HeldLoss-r.LeastLoss, terms)
		return err
	})
}

// saved is the file of the fit under way.
func (o *options) saved() string { return o.out + ".fit" }

// mayFit refuses what the fit would fail by only after its games: an evaluation that cannot be
// written, or another fit where this one is to be saved.
func (o *options) mayFit() error {
	if err := shell.WantFile("out", o.out); err != nil {
		return err
	}
	return fit.Check(o.saved(), o.choice, o.config)
}

// read adds the positions at paths.
func (o *options) read(ctx context.Context, c *cobra.Command, samples *fit.Samples, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	files, err := census.Find(paths)
	if err != nil {
		return shell.Usage(err)
	}
	return shell.NewBar(c.ErrOrStderr(), len(files), "shards").Each(ctx, len(files), func(i int) (string, error) {
		err := samples.Add(files[i].Path)
		return wording.Count(samples.Len(), "position"), err
	})
}

// sides returns what opens an engine by each of --from, and notes what they are.
func (o *options) sides(g engine.Game) (list []func() (*alphabeta.Engine, error), err error) {
	for i, from := range o.own.From {
		if from == ownTerms {
			list = append(list, func() (*alphabeta.Engine, error) { return alphabeta.New(g), nil })
			continue
		}
		e, err := open.Evaluation(from)
		if err == nil {
			_, err = e.Judge(g)
		}
		if err != nil {
			return nil, fmt.Errorf("--from %s: %w", from, err)
		}
		list = append(list, func() (*alphabeta.Engine, error) {
			j, err := e.Judge(g)
			if err != nil {
				return nil, err
			}
			return alphabeta.NewWith(g, j), nil
		})
		o.own.From[i] = e.Identity
	}
	return list, nil
}

// play adds the positions of games of g that engines of sides play for the fit.
func (o *options) play(ctx context.Context, c *cobra.Command, samples *fit.Samples, g engine.Game, sides []func() (*alphabeta.Engine, error)) error {
	for i, side := range sides {
		if o.own.Number == 0 {
			return nil
		}
		bar := shell.NewBar(c.ErrOrStderr(), o.own.Number, "games by "+o.own.From[i])
		p := positions.Play{Game: g, Depth: o.own.Depth, RandomTurns: o.own.RandomTurns, Blunder: o.own.Blunder, Seed: o.config.Seed + uint64(i)}
		err := samples.Play(ctx, p, o.own.Number, side, func(done int) { bar.Set(done, "") })
		bar.Clear()
		if err != nil {
			return err
		}
	}
	return nil
}

// fit fits to the end, with progress on stderr.
func (o *options) fit(ctx context.Context, c *cobra.Command, f *fit.Fit) (fit.Epoch, error) {
	out := c.ErrOrStderr()
	bar, shown := shell.NewBar(out, f.Learned(), ""), 0
	defer func() { bar.Clear() }()
	return f.Run(ctx, o.saved(), fit.Watch{
		Resumed: func(epochs int) { fmt.Fprintf(out, "resumed after epoch %d\n", epochs) },
		Step: func(epoch, done int, loss float64) {
			if epoch != shown {
				bar, shown = shell.NewBar(out, f.Learned(), fmt.Sprintf("epoch %d of %d", epoch, o.config.Epochs)), epoch
			}
			bar.Set(done, fmt.Sprintf("loss %.4f", loss))
		},
		Epoch: func(e fit.Epoch) {
			bar.Clear()
			fmt.Fprintf(out, "epoch %d: loss %.4f, held out %.4f\n", e.Number, e.TrainLoss, e.HeldLoss)
		},
	})
}

// card says what the evaluation learned from.
func (o *options) card(g engine.Game, in *nnue.Inputs, samples *fit.Samples, f *fit.Fit, weights []float64) (*model.Card, error) {
	var played *ownGames
	if o.own.Number > 0 {
		played = &o.own
	}
	training, err := json.Marshal(struct {
		fit.Config
		Positions fit.Choice `json:"positions"`
		Games     *ownGames  `json:"games,omitempty"`
	}{o.config, samples.Choice, played})
	if err != nil {
		return nil, err
	}
	card := &model.Card{
		Game: g.Info().Name, GameVersion: g.Info().Version, Inputs: in.FileInputs(), Terms: append([]string{}, in.Terms...),
		Rules: samples.Rules(), Runs: samples.Runs(), Games: samples.Games(), Positions: f.Learned(),
		Samples: int64(f.Learned()) * int64(o.config.Epochs), HeldLoss: f.Loss(), LeastLoss: f.LeastLoss(), Training: training, Licence: o.licence,
	}
	for _, w := range weights {
		if w != 0 {
			card.TermsLoss = f.TermsLoss(weights)
			break
		}
	}
	return card, nil
}
