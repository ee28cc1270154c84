package cli

import (
	"errors"
	"fmt"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/cli/balance"
	"github.com/ludozero/ludozero/cli/bench"
	"github.com/ludozero/ludozero/cli/data"
	"github.com/ludozero/ludozero/cli/engine"
	"github.com/ludozero/ludozero/cli/evaluation"
	"github.com/ludozero/ludozero/cli/export"
	"github.com/ludozero/ludozero/cli/heuristics"
	"github.com/ludozero/ludozero/cli/lab"
	"github.com/ludozero/ludozero/cli/match"
	"github.com/ludozero/ludozero/cli/networks"
	"github.com/ludozero/ludozero/cli/pack"
	"github.com/ludozero/ludozero/cli/play"
	"github.com/ludozero/ludozero/cli/positions"
	"github.com/ludozero/ludozero/cli/report"
	"github.com/ludozero/ludozero/cli/rules"
	"github.com/ludozero/ludozero/cli/runs"
	"github.com/ludozero/ludozero/cli/schools"
	"github.com/ludozero/ludozero/cli/score"
	"github.com/ludozero/ludozero/cli/serve"
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/cli/sweep"
	"github.com/ludozero/ludozero/cli/terms"
	"github.com/ludozero/ludozero/cli/train"
	"github.com/ludozero/ludozero/cli/web"
	"github.com/ludozero/ludozero/cli/work"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newRoot(env *shell.Env, p program) *cobra.Command {
	root := &cobra.Command{
		Use:           p.name,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: p.call},
		Version:       version(debug.ReadBuildInfo()),
		Short:         "Self-play learning for board games that have no bots yet",
		SilenceErrors: true,
		SilenceUsage:  true,
		Example:       "  ludozero train --config configs/konreh/quick.yaml --run runs/first\n  ludozero help match",
		Args:          shell.NoSuchCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.InitDefaultVersionFlag() // else only Execute adds it, and help ludozero lacks it
	root.SetHelpCommand(newHelp())
	endWithExample(root)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Play", []*cobra.Command{play.New(env), web.New(env), positions.NewAnalyze(env), engine.New(env), networks.New(env)}},
		{"Train", []*cobra.Command{train.NewTrain(env), work.New(env), train.NewSelfPlay(env), train.NewFit(env), terms.New(env), evaluation.New(env), serve.Series(env, serve.Series(env, sweep.New(env)), "players"), bench.New(env), with(runs.New(env), pack.New(env)), report.New(env), data.New(env)}},
		{"Measure", []*cobra.Command{serve.Series(env, match.NewMatch(env)), serve.Series(env, match.NewTournament(env)), serve.Series(env, match.NewSPRT(env)), score.New(env)}},
		{"Design rules", []*cobra.Command{rules.NewGames(env), rules.NewRules(env), positions.NewShow(env), serve.Series(env, balance.New(env)), serve.Series(env, lab.New(env)), serve.Series(env, schools.New(env), "compare"), serve.Series(env, heuristics.New(env), "test")}},
		{"For programs", []*cobra.Command{
			export.New(env), positions.NewMoves(env), positions.NewEncode(env), positions.NewReplay(env), match.NewOpenings(env), positions.NewPerft(env), rules.NewDoctor(env),
			rules.NewSignature(env), networks.NewCalibrate(env), rules.NewNewGame(env),
		}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title + ":"})
		for _, c := range group.commands {
			c.GroupID = group.title
			blameCaller(c)
		}
		root.AddCommand(group.commands...)
	}
	return root
}

// with puts a command of another package below c.
func with(c, below *cobra.Command) *cobra.Command {
	c.AddCommand(below)
	return c
}

// isGroup tells commands that do nothing but have others below them.
func isGroup(c *cobra.Command) bool { return c.HasSubCommands() && c.Use == c.Name() }

// flagError is a usage error that says what a flag wants, or names the flag which may have
// been meant: the one whose help speaks of the word that was given, or else the nearest.
func flagError(c *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		f := invalid.GetFlag()
		want, ok := flagValues[f.Value.Type()]
		switch {
		case !ok:
			return shell.Usagef("--%s %q: %w", f.Name, invalid.GetValue(), errors.Unwrap(err))
		case errors.Is(err, strconv.ErrRange):
			want += " of 64 bits"
		}
		return shell.Usagef("--%s %q: want %s", f.Name, invalid.GetValue(), want)
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || len(unknown.GetSpecifiedName()) < 2 {
		return shell.Usage(err)
	}
	var names, speak []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		names = append(names, "--"+f.Name)
		if slices.Contains(strings.Fields(f.Usage), unknown.GetSpecifiedName()) {
			speak = append(speak, "--"+f.Name)
		}
	})
	near := problems.Nearest("--"+unknown.GetSpecifiedName(), names)
	if len(speak) == 1 {
		near = "; did you mean " + speak[0] + "?"
	}
	if near == "" {
		return shell.Usagef("%w; `%s --help` lists the flags", err, c.CommandPath())
	}
	return shell.Usagef("%w%s", err, near)
}

// flagValues describes the values of flags, by their pflag types.
var flagValues = map[string]string{
	"int": "a whole number", "uint64": "a whole number from 0", "float64": "a number", "bool": "true or false", "duration": "a time such as 90s, 15m or 2h",
	"intSlice": "whole numbers with commas between them", "float64Slice": "numbers with commas between them",
	"stringSlice": "words with commas between them, each that has a comma or a quote in double quotes",
}

// excludedFlags finds the flags in what cobra says of those that exclude each other.
var excludedFlags = regexp.MustCompile(`none of the others can be; \[(.*)\] were all set$`)

// blameCaller makes wrong arguments of c and the commands below it usage errors that
// show how the command is called.
func blameCaller(c *cobra.Command) {
	c.PreRunE = func(c *cobra.Command, _ []string) error { // cobra asks this, too, but blames nobody
		err := c.ValidateFlagGroups()
		if err == nil {
			return nil
		}
		if m := excludedFlags.FindStringSubmatch(err.Error()); m != nil {
			err = fmt.Errorf("--%s: want one of them", strings.ReplaceAll(m[1], " ", " and --"))
		}
		return shell.Usage(err)
	}
	if args := c.Args; args != nil {
		c.Args = func(c *cobra.Command, a []string) error {
			err := args(c, a)
			if err == nil || isGroup(c) {
				return err
			}
			if strings.HasPrefix(err.Error(), "unknown command") { // what cobra says of any word too many
				err = fmt.Errorf("%s takes no arguments, received %q", c.CommandPath(), a)
			} else if len(a) > 0 {
				err = fmt.Errorf("%w: %q", err, a)
			}
			if near := shell.NearCommand(c, a); near != "" {
				return shell.Usagef("%w; did you mean %s %s?", err, c.CommandPath(), near)
			}
			return shell.Usagef("%w; usage: %s", err, c.UseLine())
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
		Hidden:  true, // from the list, which says itself how to get help
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
