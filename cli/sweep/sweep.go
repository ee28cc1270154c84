// Package sweep is the command that finds out which settings of training matter.
package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
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
	var asJSON bool
	c := &cobra.Command{
		Use:   "sweep PLAN",
		Short: "Find out which settings of training matter, by many short runs",
		Long: "Does the runs of a plan, each in a process of its own and with the same processor time, measures their\n" +
			"last networks, and prints what each setting changes, with intervals over runs. A plan varies factors between a low\n" +
			"and a high level in a fractional factorial design of 8, 16 or 32 runs, or compares arms that have the same seeds.\n" +
			"Networks are measured by their score in positions of known value, in a tournament of all, or by both. docs/sweeps.md\n" +
			"has the keys of a plan and what the numbers mean.\n\n" +
			"The folder keeps the runs, which `ludozero runs` lists, and runs.csv with a row for each. A sweep that was stopped\n" +
			"goes on with the same command, processor time that was used included; of a finished one it prints the result.",
		Args: cobra.ExactArgs(1),
		Example: "  ludozero sweep configs/sweeps/tictactoe.yaml --out sweeps/tictactoe\n" +
			"  ludozero sweep configs/sweeps/tictactoe.yaml --out sweeps/tictactoe --json",
		RunE: func(c *cobra.Command, args []string) error {
			if dir == "" {
				return shell.Usagef("--out is required: the folder of the sweep, such as sweeps/first")
			}
			if err := kernel.Check(); err != nil { // else auto is settled for others
				return err
			}
			w, err := read(env, args[0], dir)
			if err != nil {
				return shell.Usage(err)
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			result, err := w.work(ctx, c, dir)
			if errors.Is(err, context.Canceled) {
				return fmt.Errorf("%w\nthe sweep is kept in %s; the same command goes on", err, dir)
			}
			if err != nil {
				return err
			}
			if asJSON {
				return shell.WriteJSON(c, result)
			}
			return result.WriteText(c.OutOrStdout())
		},
	}
	c.Flags().StringVar(&dir, "out", "", "folder of the sweep, made or gone on with")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// work does what is missing of the sweep in folder dir.
func (w *job) work(ctx context.Context, c *cobra.Command, dir string) (result *sweep.Result, err error) {
	s, err := sweep.Open(ctx, dir, w.plan, func() error { return w.compare(dir) }, w.write)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := w.run(ctx, c, s); err != nil {
		return nil, err
	}
	responses, err := s.Measure(ctx, &sweep.Measurer{Game: w.game, Set: w.set, Players: w.env.Players, Progress: shell.NewProgress(c.ErrOrStderr())})
	if err != nil {
		return nil, err
	}
	if result, err = s.Result(w.game.Info().Name, w.game.Rules(), responses); err != nil {
		return nil, err
	}
	return result, s.WriteRows(result)
}

// run does the runs, with progress on stderr.
func (w *job) run(ctx context.Context, c *cobra.Command, s *sweep.Sweep) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	if runtime.GOOS == "linux" {
		program = "/proc/self/exe" // this program to the end, also if another is built in its place
	}
	// What is done is counted in seconds of core time, or in generations.
	each, unit := w.plan.Generations, "generations"
	if each == 0 {
		each, unit = int(math.Ceil(w.plan.CoreTime.Seconds())), "core-seconds"
	}
	done, ended := map[string]int{}, 0
	for i := range s.Runs {
		r := &s.Runs[i]
		switch p := s.Of(r); {
		case p.Ended:
			done[r.Name] = each
			ended++
		case w.plan.Generations == 0:
			done[r.Name] = min(each, int(p.CoreTime.Seconds()))
		}
	}
	if ended == len(s.Runs) {
		return nil
	}
	errOut := c.ErrOrStderr()
	n, pinned := s.SideBySide()
	bound := "bound to no core"
	if pinned {
		bound = "each bound to cores of its own"
	}
	if text := shell.AutoText(w.auto); text != "" {
		bound += "; " + text
	}
	fmt.Fprintf(errOut, "%s: %s, %d of them ended before; %d side by side, %s\n", s.Dir(), shell.Count(len(s.Runs), "run"), ended, n, bound)
	bar := shell.NewBar(errOut, each*len(s.Runs), unit)
	defer bar.Clear()
	return s.Work(ctx, sweep.Options{Program: program, Env: childEnv(os.Environ()), Report: func(e sweep.Event) {
		so := fmt.Sprintf("%s at generation %d, %.1f s of core time", e.Run.Name, max(0, e.Generation), e.CoreTime.Seconds())
		switch e.Kind {
		case sweep.Ended:
			ended++
			done[e.Run.Name] = each
			bar.Println(errOut, so+": ended")
		case sweep.Interrupted:
			bar.Println(errOut, so+": interrupted")
		case sweep.Failed:
			bar.Println(errOut, so+": "+e.Err.Error())
		case sweep.Began, sweep.Works:
			done[e.Run.Name] = min(each, max(0, e.Generation))
			if w.plan.Generations == 0 {
				done[e.Run.Name] = min(each, int(e.CoreTime.Seconds()))
			}
		}
		sum := 0
		for _, d := range done {
			sum += d
		}
		bar.Set(sum, fmt.Sprintf("%d runs ended, %s", ended, so))
	}})
}

// childEnv leaves out the variables that are settings of a run: they are in the
// configuration that all runs begin with.
func childEnv(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(word string) bool {
		name, _, _ := strings.Cut(word, "=")
		return configs.IsSetting(name)
	})
}
