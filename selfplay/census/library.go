package census

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/selfplay/record"
)

// File is the path of a shard. folder is the argument that stood for all shards in
// it, "" if the shard itself was named.
type File struct{ Path, folder string }

// Find lists the shards that the arguments stand for, each once, in order
// of the arguments and of their names. In a folder every Parquet file counts:
// what is no shard of ours is refused when it is opened.
func Find(args []string) ([]File, error) {
	var list []File
	var errs []error
	seen := map[string]bool{}
	add := func(f File) error {
		real, err := filepath.EvalSymlinks(f.Path)
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
			err = add(File{Path: arg})
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
		return nil, errors.Join(errs...)
	}
	return list, nil
}

// addFolder adds the shards of the folder of a run, or of a folder of shards.
func addFolder(dir string, add func(File) error) error {
	if inner := filepath.Join(dir, "shards"); isDir(inner) {
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
		if err := add(File{filepath.Join(dir, e.Name()), dir}); err != nil {
			return err
		}
	}
	if n == 0 {
		return fmt.Errorf("%s: no shard in it", dir)
	}
	return nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Library opens shards of any game and knows the rules of their games. Not safe for
// concurrent use.
type Library struct {
	games     engine.Families
	infos     map[string]*engine.Info
	replayers map[[2]string]*rulebook // by game and rules word
}

// rulebook is a ruleset with the memory to replay its games.
type rulebook struct {
	Game     engine.Game
	Replayer *record.Replayer
	err      error
}

// NewLibrary returns a library of these games.
func NewLibrary(games engine.Families) *Library {
	return &Library{games: games, infos: map[string]*engine.Info{}, replayers: map[[2]string]*rulebook{}}
}

// Open reads and verifies a shard. bytes is the size of its file.
func (l *Library) Open(path string) (s *record.Shard, bytes int, err error) {
	data, err := input.Read(path, input.Large)
	if err != nil {
		return nil, 0, fmt.Errorf("shard %s: %w", path, err)
	}
	s, err = record.ParseAny(path, data, l.Info)
	return s, len(data), err
}

// Info describes the game of a name, under its default rules.
func (l *Library) Info(name string) (*engine.Info, error) {
	if info := l.infos[name]; info != nil {
		return info, nil
	}
	g, err := l.games.Open(name, "")
	if err != nil {
		return nil, err
	}
	l.infos[name] = g.Info()
	return g.Info(), nil
}

// rules returns the ruleset that a row was played by. A word that is not
// canonical is refused, as it would let one ruleset pass for two.
func (l *Library) rules(r *record.Row) (*rulebook, error) {
	key := [2]string{r.Game, r.Rules}
	if b := l.replayers[key]; b != nil {
		return b, b.err
	}
	b := &rulebook{}
	b.Game, b.err = l.games.Open(r.Game, r.Rules)
	switch {
	case b.err != nil:
	case b.Game.Rules() != r.Rules:
		b.err = fmt.Errorf("rules %q: the canonical word is %q", r.Rules, b.Game.Rules())
	default:
		b.Replayer = record.NewReplayer(b.Game)
	}
	l.replayers[key] = b
	return b, b.err
}

// Recorded is a game of a shard with the rules it was played by.
type Recorded struct {
	*rulebook
	Shard string
	Rows  []record.Row
}

// Replay plays the game again and calls visit, which may be nil, at every step.
func (g *Recorded) Replay(visit func(*record.Step)) error {
	return g.Fault(g.Replayer.Play(g.Rows, visit))
}

// Fault is the first of the problems of the game, nil if there is none.
func (g *Recorded) Fault(list []record.Problem) error {
	if len(list) == 0 {
		return nil
	}
	r := &g.Rows[list[0].Row]
	return fmt.Errorf("shard %s: game %d: ply %d: %w; `ludozero data check` lists all faults", g.Shard, r.GameNumber, r.Ply, list[0].Err)
}

// Each calls do with every game of a shard, whose rows must be good.
func (l *Library) Each(s *record.Shard, do func(*Recorded) error) error {
	rows, err := s.Rows()
	if err != nil {
		return err
	}
	for _, game := range record.Games(rows) {
		book, err := l.rules(&game[0])
		if err != nil {
			return fmt.Errorf("shard %s: game %d: %w", s.Name, game[0].GameNumber, err)
		}
		if err := do(&Recorded{book, s.Name, game}); err != nil {
			return err
		}
	}
	return nil
}
