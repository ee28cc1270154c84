package match

import (
	"math"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/match"
	ratings "github.com/ludozero/ludozero/stats/rating"
	"github.com/spf13/cobra"
)

// NewTournament is the command tournament.
func NewTournament(env *shell.Env) *cobra.Command {
	f := shell.SeriesFlags{Cfg: match.DefaultConfig()}
	f.Cfg.Pairs = 20 // of each two: 400 games of five players
	var anchor string
	var anchorElo float64
	var gauntlet bool
	c := &cobra.Command{
		Use:   "tournament PLAYER PLAYER...",
		Short: "Let several players meet and rate them",
		Long: "Plays a round robin of pairs of games with seats exchanged, or with --gauntlet the first player against all others,\n" +
			"and prints ratings with 95 % intervals, the crosstable, and for each two players how probable it is that one is\n" +
			"stronger. All pairs of a round begin with the same opening. The advantage of moving first is estimated.\n\n" +
			env.SeriesHelp(""),
		Args: cobra.MinimumNArgs(2),
		Example: "  ludozero tournament --game connect4 random mcts:sims=50 mcts:sims=200 mcts:sims=800 minimax:depth=4 --anchor random\n" +
			"  ludozero tournament --gauntlet --pairs 100 net:runs/konreh-quick,sims=64 alphabeta:depth=2 minimax:depth=3 mcts:sims=2000 --out matches/g",
		RunE: func(c *cobra.Command, args []string) error {
			g, players, err := f.Open(c, args, nil)
			if err != nil {
				return err
			}
			opt, err := ratingOptions(c, args, players, anchor, anchorElo)
			if err != nil {
				return shell.Usage(err)
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			w, err := f.Series(ctx, c, g, players, gauntlet, f.Cfg.Pairs)
			if err != nil {
				return err
			}
			if w.Table = true; gauntlet {
				w.Settings = map[string]string{"gauntlet": "true"}
			}
			leader := match.NewLeading(w.Work.Series, f.Cfg.Pairs)
			w.Counted, w.Standing = leader.Add, leader.Text
			return w.Finish(ctx, c, func(games []match.Game) (shell.Text, error) {
				return match.Rank(f.Cfg, w.Work.Series, gauntlet, games, opt)
			})
		},
	}
	f.Add(c, env, "pairs", "pairs of games of each two players that meet")
	c.Flags().BoolVar(&gauntlet, "gauntlet", false, "let the first player meet all others, and those not each other")
	c.Flags().StringVar(&anchor, "anchor", "", "player whose rating is --anchor-elo (default: the mean of the largest group that games connect is)")
	c.Flags().Float64Var(&anchorElo, "anchor-elo", 0, "Elo of the anchor, or of the mean")
	return c
}

// ratingOptions checks that players can be told apart and finds the anchor, which
// may be named as it was typed or in full.
func ratingOptions(c *cobra.Command, args []string, players []match.Contestant, anchor string, elo float64) (ratings.Options, error) {
	opt := ratings.Options{AnchorElo: elo}
	var errs problems.List
	var names []string
	for i, p := range players {
		if j := slices.Index(names, p.Name); j >= 0 {
			errs.Add("players %d and %d are both %s: want players that differ", j+1, i+1, p.Name)
		}
		names = append(names, p.Name)
		if anchor == args[i] || anchor == p.Name {
			opt.Anchor = p.Name
		}
	}
	errs.If(math.IsNaN(elo) || math.IsInf(elo, 0), "--anchor-elo %g: want a finite number", elo)
	errs.If(c.Flags().Changed("anchor") && opt.Anchor == "", "--anchor %q: want one of the players: %s", anchor, strings.Join(names, ", "))
	return opt, errs.Err()
}
