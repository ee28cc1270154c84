package data

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/spf13/cobra"
)

// errEnough ends a walk over shards that has found what it looked for.
var errEnough = errors.New("enough")

func newDataCat(env *shell.Env) *cobra.Command {
	var game int64
	var limit int
	var asGames bool
	c := &cobra.Command{
		Use:   "cat PATH...",
		Short: "Print rows, or games, as JSON, one object a line",
		Long: "A row has the columns of the shard; a packed position is hexadecimal. With --games an object is a game: its moves\n" +
			"in words, and in the game's notation for people if it has one. `ludozero replay` reads these objects; it\n" +
			"does not know resignation, and calls a game without a winner that ended so.",
		Args:    cobra.MinimumNArgs(1),
		Example: "  ludozero data cat runs/first --limit 10\n  ludozero data cat runs/first --games --game 7",
		RunE: func(c *cobra.Command, args []string) error {
			if limit < 0 || game < 0 && c.Flags().Changed("game") {
				return shell.Usagef("--limit %d, --game %d: want none below 0", limit, game)
			}
			files, err := findShards(args)
			if err != nil {
				return shell.Usage(err)
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			out := bufio.NewWriter(c.OutOrStdout())
			p := &catPrinter{out: out, limit: limit, games: asGames}
			l := census.NewLibrary(env.Families)
			for _, f := range files {
				if err = ctx.Err(); err == nil {
					err = p.shard(l, f.Path, game)
				}
				if err != nil {
					break
				}
			}
			if err == nil && game >= 0 && p.printed == 0 {
				err = fmt.Errorf("no game %d in %s", game, strings.Join(args, ", "))
			}
			if errors.Is(err, errEnough) {
				err = nil
			}
			if lost := out.Flush(); err == nil {
				err = lost // which an earlier error may have been already
			}
			return err
		},
	}
	c.Flags().Int64Var(&game, "game", -1, "print only the game of this number")
	c.Flags().IntVar(&limit, "limit", 0, "most rows to print, or games with --games (0: all)")
	c.Flags().BoolVar(&asGames, "games", false, "print games instead of rows")
	return c
}

// catPrinter prints rows or games until there are enough.
type catPrinter struct {
	out     *bufio.Writer
	limit   int // 0: none
	games   bool
	printed int

	json census.RowJSON
	line []byte
}

// shard prints those of a shard; game is the number of the only one, or -1.
func (p *catPrinter) shard(l *census.Library, path string, game int64) error {
	s, _, err := l.Open(path)
	if err != nil {
		return err
	}
	if game >= 0 && (game < s.Meta.FirstGame || game > s.Meta.LastGame) {
		return nil
	}
	return l.Each(s, func(g *census.Recorded) error {
		switch {
		case game >= 0 && g.Rows[0].GameNumber != game:
			return nil
		case p.games:
			line, err := gameLine(g)
			if err != nil {
				return err
			}
			return p.print(line)
		}
		for i := range g.Rows {
			p.line = p.json.Append(p.line[:0], &g.Rows[i])
			if err := p.print(p.line); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *catPrinter) print(line []byte) error {
	p.printed++
	if _, err := p.out.Write(line); err != nil {
		return err
	}
	if p.printed == p.limit {
		return errEnough
	}
	return nil
}

// Game is a game in words. `ludozero replay` reads and writes the
// fields from preset on.
type Game struct {
	Run          string   `json:"run"`
	Game         string   `json:"game"`
	Generation   int32    `json:"generation"`
	GameNumber   int64    `json:"game_number"`
	Preset       string   `json:"preset"`
	Options      []string `json:"options"`
	Moves        string   `json:"moves"`
	Winner       string   `json:"winner"`
	WinnerPlayer string   `json:"winner_player"`
	Why          string   `json:"why"`
	Turns        int      `json:"turns"`
	Final        string   `json:"final"`
	// Notation has the game's own notation of each move; "" where it has none.
	Notation []string `json:"notation,omitempty"`
}

// gameLine replays a game and writes it as one line.
func gameLine(g *census.Recorded) ([]byte, error) {
	r := &g.Rows[0]
	j := Game{Run: r.Run, Game: r.Game, Generation: r.Generation, GameNumber: r.GameNumber}
	j.Preset, j.Options = shell.SplitRules(r.Rules)
	var moves, note []byte
	err := g.Replay(func(s *record.Step) {
		if len(moves) > 0 {
			moves = append(moves, ' ')
		}
		moves = s.State.AppendAction(moves, s.Action)
		if n, ok := s.State.(engine.Annotator); ok {
			note = n.AppendAnnotation(note[:0], s.Action, s.After)
			j.Notation = append(j.Notation, string(note))
		}
	})
	if err != nil {
		return nil, err
	}
	end, o := g.Replayer.State(), g.Replayer.Outcome()
	j.Moves, j.Why, j.Turns = string(moves), o.Reason, end.Turn()
	j.Winner, j.WinnerPlayer = shell.WinnerWords(g.Game, end, o)
	j.Final = string(end.AppendPosition(nil))
	line, err := json.Marshal(j)
	return append(line, '\n'), err
}
