package sweep

import (
	"context"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/study/fits"
	"github.com/spf13/cobra"
)

// newFit is the command that compares settings on recorded games.
func newFit(env *shell.Env) *cobra.Command {
	var dir string
	var asJSON bool
	c := &cobra.Command{
		Use:   "fit PLAN",
		Short: "Compare targets, losses and sizes of networks on the recorded games of a run",
		Long: "Fits a network from random weights to the same positions of recorded games with each arm of a plan and each seed, and\n" +
			"prints how their losses on games held out differ, with intervals over seeds. That tells targets, losses, weights of draws and\n" +
			"sizes apart in minutes, on a busy machine too, since fits are counted in steps; how a setting changes the games it does not\n" +
			"tell. docs/sweeps.md has the keys of a plan and what the numbers mean.\n\n" +
			"The folder keeps the plan and the losses of each fit: the same command resumes and prints the result of a finished comparison.",
		Args:    cobra.ExactArgs(1),
		Example: "  ludozero sweep fit configs/fits/konreh-size.yaml --out sweeps/fit-size",
		RunE: func(c *cobra.Command, args []string) error {
			if dir == "" {
				return shell.Usagef("--out is required: the folder of the comparison, such as sweeps/first")
			}
			if err := kernel.Check(); err != nil {
				return err
			}
			f, err := fits.Read(env.Families, args[0], dir)
			if err != nil {
				return shell.Usage(err)
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			result, err := f.Do(ctx, shell.NewProgress(c.ErrOrStderr()))
			if errors.Is(err, context.Canceled) {
				return fmt.Errorf("%w\nwhat is finished is kept in %s; the same command resumes", err, dir)
			}
			if err != nil {
				return err
			}
			return shell.Print(c, asJSON, result, result.WriteText)
		},
	}
	c.Flags().StringVar(&dir, "out", "", "folder of the comparison, new or to be resumed")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}
