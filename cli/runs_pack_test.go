package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	packs "github.com/ludozero/ludozero/cli/pack"
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/report/trained"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestStretches goes the way of a user: trains, packs, goes on from the pack where
// the run is not, and packs that in its place.
func TestStretches(t *testing.T) {
	root := t.TempDir()
	first, pack := filepath.Join(root, "runs", "first"), filepath.Join(root, "results", "ttt")
	tinyRun(t, first)
	out := mustCall(t, "runs", "pack", first, "--out", pack)
	for _, want := range []string{pack + " holds first@1 of tictactoe, step ", " MB (", "ludozero train --from " + pack + " --fresh-window --run runs/NAME"} {
		if !strings.Contains(out, want) {
			t.Errorf("runs pack says\n%s\nwant %q", out, want)
		}
	}
	there := t.TempDir()
	clone, second := copyOf(t, pack, filepath.Join(there, "results", "ttt")), filepath.Join(there, "runs", "second")
	mustFail(t, 1, []string{"train", "--from", clone, "--run", second}, "it is a pack, which has no games: want --fresh-window")
	mustFail(t, 1, []string{"train", "--run", clone, "--set", "generations=2"}, "is a pack, which stays as it is")
	mustFail(t, 2, []string{"report", clone}, "is a pack, which stays as it is: want --out, --text or --json")
	mustCall(t, "report", clone, "--text")
	before := tree(t, clone)
	mustCall(t, "train", "--from", clone, "--fresh-window", "--run", second, "--set", "generations=2")
	seen := listRuns(t, first)[0].Positions
	for dir, want := range map[string]int{second: seen, filepath.Join(there, "runs", "small"): 50} {
		if dir != second {
			mustCall(t, "train", "--from", clone, "--fresh-window", "--run", dir, "--set", "generations=1", "--set", "window.min_positions=50", "--no-rating")
		}
		if cfg := string(mustRead(t, filepath.Join(dir, "config.yaml"))); seen <= 50 || !strings.Contains(cfg, fmt.Sprintf("full_passes_at: %d\n", want)) {
			t.Errorf("after %d positions the fork does not go easy on its fresh window up to %d:\n%s", seen, want, cfg)
		}
	}
	all := filepath.Join(there, "runs", "all")
	mustCall(t, "train", "--from", clone, "--fresh-window", "--run", all, "--set", "generations=1", "--set", "full_passes_at=0", "--no-rating")
	if cfg := string(mustRead(t, filepath.Join(all, "config.yaml"))); !strings.Contains(cfg, "full_passes_at: 0\n") {
		t.Errorf("all passes were asked for:\n%s", cfg)
	}
	if after := tree(t, clone); after != before {
		t.Errorf("the pack was changed:\n%s\nbefore:\n%s", after, before)
	}
	result := decode[packs.Result](t, mustCall(t, "runs", "pack", second, "--out", clone, "--json"))
	if result.Pack.String() != "second@2" || result.Replaced == nil || result.Replaced.String() != "first@1" {
		t.Errorf("runs pack --json gives %+v", result)
	}
	list := listRuns(t, filepath.Join(there, "results"))
	if len(list) != 1 || list[0].State != trained.StatePacked || list[0].Problem != "" || list[0].Packed != "second@2" || list[0].Origin != "first@1" ||
		list[0].Generation != 2 || list[0].Losses == nil || len(list[0].Ratings) == 0 || list[0].Elo == nil {
		t.Errorf("runs lists %+v", list)
	}
	own, sum := listRuns(t, second)[0], list[0].Spent
	if was := listRuns(t, first)[0].Spent; sum == nil || sum.Runs != 2 || was.Runs != 1 || sum.Games != was.Games+16 || *sum.CoreSeconds < *was.CoreSeconds+own.CoreTime.Seconds()-1e-6 ||
		own.Spent.Games != sum.Games || *own.Spent.CoreSeconds != *sum.CoreSeconds {
		t.Errorf("the pack has spent %+v, its run %+v, the first run %+v", sum, own.Spent, was)
	}
	if out := mustCall(t, "runs", second); !strings.Contains(out, "  "+model.CoreHours(own.CoreTime.Seconds())+" of "+sum.CoreHours()+"  ") {
		t.Errorf("runs prints\n%s", out)
	}
	report := strings.Join(strings.Fields(mustCall(t, "report", second, "--text")), " ")
	if !strings.Contains(report, "with the runs before it "+sum.CoreHours()+", in ") || !strings.Contains(report, " of learning, on 24 games") {
		t.Errorf("the report says %s", report)
	}
	if out := mustCall(t, "runs", filepath.Join(there, "results")); !strings.Contains(out, "ttt of second@2 from first@1  packed  tictactoe") {
		t.Errorf("runs prints\n%s", out)
	}
	if a, b := listRuns(t, second)[0], list[0]; !slices.Equal(a.Ratings, b.Ratings) || *a.Losses != *b.Losses || *a.Elo.Value != *b.Elo.Value {
		t.Errorf("the pack has ratings %+v and losses %+v, its run %+v and %+v", b.Ratings, b.Losses, a.Ratings, a.Losses)
	}
	mustCall(t, "runs", "compare", first, clone)
	mustCall(t, "runs", "health", clone)
	mustCall(t, "match", "--game", "tictactoe", "net:"+clone+",sims=4", "random", "--pairs", "1")
	mustFail(t, 1, []string{"runs", "pack", first, "--out", clone}, "holds second@2, which first@1 does not come from")
	edit(t, filepath.Join(clone, "checkpoints", "000002", "state.json"), `"games": `, `"games": 1`)
	if r := listRuns(t, clone)[0]; r.State != trained.StateDamaged || !strings.Contains(r.Problem, "state.json has ") {
		t.Errorf("a pack that was altered is %s: %s", r.State, r.Problem)
	}
}

