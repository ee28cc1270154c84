package watch

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"sync"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/report/board"
	"github.com/ludozero/ludozero/report/sample"
	"github.com/ludozero/ludozero/selfplay/record"
)

const (
	// keptShards and keptWalks bound the decoded shards and games in the cache.
	keptShards, keptWalks = 2, 8
	// listedGames and listedShards bound the list of games.
	listedGames, listedShards = 200, 8
	// shownOptions is how many moves of a search are shown.
	shownOptions = 6
)

// Games are the newest recorded games of a run.
type Games struct {
	// Generation is the generation of their files.
	Generation int        `json:"generation"`
	Games      []GameLine `json:"games"`
	// Unreadable says what is wrong with files that cannot be read.
	Unreadable []string `json:"unreadable,omitempty"`
}

// GameLine is a game in the list. Shard and Number name it.
type GameLine struct {
	Shard      string `json:"shard"`
	Number     int64  `json:"number"`
	Generation int    `json:"generation"`
	Rules      string `json:"rules"`
	Turns      int    `json:"turns"`
	Searched   int    `json:"searched"` // decisions with a recorded search
	// Winner is "first", "second" or "draw".
	Winner string `json:"winner"`
	Reason string `json:"reason"`
}

// Played is a game to step through.
type Played struct {
	*sample.Game
	// Options are the moves that the search before each move preferred; null where
	// there was no search.
	Options [][]sample.Option `json:"options"`
	// Curve is the value over the turns, as SVG; empty if there was no search.
	Curve string `json:"curve,omitempty"`
}

// Position is a position of a game.
type Position struct {
	// SVG is a picture; empty if the game draws none, and Text is shown instead.
	SVG  string `json:"svg,omitempty"`
	Text string `json:"text"`
}

// shelf caches shards and games.
type shelf struct {
	mu     sync.Mutex // one goroutine reads and plays games at a time
	shards []shelved[[]record.Row]
	walks  []shelved[*sample.Walk]
	rules  record.Library
}

// shelved is a value and the file that it comes from.
type shelved[T any] struct {
	key   string
	value T
}

// find looks a value up and moves it to the front.
func find[T any](list []shelved[T], key string) (T, bool) {
	i := slices.IndexFunc(list, func(s shelved[T]) bool { return s.key == key })
	if i < 0 {
		var none T
		return none, false
	}
	found := list[i]
	copy(list[1:], list[:i])
	list[0] = found
	return found.value, true
}

// keep puts a value to the front and drops the last beyond n.
func keep[T any](list []shelved[T], n int, key string, value T) []shelved[T] {
	list = slices.Insert(list, 0, shelved[T]{key, value})
	return list[:min(n, len(list)):min(n, len(list))]
}

// keyOf identifies a file by name, size and time: a shard that is played again has
// another key.
func keyOf(file string, info fs.FileInfo) string {
	return fmt.Sprintf("%s %d %d", file, info.Size(), info.ModTime().UnixNano())
}

// rowsOf reads a shard.
func (w *Watcher) rowsOf(file string) (rows []record.Row, err error) {
	f, info, err := input.OpenIn(w.root, onDisk(file), maxShardBytes)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	key := keyOf(file, info)
	if rows, ok := find(w.games.shards, key); ok {
		return rows, nil
	}
	data, err := io.ReadAll(io.LimitReader(f, maxShardBytes))
	if err != nil {
		return nil, err
	}
	s, err := record.ParseAny(file, data, w.games.rules.Info)
	if err == nil {
		rows, err = s.Rows()
	}
	if err != nil {
		return nil, err
	}
	w.games.shards = keep(w.games.shards, keptShards, key, rows)
	return rows, nil
}

