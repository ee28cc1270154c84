// Package lab is the command that says what a change of the rules does to a game.
package lab

import (
	"context"
	"slices"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/study"
	"github.com/ludozero/ludozero/study/even"
	"github.com/ludozero/ludozero/study/lab"
	"github.com/ludozero/ludozero/study/restricted"
	"github.com/spf13/cobra"
)

// New returns the command.
func New(env *shell.Env) *cobra.Command {
	o := lab.DefaultOptions()
	var without []string
	var over string
	var game shell.GameFlags
	var flags shell.StudyFlags
	c := &cobra.Command{
		Use:   "lab",
		Short: "Say what a change of the rules does to a game",
		Long: "Lets players of up to four strengths, from a beginner to the best there is, play themselves under the --rules and\n" +
			"--against others, and prints one sheet: what the games were like by measures with their intervals, and which\n" +
			"differences are beyond chance after a correction over the whole sheet. Without --against it is a sheet of one\n" +
			"ruleset. docs/design-lab.md leads from an idea to a sheet and explains the measures.\n\n" +
			"Where nobody is named, random, a search to depth 1 and the network that is shipped for the game play, if that was\n" +
			"trained on both rulesets; else a search that plays every game.\n\n" +
			"A plan with games, hours and the differences that it can find is printed first; --plan prints only the plan. With\n" +
			"--out a folder keeps the games: the same command resumes after any stop, and prints the result of a finished sheet.\n" +
			"The folder has it as report.txt, report.html, lab.json and CSV files.\n\n" +
			"--without KIND plays matches instead: a player that never takes an action of that kind where it has another, and knows\n" +
			"so, against itself. What it loses is what that part of the rules is worth to it.\n\n" +
			"--over OPTION=VALUE|VALUE,OPTION=VALUE|VALUE plays every combination and ranks them by how far the first player's score\n" +
			"is from one half: after each stage the half that they speak against gets no more games. --games is what a setting gets on average.\n\n" +
			"Players:\n" + env.Players.Help(),
		Args: cobra.NoArgs,
		Example: "  ludozero lab --game konreh --rules standard,balance=single --against standard --plan\n" +
			"  ludozero lab --game konreh --rules standard,balance=single --against standard --out reports/single\n" +
			"  ludozero lab --game konreh --without Seed --without buyback --rules standard,buyback=true --games 400 --plan\n" +
			"  ludozero lab --game konreh --over \"balance=double-move|pie|single,cross_stay=2|3|4\" --games 400 --plan\n" +
			"  ludozero lab --game tictactoe --players random --players exact",
		RunE: func(c *cobra.Command, _ []string) error {
			family, err := game.Family()
			if err != nil {
				return err
			}
			g, err := game.Open()
			if err != nil {
				return err
			}
			o.Game, o.Rules = game.Name, game.Rules
			return flags.Run(c, func(_ context.Context, p archive.Progress) (study.Study, error) {
				switch {
				case over != "":
					e := even.Options{Options: o, Over: over}
					if err := unused(c, "over", e.Settings(), append(o.Settings(), restricted.Setting(&without))); err != nil {
						return nil, err
					}
					return even.New(e, family, g, env.Players, p)
				case len(without) > 0:
					r := restricted.Options{Options: o, Without: without}
					if err := unused(c, "without", r.Settings(), o.Settings()); err != nil {
						return nil, err
					}
					return restricted.New(r, g, env.Players, p)
				}
				return lab.New(o, family, g, env.Players, p)
			})
		},
	}
	game.Add(c, env)
	flags.Add(c, &o.Options, append(o.Settings(), restricted.Setting(&without), even.Setting(&over)), "games")
	return c
}

// unused refuses flags of all that were given and are none of those used with flag.
func unused(c *cobra.Command, flag string, used, all []study.Setting) error {
	for _, s := range all {
		if c.Flags().Changed(s.Name) && !slices.ContainsFunc(used, func(u study.Setting) bool { return u.Name == s.Name }) {
			return shell.Usagef("--%s has no use with --%s", s.Name, flag)
		}
	}
	return nil
}
