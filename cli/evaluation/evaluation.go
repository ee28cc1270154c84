// Package evaluation holds the command that fits learned evaluations for alpha-beta.
package evaluation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/wording"
	model "github.com/ludozero/ludozero/model/nnue"
	"github.com/ludozero/ludozero/player/nnue"
	"github.com/ludozero/ludozero/player/nnue/fit"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/spf13/cobra"
)

// options are what the command is asked for.
type options struct {
	game    shell.GameFlags
	out     string
	choice  fit.Choice
	config  fit.Config
	licence string
	asJSON  bool
}

// New is the command fit-evaluation.
func New(env *shell.Env) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "fit-evaluation PATH...",
		Short: "Fit a small network for alpha-beta to the games of a run",
		Long: "Fits an evaluation for alpha-beta to the games of the runs or shards at PATH: a small network that is updated move by\n" +
			"move, over the pieces and counters of a position and the terms that the game brings. It learns from quiet positions\n" +
			"where a turn begins: the mean of what the search at the root expected and of the result of the game. One game in 20\n" +
			"is held out, and its loss is printed beside that of the game's own terms and beside the least that is possible.\n\n" +
			"After each epoch the fit is saved as --out with .fit behind it. Ctrl-C ends it, and the same command resumes it;\n" +
			"the same command gives the same file on any number of cores, interrupted or not. Play by it: nnue:FILE,depth=4.",
		Args:    cobra.MinimumNArgs(1),
		Example: "  ludozero fit-evaluation --game konreh runs/night --out konreh.eval",
		RunE:    func(c *cobra.Command, args []string) error { return o.run(c, args) },
	}
	o.game.Add(c, env)
	f := c.Flags()
	f.StringVar(&o.out, "out", "", "file for the evaluation (required)")
	f.IntVar(&o.config.Units, "units", 128, "units of the first layer for each seat, a multiple of 64")
	f.IntVar(&o.config.Epochs, "epochs", 10, "how often all positions are gone through")
	f.IntVar(&o.config.Batch, "batch", 1024, "positions of a step")
	f.Float64Var(&o.config.Rate, "rate", 0.001, "learning rate at first; it falls to a hundredth along a cosine")
	f.Float64Var(&o.config.Decay, "decay", 0.01, "weight decay, per unit of learning rate")
	f.Float64Var(&o.choice.Result, "result", 0.1, "weight of the result beside the root value, 0 to 1")
	f.IntVar(&o.choice.Every, "every", 1, "take one position in so many")
	f.BoolVar(&o.choice.All, "all", false, "take positions that are not quiet, too")
	f.Uint64Var(&o.config.Seed, "seed", 1, "seed of weights, positions and their order")
	f.StringVar(&o.licence, "licence", "", "SPDX expression for the card, if the evaluation is to be published")
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	return c
}

// check refuses impossible numbers.
func (o *options) check() error {
	c := &o.config
	for _, x := range []struct {
		flag            string
		n, least, limit int
	}{
		{"units", c.Units, model.UnitStep, model.MaxUnits}, {"epochs", c.Epochs, 1, 1000}, {"batch", c.Batch, 1, 1 << 20}, {"every", o.choice.Every, 1, 1000},
	} {
		if x.n < x.least || x.n > x.limit {
			return shell.Usagef("--%s %d: want %d to %d", x.flag, x.n, x.least, x.limit)
		}
	}
	for _, x := range []struct {
		flag     string
		n, limit float64
	}{{"rate", c.Rate, 1}, {"decay", c.Decay, 10}, {"result", o.choice.Result, 1}} {
		if !(x.n >= 0 && x.n <= x.limit) {
			return shell.Usagef("--%s %g: want 0 to %g", x.flag, x.n, x.limit)
		}
	}
	switch {
	case c.Units%model.UnitStep != 0:
		return shell.Usagef("--units %d: want a multiple of %d", c.Units, model.UnitStep)
	case o.out == "":
		return shell.Usagef("--out: want a file for the evaluation")
	}
	return nil
}

