package cli

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/selfplay/record"
)

func readText(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestExport holds both formats to what cat prints.
func TestExport(t *testing.T) {
	run, dir := recordedRun(t, 2), t.TempDir()
	lines := filepath.Join(dir, "rows.txt")
	want := mustCall(t, "data", "cat", run)
	out := mustCall(t, "data", "export", run, "--format", "jsonl", "--out", lines)
	if got := readText(t, lines); got != want {
		t.Errorf("the rows as JSON are\n%.300s, want\n%.300s", got, want)
	}
	rows := decodeLines[map[string]json.RawMessage](t, want)
	if wanted := wording.Count(len(rows), "row") + " in " + lines + "\n"; out != wanted {
		t.Errorf("export says %q, want %q", out, wanted)
	}

	table := filepath.Join(dir, "rows.csv")
	mustCall(t, "data", "export", run, "--out", table)
	got, err := csv.NewReader(strings.NewReader(readText(t, table))).ReadAll()
	if err != nil || len(got) != len(rows)+1 {
		t.Fatalf("%d lines of CSV, %v, want %d", len(got), err, len(rows)+1)
	}
	for c, name := range got[0] {
		if name != census.Columns()[c].Name {
			t.Errorf("column %d is named %q, want %q", c, name, census.Columns()[c].Name)
		}
		for i, row := range rows {
			value := string(row[name])
			if census.Columns()[c].Quoted {
				value = decode[string](t, value)
			}
			if got[i+1][c] != value {
				t.Fatalf("row %d: %s is %q, want %q", i, name, got[i+1][c], value)
			}
		}
	}
}

func TestExportReplacesNothingUnasked(t *testing.T) {
	run, dir := recordedRun(t, 1), t.TempDir()
	shard := filepath.Join(run, "shards", record.FileName(0, 0))
	whole := readText(t, shard)
	out := filepath.Join(dir, "rows.csv")
	if err := os.WriteFile(out, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	mustFail(t, 2, []string{"data", "export", run, "--out", out}, "it exists; --force replaces it")
	mustFail(t, 2, []string{"data", "export", run, "--out", dir, "--format", "csv", "--force"}, dir+": no file")
	mustFail(t, 2, []string{"data", "export", run, "--out", shard, "--format", "csv", "--force"}, "it is one of the shards")
	if got := readText(t, out); got != "mine" {
		t.Errorf("a refused export wrote %.100q", got)
	}
	if readText(t, shard) != whole {
		t.Error("a refused export changed a shard")
	}
	mustCall(t, "data", "export", run, "--out", out, "--force")
	if got := readText(t, out); !strings.HasPrefix(got, "run,game,rules,") {
		t.Errorf("--force wrote %.100q", got)
	}
}

func TestExportOfABadShardLeavesNothing(t *testing.T) {
	run, dir := recordedRun(t, 2), t.TempDir()
	bad := filepath.Join(run, "shards", record.FileName(1, 1))
	if err := os.WriteFile(bad, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	mustFail(t, 1, []string{"data", "export", run, "--out", filepath.Join(dir, "rows.csv")}, "shard "+bad+": damaged shard")
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("a failed export left %v, %v", left, err)
	}
	mustFail(t, 1, []string{"data", "export", filepath.Join(run, "shards", record.FileName(0, 0)), "--out", filepath.Join(dir, "no", "rows.csv")},
		filepath.Join(dir, "no", "rows.csv"))
}

func TestExportFormats(t *testing.T) {
	run := recordedRun(t, 1)
	for _, c := range []struct{ args, want string }{
		{"", "--out is required"},
		{"--out rows", "say --format csv or --format jsonl"},
		{"--out rows.parquet", "say --format csv or --format jsonl"},
		{"--out rows.csv --format xml", `--format "xml": want csv or jsonl`},
	} {
		mustFail(t, 2, append([]string{"data", "export", run}, strings.Fields(c.args)...), c.want)
	}
}
