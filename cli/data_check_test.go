package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/selfplay/record/recordtest"
)

func TestDataCheckFindsNoFault(t *testing.T) {
	run := recordedRun(t, 3)
	rows := strings.Count(mustCall(t, "data", "cat", run), "\n")
	want := fmt.Sprintf("3 shards, 12 games, %d rows: no fault\n", rows)
	if got := mustCall(t, "data", "check", run); got != want {
		t.Errorf("check says %q, want %q", got, want)
	}
	type result struct {
		Shards, Games, Rows int
		Faults              []census.Fault
	}
	got := decode[result](t, mustCall(t, "data", "check", run, "--json"))
	if got.Faults == nil || len(got.Faults) != 0 || got.Shards != 3 || got.Games != 12 || got.Rows != rows {
		t.Errorf("check says %+v", got)
	}
	one := filepath.Join(t.TempDir(), "any name") // the names of single files are free
	data, err := os.ReadFile(filepath.Join(run, "shards", record.FileName(2, 2)))
	if err == nil {
		err = os.WriteFile(one, data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := mustCall(t, "data", "check", one); !strings.HasPrefix(got, "1 shard, 4 games, ") {
		t.Errorf("check of one file says %q", got)
	}
}

// TestDataCheckKnowsARunByAnyName: the shards of a run that is named twice are read once
// and count for both names.
func TestDataCheckKnowsARunByAnyName(t *testing.T) {
	run, link := tinyRun(t, filepath.Join(t.TempDir(), "run"), "--no-rating"), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(run, link); err != nil {
		t.Fatal(err)
	}
	want := mustCall(t, "data", "check", run)
	for _, both := range [][]string{{run, link}, {link, run}} {
		if got := mustCall(t, append([]string{"data", "check"}, both...)...); got != want {
			t.Errorf("check of a run and a link to it says %q, want %q", got, want)
		}
	}
}

// TestDataCheckFindsFaults breaks runs in many ways. Every fault is wanted, in
// order, and nothing else; the shards beside the bad one are still counted.
func TestDataCheckFindsFaults(t *testing.T) {
	pie := openRules(t, "konreh", "blitz,balance=pie")
	name := func(n int) string { return record.FileName(int32(n), int64(n)) }
	edit := func(t *testing.T, path string, change func([]byte) []byte) {
		t.Helper()
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, change(data), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	rename := func(t *testing.T, dir, from, to string) {
		t.Helper()
		if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
			t.Fatal(err)
		}
	}
	// rewrite writes shard 1 again with altered rows.
	rewrite := func(t *testing.T, dir string, alter func([]record.Row)) {
		rows := recordtest.RandomGames(pie, 4, 4)
		alter(rows)
		writeShard(t, dir, 1, rows)
	}
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, dir string)
		games int
		want  []string // file, then the beginning of the text
	}{
		{"a changed byte", func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, name(1)), func(b []byte) []byte { b[len(b)/2] ^= 1; return b })
		}, 8, []string{name(1) + ": damaged shard: checksum "}},
		{"a cut file", func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, name(0)), func(b []byte) []byte { return b[:len(b)/2] })
		}, 8, []string{name(0) + ": damaged shard: no checksum"}},
		{"an empty file", func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, name(2)), func([]byte) []byte { return nil })
		}, 8, []string{name(2) + ": damaged shard: no checksum"}},
		{"a file of another kind", func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, name(2)), func([]byte) []byte { return []byte("PAR1") })
			rename(t, dir, name(2), "zebra.parquet")
		}, 8, []string{"zebra.parquet: damaged shard: no checksum", "zebra.parquet: not the name of a shard, such as gen000000-000000000.parquet"}},
		{"a missing shard", func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, name(1))); err != nil {
				t.Fatal(err)
			}
		}, 8, []string{name(2) + ": number 1 is missing before it"}},
		{"a renamed shard", func(t *testing.T, dir string) { rename(t, dir, name(2), name(9)) },
			12, []string{name(9) + ": it was written as " + name(2), name(9) + ": numbers 2 to 8 are missing before it"}},
		{"a number again", func(t *testing.T, dir string) { rename(t, dir, name(2), record.FileName(2, 1)) },
			12, []string{record.FileName(2, 1) + ": it was written as " + name(2), record.FileName(2, 1) + ": number 1 follows number 1 of an earlier generation"}},
		{"games twice", func(t *testing.T, dir string) {
			writeShard(t, dir, 3, append(recordtest.RandomGames(pie, 6, 2), recordtest.RandomGames(pie, 12, 2)...))
		},
			16, []string{name(3) + ": games 6 to 7 stand in "}},
		{"another run", func(t *testing.T, dir string) {
			rewrite(t, dir, func(rows []record.Row) {
				for i := range rows {
					rows[i].Run = "other"
				}
			})
		}, 12, []string{name(1) + `: of run "other" with configuration c0ffee among shards of "test" with c0ffee`}},
		{"a row of another side", func(t *testing.T, dir string) {
			rewrite(t, dir, func(rows []record.Row) { rows[3].Side ^= 1 })
		}, 12, []string{name(1) + ": game 4: ply 3: side "}},
		{"faults in two games", func(t *testing.T, dir string) {
			rewrite(t, dir, func(rows []record.Row) {
				rows[3].Side ^= 1
				last := &rows[len(rows)-1]
				last.Turn, last.TurnsLeft = last.Turn+1, last.TurnsLeft-1
				last.Legal = []engine.Action{last.Action}
				last.PolicyKind, last.Policy, last.Visits, last.Surprise = record.PolicyNone, nil, nil, 0
			})
		}, 12, []string{name(1) + ": game 4: ply 3: side ", name(1) + ": game 7: ply ?: turn ", name(1) + ": game 7: ply ?: legal actions "}},
		{"rules that are none", func(t *testing.T, dir string) {
			rewrite(t, dir, func(rows []record.Row) { setRules(rows, 5, "blitz,balance=maybe") })
		}, 12, []string{name(1) + ": game 5: ply 0: rules of konreh: "}},
		{"rules in other words", func(t *testing.T, dir string) {
			rewrite(t, dir, func(rows []record.Row) { setRules(rows, 5, "blitz,balance=pie,buyback=false") })
		}, 12, []string{name(1) + `: game 5: ply 0: rules "blitz,balance=pie,buyback=false": the canonical word is "blitz,balance=pie"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := recordedRun(t, 3)
			dir := filepath.Join(run, "shards")
			c.spoil(t, dir)
			out, _, err := call(t, "", "data", "check", run)
			if shell.ExitCode(err) != 1 || err.Error() != wording.Count(len(c.want), "fault")+" in the data" {
				t.Errorf("exit code %d, %v", shell.ExitCode(err), err)
			}
			lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
			if len(lines) != len(c.want)+1 {
				t.Fatalf("%d lines, want %d faults and a sum:\n%s", len(lines), len(c.want), out)
			}
			for i, want := range c.want {
				line := lines[i]
				if before, after, ok := strings.Cut(want, "?"); ok { // any number
					got, rest, _ := strings.Cut(strings.TrimPrefix(line, "shard "+filepath.Join(dir, before)), ":")
					line, want = got+rest, got+after[1:]
				} else {
					want = "shard " + filepath.Join(dir, want)
				}
				if !strings.HasPrefix(line, want) {
					t.Errorf("fault %d is %q, want %q", i, lines[i], want)
				}
			}
			if sum := lines[len(c.want)]; !strings.Contains(sum, fmt.Sprintf(", %d games, ", c.games)) || !strings.HasSuffix(sum, ": "+wording.Count(len(c.want), "fault")) {
				t.Errorf("sum %q, want %d games", sum, c.games)
			}
		})
	}
}

func setRules(rows []record.Row, game int64, rules string) {
	for i := range rows {
		if rows[i].GameNumber == game {
			rows[i].Rules = rules
		}
	}
}

// TestDataCheckJSON gives faults as data and still fails.
func TestDataCheckJSON(t *testing.T) {
	run := recordedRun(t, 2)
	dir := filepath.Join(run, "shards")
	rows := recordtest.RandomGames(openRules(t, "konreh", "blitz,balance=pie"), 4, 4)
	rows[3].Side ^= 1
	path := writeShard(t, dir, 1, rows)
	bad := filepath.Join(dir, record.FileName(1, 2))
	if err := os.WriteFile(bad, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	out, _, err := call(t, "", "data", "check", run, "--json")
	if shell.ExitCode(err) != 1 {
		t.Errorf("exit code %d, %v, want 1", shell.ExitCode(err), err)
	}
	type result struct {
		Shards, Games, Rows int
		Faults              []census.Fault
	}
	got := decode[result](t, out)
	if len(got.Faults) != 2 {
		t.Fatalf("faults %+v, want 2", got.Faults)
	}
	a, b := got.Faults[0], got.Faults[1]
	if a.Shard != path || *a.Game != 4 || *a.Ply != 3 || !strings.HasPrefix(a.Text, "side ") {
		t.Errorf("fault %+v", a)
	}
	if b.Shard != bad || b.Game != nil || b.Ply != nil || !strings.HasPrefix(b.Text, "damaged shard") {
		t.Errorf("fault %+v", b)
	}
}

// TestDataCheckMissesShardsOfARun: without its first or its last shard a run's
// numbers have no gap, but its checkpoints count the games.
func TestDataCheckMissesShardsOfARun(t *testing.T) {
	run := filepath.Join(t.TempDir(), "run")
	mustCall(t, tiny(run, "--no-rating", "--set", "generations=2")...)
	if out := mustCall(t, "data", "check", run); !strings.HasSuffix(out, ": no fault\n") {
		t.Fatalf("check of a sound run says %q", out)
	}
	shards := filepath.Join(run, "shards")
	entries, err := os.ReadDir(shards)
	if err != nil || len(entries) < 2 {
		t.Fatalf("shards %v: %v", entries, err)
	}
	for name, want := range map[string]string{
		entries[0].Name():              "run " + run + ": games 0 to 7: checkpoint 1 has learned from ",
		entries[len(entries)-1].Name(): "run " + run + ": games 8 to 15: checkpoint 2 has learned from ",
	} {
		path := filepath.Join(shards, name)
		if err := os.Rename(path, filepath.Join(run, "away")); err != nil {
			t.Fatal(err)
		}
		for _, arg := range []string{run, shards} {
			out, _, err := call(t, "", "data", "check", arg)
			if shell.ExitCode(err) != 1 || !strings.HasPrefix(out, want) || strings.Count(out, "\n") != 2 {
				t.Errorf("check of %s without %s says %q, want %q", arg, name, out, want)
			}
		}
		if err := os.Rename(filepath.Join(run, "away"), path); err != nil {
			t.Fatal(err)
		}
	}
}
