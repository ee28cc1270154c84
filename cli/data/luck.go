package data

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/study/luck"
	"github.com/spf13/cobra"
)

// luckFlags are the flags of data luck.
type luckFlags struct {
	player         string
	number         int64
	games, workers int
	seed           uint64
	json           bool
}

func newDataLuck(env *shell.Env) *cobra.Command {
	var f luckFlags
	c := &cobra.Command{
		Use:   "luck PATH",
		Short: "Tell luck and skill apart in games with dice",
		Long: "Has a player judge every roll and every decision of recorded games: what a roll was worth, as the expected result\n" +
			"after it less the mean over all outcomes, and what a decision lost to the one that the player would have made. It\n" +
			"prints what share of the variance of results the rolls explain, and scores less luck, which have the same mean and\n" +
			"narrower intervals. With --game it prints the rolls and decisions of one game. PATH is the folder of a match, a\n" +
			"tournament or a test, or of a run. ludozero analyze --luck does the same for a game in words.",
		Args: cobra.ExactArgs(1),
		Example: "  ludozero data luck matches/knaw --player alphabeta:depth=2\n" +
			"  ludozero data luck matches/knaw --game 3",
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, env, args[0]) },
	}
	c.Flags().StringVar(&f.player, "player", luck.DefaultJudge, "description of the player that judges")
	c.Flags().Int64Var(&f.number, "game", -1, "judge the game of this number alone")
	c.Flags().IntVar(&f.games, "games", 2000, "judge this many games at most, the last ones")
	c.Flags().IntVar(&f.workers, "workers", 0, "games at the same time, 0: one for each core; changes no result")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the player, and of the interval")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return c
}

func (f *luckFlags) run(c *cobra.Command, env *shell.Env, path string) error {
	switch {
	case f.games < 1:
		return shell.Usagef("--games %d: want 1 or more", f.games)
	case f.workers < 0:
		return shell.Usagef("--workers %d: want 0 or more", f.workers)
	case c.Flags().Changed("game") && f.number < 0:
		return shell.Usagef("--game %d: want 0 or more", f.number)
	case c.Flags().Changed("game") && c.Flags().Changed("games"):
		return shell.Usagef("--game and --games: want one of them")
	}
	spec, err := env.Players.Parse(f.player)
	if err != nil {
		return shell.Usage(err)
	}
	ctx, stop := shell.Interruptible(c.Context())
	defer stop()
	list, err := f.entries(ctx, env, path)
	if err != nil {
		return err
	}
	if list[0].Game.Info().NumChance == 0 {
		return shell.Usagef("%s: %s has no dice", path, list[0].Game.Info().Name)
	}
	if err := shell.WantClock([]match.Contestant{spec.Contestant(list[0].Game)}, "", ""); err != nil {
		return err
	}
	games, err := f.judge(ctx, c, spec, list)
	if err != nil {
		return err
	}
	if f.number >= 0 {
		return shell.Print(c, f.json, games[0], games[0].WriteText)
	}
	r := luck.Summarise(spec.Text, f.seed, list, games)
	return shell.Print(c, f.json, r, r.WriteText)
}

func (f *luckFlags) judge(ctx context.Context, c *cobra.Command, spec *player.Spec, list []luck.Entry) ([]*luck.Game, error) {
	workers := f.workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	bar := shell.NewBar(c.ErrOrStderr(), len(list), "games")
	defer bar.Clear()
	return luck.JudgeAll(ctx, list, f.seed, min(workers, len(list)), spec.New, func(done int) { bar.Set(done, "") })
}

// entries reads the games to judge, at least one.
func (f *luckFlags) entries(ctx context.Context, env *shell.Env, path string) (list []luck.Entry, err error) {
	rows, asked, err := archive.ReadGames(path)
	switch {
	case err == nil:
		list, err = seriesEntries(env.Families, rows, asked)
	case errors.Is(err, fs.ErrNotExist) || !shell.IsDir(path):
		list, err = recordedEntries(ctx, census.NewLibrary(env.Families), path)
	}
	if err != nil {
		return nil, err
	}
	if f.number < 0 {
		if len(list) == 0 {
			return nil, fmt.Errorf("no games in %s", path)
		}
		return list[max(0, len(list)-f.games):], nil
	}
	for i := range list {
		if list[i].Number == f.number {
			return list[i : i+1], nil
		}
	}
	return nil, fmt.Errorf("no game %d in %s", f.number, path)
}

// seriesEntries are the games of a match, a tournament or a test.
func seriesEntries(games engine.Families, rows []archive.Row, asked *archive.Asked) ([]luck.Entry, error) {
	g, err := games.Open(asked.Game, asked.Rules)
	if err != nil {
		return nil, err
	}
	list := make([]luck.Entry, len(rows))
	for i := range rows {
		r := &rows[i]
		list[i] = luck.Entry{
			Moves: luck.Moves{Start: r.Start, Words: strings.Fields(r.Moves), Skip: int(r.OpeningMoves)},
			Game:  g, Number: int64(r.Number), Pair: int(r.Pair), Players: [2]string{r.First, r.Second}, Points: r.FirstPoints,
		}
	}
	return list, nil
}

// recordedEntries are the games of self-play, each a pair of its own.
func recordedEntries(ctx context.Context, l *census.Library, path string) ([]luck.Entry, error) {
	files, err := findShards([]string{path})
	if err != nil {
		return nil, shell.Usage(err)
	}
	var list []luck.Entry
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s, _, err := l.Open(file.Path)
		if err != nil {
			return nil, err
		}
		err = l.Each(s, func(g *census.Recorded) error {
			e := luck.Entry{Game: g.Game, Number: g.Rows[0].GameNumber, Pair: len(list), Players: [2]string{"first", "second"}}
			first := g.Rows[0]
			err := g.Replay(func(s *record.Step) { e.Words = append(e.Words, string(s.State.AppendAction(nil, s.Action))) })
			if first.Beginning != record.BeginningStart { // what comes before its first search is nobody's decision
				e.Skip = len(first.Before)
			}
			e.Points = match.Points(g.Replayer.Outcome(), true)
			list = append(list, e)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}
