package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/evaluation"
	ratings "github.com/ludozero/ludozero/evaluation/rating"
	"github.com/spf13/cobra"
)

func newTournament() *cobra.Command {
	var f gameFlags
	var of openingFlags
	var out, anchor string
	var anchorElo float64
	var gauntlet, asJSON bool
	cfg := evaluation.DefaultConfig()
	cfg.Pairs = 20 // of each two: 400 games of five players
	c := &cobra.Command{
		Use:   "tournament PLAYER PLAYER...",
		Short: "Let several players meet and rate them",
		Long: "Plays a round robin of pairs of games with seats exchanged, or with --gauntlet the first player against all others,\n" +
			"and prints ratings with 95 % intervals, the crosstable, and for each two players how probable it is that one is\n" +
			"stronger. All pairs of a round begin with the same opening. The advantage of moving first is estimated.\n\n" +
			outHelp + "\n\n" + openingHelp() + "\n\nPlayers:\n" + playerHelp(),
		Args: cobra.MinimumNArgs(2),
		Example: "  ludozero tournament --game connect4 random mcts:sims=50 mcts:sims=200 mcts:sims=800 minimax:depth=4 --anchor random\n" +
			"  ludozero tournament --gauntlet --pairs 100 net:runs/konreh-quick,sims=64 alphabeta:depth=2 minimax:depth=3 mcts:sims=2000 --out matches/g",
		RunE: func(c *cobra.Command, args []string) error {
			g, err := f.open()
			if err != nil {
				return err
			}
			cfg.OpeningTurns = of.randomTurns(c)
			if err := cfg.Validate(); err != nil {
				return usageError{err}
			}
			players, err := contestants(g, args)
			if err != nil {
				return err
			}
			if err := wantClock(players, cfg.Clock, "--clock 5+3"); err != nil {
				return err
			}
			opt, err := ratingOptions(c, args, players, anchor, anchorElo)
			if err != nil {
				return usageError{err}
			}
			warnClock(c, cfg.Clock, cfg.Workers)
			ctx, stop := interruptible(c.Context())
			defer stop()
			openings, err := of.make(ctx, c, g, cfg.Pairs, cfg.Seed, cfg.Workers)
			if err != nil {
				return err
			}
			series, err := evaluation.TournamentSeries(cfg, g, players, gauntlet, openings)
			if err != nil {
				return err
			}
			w := seriesWork{kind: "tournament", dir: out, players: args, series: series}
			if gauntlet {
				w.settings = map[string]string{"gauntlet": "true"}
			}
			leader := &leading{series: series, rounds: cfg.Pairs, points: make([]float64, len(players)), games: make([]int, len(players))}
			w.counted, w.progress = leader.add, leader.text
			w.result = func(games []evaluation.Game) (any, error) { return evaluation.Rank(cfg, series, gauntlet, games, opt) }
			games, err := w.play(ctx, c)
			if len(games) == 0 {
				return err
			}
			standing, rerr := evaluation.Rank(cfg, series, gauntlet, games, opt)
			if rerr != nil {
				return errors.Join(err, rerr)
			}
			if asJSON {
				return errors.Join(writeJSON(c, standing), err)
			}
			if werr := standing.WriteText(c.OutOrStdout()); werr != nil {
				return werr
			}
			if out != "" {
				fmt.Fprintln(c.OutOrStdout())
			}
			w.sayWhere(c)
			return err
		},
	}
	f.add(c)
	c.Flags().IntVar(&cfg.Pairs, "pairs", cfg.Pairs, "pairs of games of each two players that meet")
	c.Flags().BoolVar(&gauntlet, "gauntlet", false, "let the first player meet all others, and those not each other")
	of.add(c)
	c.Flags().StringVar(&anchor, "anchor", "", "player whose rating is --anchor-elo (default: the mean of all players is)")
	c.Flags().Float64Var(&anchorElo, "anchor-elo", 0, "Elo of the anchor, or of the mean")
	c.Flags().IntVar(&cfg.MaxTurns, "max-turns", cfg.MaxTurns, "turns after which a game is a draw; 0: no limit")
	c.Flags().IntVar(&cfg.Workers, "workers", cfg.Workers, "games at the same time, 0: one for each core; changes no result but of players limited by time")
	c.Flags().Uint64Var(&cfg.Seed, "seed", cfg.Seed, "seed of openings and players")
	addClock(c, &cfg.Clock)
	addOut(c, &out)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// ratingOptions checks that players can be told apart and finds the anchor, which
// may be named as it was typed or in full.
func ratingOptions(c *cobra.Command, args []string, players []evaluation.Contestant, anchor string, elo float64) (ratings.Options, error) {
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
	series *evaluation.Series
	rounds int
	number int // of the last game
	points []float64
	games  []int
}

func (l *leading) add(g *evaluation.Game) bool {
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
