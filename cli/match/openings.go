package match

import (
	"fmt"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/spf13/cobra"
)

// NewOpenings is the command openings.
func NewOpenings(env *shell.Env) *cobra.Command {
	var g shell.GameFlags
	var f shell.OpeningFlags
	var n, workers int
	var seed uint64
	c := &cobra.Command{
		Use:   "openings",
		Short: "Write openings as a file that matches can begin from",
		Long: "Makes openings as `match` does and writes them one a line, in the form that --openings file:PATH reads: a book of\n" +
			"balanced openings takes a judge's time once. The first line is a comment that says where they come from.\n\n" +
			shell.OpeningHelp() + "\n\nPlayers:\n" + env.Players.Help(),
		Args: cobra.NoArgs,
		Example: "  ludozero openings --game konreh --openings random:turns=8 --balance alphabeta:depth=4 --margin 0.1 --count 500 >balanced.txt\n" +
			"  ludozero openings --game connect4 --openings first:turns=2",
		RunE: func(c *cobra.Command, _ []string) error {
			if n < 1 || workers < 0 {
				return shell.Usagef("--count %d, --workers %d: want at least 1 and 0 or more", n, workers)
			}
			game, err := g.Open()
			if err != nil {
				return err
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			set, err := f.Make(ctx, c, game, n, seed, workers)
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			fmt.Fprintf(out, "# %s %s, seed %d, %v\n", game.Info().Name, game.Rules(), seed, wording.PlainName(fmt.Sprint(set)))
			s, h := game.NewState(), game.NewHistory()
			for i := range set.List {
				text, err := set.List[i].Text(s, h)
				if err != nil {
					return err
				}
				if _, err := fmt.Fprintln(out, text); err != nil {
					return err
				}
			}
			return nil
		},
	}
	g.Add(c, env)
	f.Add(c, env)
	c.Flags().IntVar(&n, "count", 200, "openings wanted; fewer are written where there are no more")
	c.Flags().Uint64Var(&seed, "seed", 1, "seed of random openings and of the judge")
	c.Flags().IntVar(&workers, "workers", 0, "positions judged at the same time, 0: one for each core; changes no result")
	return c
}
