package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/report/trained"
	"github.com/ludozero/ludozero/train/rundir"
)

// tinyRun trains one generation into a folder of that name, and rates it.
func tinyRun(t testing.TB, dir string, more ...string) string {
	t.Helper()
	mustCall(t, tiny(dir, append([]string{"--set", "generations=1"}, more...)...)...)
	return dir
}

func copyOf(t testing.TB, from, to string) string {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

func makeDir(t testing.TB, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o777); err != nil {
		t.Fatal(err)
	}
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// edit replaces text that must be in a file.
func edit(t testing.TB, path, old, new string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(b), old) {
		t.Fatalf("%s has no %q:\n%s", path, old, b)
	}
	writeFile(t, path, strings.Replace(string(b), old, new, 1))
}

func listRuns(t testing.TB, dir string) []trained.Run {
	t.Helper()
	return decode[[]trained.Run](t, mustCall(t, "runs", dir, "--json"))
}

// TestRunsFindsEveryRun, in order, and says which folders are none.
func TestRunsFindsEveryRun(t *testing.T) {
	root := t.TempDir()
	one := tinyRun(t, filepath.Join(root, "one"))
	copyOf(t, one, filepath.Join(root, "day", "late", "deep"))
	copyOf(t, one, filepath.Join(root, "day", "late", "deeper", "far"))
	copyOf(t, one, filepath.Join(root, ".hidden"))
	makeDir(t, filepath.Join(root, "notes", "old"))
	writeFile(t, filepath.Join(root, "README"), "no folder")
	if err := os.Symlink(one, filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(root, filepath.Join(root, "round")); err != nil {
		t.Fatal(err)
	}
	before := tree(t, root)
	list := listRuns(t, root)
	var got []string
	for _, r := range list {
		got = append(got, r.Name+" "+r.State)
	}
	// What is four folders down is too far.
	if want := "day/late/deep finished, link finished, notes foreign, one finished, round foreign"; strings.Join(got, ", ") != want {
		t.Errorf("runs %s, want %s", strings.Join(got, ", "), want)
	}
	text := mustCall(t, "runs", root)
	if lines := strings.Split(text, "\n"); len(lines) != 7 || !strings.HasPrefix(lines[0], "run ") ||
		!strings.HasPrefix(lines[1], "day/late/deep  finished  tictactoe  standard  1/1 ") || !strings.HasSuffix(lines[3], "it is no run and holds none") {
		t.Errorf("runs prints\n%s", text)
	}
	if after := tree(t, root); after != before {
		t.Errorf("listing changed the folder:\n%s\nbefore:\n%s", after, before)
	}
	// A run may be named itself, and by any name.
	if alone := listRuns(t, one); len(alone) != 1 || alone[0].Name != "one" {
		t.Errorf("runs %s: %+v", one, alone)
	}
	t.Chdir(one)
	if alone := listRuns(t, "."); len(alone) != 1 || alone[0].Name != "one" {
		t.Errorf("runs .: %+v", alone)
	}
}

// TestRunOfAnUnknownGame is not called damaged: another program reads it.
func TestRunOfAnUnknownGame(t *testing.T) {
	dir := tinyRun(t, filepath.Join(t.TempDir(), "run"))
	var others engine.Families
	for _, f := range builtinEnv().Families {
		if f.Name != "tictactoe" {
			others = append(others, f)
		}
	}
	list, err := trained.Find(others, dir)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	r := list[0]
	if r.State != trained.StateUnknown || r.Game != "tictactoe" || r.Generation != 1 || !strings.HasPrefix(r.Problem, "its game tictactoe is not in this program, which has konreh, connect4, ") {
		t.Errorf("%s %s generation %d: %s", r.State, r.Game, r.Generation, r.Problem)
	}
	mustFail(t, 1, []string{"fit-terms", "--game", "connect4", dir}, "its games are of tictactoe: want connect4")
	writeFile(t, filepath.Join(dir, "metrics.parquet"), "cut")
	writeFile(t, filepath.Join(dir, "pack.json"), "cut")
	if list, err = trained.Find(others, dir); err != nil || list[0].State != trained.StateDamaged {
		t.Errorf("with a damaged file besides: %v, %v", list[0].State, err)
	}
}

func TestRunsInDefaultFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	mustFail(t, 2, []string{"runs"}, "no runs here: there is no folder runs")
	makeDir(t, "runs")
	if out := mustCall(t, "runs"); out != "no run in runs\n" {
		t.Errorf("an empty folder: %q", out)
	}
	if out := mustCall(t, "runs", "--json"); out != "[]\n" {
		t.Errorf("an empty folder: %q", out)
	}
	writeFile(t, "file", "")
	mustFail(t, 2, []string{"runs", "file"}, "file: want a folder")
	mustFail(t, 2, []string{"runs", "a", "b"}, "accepts at most 1 arg(s)")
}

