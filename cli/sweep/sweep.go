// Package sweep is the command that finds out which settings of training matter.
package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/study/sweep"
	"github.com/spf13/cobra"
)

// New returns the command.
func New(env *shell.Env) *cobra.Command {
	var dir string
	var asJSON, onlyPlan bool
	c := &cobra.Command{
		Use:   "sweep PLAN",
		Short: "Find out which settings of training matter, by many short runs",
		Long: "Does the runs of a plan, each in a process of its own and with the same processor time, measures their\n" +
			"last networks, and prints what each setting changes, with intervals over runs. A plan varies factors between a low\n" +
			"and a high level in a fractional factorial design of 8, 16 or 32 runs, or compares arms that have the same seeds.\n" +
			"Networks are measured by their score in positions of known value, in a tournament of all, or by both. docs/sweeps.md\n" +
			"has the keys of a plan and what the numbers mean.\n\n" +
			"The folder keeps the runs, which `ludozero runs` lists, and runs.csv with a row for each. The same command resumes\n" +
			"a sweep that was stopped, counting the processor time already used, and prints the result of a finished one.\n\n" +
			"`ludozero sweep players` does the same for the options of a player, by games alone; `ludozero sweep fit` compares\n" +
			"targets, losses and sizes of networks on recorded games, without playing.",
		Args: cobra.ExactArgs(1),
		Example: "  ludozero sweep configs/sweeps/tictactoe.yaml --out sweeps/tictactoe\n" +
			"  ludozero sweep configs/sweeps/tictactoe.yaml --out sweeps/tictactoe --json",
		RunE: func(c *cobra.Command, args []string) error {
			if dir == "" && !onlyPlan {
				return shell.Usagef("--out is required: the folder of the sweep, such as sweeps/first")
			}
			if err := kernel.Check(); err != nil { // else auto is settled for others
				return err
			}
			w, err := sweep.Read(env.Families, env.Solved, args[0], dir)
			if err != nil {
				return shell.Usage(err)
			}
			if onlyPlan {
				w.WritePlan(c.OutOrStdout())
				return nil
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			program, err := os.Executable()
			if err != nil {
				return err
			}
			if runtime.GOOS == "linux" {
				program = "/proc/self/exe" // this program to the end, also if another is built in its place
			}
			result, err := w.Do(ctx, sweep.Options{
				Program: program, Env: childEnv(os.Environ()), Auto: shell.AutoText(w.Auto), Players: env.Players, Progress: shell.NewProgress(c.ErrOrStderr()),
			})
			if errors.Is(err, context.Canceled) {
				return fmt.Errorf("%w\nthe sweep is kept in %s; the same command resumes it", err, dir)
			}
			if err != nil {
				return err
			}
			return shell.Print(c, asJSON, result, result.WriteText)
		},
	}
	c.Flags().BoolVar(&onlyPlan, "plan", false, "print how many runs the sweep has and how long they take, and do nothing")
	c.Flags().StringVar(&dir, "out", "", "folder of the sweep, new or to be resumed")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.MarkFlagsMutuallyExclusive("plan", "json")
	c.AddCommand(newPlayers(env), newFit(env))
	return c
}

// childEnv leaves out the variables that are settings of a run: they are in the
// configuration that all runs begin with.
func childEnv(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(word string) bool {
		name, _, _ := strings.Cut(word, "=")
		return configs.IsSetting(name)
	})
}
