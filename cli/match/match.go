// Package match holds the commands that let players meet: match, tournament, sprt, and
// openings for all of them.
package match

import (
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/match"
	"github.com/spf13/cobra"
)

// NewMatch is the command match.
func NewMatch(env *shell.Env) *cobra.Command {
	f := shell.SeriesFlags{Cfg: match.DefaultConfig()}
	var withGames bool
	c := &cobra.Command{
		Use:   "match A B",
		Short: "Let two players play paired games and estimate the difference",
		Long: "Plays pairs of games, the same opening with seats exchanged, and prints wins, draws and losses, the score and\n" +
			"the Elo difference with 95 % intervals.\n\n" + env.SeriesHelp(""),
		Args: cobra.ExactArgs(2),
		Example: "  ludozero match --game connect4 mcts:sims=200 random --pairs 50\n" +
			"  ludozero match net:runs/konreh-quick,sims=64 minimax:depth=2 --openings random:turns=6 --balance alphabeta:depth=3\n" +
			"  ludozero match net:runs/konreh-quick,sims=200 alphabeta:depth=3 --pairs 500 --out matches/first",
		RunE: func(c *cobra.Command, args []string) error {
			if withGames && !f.AsJSON {
				return shell.Usagef("--games: it belongs to --json; --out keeps games as text")
			}
			g, sides, err := f.Open(c, args, nil)
			if err != nil {
				return err
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			w, err := f.Series(ctx, c, g, sides, false, f.Cfg.Pairs)
			if err != nil {
				return err
			}
			result := func(games []match.Game, moves bool) (shell.Text, error) {
				r := match.Summarise(f.Cfg, w.Work.Series, games)
				if !moves {
					r.Games = nil
				}
				return r, nil
			}
			// In the folder games have files of their own.
			w.Result = func(games []match.Game) (any, error) { return result(games, false) }
			return w.Finish(ctx, c, func(games []match.Game) (shell.Text, error) { return result(games, withGames) })
		},
	}
	f.Add(c, env, "pairs", "number of openings, each played twice")
	c.Flags().BoolVar(&withGames, "games", false, "with --json: include the moves of every game")
	return c
}
