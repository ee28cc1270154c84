package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/spf13/cobra"
)

func newMatch() *cobra.Command {
	f := seriesFlags{cfg: match.DefaultConfig()}
	var withGames bool
	c := &cobra.Command{
		Use:   "match A B",
		Short: "Let two players play paired games and estimate the difference",
		Long: "Plays pairs of games, the same opening with seats exchanged, and prints wins, draws and losses, the score and\n" +
			"the Elo difference with 95 % intervals.\n\n" + seriesHelp(""),
		Args: cobra.ExactArgs(2),
		Example: "  ludozero match --game connect4 mcts:sims=200 random --pairs 50\n" +
			"  ludozero match net:runs/konreh-quick,sims=64 minimax:depth=2 --openings random:turns=6 --balance alphabeta:depth=3\n" +
			"  ludozero match net:runs/konreh-quick,sims=200 alphabeta:depth=3 --pairs 500 --out matches/first",
		RunE: func(c *cobra.Command, args []string) error {
			if withGames && !f.asJSON {
				return usageError{errors.New("--games: it belongs to --json; --out keeps games as text")}
			}
			g, sides, err := f.open(c, args, nil)
			if err != nil {
				return err
			}
			cfg := f.cfg
			ctx, stop := interruptible(c.Context())
			defer stop()
			openings, err := f.openings.make(ctx, c, g, cfg.Pairs, cfg.Seed, cfg.Workers)
			if err != nil {
				return err
			}
			w := seriesWork{
				kind: "match", dir: f.out, players: args, asJSON: f.asJSON,
				series: match.MatchSeries(cfg, g, sides[0], sides[1], openings),
			}
			w.result = func(games []match.Game) (any, error) {
				r := match.Summarise(cfg, w.series, games)
				r.Games = nil // they have files of their own
				return r, nil
			}
			games, err := w.play(ctx, c)
			if len(games) == 0 {
				return err
			}
			result := match.Summarise(cfg, w.series, games)
			if !withGames {
				result.Games = nil
			}
			return w.print(c, result, err)
		},
	}
	f.add(c, "pairs", "number of openings, each played twice")
	c.Flags().BoolVar(&withGames, "games", false, "with --json: include the moves of every game")
	return c
}

// contestants reads descriptions of players and makes a player of each, so that
// all that is wrong with any is reported before the first game.
func contestants(g engine.Game, texts []string) ([]match.Contestant, error) {
	var list []match.Contestant
	var wrong, broken []error
	for _, text := range texts {
		spec, err := opener.Parse(text)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		p, err := spec.New(g)
		if err != nil {
			broken = append(broken, err)
		}
		match.Dismiss(p)
		list = append(list, spec.Contestant(g))
	}
	if len(wrong) > 0 {
		return nil, usageError{errors.Join(append(wrong, broken...)...)}
	}
	return list, errors.Join(broken...)
}

// runMatch plays a match from random openings with progress on stderr.
func runMatch(ctx context.Context, c *cobra.Command, cfg match.Config, g engine.Game, a, b match.Contestant) (*match.Result, error) {
	bar := newBar(c.ErrOrStderr(), 2*cfg.Pairs, "games")
	defer bar.clear()
	return match.Match(ctx, cfg, g, a, b, func(e match.Event) {
		bar.set(e.Games(), fmt.Sprintf("+%d =%d -%d  %s against %s", e.Wins, e.Draws, e.Losses, a.Name, b.Name))
	})
}
