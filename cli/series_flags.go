package cli

import (
	"errors"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/spf13/cobra"
)

// seriesFlags are what match, tournament and sprt have in common.
type seriesFlags struct {
	game     gameFlags
	openings openingFlags
	cfg      match.Config
	out      string
	asJSON   bool
}

// add adds the flags to c; the number of pairs has a name and an explanation of
// its own.
func (f *seriesFlags) add(c *cobra.Command, pairs, pairsHelp string) {
	cfg := &f.cfg
	f.game.add(c)
	f.openings.add(c)
	c.Flags().IntVar(&cfg.Pairs, pairs, cfg.Pairs, pairsHelp)
	c.Flags().IntVar(&cfg.MaxTurns, "max-turns", cfg.MaxTurns, "turns after which a game is a draw; 0: no limit")
	c.Flags().IntVar(&cfg.Workers, "workers", cfg.Workers, "games at the same time, 0: one for each core; changes no result but of players limited by time")
	c.Flags().Uint64Var(&cfg.Seed, "seed", cfg.Seed, "seed of openings and players")
	addClock(c, &cfg.Clock)
	c.Flags().StringVar(&f.out, "out", "", "folder that keeps the games and from which the same command goes on")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
}

// seriesHelp is the end of the help of such a command; more is said of openings.
func seriesHelp(more string) string {
	return "With --out the games are kept in a folder, as Parquet and as text, and the work can be stopped or killed at any\n" +
		"moment: the same command goes on and plays no game twice. A finished folder shows its result again.\n\n" +
		openingHelp() + more + "\n\nPlayers:\n" + opener.Help()
}

// open returns the game and the players of args once all flags are found
// possible; wrong is what the command itself has against its own, or nil.
func (f *seriesFlags) open(c *cobra.Command, args []string, wrong error) (engine.Game, []match.Contestant, error) {
	g, err := f.game.open()
	if err != nil {
		return nil, nil, err
	}
	f.cfg.OpeningTurns = f.openings.randomTurns(c)
	if err := errors.Join(f.cfg.Validate(), wrong); err != nil {
		return nil, nil, usageError{err}
	}
	players, err := contestants(g, args)
	if err == nil {
		err = wantClock(players, f.cfg.Clock, "--clock 5+3")
	}
	return g, players, err
}
