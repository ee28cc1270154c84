package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/match"
	ratings "github.com/ludozero/ludozero/stats/rating"
	"github.com/spf13/cobra"
)

func newTournament() *cobra.Command {
	f := seriesFlags{cfg: match.DefaultConfig()}
	f.cfg.Pairs = 20 // of each two: 400 games of five players
	var anchor string
	var anchorElo float64
	var gauntlet bool
	c := &cobra.Command{
		Use:   "tournament PLAYER PLAYER...",
		Short: "Let several players meet and rate them",
		Long: "Plays a round robin of pairs of games with seats exchanged, or with --gauntlet the first player against all others,\n" +
			"and prints ratings with 95 % intervals, the crosstable, and for each two players how probable it is that one is\n" +
			"stronger. All pairs of a round begin with the same opening. The advantage of moving first is estimated.\n\n" +
			seriesHelp(""),
		Args: cobra.MinimumNArgs(2),
		Example: "  ludozero tournament --game connect4 random mcts:sims=50 mcts:sims=200 mcts:sims=800 minimax:depth=4 --anchor random\n" +
			"  ludozero tournament --gauntlet --pairs 100 net:runs/konreh-quick,sims=64 alphabeta:depth=2 minimax:depth=3 mcts:sims=2000 --out matches/g",
		RunE: func(c *cobra.Command, args []string) error {
			g, players, err := f.open(c, args, nil)
			if err != nil {
				return err
			}
			cfg := f.cfg
			opt, err := ratingOptions(c, args, players, anchor, anchorElo)
			if err != nil {
				return usageError{err}
			}
			ctx, stop := interruptible(c.Context())
			defer stop()
			openings, err := f.openings.make(ctx, c, g, cfg.Pairs, cfg.Seed, cfg.Workers)
			if err != nil {
				return err
			}
			series, err := match.TournamentSeries(cfg, g, players, gauntlet, openings)
			if err != nil {
				return usageError{err}
			}
			w := seriesWork{kind: "tournament", dir: f.out, players: args, series: series, asJSON: f.asJSON, table: true}
			if gauntlet {
				w.settings = map[string]string{"gauntlet": "true"}
			}
			leader := &leading{series: series, rounds: cfg.Pairs, points: make([]float64, len(players)), games: make([]int, len(players))}
			w.counted, w.progress = leader.add, leader.text
			w.result = func(games []match.Game) (any, error) { return match.Rank(cfg, series, gauntlet, games, opt) }
			games, err := w.play(ctx, c)
			if len(games) == 0 {
				return err
			}
			standing, rerr := match.Rank(cfg, series, gauntlet, games, opt)
			if rerr != nil {
				return errors.Join(err, rerr)
			}
			return w.print(c, standing, err)
		},
	}
	f.add(c, "pairs", "pairs of games of each two players that meet")
	c.Flags().BoolVar(&gauntlet, "gauntlet", false, "let the first player meet all others, and those not each other")
	c.Flags().StringVar(&anchor, "anchor", "", "player whose rating is --anchor-elo (default: the mean of all players is)")
	c.Flags().Float64Var(&anchorElo, "anchor-elo", 0, "Elo of the anchor, or of the mean")
	return c
}

// ratingOptions checks that players can be told apart and finds the anchor, which
// may be named as it was typed or in full.
func ratingOptions(c *cobra.Command, args []string, players []match.Contestant, anchor string, elo float64) (ratings.Options, error) {
	opt := ratings.Options{AnchorElo: elo}
	var errs []error
	var names []string
	for i, p := range players {
		if j := slices.Index(names, p.Name); j >= 0 {
			errs = append(errs, fmt.Errorf("players %d and %d are both %s: want players that differ", j+1, i+1, p.Name))
		}
		names = append(names, p.Name)
		if anchor == args[i] || anchor == p.Name {
			opt.Anchor = p.Name
		}
	}
	if math.IsNaN(elo) || math.IsInf(elo, 0) {
		errs = append(errs, fmt.Errorf("--anchor-elo %g: want a finite number", elo))
	}
	if c.Flags().Changed("anchor") && opt.Anchor == "" {
		errs = append(errs, fmt.Errorf("--anchor %q: want one of the players: %s", anchor, strings.Join(names, ", ")))
	}
	return opt, errors.Join(errs...)
}

// leading counts points for the progress of a tournament.
type leading struct {
	series *match.Series
	rounds int
	number int // of the last game
	points []float64
	games  []int
}

func (l *leading) add(g *match.Game) bool {
	pair := l.series.Schedule[g.Pair-1]
	l.number = g.Number
	l.points[pair.A] += g.Points
	l.points[pair.B] += 1 - g.Points
	l.games[pair.A]++
	l.games[pair.B]++
	return true
}

// text says which round it is and who has the best score.
func (l *leading) text() string {
	best, share := 0, -1.0
	for i, n := range l.games {
		if s := l.points[i] / float64(max(1, n)); n > 0 && s > share {
			best, share = i, s
		}
	}
	perRound := l.series.Games() / l.rounds
	return fmt.Sprintf("round %d of %d, best score %.0f %%: %s", (l.number-1)/perRound+1, l.rounds, 100*share, l.series.Contestants[best].Name)
}
