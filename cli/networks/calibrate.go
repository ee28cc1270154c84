package networks

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/train/calibration"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/spf13/cobra"
)

// NewCalibrate is the command calibrate.
func NewCalibrate(env *shell.Env) *cobra.Command {
	var shards string
	var again, asJSON bool
	c := &cobra.Command{
		Use:   "calibrate PATH",
		Short: "Measure what a network needs to play with precision=int8",
		Long: "Shows a network positions of recorded games, measures how large its activations become, and adds that to its weight\n" +
			"file; nothing else of the file changes. PATH is a weight file, a checkpoint, or a run for its newest network. Runs\n" +
			"calibrate their networks themselves: only those of earlier programs need it. A network that is calibrated stays as\n" +
			"it is, as do those that are shipped, which PATH may name, too. In any case the command says how far its answers in int8 and f32 differ, on other draws of positions. Folders\n" +
			"of matches that were begun before take the file for another network.",
		Args:    cobra.ExactArgs(1),
		Example: "  ludozero calibrate runs/first\n  ludozero calibrate strong.safetensors --shards runs/first/shards",
		RunE: func(c *cobra.Command, args []string) error {
			n, err := open.Find(args[0])
			if err != nil {
				return err
			}
			if shards, err = shardsFor(env.Families, n, shards, again); err != nil {
				return err
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			done, err := calibrate(ctx, env.Families, n, shards, again)
			if err != nil {
				return err
			}
			if asJSON {
				return shell.WriteJSON(c, done)
			}
			what := "is calibrated on"
			if done.Fresh {
				what = "calibrated on"
			}
			a := &done.Agreement
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s: %s %s\nint8 and f32 on %s: values differ by %.4f, at most %.3f; policies by %.5f nats; the same first move in %.1f %%\n",
				wording.PlainName(n.String()), what, wording.Count(done.Positions, "position"), wording.Count(a.Positions, "other"), a.ValueError, a.LargestValueError, a.Divergence, 100*a.SameFirst)
			return err
		},
	}
	c.Flags().StringVar(&shards, "shards", "", "folder with shards of a run of the same game (default: those of the run that PATH is in)")
	c.Flags().BoolVar(&again, "again", false, "measure a network that is calibrated anew")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// shardsFor is where positions for the calibration of a network come from. It
// refuses what must not be measured.
func shardsFor(games engine.Families, n open.Network, shards string, again bool) (string, error) {
	if n.Shipped != "" {
		switch {
		case again:
			return "", shell.Usagef("--again: the %s is part of the program and keeps its calibration", n)
		case shards == "":
			return "", shell.Usagef("the %s is in no run: say where there are games of %s with --shards", n, n.Shipped)
		}
		return shards, nil
	}
	if _, err := os.Stat(n.Path); err != nil {
		return "", err
	}
	if shards == "" {
		// Of the run that the file is a checkpoint of.
		shards = filepath.Join(filepath.Dir(n.Path), "..", "..", "shards")
		if _, err := os.Stat(shards); err != nil {
			return "", shell.Usagef("%s is in no run with shards: say where there are some with --shards", n)
		}
	}
	if again {
		return shards, mayMeasureAgain(games, n.Path)
	}
	return shards, nil
}

// calibrate calibrates a weight file. A shipped network has its calibration, and
// is measured only.
func calibrate(ctx context.Context, games engine.Families, n open.Network, shards string, again bool) (*calibration.Calibrated, error) {
	if n.Shipped == "" {
		return calibration.Calibrate(ctx, games, n.Path, shards, again)
	}
	w, card, err := n.Load()
	if err != nil {
		return nil, err
	}
	return calibration.Agree(ctx, games, n.String(), w, card, shards)
}

// mayMeasureAgain refuses the weight file at path if games of the run that it is
// in were played, and are to be played again, with the calibration that it has.
func mayMeasureAgain(games engine.Families, path string) error {
	stored := filepath.Join(filepath.Dir(path), "..", "..", "config.yaml")
	if _, err := os.Stat(stored); err != nil || filepath.Base(path) != rundir.WeightsFile {
		return nil // in no run
	}
	cfg, err := configs.Load(configs.DefaultRun(games), stored, nil, nil)
	if err != nil {
		return err
	}
	if p := cfg.SelfPlay.Precision; p == precision.Int8.String() {
		return fmt.Errorf("--again: the games of the run that %s is in depend on its calibration, with self_play.precision: %s: want a copy of the file elsewhere, and --shards", path, p)
	}
	return nil
}