// Report is what the command prints as JSON.
type Report struct {
	Game      string  `json:"game"`
	Games     int     `json:"games"`
	Positions int     `json:"positions"`
	HeldOut   int     `json:"held_out"`
	TrainLoss float64 `json:"train_loss"`
	HeldLoss  float64 `json:"held_out_loss"`
	TermsLoss float64 `json:"terms_held_out_loss,omitempty"`
	LeastLoss float64 `json:"least_held_out_loss"`
	File      string  `json:"file"`
}

func (o *options) run(c *cobra.Command, paths []string) error {
	if err := o.check(); err != nil {
		return err
	}
	g, err := o.game.Open()
	if err != nil {
		return err
	}
	in, err := nnue.InputsOf(g)
	if err != nil {
		return err
	}
	ctx, stop := shell.Interruptible(c.Context())
	defer stop()
	samples, err := o.read(ctx, c, paths)
	if err != nil {
		return err
	}
	start := fit.Start{Words: engine.BitWords(in.Bits), Weights: fit.OwnWeights(g, in)}
	f, err := fit.New(samples, start, o.config)
	if err != nil {
		return err
	}
	last, err := o.epochs(ctx, c, f)
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

// read takes the positions at paths.
func (o *options) read(ctx context.Context, c *cobra.Command, paths []string) (*fit.Samples, error) {
	files, err := census.Find(paths)
	if err != nil {
		return nil, shell.Usage(err)
	}
	family, err := o.game.Family()
	if err != nil {
		return nil, err
	}
	o.choice.Seed = o.config.Seed
	samples := fit.NewSamples(family, o.choice)
	err = shell.NewBar(c.ErrOrStderr(), len(files), "shards").Each(ctx, len(files), func(i int) (string, error) {
		err := samples.Add(files[i].Path)
		return wording.Count(samples.Len(), "position"), err
	})
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(c.ErrOrStderr(), "%s of %s\n", wording.Count(samples.Len(), "position"), wording.Count(samples.Games(), "game"))
	return samples, nil
}

// epochs fits to the end, from where a fit before was saved.
func (o *options) epochs(ctx context.Context, c *cobra.Command, f *fit.Fit) (last fit.Epoch, err error) {
	switch data, err := input.Read(o.saved(), input.Large); {
	case err == nil:
		if err := f.Resume(data); err != nil {
			return last, fmt.Errorf("%s: %w: delete it to fit anew", o.saved(), err)
		}
		fmt.Fprintf(c.ErrOrStderr(), "resumed after epoch %d\n", f.Done())
	case !errors.Is(err, fs.ErrNotExist):
		return last, err
	}
	for f.Done() < o.config.Epochs {
		bar := shell.NewBar(c.ErrOrStderr(), f.Learned(), fmt.Sprintf("epoch %d of %d", f.Done()+1, o.config.Epochs))
		last, err = f.Epoch(ctx, func(done int, loss float64) { bar.Set(done, fmt.Sprintf("loss %.4f", loss)) })
		bar.Clear()
		if err != nil {
			if f.Done() > 0 {
				err = fmt.Errorf("stopped: the same command resumes after epoch %d: %w", f.Done(), err)
			}
			return last, err
		}
		fmt.Fprintf(c.ErrOrStderr(), "epoch %d: loss %.4f, held out %.4f\n", last.Number, last.TrainLoss, last.HeldLoss)
		data, err := f.Save()
		if err != nil {
			return last, err
		}
		if err := atomicfile.WriteBytes(o.saved(), data); err != nil {
			return last, err
		}
	}
	return last, nil
}

// card says what the evaluation learned from.
func (o *options) card(g engine.Game, in *nnue.Inputs, samples *fit.Samples, f *fit.Fit, weights []float64) (*model.Card, error) {
	training, err := json.Marshal(struct {
		fit.Config
		Positions fit.Choice `json:"positions"`
	}{o.config, samples.Choice})
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