// TestRunsSaysHowFarARunIs holds the line of a run to its own files.
func TestRunsSaysHowFarARunIs(t *testing.T) {
	dir := tinyRun(t, filepath.Join(t.TempDir(), "run"))
	got := listRuns(t, dir)[0]
	s, err := rundir.ReadState(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got.Generation != 1 || got.Step != s.Step || got.Games != 8 || got.Positions != s.Rows || s.Rows == 0 || got.Elapsed < s.Elapsed {
		t.Errorf("run %+v, state %+v", got, s)
	}
	events, err := rundir.ReadEvents(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if l := e.Training; l != nil && *got.Losses != (trained.LossMeans{Policy: l.PolicyLoss, Value: l.ValueLoss, Turns: l.TurnsLoss}) {
			t.Errorf("losses %+v, want %+v", got.Losses, l)
		}
	}
	kept, err := ratings.Read(builtinEnv().Families, dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Ratings) != 2 || got.Ratings[0].Generation != 1 || got.Ratings[1].Generation != 0 {
		t.Fatalf("ratings %+v", got.Ratings)
	}
	for i, r := range got.Ratings {
		if k := kept[i].Result; !r.Final || r.Opponent != "random" || r.Simulations != 16 || r.Pairs != 2-i || r.Tally != k.Tally || r.Score != k.Score || r.Rules != "standard" {
			t.Errorf("rating %+v, want %+v", r, k)
		}
	}
	want := "4 games each at 16 simulations: random " + got.Ratings[0].String() + "; report in "
	if text := mustCall(t, "runs", dir); !strings.HasSuffix(text, "  "+want+filepath.Join(dir, trained.ReportHTML)+"\n") {
		t.Errorf("runs prints\n%swant %q", text, want)
	}
	// The network that was measured need not be the last, nor in this place.
	mustCall(t, "train", "--run", dir, "--set", "generations=2", "--no-rating")
	moved := filepath.Join(t.TempDir(), "run")
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	if text := mustCall(t, "runs", moved); !strings.HasSuffix(text, "  generation 1, "+want+filepath.Join(moved, trained.ReportHTML)+"\n") {
		t.Errorf("runs prints\n%swant generation 1, %q", text, want)
	}
}

// TestStatesOfARun goes through what can become of a good run.
func TestStatesOfARun(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "run")
	want := func(state string) trained.Run {
		t.Helper()
		list := listRuns(t, root)
		if len(list) != 1 || list[0].State != state || list[0].Problem != "" {
			t.Fatalf("runs %+v, want it %s", list, state)
		}
		return list[0]
	}
	hold := func() *flock.Flock {
		t.Helper()
		lock := flock.New(filepath.Join(dir, "lock"))
		if ok, err := lock.TryLock(); !ok || err != nil {
			t.Fatalf("lock: %v, %v", ok, err)
		}
		return lock
	}
	// A process makes folders and takes the lock before anything else.
	makeDir(t, filepath.Join(dir, "shards"))
	makeDir(t, filepath.Join(dir, "checkpoints"))
	want(trained.StateStopped)
	lock := hold()
	if r := want(trained.StateRunning); r.Game != "" || r.Losses != nil {
		t.Errorf("a run that begins: %+v", r)
	}
	if out := mustCall(t, "runs", root); !strings.Contains(out, "\nrun  running  -     -      0 ") {
		t.Errorf("a run that begins:\n%s", out)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}

	tinyRun(t, dir, "--no-rating")
	if r := want(trained.StateFinished); len(r.Ratings) != 0 {
		t.Errorf("ratings %+v of matches that were not played", r.Ratings)
	}
	if out := mustCall(t, "runs", root); !strings.Contains(out, "  -  ") || !strings.HasSuffix(out, "  -; report in "+filepath.Join(dir, trained.ReportHTML)+"\n") {
		t.Errorf("a run that was not measured:\n%s", out)
	}
	lock = hold()
	before := tree(t, root)
	want(trained.StateRunning)
	if after := tree(t, root); after != before {
		t.Errorf("listing changed a run at work:\n%s\nbefore:\n%s", after, before)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}

	events := filepath.Join(dir, "events.jsonl")
	edit(t, events, `"stop":{"reason":"generations"}`, `"stop":{"reason":"budget"}`)
	want(trained.StateFinished)
	edit(t, events, `"stop":{"reason":"budget"}`, `"stop":{"reason":"core_budget"}`)
	want(trained.StateFinished)
	edit(t, events, `"stop":{"reason":"core_budget"}`, `"stop":{"reason":"interrupted"}`)
	want(trained.StateStopped)
	edit(t, events, `"stop":{"reason":"interrupted"}`, `"stop":{"reason":"generations"}`)
	// It went on after its end, has learned for an hour, and was killed while it
	// wrote an event.
	appendTo(t, events, `{"time":"2026-01-02T03:04:05Z","elapsed_ns":3600000000000,"start":{"format":1,"game":"tictactoe"}}`+"\n"+`{"time":"2026-`)
	if r := want(trained.StateStopped); r.Elapsed != time.Hour {
		t.Errorf("learned for %v, want an hour", r.Elapsed)
	}
}