// TestAlteredPackIsRefusedByName: what was altered is said before it is read for settings,
// with and without --config.
func TestAlteredPackIsRefusedByName(t *testing.T) {
	root := t.TempDir()
	pack, dir := copyOf(t, filepath.Join("..", "results", "konreh"), filepath.Join(root, "pk")), filepath.Join(root, "r")
	config := filepath.Join(pack, "config.yaml")
	if err := os.WriteFile(config, append(mustRead(t, config), 'x'), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"train", "--from", pack, "--fresh-window", "--run", dir}
	for _, more := range [][]string{nil, {"--config", "konreh/quick"}} {
		_, _, err := call(t, "", append(args, more...)...)
		if err == nil || !strings.HasPrefix(err.Error(), "pack "+pack+": config.yaml has ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("with %v: %v", more, err)
		}
	}
}

func TestRunsPackSaysWhatIsWrong(t *testing.T) {
	root := t.TempDir()
	first, out := tinyRun(t, filepath.Join(root, "first"), "--no-rating"), filepath.Join(root, "pack")
	pack := func(args ...string) []string { return append([]string{"runs", "pack"}, args...) }
	mustFail(t, 2, pack(first), "--out is required")
	for _, limit := range []string{"-1", "NaN", "inf", "1e300"} {
		mustFail(t, 2, pack(first, "--out", out, "--limit="+limit), "--limit ", "want 0 to 1e+09")
	}
	mustFail(t, 1, pack(first, "--out", out, "--limit=1e-9"), "want at most 1")
	mustFail(t, 2, pack(first+"@7", "--out", out), "no checkpoint of generation 7; the last is 1")
	mustFail(t, 2, pack(root, "--out", out), root+": it is no run")
	mustFail(t, 1, pack(first, "--out", out, "--limit", "0.01"), "it would take ", "optimizer.bin", "want at most 10000")
	mustFail(t, 1, pack(first, "--out", root), "want folders apart")
	makeDir(t, filepath.Join(root, "notes", "old"))
	mustFail(t, 1, pack(first, "--out", filepath.Join(root, "notes")), "is there and no pack")
	if shell.IsDir(out) {
		t.Errorf("a refused pack has left %s", out)
	}
	mustCall(t, pack(first+"@0", "--out", out, "--limit", "0")...)
	if list := listRuns(t, out); list[0].State != trained.StatePacked || list[0].Generation != 0 || list[0].Losses != nil {
		t.Errorf("a pack of generation 0: %+v", list[0])
	}
	t.Chdir(out)
	mustCall(t, pack(first, "--out", ".")...)
	if list := listRuns(t, out); list[0].State != trained.StatePacked || list[0].Generation != 1 {
		t.Errorf("a pack in its own folder: %+v", list[0])
	}
}

