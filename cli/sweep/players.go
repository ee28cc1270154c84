package sweep

import (
	"context"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/study"
	"github.com/ludozero/ludozero/study/switches"
	"github.com/spf13/cobra"
)

// newPlayers is the command that finds out which options of a player matter.
func newPlayers(env *shell.Env) *cobra.Command {
	o := switches.DefaultOptions()
	var game shell.GameFlags
	var flags shell.StudyFlags
	c := &cobra.Command{
		Use:   "players PLAYER",
		Short: "Find out which options of a player make it stronger, several at once",
		Long: "Plays a fractional factorial design of 8, 16 or 32 matches in which each --factor, an option of the player, is at its\n" +
			"low or its high level, every player against its mirror image, and prints what each option does to the score, with\n" +
			"intervals over the matches. Players limited by simulations play the same games on every machine, however busy;\n" +
			"options that cost time need a limit by time and a quiet machine. docs/sweeps.md explains the figures.\n\n" +
			"A plan with games and hours is printed first; --plan prints only the plan. With --out a folder keeps the games: the\n" +
			"same command resumes after any stop and prints the result of a finished study. The folder has the result as\n" +
			"report.txt, report.html, switches.json and CSV files.",
		Args: cobra.ExactArgs(1),
		Example: "  ludozero sweep players net:konreh,sims=400 --game konreh --factor contempt=0:0.1 --factor look=0:2 --runs 8 --pairs 10 --out sweeps/options\n" +
			"  ludozero sweep players mcts:sims=50 --game tictactoe --factor cap=1:600 --runs 8 --pairs 2",
		RunE: func(c *cobra.Command, args []string) error {
			g, err := game.Open()
			if err != nil {
				return err
			}
			o.Player = args[0]
			return flags.Run(c, func(ctx context.Context, p archive.Progress) (study.Study, error) {
				return switches.New(ctx, o, g, env.Players, p)
			})
		},
	}
	game.Add(c, env)
	flags.Add(c, &o.Options, o.Settings(), "games")
	return c
}