func appendTo(t testing.TB, path, text string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, string(b)+text)
}

// TestDamagedRuns wants each told from the others with its reason, on one line,
// and compare to refuse it.
func TestDamagedRuns(t *testing.T) {
	root := t.TempDir()
	good := tinyRun(t, filepath.Join(root, "good"))
	checkpoint := filepath.Join("checkpoints", "000001")
	remove := func(path string) {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		harm func(dir string)
		want string
	}{
		"config gone":  {func(dir string) { remove(filepath.Join(dir, "config.yaml")) }, "config.yaml is missing, but there is a checkpoint"},
		"config wrong": {func(dir string) { appendTo(t, filepath.Join(dir, "config.yaml"), "speed: 1\ncolour: red\n") }, `unknown key "colour"`},
		"config other": {func(dir string) { edit(t, filepath.Join(dir, "config.yaml"), "channels: 8", "channels: 16") }, "the configuration asks for"},
		"seed other":   {func(dir string) { edit(t, filepath.Join(dir, "config.yaml"), "seed: 1", "seed: 2") }, "a key has another value"},
		"game other":   {func(dir string) { edit(t, filepath.Join(dir, "config.yaml"), "game: tictactoe", "game: connect4") }, "the configuration and this program play connect4"},
		"state gone":   {func(dir string) { remove(filepath.Join(dir, checkpoint, "state.json")) }, "checkpoint 1: open"},
		"state wrong": {func(dir string) {
			edit(t, filepath.Join(dir, checkpoint, "state.json"), `"version": 2`, `"version": 7`)
		}, "version 7"},
		"state other":   {func(dir string) { edit(t, filepath.Join(dir, checkpoint, "state.json"), `"step": `, `"step": 9`) }, "do not belong together"},
		"weights gone":  {func(dir string) { remove(filepath.Join(dir, checkpoint, rundir.WeightsFile)) }, "checkpoint 1: weights: open"},
		"weights cut":   {func(dir string) { writeFile(t, filepath.Join(dir, checkpoint, rundir.WeightsFile), "cut") }, "not a whole and unaltered tensor file"},
		"networks gone": {func(dir string) { remove(filepath.Join(dir, "checkpoints")) }, "there are games and no checkpoint"},
		"rating wrong":  {func(dir string) { writeFile(t, filepath.Join(dir, ratings.File), "{\n") }, ratings.File + ": line 1: unexpected end"},
		"rating strange": {func(dir string) {
			writeFile(t, filepath.Join(dir, ratings.OldFile), `{"version":1,"matches":[{"a":"random"}]}`)
		}, `match 1: "random" is no network of a run`},
		"rating empty": {func(dir string) { writeFile(t, filepath.Join(dir, ratings.OldFile), `{"version":1,"matches":[null]}`) }, "match 1: there is none"},
		"rating newer": {func(dir string) { writeFile(t, filepath.Join(dir, ratings.OldFile), `{"version":2,"matches":{}}`) }, "version 2: this program reads version 1"},
		"rating older": {func(dir string) { writeFile(t, filepath.Join(dir, ratings.OldFile), "[]") }, ratings.OldFile + ": json: cannot unmarshal array"},
		"events newer": {func(dir string) { edit(t, filepath.Join(dir, "events.jsonl"), `"format":1`, `"format":2`) }, "line 1: format 2: this program reads format 1"},
		"metrics cut":  {func(dir string) { writeFile(t, filepath.Join(dir, "metrics.parquet"), "cut") }, "metrics.parquet: damaged"},
		"events lost": {func(dir string) {
			remove(filepath.Join(dir, "events.jsonl"))
			makeDir(t, filepath.Join(dir, "events.jsonl"))
		}, "not a regular file but a folder"},
	} {
		dir := copyOf(t, good, filepath.Join(root, name))
		c.harm(dir)
		for _, r := range listRuns(t, root) {
			want, problem := trained.StateFinished, ""
			if r.Name == name {
				want, problem = trained.StateDamaged, c.want
			}
			if r.State != want || !strings.Contains(r.Problem, problem) || strings.ContainsAny(r.Problem, "\n\t") {
				t.Errorf("%s: run %s is %s: %q, want %s: %q", name, r.Name, r.State, r.Problem, want, problem)
			}
		}
		if out := mustCall(t, "runs", root); strings.Count(out, "\n") != 3 || !strings.Contains(out, c.want) {
			t.Errorf("%s:\n%s", name, out)
		}
		mustFail(t, 1, []string{"runs", "compare", good, dir}, "run "+dir+": ", c.want)
		remove(dir)
	}
}

