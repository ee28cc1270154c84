package census

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/selfplay/record/recordtest"
)

// TestCheckerReportsRows: rows that no writer of ours lets through.
func TestCheckerReportsRows(t *testing.T) {
	rows := recordtest.RandomGames(rulesOf(t, "tictactoe", ""), 0, 3)
	path := writeTo(t, t.TempDir(), 0, rows)
	s, _, err := NewLibrary(games.All()).Open(path)
	if err != nil {
		t.Fatal(err)
	}
	second := slices.IndexFunc(rows, func(r record.Row) bool { return r.GameNumber == 1 })
	rows[1].Outcome = 9
	rows[second].Packed = nil
	s.Meta.LastGame = 7
	var got []string
	k := NewChecker(games.All(), 1, func(f *Fault) { got = append(got, strings.TrimPrefix(f.String(), "shard "+path+": ")) })
	k.rows(File{Path: path}, s, rows)
	want := []string{"game 0: ply 1: outcome 9", "game 1: ply 0: packed position of 0 bytes", "game 1: ply 0: the packed position is not ",
		"games 0 to 2, metadata says 0 to 7"}
	if len(got) != len(want) {
		t.Fatalf("faults %q, want %q", got, want)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("fault %d is %q, want %q", i, got[i], want[i])
		}
	}
}

// TestCheckerGoesOnAfterAPanic: a shard that upsets this program is a fault like
// any other.
func TestCheckerGoesOnAfterAPanic(t *testing.T) {
	path := writeTo(t, t.TempDir(), 0, recordtest.RandomGames(rulesOf(t, "tictactoe", ""), 0, 1))
	k := NewChecker(games.All(), 2, func(*Fault) {})
	k.library.infos = nil // writing to it panics
	k.Shard(File{Path: path})
	k.library = NewLibrary(games.All())
	k.Shard(File{Path: path})
	if len(k.Faults) != 1 || !strings.HasPrefix(k.Faults[0].Text, "panic: ") || k.Games != 1 {
		t.Errorf("%d games, faults %+v, want 1 and a panic", k.Games, k.Faults)
	}
}

// TestGamesInTwoShards looks at ranges that touch, overlap and lie within others.
func TestGamesInTwoShards(t *testing.T) {
	span := func(run string, first, last int64, path string) gameSpan {
		return gameSpan{run, "c", first, last, path}
	}
	for _, c := range []struct {
		name  string
		spans []gameSpan
		want  []string
	}{
		{"none", nil, nil},
		{"side by side", []gameSpan{span("a", 0, 3, "x"), span("a", 4, 7, "y"), span("a", 8, 8, "z")}, nil},
		{"one game", []gameSpan{span("a", 0, 3, "x"), span("a", 3, 7, "y")}, []string{"y: game 3 stands in x too"}},
		{"all games", []gameSpan{span("a", 0, 3, "x"), span("a", 0, 3, "y"), span("a", 4, 4, "z")}, []string{"y: games 0 to 3 stand in x too"}},
		{"two within one", []gameSpan{span("a", 20, 25, "z"), span("a", 0, 30, "x"), span("a", 10, 15, "y")},
			[]string{"y: games 10 to 15 stand in x too", "z: games 20 to 25 stand in x too"}},
		{"over the end of one within another", []gameSpan{span("a", 0, 30, "x"), span("a", 10, 15, "y"), span("a", 30, 40, "z")},
			[]string{"y: games 10 to 15 stand in x too", "z: game 30 stands in x too"}},
		{"between each other", []gameSpan{span("a", 0, 0, "x"), span("a", 1, 1, "y"), span("a", 2, 2, "x")}, nil},
		{"a copy", []gameSpan{span("a", 0, 9, "one/x"), span("a", 0, 9, "two/x")}, nil},
		{"other runs", []gameSpan{span("a", 0, 9, "x"), span("b", 0, 9, "y"), {"a", "d", 0, 9, "z"}}, nil},
		{"again in one shard", []gameSpan{span("a", 0, 9, "x"), span("a", 5, 5, "x")}, nil}, // a fault of its rows
	} {
		n := numbering{spans: c.spans}
		var got []string
		for _, f := range n.faults() {
			got = append(got, f.path+": "+f.err.Error())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestShardNumbers looks at gaps and repetitions in one folder and in several.
func TestShardNumbers(t *testing.T) {
	name := func(folder string, generation int32, number int64) File {
		return File{filepath.Join(folder, record.FileName(generation, number)), folder}
	}
	alone := func(f File) File { f.folder = ""; return f }
	for _, c := range []struct {
		name  string
		files []File
		want  []string // number of the bad file, then the text
	}{
		{"oldest gone, any order", []File{name("x", 4, 9), name("x", 3, 7), name("x", 3, 8)}, nil},
		{"a gap", []File{name("x", 3, 7), name("x", 4, 9)}, []string{"1: number 8 is missing before it"}},
		{"two gaps", []File{name("x", 0, 0), name("x", 0, 2), name("x", 0, 5)},
			[]string{"1: number 1 is missing before it", "2: numbers 3 to 4 are missing before it"}},
		{"a number again", []File{name("x", 3, 7), name("x", 4, 7)}, []string{"1: number 7 follows number 7 of an earlier generation"}},
		{"a smaller number", []File{name("x", 3, 7), name("x", 4, 6)}, []string{"1: number 6 follows number 7 of an earlier generation"}},
		{"two folders", []File{name("x", 0, 0), name("y", 0, 5), name("x", 0, 1), name("y", 0, 6)}, nil},
		{"single files", []File{alone(name("x", 0, 0)), alone(name("x", 0, 5)), alone(name("y", 1, 0))}, nil},
		{"a stranger", []File{name("x", 0, 0), {"x/y.parquet", "x"}, {"y.parquet", ""}}, []string{"1: not the name of a shard, such as " + record.FileName(0, 0)}},
	} {
		var n numbering
		for _, f := range c.files {
			n.file(f)
		}
		var got []string
		for _, f := range n.faults() {
			i := slices.IndexFunc(c.files, func(x File) bool { return x.Path == f.path })
			got = append(got, fmt.Sprintf("%d: %v", i, f.err))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestShardsOfAFolderAreOfOneRun by name and configuration. Two folders may hold
// two runs.
func TestShardsOfAFolderAreOfOneRun(t *testing.T) {
	var n numbering
	for i, x := range []struct{ folder, run, hash string }{{"x", "a", "1"}, {"x", "a", "1"}, {"y", "b", "2"}, {"x", "b", "1"}, {"x", "a", "2"}, {"", "c", "3"}} {
		head := record.Head{Run: x.run, Number: int64(i), ConfigHash: x.hash}
		n.shard(File{record.FileName(0, int64(i)), x.folder}, &record.Shard{Meta: record.Meta{Head: head}}, nil)
	}
	var got []string
	for _, f := range n.faults() {
		got = append(got, f.err.Error())
	}
	want := []string{`of run "b" with configuration 1 among shards of "a" with 1`, `of run "a" with configuration 2 among shards of "a" with 1`}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
