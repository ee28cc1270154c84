package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/data"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestDataReproduce plays games of a run again before and after one number of
// one of them was altered.
func TestDataReproduce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	mustCall(t, tiny(dir, "--no-rating", "--set", "generations=2")...)
	for args, want := range map[string]string{
		"":                   "16 games, ",
		"--all":              "16 games, ",
		"--game 3":           "1 game, ",
		"--games 5 --seed 7": "5 games, ",
	} {
		out := mustCall(t, append([]string{"data", "reproduce", dir}, strings.Fields(args)...)...)
		if !strings.HasPrefix(out, want) || !strings.HasSuffix(out, ": the same when played again\n") {
			t.Errorf("data reproduce %s says %q, want %q", args, out, want)
		}
	}
	path := filepath.Join(dir, "shards", record.FileName(0, 0))
	info := openFamily(t, "tictactoe").Info()
	s, err := record.Open(path, info)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.Rows()
	if err != nil {
		t.Fatal(err)
	}
	for _, game := range record.Games(rows) {
		if game[0].GameNumber == 3 {
			game[2].Visits[0] += 2
		}
	}
	if _, _, err := record.Write(filepath.Dir(path), info, s.Meta.Head, rows); err != nil {
		t.Fatal(err)
	}
	out, _, err := call(t, "", "data", "reproduce", dir, "--all")
	if err == nil || !strings.Contains(err.Error(), "1 of 16 games differ") || !strings.Contains(out, "game 3: ply 2: visits is [") ||
		!strings.Contains(out, " rows: 1 game not the same\n") {
		t.Errorf("with one number altered: %v, %s", err, out)
	}
	mustCall(t, "data", "reproduce", dir, "--game", "4")
	if err := os.Remove(rundir.WeightsPath(dir, 1)); err != nil {
		t.Fatal(err)
	}
	if out := mustCall(t, "data", "reproduce", dir, "--game", "4"); !strings.HasSuffix(out, "again\n") {
		t.Errorf("of generation 0, with the network of generation 1 gone: %s", out)
	}
	out, _, err = call(t, "", "data", "reproduce", dir, "--game", "9")
	if err == nil || !strings.Contains(err.Error(), "nothing was compared") || !strings.Contains(out, "1 game left out, whose networks were not kept") {
		t.Errorf("with its network gone: %v, %s", err, out)
	}
	out, _, err = call(t, "", "data", "reproduce", dir, "--all", "--json")
	got := decode[data.Reproduction](t, out)
	if err == nil || got.Games != 8 || got.Gone != 8 || len(got.Differ) != 1 || got.Differ[0].Game != 3 {
		t.Errorf("--json: %v, %+v", err, got)
	}
}

func TestDataReproduceRefuses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	mustFail(t, 2, []string{"data", "reproduce", dir}, "open "+dir)
	mustCall(t, tiny(dir, "--no-rating", "--set", "generations=1")...)
	mustFail(t, 1, []string{"data", "reproduce", dir, "--game", "8"}, "run "+dir, "games [8] are not recorded")
	mustFail(t, 2, []string{"data", "reproduce", dir, "--game", "-2"}, "--game -2")
	mustFail(t, 2, []string{"data", "reproduce", dir, "--games", "0"}, "--games 0")
}