// gamesOf lists the games of the newest generation that has any, the newest first.
func (w *Watcher) gamesOf(name string) (*Games, error) {
	w.games.mu.Lock()
	defer w.games.mu.Unlock()
	list, err := w.shards(name)
	if err != nil {
		return nil, err
	}
	g := &Games{Games: []GameLine{}}
	if len(list) == 0 {
		return g, nil
	}
	g.Generation = int(list[0].generation)
	read := 0
	for _, s := range list {
		if int(s.generation) != g.Generation && len(g.Games) > 0 || read == listedShards || len(g.Games) >= listedGames {
			break
		}
		rows, err := w.rowsOf(path.Join(name, "shards", s.name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was replaced
		}
		read++
		if err != nil {
			g.Unreadable = append(g.Unreadable, err.Error())
			continue
		}
		if len(rows) > 0 {
			g.Generation = int(s.generation)
		}
		for _, game := range record.Games(rows) {
			g.Games = append(g.Games, lineOf(s.name, game))
		}
	}
	slices.SortStableFunc(g.Games, func(a, b GameLine) int { return cmp.Compare(b.Number, a.Number) })
	g.Games = g.Games[:min(len(g.Games), listedGames)]
	return g, nil
}

func lineOf(shard string, rows []record.Row) GameLine {
	last := &rows[len(rows)-1]
	l := GameLine{
		Shard: shard, Number: last.GameNumber, Generation: int(last.Generation), Rules: last.Rules,
		Turns: int(last.Turn + last.TurnsLeft), Searched: len(rows), Winner: "draw", Reason: last.Reason,
	}
	if p := engine.Player(last.Player); last.Outcome > 0 {
		l.Winner = p.String()
	} else if last.Outcome < 0 {
		l.Winner = p.Other().String()
	}
	return l
}

// errNoGame refuses a game that does not exist.
var errNoGame = errors.New("there is no such game here, or no longer: its file was replaced")

// walk finds a game and plays it again. The shelf must be locked.
func (w *Watcher) walk(name, shard string, number int64) (*sample.Walk, error) {
	if _, _, ours := record.ParseFileName(shard); !ours {
		return nil, errNoGame
	}
	file := path.Join(name, "shards", shard)
	info, err := w.regular(file, maxShardBytes)
	if errors.Is(err, fs.ErrNotExist) {
		err = errNoGame
	}
	if err != nil {
		return nil, err
	}
	key := fmt.Sprintf("%s %d", keyOf(file, info), number)
	if walk, ok := find(w.games.walks, key); ok {
		return walk, nil
	}
	rows, err := w.rowsOf(file)
	if err != nil {
		return nil, err
	}
	for _, game := range record.Games(rows) {
		if game[0].GameNumber != number {
			continue
		}
		g, err := w.games.rules.Game(game[0].Game, game[0].Rules)
		if err != nil {
			return nil, err
		}
		walk, err := sample.NewWalk(g, slices.Clone(game)) // a copy, so that the shard can be freed
		if err != nil {
			return nil, err
		}
		w.games.walks = keep(w.games.walks, keptWalks, key, walk)
		return walk, nil
	}
	return nil, errNoGame
}

// played is a game with all its moves.
func (w *Watcher) played(name, shard string, number int64) (*Played, error) {
	w.games.mu.Lock()
	defer w.games.mu.Unlock()
	walk, err := w.walk(name, shard, number)
	if err != nil {
		return nil, err
	}
	game := *walk.Game
	game.Moments = nil // the page asks for positions one by one
	p := &Played{Game: &game, Curve: string(game.Curve(false))}
	for i := range walk.Moves {
		p.Options = append(p.Options, walk.Options(i, shownOptions))
	}
	return p, nil
}

// position returns the position of a game after some moves.
func (w *Watcher) position(name, shard string, number int64, moves int) (*Position, error) {
	w.games.mu.Lock()
	defer w.games.mu.Unlock()
	walk, err := w.walk(name, shard, number)
	if err != nil {
		return nil, err
	}
	m, err := walk.Moment(moves)
	if err != nil {
		return nil, errNoGame
	}
	p := &Position{Text: m.Text}
	if m.Picture != nil {
		p.SVG = string(bytes.TrimSpace(board.SVG(m.Picture, board.Options{NoStyle: true})))
	}
	return p, nil
}
