package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/spf13/cobra"
)

func newData(env *shell.Env) *cobra.Command {
	c := &cobra.Command{
		Use:   "data",
		Short: "Look at recorded games: statistics, checks, rows, annotated games, other formats",
		Long: "Reads the shards that self-play leaves. A PATH is the folder of a run, a folder of shards, or a shard.\n" +
			"DuckDB, pandas and Arrow read shards as they are; docs/data-format.md has the columns.",
		Example: "  ludozero data stat runs/first\n  ludozero data check runs/first",
		Args:    shell.NoSuchCommand,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newDataStat(env), newDataCheck(env), newDataCat(env), newDataShow(env), newDataExport(env), newDataReproduce(env))
	return c
}

// shardFile is the path of a shard. folder is that of the argument which stood
// for all of its shards, "" if the shard itself was named.
type shardFile struct{ path, folder string }

// findShards lists the shards that the arguments stand for, each once, in order
// of the arguments and of their names. In a folder every Parquet file counts:
// what is no shard of ours is refused when it is opened.
func findShards(args []string) ([]shardFile, error) {
	var list []shardFile
	var errs []error
	seen := map[string]bool{}
	add := func(f shardFile) error {
		real, err := filepath.EvalSymlinks(f.path)
		if err == nil {
			real, err = filepath.Abs(real)
		}
		if err == nil && !seen[real] {
			seen[real] = true
			list = append(list, f)
		}
		return err
	}
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err != nil:
		case info.Mode().IsRegular():
			err = add(shardFile{path: arg})
		case !info.IsDir():
			err = fmt.Errorf("%s: want a folder or a file", arg)
		default:
			err = addFolder(arg, add)
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return nil, shell.Usage(errors.Join(errs...))
	}
	return list, nil
}

// addFolder adds the shards of the folder of a run, or of a folder of shards.
func addFolder(dir string, add func(shardFile) error) error {
	if inner := filepath.Join(dir, "shards"); shell.IsDir(inner) {
		dir = inner
	}
	entries, err := os.ReadDir(dir) // sorted by name: by generation, then number
	if err != nil {
		return err
	}
	n := 0
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".parquet" || e.IsDir() {
			continue
		}
		n++
		if err := add(shardFile{filepath.Join(dir, e.Name()), dir}); err != nil {
			return err
		}
	}
	if n == 0 {
		return fmt.Errorf("%s: no shard in it", dir)
	}
	return nil
}

// library opens shards of any game and knows the rules of their games.
type library struct {
	games     engine.Families
	infos     map[string]*engine.Info
	replayers map[[2]string]*rulebook // by game and rules word
}

// rulebook is a ruleset with the memory to replay its games.
type rulebook struct {
	game     engine.Game
	replayer *record.Replayer
	err      error
}

func newLibrary(games engine.Families) *library {
	return &library{games: games, infos: map[string]*engine.Info{}, replayers: map[[2]string]*rulebook{}}
}

// open reads and verifies a shard. bytes is the size of its file.
func (l *library) open(path string) (s *record.Shard, bytes int, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, fmt.Errorf("shard %s: %w", path, err)
	}
	s, err = record.ParseAny(path, data, l.info)
	return s, len(data), err
}

func (l *library) info(name string) (*engine.Info, error) {
	if info := l.infos[name]; info != nil {
		return info, nil
	}
	f, err := l.games.ByName(name)
	if err != nil {
		return nil, err
	}
	g, err := f.Parse("")
	if err != nil {
		return nil, err
	}
	l.infos[name] = g.Info()
	return g.Info(), nil
}

// rules returns the ruleset that a row was played by. A word that is not
// canonical is refused, as it would let one ruleset pass for two.
func (l *library) rules(r *record.Row) (*rulebook, error) {
	key := [2]string{r.Game, r.Rules}
	if b := l.replayers[key]; b != nil {
		return b, b.err
	}
	b := &rulebook{}
	var f *engine.Family
	if f, b.err = l.games.ByName(r.Game); b.err == nil {
		b.game, b.err = f.Parse(r.Rules)
	}
	switch {
	case b.err != nil:
	case b.game.Rules() != r.Rules:
		b.err = fmt.Errorf("rules %q: the canonical word is %q", r.Rules, b.game.Rules())
	default:
		b.replayer = record.NewReplayer(b.game)
	}
	l.replayers[key] = b
	return b, b.err
}

// recordedGame is a game of a shard with the rules it was played by.
type recordedGame struct {
	*rulebook
	shard string
	rows  []record.Row
}

// replay plays the game again and calls visit, which may be nil, at every step.
func (g *recordedGame) replay(visit func(*record.Step)) error {
	return g.fault(g.replayer.Play(g.rows, visit))
}

// fault is the first of the problems of the game, nil if there is none.
func (g *recordedGame) fault(list []record.Problem) error {
	if len(list) == 0 {
		return nil
	}
	r := &g.rows[list[0].Row]
	return fmt.Errorf("shard %s: game %d: ply %d: %w; `ludozero data check` lists all faults", g.shard, r.GameNumber, r.Ply, list[0].Err)
}

// eachGame calls do with every game of a shard, whose rows must be good.
func (l *library) eachGame(s *record.Shard, do func(*recordedGame) error) error {
	rows, err := s.Rows()
	if err != nil {
		return err
	}
	for _, game := range record.Games(rows) {
		book, err := l.rules(&game[0])
		if err != nil {
			return fmt.Errorf("shard %s: game %d: %w", s.Name, game[0].GameNumber, err)
		}
		if err := do(&recordedGame{book, s.Name, game}); err != nil {
			return err
		}
	}
	return nil
}

// eachShard opens the shards one by one, with a bar, until ctx ends or do fails.
func eachShard(ctx context.Context, b *shell.Bar, files []shardFile, do func(i int) (text string, err error)) error {
	defer b.Clear()
	for i := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		text, err := do(i)
		if err != nil {
			return err
		}
		b.Set(i+1, text)
	}
	return nil
}
