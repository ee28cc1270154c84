// Package cli holds the commands of ludozero.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/ludozero/ludozero/cli/balance"
	"github.com/ludozero/ludozero/cli/data"
	"github.com/ludozero/ludozero/cli/engine"
	"github.com/ludozero/ludozero/cli/heuristics"
	"github.com/ludozero/ludozero/cli/match"
	"github.com/ludozero/ludozero/cli/networks"
	"github.com/ludozero/ludozero/cli/play"
	"github.com/ludozero/ludozero/cli/positions"
	"github.com/ludozero/ludozero/cli/rules"
	"github.com/ludozero/ludozero/cli/schools"
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/cli/sweep"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/internal/fault"
	"github.com/spf13/cobra"
)

// Main runs the command that the process was started with and returns its exit code:
// 0 done, 1 failed, 2 called wrongly.
func Main() int {
	err := execute(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "ludozero:", err)
	}
	return shell.ExitCode(err)
}

func execute(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) error {
	if err := fault.Err(); err != nil {
		return shell.Usage(err)
	}
	env := builtin()
	defer env.Close()
	root := newRoot(env)
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	return root.ExecuteContext(ctx)
}

func newRoot(env *shell.Env) *cobra.Command {
	root := &cobra.Command{
		Use:           "ludozero",
		Short:         "Self-play learning for board games that have no bots yet",
		SilenceErrors: true,
		SilenceUsage:  true,
		Example:       "  ludozero train --config configs/konreh/quick.yaml --run runs/first\n  ludozero help match",
		Args:          shell.NoSuchCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetHelpCommand(newHelp())
	endWithExample(root)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return shell.Usage(err) })
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
	add("learn", newTrain(env), sweep.New(env), newSelfPlay(env), newFit(env), networks.NewCalibrate(env), match.NewMatch(env), match.NewTournament(env), match.NewSPRT(env), balance.New(env), match.NewOpenings(env), newScore(env), positions.NewAnalyze(env), play.New(env), engine.New(env), newBench(env), networks.New(env), schools.New(env), heuristics.New(env), newExport(env), newWeb(env))
	add("data", newRuns(env), newReport(env), data.New(env))
	add("game", rules.NewGames(env), rules.NewRules(env), positions.NewShow(env), positions.NewMoves(env), positions.NewReplay(env), positions.NewPerft(env), rules.NewSignature(env), rules.NewDoctor(env))
	return root
}

// blameCaller makes wrong arguments of c and the commands below it usage errors.
func blameCaller(c *cobra.Command) {
	if args := c.Args; args != nil {
		c.Args = func(c *cobra.Command, a []string) error {
			if err := args(c, a); err != nil {
				return shell.Usage(err)
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

// newHelp is cobra's help command, except that an unknown topic is an error.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [command]",
		Short:   "Explain a command",
		Example: "  ludozero help match",
		RunE: func(c *cobra.Command, args []string) error {
			topic, rest, err := c.Root().Find(args)
			if err != nil {
				return shell.Usage(err)
			}
			if err := shell.NoSuchCommand(c.Root(), rest); err != nil {
				return err
			}
			topic.InitDefaultHelpFlag()
			return topic.Help()
		},
	}
}

// builtin is the environment of the games of this module.
func builtin() *shell.Env {
	var list []shell.Game
	for _, f := range games.All() {
		list = append(list, shell.Game{Family: f})
	}
	return shell.NewEnv(list)
}
