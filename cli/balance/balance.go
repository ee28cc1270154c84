// Package balance is the command that compares variants of the rules.
package balance

import (
	"context"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/study"
	"github.com/ludozero/ludozero/study/balance"
	"github.com/spf13/cobra"
)

// New returns the command.
func New(env *shell.Env) *cobra.Command {
	o := balance.DefaultOptions()
	var game shell.GameFlags
	var flags shell.StudyFlags
	c := &cobra.Command{
		Use:   "balance",
		Short: "Compare variants of the rules by how even they are for the two players",
		Long: "Lets networks, or other players, play themselves in each variant of the rules and prints how much the first player\n" +
			"scores, with intervals, and whether a variant is fairer than the baseline: by at least --matters of the distance\n" +
			"from one half, a difference fixed before the games. With three networks or more the intervals are about networks,\n" +
			"with fewer about games of these alone, and the report says so. Verdicts are corrected for being several.\n" +
			"docs/balance.md explains method and figures.\n\n" +
			"Where the rules compensate for moving second, every way to settle the start is played equally often, and the variant\n" +
			"is judged at the start that is chosen if whoever decides takes what is best by these games. Then players draw their\n" +
			"first --sampled decisions from their own policy at each of the --temperatures. Without --vary the variants are those\n" +
			"of the option `balance`, or the one ruleset if the game has no such option.\n\n" +
			"--tuned VARIANT=NETWORK hands in a network that was trained further on one variant: the first of --networks plays\n" +
			"--tuned-pairs pairs of games against it, and the variant gets a verdict only if it is shown to be within 30 Elo.\n" +
			"Without it, and without one for the baseline, the games are reported and no verdict is given.\n\n" +
			"A plan with games, evaluations and hours is printed first; --plan prints only the plan. With --out a folder keeps the\n" +
			"games: the same command resumes after any stop, also with more variants and players, and prints the result of a\n" +
			"finished comparison. The folder has the result as report.txt, report.html, balance.json and CSV files.\n\n" +
			"Players:\n" + env.Players.Help(),
		Args: cobra.NoArgs,
		Example: "  ludozero balance --game konreh --networks konreh --sims 64 --plan\n" +
			"  ludozero balance --game konreh --networks runs/a,runs/b,runs/c --sims 50,200 --players alphabeta:depth=2 --out reports/balance\n" +
			"  ludozero balance --game konreh --networks konreh --sims 64 --vary reforge_turns=3,4,5,6 --baseline reforge_turns=5 --out reports/reforge",
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
				return balance.New(o, family, g, env.Players, c.Flags().Changed, p)
			})
		},
	}
	game.Add(c, env)
	flags.Add(c, &o.Options, o.Settings(), "games")
	return c
}