// TestPackOfAverages goes on from averaged weights, and everybody says so.
func TestPackOfAverages(t *testing.T) {
	root := t.TempDir()
	first, pack, second := filepath.Join(root, "first"), filepath.Join(root, "pack"), filepath.Join(root, "second")
	tinyRun(t, first, "--no-rating", "--set", "train.average_decay=0.9")
	const says = "the weights are an average and those in training are left out: what goes on from it trains the average\n"
	if out := mustCall(t, "runs", "pack", first, "--out", pack); !strings.Contains(out, says) {
		t.Errorf("runs pack says\n%s\nwant %q", out, says)
	}
	if left, err := filepath.Glob(filepath.Join(pack, "checkpoints", "*", "training.*")); err != nil || len(left) > 0 {
		t.Errorf("the pack has %v, %v", left, err)
	}
	if r := listRuns(t, pack)[0]; r.State != trained.StatePacked || r.Problem != "" {
		t.Errorf("runs lists %+v", r)
	}
	out := mustCall(t, "train", "--from", pack, "--fresh-window", "--run", second, "--set", "generations=2", "--no-rating")
	if want := "fork of first@1, from the average of its weights on, without those in training, which packs leave out: "; !strings.Contains(out, want) {
		t.Errorf("train says\n%s\nwant %q", out, want)
	}
	if out := mustCall(t, "runs", "pack", second, "--out", pack); !strings.Contains(out, says) {
		t.Errorf("runs pack says\n%s\nwant %q", out, says)
	}
	mustCall(t, "match", "--game", "tictactoe", "net:"+pack+",sims=4", "random", "--pairs", "1")
}

// TestKilledPackIsWhole kills the replacing of a pack where it writes: what is
// there can be forked, and the same command packs what it was to.
func TestKilledPackIsWhole(t *testing.T) {
	root := t.TempDir()
	first := source(t, root)
	for point, want := range map[string]string{
		"mid-write@pack": "first@1", "before-rename@pack": "first@1", "after-rename@pack": "first@2",
	} {
		results := filepath.Join(root, strings.ReplaceAll(point, "@", "-"))
		out := filepath.Join(results, "pack")
		mustCall(t, "runs", "pack", first+"@1", "--out", out)
		c := command([]string{"LUDOZERO_FAULT=" + point}, "runs", "pack", first, "--out", out)
		var output bytes.Buffer
		c.Stdout, c.Stderr = &output, &output
		if !killed(t, c, c.Run(), &output) {
			t.Fatalf("%s: the process was not killed\n%s", point, &output)
		}
		if p, err := rundir.CheckPack(out); err != nil || p.String() != want {
			t.Errorf("%s: the pack is %v, %v, want %s", point, p, err, want)
		}
		mustCall(t, "runs", "pack", first, "--out", out)
		if list := listRuns(t, results); len(list) != 1 || list[0].Packed != "first@2" || list[0].Problem != "" {
			t.Errorf("%s: afterwards there is %+v", point, list)
		}
		if left, err := filepath.Glob(filepath.Join(results, "*")); err != nil || len(left) != 1 {
			t.Errorf("%s: afterwards there is %v, %v", point, left, err)
		}
	}
}

// TestPackHasTheMatchesUntilThen: those of later networks stay behind.
func TestPackHasTheMatchesUntilThen(t *testing.T) {
	root := t.TempDir()
	first, out := filepath.Join(root, "first"), filepath.Join(root, "pack")
	tinyRun(t, first)
	mustCall(t, "train", "--run", first, "--set", "generations=2")
	mustCall(t, "runs", "pack", first+"@1", "--out", out)
	matches, err := ratings.Read(builtinEnv().Families, out)
	if err != nil || len(matches) == 0 {
		t.Fatalf("matches %v, %v", matches, err)
	}
	for _, m := range matches {
		if m.Generation > 1 || m.Result.Games[0].Moves != "" {
			t.Errorf("a match of generation %d, its first game %q", m.Generation, m.Result.Games[0].Moves)
		}
	}
}
