// Package cli holds the commands of ludozero.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/ludozero/ludozero/internal/fault"
	"github.com/spf13/cobra"
)

// Main runs the command that the process was started with and returns its exit code:
// 0 done, 1 failed, 2 called wrongly.
func Main() int {
	err := execute(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	opener.Close()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ludozero:", err)
	}
	return exitCode(err)
}

// usageError marks an error in how the command was called: exit code 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func exitCode(err error) int {
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		return 2
	}
	return 1
}

func execute(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) error {
	if err := fault.Err(); err != nil {
		return usageError{err}
	}
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	return root.ExecuteContext(ctx)
}

// interruptible ends ctx at the first Ctrl-C or SIGTERM, so that the work can be
// left in order. The second ends the process.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "ludozero",
		Short:         "Self-play learning for board games that have no bots yet",
		SilenceErrors: true,
		SilenceUsage:  true,
		Example:       "  ludozero train --config configs/konreh/quick.yaml --run runs/first\n  ludozero help match",
		Args:          noSuchCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetHelpCommand(newHelp())
	endWithExample(root)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddGroup(
		&cobra.Group{ID: "learn", Title: "Learn and compete:"},
		&cobra.Group{ID: "data", Title: "Look at what was played:"},
		&cobra.Group{ID: "game", Title: "Look at games and rules:"},
	)
	add := func(group string, cmds ...*cobra.Command) {
		for _, c := range cmds {
			c.GroupID = group
			blameCaller(c)
			root.AddCommand(c)
		}
	}
	add("learn", newTrain(), newSweep(), newSelfPlay(), newFit(), newCalibrate(), newMatch(), newTournament(), newSPRT(), newBalance(), newOpenings(), newScore(), newAnalyze(), newPlay(), newEngine(), newBench(), newNetworks(), newSchools(), newHeuristics(), newExport())
	add("learn", newWeb())
	add("data", newRuns(), newReport(), newData())
	add("game", newGames(), newRules(), newShow(), newMoves(), newReplay(), newPerft(), newSignature(), newDoctor())
	return root
}

// blameCaller makes wrong arguments of c and the commands below it usage errors.
func blameCaller(c *cobra.Command) {
	if args := c.Args; args != nil {
		c.Args = func(c *cobra.Command, a []string) error {
			if err := args(c, a); err != nil {
				return usageError{err}
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		blameCaller(sub)
	}
}

// endWithExample moves the examples to the end of the help of c and the commands
// below it.
func endWithExample(c *cobra.Command) {
	usage := c.UsageFunc()
	c.SetUsageFunc(func(c *cobra.Command) error {
		example := c.Example
		c.Example = ""
		defer func() { c.Example = example }()
		if err := usage(c); err != nil || example == "" {
			return err
		}
		_, err := fmt.Fprintf(c.OutOrStderr(), "\nExamples:\n%s\n", example)
		return err
	})
}

// noSuchCommand refuses words that are left when no command took them.
func noSuchCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("no command %q", args[0])
	c.SuggestionsMinimumDistance = 2 // letters that may be wrong; zero would mean none
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		text += ": did you mean " + strings.Join(near, " or ") + "?"
	}
	return usageError{errors.New(text + "; `" + c.CommandPath() + " --help` lists them")}
}

// newHelp is cobra's help command, except that an unknown topic is an error.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [command]",
		Short:   "Explain a command",
		Example: "  ludozero help match",
		RunE: func(c *cobra.Command, args []string) error {
			topic, rest, err := c.Root().Find(args)
			if err != nil {
				return usageError{err}
			}
			if err := noSuchCommand(c.Root(), rest); err != nil {
				return err
			}
			topic.InitDefaultHelpFlag()
			return topic.Help()
		},
	}
}
