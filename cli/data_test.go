package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/data"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/selfplay/record/recordtest"
)

func openRules(t testing.TB, name, rules string) engine.Game {
	t.Helper()
	f, err := games.All().ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// writeShard writes rows as shard number of a run and returns its path.
func writeShard(t testing.TB, dir string, number int64, rows []record.Row) string {
	t.Helper()
	return recordtest.Write(t, dir, number, openRules(t, rows[0].Game, "").Info(), rows)
}

// recordedRun makes the folder of a run of Kon'reh games under two rulesets in
// shards of four.
func recordedRun(t testing.TB, shards int) string {
	t.Helper()
	run := t.TempDir()
	dir := filepath.Join(run, "shards")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for n := range int64(shards) {
		rules := []string{"blitz", "blitz,balance=pie"}[n%2]
		writeShard(t, dir, n, recordtest.RandomGames(openRules(t, "konreh", rules), 4*n, 4))
	}
	return run
}

// TestFindShards takes runs, folders and files, each shard once.
func TestFindShards(t *testing.T) {
	run := recordedRun(t, 2)
	dir := filepath.Join(run, "shards")
	want := []string{filepath.Join(dir, record.FileName(0, 0)), filepath.Join(dir, record.FileName(1, 1))}
	link := filepath.Join(t.TempDir(), "link.parquet")
	if err := os.Symlink(want[1], link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x.parquet.tmp-ludozero-1-1", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ args, want []string }{
		{[]string{run}, want},
		{[]string{dir}, want},
		{[]string{dir + "/", run, want[0]}, want},
		{[]string{want[1], run}, []string{want[1], want[0]}},
		{[]string{want[1], link}, want[1:]},
	} {
		files, err := census.Find(c.args)
		var got []string
		for _, f := range files {
			got = append(got, f.Path)
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: shards %q, %v, want %q", c.args, got, err, c.want)
		}
	}
	empty := t.TempDir()
	for _, command := range []string{"stat", "check", "cat"} {
		mustFail(t, 2, []string{"data", command, "missing", run, empty}, "stat missing: ", empty+": no shard in it")
	}
}

// decodeLines reads one JSON object a line.
func decodeLines[T any](t testing.TB, out string) []T {
	t.Helper()
	var list []T
	for line := range strings.Lines(out) {
		list = append(list, decode[T](t, line))
	}
	return list
}

// TestCatPrintsRows compares the objects with the rows field by field.
func TestCatPrintsRows(t *testing.T) {
	run := recordedRun(t, 2)
	want := slices.Concat(recordtest.RandomGames(openRules(t, "konreh", "blitz"), 0, 4), recordtest.RandomGames(openRules(t, "konreh", "blitz,balance=pie"), 4, 4))
	got := decodeLines[map[string]json.RawMessage](t, mustCall(t, "data", "cat", run))
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for i := range want {
		v := reflect.ValueOf(want[i])
		for c := range v.NumField() {
			text := string(got[i][census.Columns()[c].Name])
			wanted, err := json.Marshal(v.Field(c).Interface())
			if v.Field(c).Kind() == reflect.Slice && v.Field(c).Len() == 0 {
				wanted = []byte("[]")
			}
			if census.Columns()[c].Name == "packed" {
				wanted = fmt.Appendf(nil, `"%x"`, want[i].Packed)
			}
			if err != nil || text != string(wanted) || len(got[i]) != v.NumField() {
				t.Fatalf("row %d: %s is %s, want %s", i, census.Columns()[c].Name, text, wanted)
			}
		}
	}

	rows := func(args ...string) []string {
		return strings.SplitAfter(mustCall(t, append([]string{"data", "cat", run}, args...)...), "\n")
	}
	all := rows()
	if got := rows("--limit", "5"); !slices.Equal(got[:5], all[:5]) || len(got) != 6 || got[5] != "" {
		t.Errorf("--limit 5 printed %d lines: %q", len(got)-1, got)
	}
	first := slices.IndexFunc(want, func(r record.Row) bool { return r.GameNumber == 5 })
	end := slices.IndexFunc(want, func(r record.Row) bool { return r.GameNumber == 6 })
	if got := rows("--game", "5"); !slices.Equal(got[:len(got)-1], all[first:end]) {
		t.Errorf("--game 5 printed %d lines, want %d", len(got)-1, end-first)
	}
	mustFail(t, 1, []string{"data", "cat", run, "--game", "8"}, "no game 8 in "+run)
	mustFail(t, 2, []string{"data", "cat", run, "--limit", "-1"}, "--limit -1")
	mustFail(t, 2, []string{"data", "cat", run, "--game", "-2"}, "--game -2")
}

// TestCatGamesIsWhatReplayReads gives the games to replay without their results
// and wants the same results back.
func TestCatGamesIsWhatReplayReads(t *testing.T) {
	run := recordedRun(t, 3)
	out := mustCall(t, "data", "cat", run, "--games")
	list := decodeLines[data.Game](t, out)
	if len(list) != 12 || list[11].GameNumber != 11 || list[11].Generation != 2 || list[4].Options[0] != "balance=pie" {
		t.Fatalf("%d games: %+v", len(list), list)
	}
	var in strings.Builder
	for _, g := range list {
		if n := len(strings.Fields(g.Moves)); n != len(g.Notation) || n < g.Turns {
			t.Errorf("game %d: %d moves, %d in notation, %d turns", g.GameNumber, n, len(g.Notation), g.Turns)
		}
		g.Winner, g.WinnerPlayer, g.Why, g.Turns, g.Final = "", "", "", 0, ""
		line, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	replayed, _, err := call(t, in.String(), "replay", "--game", "konreh", "--jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if again := decodeLines[data.Game](t, replayed); !reflect.DeepEqual(again, list) {
		t.Errorf("replay says\n%s, want\n%s", replayed, out)
	}
	if one := decode[data.Game](t, mustCall(t, "data", "cat", run, "--games", "--game", "7", "--limit", "3")); !reflect.DeepEqual(one, list[7]) {
		t.Errorf("game 7 alone is %+v, want %+v", one, list[7])
	}
	shown := strings.Split(mustCall(t, "show", "--rules", "blitz,balance=pie", "--moves", list[7].Moves), "\n")
	for i, note := range list[7].Notation {
		word := strings.Fields(list[7].Moves)[i]
		if _, after, ok := strings.Cut(shown[i], word); !ok || strings.TrimSpace(after) != note {
			t.Errorf("move %d, %s, is noted as %q, show says %q", i+1, word, note, shown[i])
		}
	}
	plain := t.TempDir()
	writeShard(t, plain, 0, recordtest.RandomGames(openRules(t, "tictactoe", ""), 0, 1))
	if g := decode[data.Game](t, mustCall(t, "data", "cat", plain, "--games")); g.Notation != nil || g.Moves == "" {
		t.Errorf("a game without a notation for people: %+v", g)
	}
}

// TestDataStops at the first shard after an interruption.
func TestDataStops(t *testing.T) {
	run := recordedRun(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out := filepath.Join(t.TempDir(), "rows.csv")
	for _, args := range [][]string{{"stat", run}, {"check", run}, {"cat", run}, {"export", run, "--out", out}} {
		var o, e strings.Builder
		err := execute(ctx, append([]string{"data"}, args...), strings.NewReader(""), &o, &e)
		if !errors.Is(err, context.Canceled) || o.String() != "" {
			t.Errorf("%s: %v, printed %q, want an interruption", args[0], err, o.String())
		}
	}
	if left, err := os.ReadDir(filepath.Dir(out)); err != nil || len(left) != 0 {
		t.Errorf("an interrupted export left %v, %v", left, err)
	}
}

// brokenPipe takes nothing.
type brokenPipe struct{}

var errPipe = errors.New("broken pipe")

func (brokenPipe) Write([]byte) (int, error) { return 0, errPipe }

// TestDataSaysThatItCouldNotPrint, once.
func TestDataSaysThatItCouldNotPrint(t *testing.T) {
	run := recordedRun(t, 2)
	for _, args := range [][]string{{"stat"}, {"stat", "--json"}, {"check"}, {"check", "--json"}, {"cat"}, {"cat", "--limit", "1"}, {"cat", "--games"}} {
		var e strings.Builder
		err := execute(t.Context(), append([]string{"data", args[0], run}, args[1:]...), strings.NewReader(""), brokenPipe{}, &e)
		if err == nil || err.Error() != errPipe.Error() {
			t.Errorf("%s: %v, want %v", args, err, errPipe)
		}
	}
}
