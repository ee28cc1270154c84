// Package score is the command that counts good decisions in positions of known value.
package score

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/study/yardstick"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/spf13/cobra"
)

// New is the command score.
func New(env *shell.Env) *cobra.Command {
	f := shell.GameFlags{}
	var folder string
	var points, simulations int
	var seed uint64
	var workers int
	var asJSON bool
	var which string
	c := &cobra.Command{
		Use:   "score [PLAYER...]",
		Short: "Count decisions that keep the value of a position, where it is known",
		Long: "Lets every player decide in the same positions and prints how many of its decisions keep the value of the\n" +
			"position. Every position has a choice; how the sets were made is in docs/yardsticks.md:\n" + asked(env) +
			"--set fresh takes a second set for " + env.Names(hasFresh) + "; networks and settings were never chosen by it. --run adds the players\n" +
			"a run is measured against and its networks: the first with 64 simulations, the newest alone and with 64.\n\n" +
			"--points N scores networks of the run instead, from the first that has learned to the newest, and says what they had\n" +
			"taken in core-hours: the table, in Markdown, shows what more of them bought. They are chosen so that each took about\n" +
			"the same multiple of the one before. Of networks that the run has not kept, the nearest are taken.\n\nPlayers:\n" + env.Players.Help(),
		Args: cobra.ArbitraryArgs,
		Example: "  ludozero score random mcts:sims=1000 solver:play=any\n" +
			"  ludozero score --set fresh net:connect4,sims=64\n" +
			"  ludozero score --game konreh random alphabeta:depth=4\n" +
			"  ludozero score --run runs/connect4-quick\n" +
			"  ludozero score --run runs/connect4-quick --points 8",
		RunE: func(c *cobra.Command, args []string) error {
			if workers < 0 {
				return shell.Usagef("--workers %d: want 0 or more", workers)
			}
			var curve *scoreCurve
			var err error
			switch {
			case c.Flags().Changed("points"):
				if curve, err = newScoreCurve(folder, points, simulations, args); err != nil {
					return err
				}
				args = curve.players()
				if note := curve.note(); note != "" {
					fmt.Fprintln(c.ErrOrStderr(), note)
				}
			case c.Flags().Changed("sims"):
				return shell.Usagef("--sims: it is for the networks of --points")
			case folder != "":
				args = append(UsualPlayers(folder), args...)
			}
			if len(args) == 0 {
				return shell.Usagef("no players: name some, or a run with --run")
			}
			g, err := f.Open()
			if err != nil {
				return err
			}
			set, err := solved(env, g.Info().Name, which)
			if err != nil {
				return shell.Usage(err)
			}
			if g.Rules() != set.Rules {
				return shell.Usagef("--rules %s: the positions of %s are of rules %s", g.Rules(), set.Game, set.Rules)
			}
			players, err := env.Contestants(g, nil, env.Players.ByHash(args...)...)
			if err == nil {
				err = shell.WantClock(players, "", "")
			}
			if err != nil {
				return err
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			table := yardstick.NewTable(set, seed)
			bar := shell.NewBar(c.ErrOrStderr(), len(players)*len(set.Positions), "decisions")
			for i, p := range players {
				score, err := set.Run(ctx, g, p, seed, workers, func(done int) {
					bar.Set(i*len(set.Positions)+done, p.Name)
				})
				if err != nil {
					bar.Clear()
					return err
				}
				if curve != nil {
					score.Network = &curve.networks[i]
				}
				table.Scores = append(table.Scores, score)
			}
			bar.Clear()
			if asJSON {
				return shell.WriteJSON(c, table)
			}
			if curve != nil {
				return curve.write(c.OutOrStdout(), table)
			}
			return table.WriteText(c.OutOrStdout())
		},
	}
	f.Add(c, env)
	f.Name = usualGame(env)
	c.Flags().Lookup("game").DefValue = f.Name
	c.Flags().StringVar(&which, "set", "usual", "positions: usual, or fresh for a second set of "+env.Names(hasFresh)+" that nothing was chosen by")
	c.Flags().StringVar(&folder, "run", "", "folder of a run: adds random, rollouts, and the run's first and newest network")
	c.Flags().IntVar(&points, "points", 0, "number of networks of the run to score over core-hours instead, as a table in Markdown")
	c.Flags().IntVar(&simulations, "sims", 64, "simulations a move of the networks of --points")
	c.Flags().Uint64Var(&seed, "seed", 1, "seed of the players")
	c.Flags().IntVar(&workers, "workers", 0, "positions at the same time, 0: one for each core; changes no result but of players limited by time")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func hasFresh(g *shell.Game) bool { return g.Fresh != nil }

// usualGame is scored where none is named: the first with a second set, by which a result
// can be confirmed, or the first of all.
func usualGame(env *shell.Env) string {
	return append(env.Having(hasFresh), env.Games...)[0].Family.Name
}

// asked says for each game what its positions ask, a line each.
func asked(env *shell.Env) string {
	var b strings.Builder
	for _, g := range env.Having(func(g *shell.Game) bool { return g.Solved != nil }) {
		fmt.Fprintf(&b, "  %-10s  %s\n", g.Family.Name, g.SolvedDoc)
	}
	return b.String()
}

// solved returns the positions of known value of a game that --set asks for.
func solved(env *shell.Env, game, set string) (*yardstick.Set, error) {
	switch fresh := env.Game(game).Fresh; {
	case set == "usual":
		return env.Solved(game)
	case set != "fresh":
		return nil, fmt.Errorf("--set %s: want usual or fresh", set)
	case fresh == nil:
		return nil, fmt.Errorf("--set fresh: there is no second set for %s: want %s", game, env.Names(hasFresh))
	default:
		return fresh()
	}
}

// UsualPlayers describes the players that networks of a run are compared with, then its
// networks.
func UsualPlayers(folder string) []string {
	list := []string{"random"}
	if !rundir.IsPack(folder) { // which has the last network alone
		list = append(list, player.NetText(rundir.CheckpointDir(folder, 0), 64))
	}
	return append(list, "mcts:sims=64", "mcts:sims=1000", player.NetText(folder, 1), player.NetText(folder, 64))
}
