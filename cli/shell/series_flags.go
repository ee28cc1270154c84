package shell

import (
	"context"
	"errors"
	"io/fs"
	"runtime"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/study"
	"github.com/spf13/cobra"
)

// SeriesFlags are what match, tournament and sprt have in common.
type SeriesFlags struct {
	game     GameFlags
	Openings OpeningFlags
	Cfg      match.Config
	Out      string
	AsJSON   bool
	players  []*player.Spec // the contestants, their networks by hash
}

// Add adds the flags to c; the number of pairs has a name and an explanation of
// its own.
func (f *SeriesFlags) Add(c *cobra.Command, env *Env, pairs, pairsHelp string) {
	cfg := &f.Cfg
	f.game.Add(c, env)
	f.Openings.Add(c, env)
	c.Flags().IntVar(&cfg.Pairs, pairs, cfg.Pairs, pairsHelp)
	c.Flags().IntVar(&cfg.MaxTurns, "max-turns", cfg.MaxTurns, "turns after which a game is a draw; 0: no limit")
	c.Flags().IntVar(&cfg.Workers, "workers", cfg.Workers, "games at the same time, 0: one for each core, or for as many as a player has threads; changes no result but of players limited by time")
	c.Flags().Uint64Var(&cfg.Seed, "seed", cfg.Seed, "seed of openings and players")
	AddClock(c, &cfg.Clock)
	c.Flags().StringVar(&f.Out, "out", "", "folder that keeps the games and from which the same command goes on")
	c.Flags().BoolVar(&f.AsJSON, "json", false, "print JSON")
}

// SeriesHelp is the end of the help of such a command; more is said of openings.
func (e *Env) SeriesHelp(more string) string {
	return "With --out the games are kept in a folder, as Parquet and as text, and the work can be stopped or killed at any\n" +
		"moment: the same command goes on and plays no game twice. A finished folder shows its result again.\n\n" +
		OpeningHelp() + more + "\n\nPlayers:\n" + e.Players.Help()
}

// Open returns the game and the players of args once all flags are found
// possible; wrong is what the command itself has against its own, or nil.
func (f *SeriesFlags) Open(c *cobra.Command, args []string, wrong error) (engine.Game, []match.Contestant, error) {
	g, err := f.game.Open()
	if err != nil {
		return nil, nil, err
	}
	f.Cfg.OpeningTurns = f.Openings.randomTurns(c)
	if err := errors.Join(f.Cfg.Validate(), wrong); err != nil {
		return nil, nil, Usage(err)
	}
	var known *archive.Asked
	err = fs.ErrNotExist
	if f.Out != "" { // else a folder that this is run in would be taken for it
		known, err = archive.ReadAsked(f.Out)
	}
	if err != nil || known.Seeds != "" { // else the folder has names
		args = f.game.Env.Players.ByHash(args...)
	}
	if err == nil {
		f.Openings.kept = known.Openings.Source
	}
	list, err := f.game.Env.Contestants(g, f.Openings.begin(c, g), args...)
	if err == nil {
		err = WantClock(list, f.Cfg.Clock, "--clock 5+3")
	}
	for i := 0; i < len(args) && err == nil; i++ {
		var spec *player.Spec
		spec, err = f.game.Env.Players.Parse(args[i])
		f.players = append(f.players, spec)
	}
	if threads := mostThreads(f.players); err == nil && threads > 1 && f.Cfg.Workers == 0 {
		f.Cfg.Workers = max(1, runtime.GOMAXPROCS(0)/threads)
	}
	return g, list, err
}

// Series makes openings, of which different differ, and the series that the flags ask for.
func (f *SeriesFlags) Series(ctx context.Context, c *cobra.Command, g engine.Game, players []match.Contestant, gauntlet bool, different int) (*Series, error) {
	openings, err := f.Openings.Make(ctx, c, g, different, f.Cfg.Seed, f.Cfg.Workers)
	if err != nil {
		return nil, err
	}
	s, err := match.NewSeries(f.Cfg, g, players, gauntlet, openings)
	if err != nil {
		return nil, Usage(err)
	}
	return &Series{Series: study.Series{Kind: c.Name(), Players: f.players, Work: archive.Work{Series: s, Dir: f.Out}}, AsJSON: f.AsJSON}, nil
}
