// Command ludozero trains bots for abstract board games by self-play and
// answers questions about the games and their rules.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/ludozero/ludozero/internal/fault"
	"github.com/spf13/cobra"
)

func main() {
	err := execute(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "ludozero:", err)
	}
	os.Exit(exitCode(err))
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

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "ludozero",
		Short:         "Self-play learning for board games that have no bots yet",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddGroup(
		&cobra.Group{ID: "learn", Title: "Learn and compete:"},
		&cobra.Group{ID: "game", Title: "Look at games and rules:"},
	)
	add := func(group string, cmds ...*cobra.Command) {
		for _, c := range cmds {
			c.GroupID = group
			if args := c.Args; args != nil {
				c.Args = func(c *cobra.Command, a []string) error {
					if err := args(c, a); err != nil {
						return usageError{err}
					}
					return nil
				}
			}
			root.AddCommand(c)
		}
	}
	add("learn", newTrain(), newMatch())
	add("game", newGames(), newRules(), newShow(), newMoves(), newReplay(), newPerft(), newDoctor())
	return root
}
