package archive

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/seal"
	"github.com/ludozero/ludozero/match"
	"github.com/parquet-go/parquet-go"
)

// Keys of the metadata of GamesFile, and what it says there.
const (
	keyPrefix    = "ludozero."
	gamesKind    = "series_games"
	gamesVersion = 1
)

// Row is a game in GamesFile.
type Row struct {
	// Number counts games in the order of the schedule, Pair the openings that are
	// played twice; both from 1.
	Number int32 `parquet:"number"`
	Pair   int32 `parquet:"pair"`
	// Opening is the number of the opening among the different ones, from 1.
	Opening int32 `parquet:"opening"`
	// First and Second are the players by seat, as Series.Labels has them.
	First  string `parquet:"first"`
	Second string `parquet:"second"`
	// Winner is first, second or draw; FirstPoints is what the first player made:
	// 1, 0.5 or 0.
	Winner      string  `parquet:"winner"`
	FirstPoints float64 `parquet:"first_points"`
	Reason      string  `parquet:"reason"`
	// Turns is the length in player turns, the opening included.
	Turns int32 `parquet:"turns"`
	// OpeningMoves is how many of the moves are the opening.
	OpeningMoves int32 `parquet:"opening_moves"`
	// Start is the position line that the game began from; empty for the start.
	Start string `parquet:"start"`
	// Moves is every decision from there, chance included, in the game's words
	// with spaces between; Final is the position line after them.
	Moves string `parquet:"moves"`
	Final string `parquet:"final"`
	// Repeats is the number of the earliest game in the file with the same moves;
	// 0 if there is none before it.
	Repeats int32 `parquet:"repeats"`
	// FirstUsed and SecondUsed are the players' thinking times, FirstLeft and
	// SecondLeft what their clocks showed at the end, at most 0 if the flag fell; in
	// microseconds, rounded away from zero. Null without clocks.
	FirstUsed  *int64 `parquet:"first_used_us"`
	FirstLeft  *int64 `parquet:"first_left_us"`
	SecondUsed *int64 `parquet:"second_used_us"`
	SecondLeft *int64 `parquet:"second_left_us"`
}

func makeRows(s *match.Series, games []match.Game) ([]Row, error) {
	rows := make([]Row, len(games))
	labels := s.Labels()
	earlier := map[string]int32{}
	b := newBoard(s.Game)
	for i := range games {
		g := &games[i]
		if err := b.replay(g.Start, g.Moves, nil); err != nil {
			return nil, fmt.Errorf("game %d: %w", g.Number, err)
		}
		pair := s.Schedule[g.Pair-1]
		first, second, points := pair.A, pair.B, g.Points
		if !g.AFirst {
			first, second, points = second, first, 1-points
		}
		rows[i] = Row{
			Number: int32(g.Number), Pair: int32(g.Pair), Opening: int32(pair.Opening + 1),
			First: labels[first], Second: labels[second],
			Winner: winner(points), FirstPoints: points, Reason: g.Reason,
			Turns: int32(g.Turns), OpeningMoves: int32(g.Opening),
			Start: g.Start, Moves: g.Moves, Final: string(b.state.AppendPosition(nil)),
		}
		if c := g.Clock; c != nil {
			used, left := [2]time.Duration{c.AUsed, c.BUsed}, [2]time.Duration{c.ALeft, c.BLeft}
			a := 0
			if !g.AFirst {
				a = 1
			}
			rows[i].FirstUsed, rows[i].FirstLeft = micros(used[a]), micros(left[a])
			rows[i].SecondUsed, rows[i].SecondLeft = micros(used[1-a]), micros(left[1-a])
		}
		key := g.Start + "\n" + g.Moves
		if n, ok := earlier[key]; ok {
			rows[i].Repeats = n
		} else {
			earlier[key] = int32(g.Number)
		}
	}
	return rows, nil
}

// micros returns d in whole microseconds, rounded away from zero, so that a rest of
// time does not become 0.
func micros(d time.Duration) *int64 {
	n := int64(d / time.Microsecond)
	switch rest := d % time.Microsecond; {
	case rest > 0:
		n++
	case rest < 0:
		n--
	}
	return &n
}

// winner names the winner by the first player's points.
func winner(points float64) string {
	switch points {
	case 1:
		return engine.First.String()
	case 0:
		return engine.Second.String()
	}
	return "draw"
}

// marshalRows makes the file of rows. Equal arguments make equal bytes.
func marshalRows(a *Asked, rows []Row) ([]byte, error) {
	asked, err := json.Marshal(a)
	if err != nil {
		return nil, err
	}
	return seal.File(rows, gamesVersion, [][2]string{
		{keyPrefix + "kind", gamesKind}, {keyPrefix + "format", strconv.Itoa(gamesVersion)},
		{keyPrefix + "game", a.Game}, {keyPrefix + "game_version", strconv.Itoa(a.GameVersion)}, {keyPrefix + "rules", a.Rules},
		{keyPrefix + "asked", string(asked)},
	})
}

// ReadGames reads the games that count of the folder dir and what they were asked
// for. The file must be whole and of a format that this program knows.
func ReadGames(dir string) ([]Row, *Asked, error) {
	path := filepath.Join(dir, GamesFile)
	data, err := input.Read(path, input.Large)
	if err != nil {
		return nil, nil, err
	}
	rows, asked, err := unmarshalRows(data)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return rows, asked, nil
}

func unmarshalRows(data []byte) ([]Row, *Asked, error) {
	if err := seal.Check(data); err != nil {
		return nil, nil, fmt.Errorf("damaged: %w", err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, fmt.Errorf("damaged: %w", err)
	}
	if kind, _ := file.Lookup(keyPrefix + "kind"); kind != gamesKind {
		return nil, nil, fmt.Errorf("it is of kind %q, want %q", kind, gamesKind)
	}
	if v, _ := file.Lookup(keyPrefix + "format"); v != strconv.Itoa(gamesVersion) {
		return nil, nil, fmt.Errorf("format %q: this program reads %d", v, gamesVersion)
	}
	asked := &Asked{}
	text, _ := file.Lookup(keyPrefix + "asked")
	if err := json.Unmarshal([]byte(text), asked); err != nil {
		return nil, nil, fmt.Errorf("what was asked: %w", err)
	}
	rows := make([]Row, file.NumRows())
	r := parquet.NewGenericReader[Row](file)
	defer r.Close()
	if n, err := r.Read(rows); n != len(rows) {
		return nil, nil, fmt.Errorf("damaged: %d of %d rows: %w", n, len(rows), cmp.Or(err, io.ErrUnexpectedEOF))
	}
	return rows, asked, nil
}
