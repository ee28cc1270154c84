package data

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/report/sample"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/spf13/cobra"
)

func newDataShow(env *shell.Env) *cobra.Command {
	var number int64
	var html string
	var asJSON bool
	c := &cobra.Command{
		Use:   "show PATH",
		Short: "Show games with boards, values and remarks, as text or as a page",
		Long: "Without --game it chooses a few telling games of a run: of the first, the middle and the last generation, one decided,\n" +
			"one drawn, and one with the rarest kind of action. PATH may also be the folder of a match, a tournament or a test,\n" +
			"whose games have moves and boards but no values; then --game is needed.",
		Args:    cobra.ExactArgs(1),
		Example: "  ludozero data show runs/first --html games.html\n  ludozero data show runs/first --game 7",
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("game") && number < 0 {
				return shell.Usagef("--game %d: want none below 0", number)
			}
			if html != "" && asJSON {
				return shell.Usagef("--html and --json: want one of them")
			}
			if html != "" {
				if err := shell.WantFile("html", html); err != nil {
					return err
				}
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			list, err := gamesToShow(ctx, env.Families, c.ErrOrStderr(), args[0], number)
			if err != nil {
				return err
			}
			if html != "" {
				return atomicfile.Write(html, func(w io.Writer) error { return sample.WriteHTML(w, "Games of "+args[0], list) })
			}
			if asJSON {
				return shell.WriteJSON(c, list)
			}
			for i, g := range list {
				if i > 0 {
					fmt.Fprintln(c.OutOrStdout())
				}
				if err := g.WriteText(c.OutOrStdout()); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().Int64Var(&number, "game", -1, "show the game of this number")
	c.Flags().StringVar(&html, "html", "", "write a page, complete in one file, to this file")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// gamesToShow are the game of a number, or those chosen if it is below 0.
func gamesToShow(ctx context.Context, games engine.Families, errOut io.Writer, path string, number int64) ([]*sample.Game, error) {
	if rows, asked, err := archive.ReadGames(path); err == nil {
		return seriesGame(games, path, rows, asked, number)
	} else if !errors.Is(err, fs.ErrNotExist) && shell.IsDir(path) {
		return nil, err
	}
	files, err := findShards([]string{path})
	if err != nil {
		return nil, shell.Usage(err)
	}
	if number >= 0 {
		return recordedGames(ctx, census.NewLibrary(games), files, path, number)
	}
	paths := make([]string, len(files))
	for i := range files {
		paths[i] = files[i].Path
	}
	c, err := sample.Choose(ctx, games, paths)
	if err != nil {
		return nil, err
	}
	for _, fault := range c.Unreadable {
		fmt.Fprintf(errOut, "left out: %v\n", fault)
	}
	if len(c.Games) == 0 {
		return nil, fmt.Errorf("no games in %s", path)
	}
	if c.Shards < c.Of {
		fmt.Fprintf(errOut, "chosen among the %s of %d of %d shards\n", wording.Count(c.Looked, "game"), c.Shards, c.Of)
	}
	return c.Games, nil
}

// recordedGames finds the game of a number in shards.
func recordedGames(ctx context.Context, l *census.Library, files []census.File, path string, number int64) (list []*sample.Game, err error) {
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s, _, err := l.Open(f.Path)
		if err != nil {
			return nil, err
		}
		if number < s.Meta.FirstGame || number > s.Meta.LastGame {
			continue
		}
		err = l.Each(s, func(g *census.Recorded) error {
			if g.Rows[0].GameNumber != number {
				return nil
			}
			game, err := sample.Annotate(g.Game, g.Rows)
			if err != nil {
				return fmt.Errorf("shard %s: %w", g.Shard, err)
			}
			list = append(list, game)
			return errEnough
		})
		if errors.Is(err, errEnough) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("no game %d in %s", number, path)
}

// seriesGame lays out the game of a number of a match, a tournament or a test.
func seriesGame(games engine.Families, path string, rows []archive.Row, asked *archive.Asked, number int64) ([]*sample.Game, error) {
	if number < 0 {
		return nil, shell.Usagef("%s is a %s: name one of its games with --game", path, asked.Kind)
	}
	g, err := games.Open(asked.Game, asked.Rules)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		r := &rows[i]
		if int64(r.Number) != number {
			continue
		}
		end := engine.Outcome{Over: true, Winner: engine.Nobody, Reason: r.Reason}
		for p := range engine.Player(2) {
			if r.Winner == p.String() {
				end.Winner = p
			}
		}
		game, err := sample.FromMoves(g, r.Start, strings.Fields(r.Moves), end)
		if err != nil {
			return nil, fmt.Errorf("%s: game %d: %w", path, number, err)
		}
		game.Number, game.Players = number, [2]string{r.First, r.Second}
		return []*sample.Game{game}, nil
	}
	return nil, fmt.Errorf("no game %d in %s", number, path)
}