// TestRunsAfterAClockThatWasWrong: times in the future are no damage.
func TestRunsAfterAClockThatWasWrong(t *testing.T) {
	root := t.TempDir()
	dir := tinyRun(t, filepath.Join(root, "run"))
	want := listRuns(t, root)[0]
	b, err := os.ReadFile(filepath.Join(dir, "events.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "events.jsonl"), regexp.MustCompile(`"time":"\d{4}`).ReplaceAllString(string(b), `"time":"2999`))
	future := time.Now().AddDate(100, 0, 0)
	err = filepath.Walk(dir, func(path string, _ os.FileInfo, err error) error {
		if err == nil {
			err = os.Chtimes(path, future, future)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	got := listRuns(t, root)[0]
	if !reflect.DeepEqual(got, want) || got.State != trained.StateFinished {
		t.Errorf("with times in the future the run is %+v, want %+v", got, want)
	}
	mustCall(t, "train", "--run", dir, "--set", "generations=2", "--no-rating")
	if r := listRuns(t, root)[0]; r.Generation != 2 || r.State != trained.StateFinished || r.Elapsed < want.Elapsed || r.Elapsed > want.Elapsed+time.Minute {
		t.Errorf("it went on to %+v", r)
	}
}

// TestDamageInARunAtWork is said, though the run is running.
func TestDamageInARunAtWork(t *testing.T) {
	dir := tinyRun(t, filepath.Join(t.TempDir(), "run"))
	writeFile(t, filepath.Join(dir, ratings.OldFile), "{")
	lock := flock.New(filepath.Join(dir, "lock"))
	if ok, err := lock.TryLock(); !ok || err != nil {
		t.Fatalf("lock: %v, %v", ok, err)
	}
	defer lock.Unlock()
	if r := listRuns(t, dir)[0]; r.State != trained.StateRunning || !strings.Contains(r.Problem, ratings.OldFile) {
		t.Errorf("%+v", r)
	}
}

// TestNamesDoNotSpoilTheTable and no name is lost in JSON.
func TestNamesDoNotSpoilTheTable(t *testing.T) {
	root := t.TempDir()
	const name = "two\nlines\t\x1b[31m"
	makeDir(t, filepath.Join(root, name))
	if out := mustCall(t, "runs", root); strings.Count(out, "\n") != 2 || strings.ContainsAny(out, "\t\x1b") || !strings.Contains(out, `"two\nlines\t\x1b[31m"`) {
		t.Errorf("%q", out)
	}
	var list []map[string]any
	if err := json.Unmarshal([]byte(mustCall(t, "runs", root, "--json")), &list); err != nil || len(list) != 1 || list[0]["name"] != name {
		t.Errorf("%v, %v", list, err)
	}
}

// TestNoRunsYet: who has trained nothing yet is told so.
func TestNoRunsYet(t *testing.T) {
	t.Chdir(t.TempDir())
	mustFail(t, 2, []string{"runs"}, "no runs here", "name the folder of your runs")
	mustFail(t, 2, []string{"runs", "nowhere"}, "nowhere")
}
