package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/report"
	"github.com/ludozero/ludozero/report/trained"
	"github.com/ludozero/ludozero/train/rundir"
)

// reportedRun trains tic-tac-toe in a new folder and returns it.
func reportedRun(t *testing.T, set ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tiny")
	args := []string{"train", "--config", "../configs/tictactoe/tiny.yaml", "--run", dir}
	for _, s := range set {
		args = append(args, "--set", s)
	}
	mustCall(t, args...)
	return dir
}

// TestTrainLeavesAReport: both files are there, and `report` makes them again to
// the byte.
func TestTrainLeavesAReport(t *testing.T) {
	dir := reportedRun(t)
	paths := []string{filepath.Join(dir, trained.ReportHTML), filepath.Join(dir, trained.ReportText)}
	var before []string
	for _, path := range paths {
		before = append(before, read(t, path))
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	out := mustCall(t, "report", dir)
	for i, path := range paths {
		if read(t, path) != before[i] {
			t.Errorf("%s is not what train wrote", path)
		}
		if !strings.Contains(out, path) {
			t.Errorf("the command does not say where %s is: %q", path, out)
		}
	}
	if got := mustCall(t, "report", dir, "--text"); got != before[1] {
		t.Errorf("--text prints\n%s, the file holds\n%s", got, before[1])
	}
	page := filepath.Join(t.TempDir(), "page.html")
	if mustCall(t, "report", dir, "--out", page); read(t, page) != before[0] {
		t.Error("--out writes another page")
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestReportHoldsWhatTheRunDid against the files of the run.
func TestReportHoldsWhatTheRunDid(t *testing.T) {
	dir := reportedRun(t)
	r := decode[report.Report](t, mustCall(t, "report", dir, "--json"))
	rows, err := rundir.ReadMetrics(dir)
	if err != nil {
		t.Fatal(err)
	}
	last := rows[len(rows)-1]
	if d := r.Run; d.Name != "tiny" || d.Game != "tictactoe" || d.State != trained.StateFinished || d.Generation != len(rows) || d.Games != last.Games || d.Positions != last.Positions ||
		d.Steps != last.Step || d.Processes != 1 || len(d.Kernels) != 1 || d.Networks[0].Parameters != int(last.Parameters) {
		t.Errorf("the run is %+v", d)
	}
	if len(r.Course) != len(rows) || r.Course[0].NewGames != rows[0].NewGames {
		t.Errorf("%d stages for %d generations", len(r.Course), len(rows))
	}
	shards, err := filepath.Glob(filepath.Join(dir, "shards", "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Games == nil || r.Games.Shards != len(shards) || r.Games.Of != len(shards) || int64(r.Games.Games) != last.Games {
		t.Errorf("games %+v, want %d in %d shards", r.Games, last.Games, len(shards))
	}
	for i, p := range r.Games.Parts {
		if int64(p.Summary.Games) != rows[i].NewGames {
			t.Errorf("part %d has %d games, want %d", i, p.Summary.Games, rows[i].NewGames)
		}
	}
	if r.Strength == nil || len(r.Strength.Matches) == 0 || r.Samples == nil || len(r.Samples.Games) == 0 || len(r.Warnings) != 0 {
		t.Errorf("strength %+v, samples %+v, warnings %v", r.Strength, r.Samples, r.Warnings)
	}
}

// TestReportOfAForkCountsOn where its source stopped.
func TestReportOfAForkCountsOn(t *testing.T) {
	root := t.TempDir()
	first, second := source(t, root), filepath.Join(root, "second")
	mustCall(t, "train", "--from", first, "--run", second, "--set", "generations=1")
	r := decode[report.Report](t, mustCall(t, "report", second, "--json"))
	before, n := r.Run.Before, r.Strength.Networks
	if before == nil || before.CoreSeconds == nil || before.Runs != 1 || before.Positions == 0 || len(n) != 2 {
		t.Fatalf("before the run %+v, networks %+v", before, n)
	}
	if n[0].CoreSeconds != report.Number(*before.CoreSeconds) || n[0].OwnCoreSeconds != 0 || n[0].Positions != report.Number(before.Positions) {
		t.Errorf("the network of the source is %+v, want what it took: %+v", n[0], before)
	}
	if !(n[1].CoreSeconds > n[0].CoreSeconds) || n[1].CoreSeconds > report.Number(*r.Run.Spent.CoreSeconds) || n[1].Positions != report.Number(r.Run.Spent.Positions) {
		t.Errorf("the last network is %+v, want what the run says: %+v", n[1], r.Run.Spent)
	}
	if text := mustCall(t, "report", second, "--text"); !strings.Contains(text, "with those of the runs behind this one") {
		t.Errorf("the text is\n%s", text)
	}
}

// TestReportTellsRulesApart where self-play draws them.
func TestReportTellsRulesApart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mix")
	mustCall(t, "train", "--config", "../configs/konreh/tiny.yaml", "--run", dir, "--no-rating", "--set", "generations=1", "--set", "games_per_generation=4",
		"--set", "rules_mix=[{rules: 'standard|table,max_turns=40', weight: 1}]")
	r := decode[report.Report](t, mustCall(t, "report", dir, "--json"))
	games := 0
	for _, d := range r.Games.Rules {
		games += d.Games
	}
	if len(r.Run.Mix) != 1 || len(r.Games.Rules) == 0 || games != 4 || r.Strength != nil {
		t.Errorf("%+v", r.Games)
	}
	if text := mustCall(t, "report", dir, "--text"); !strings.Contains(text, "No match was played") || !strings.Contains(text, "rules played") {
		t.Errorf("the text is\n%s", text)
	}
}

// TestReportNamesWhatItCannotRead: the rest is there.
func TestReportNamesWhatItCannotRead(t *testing.T) {
	dir := reportedRun(t)
	shards, err := filepath.Glob(filepath.Join(dir, "shards", "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{shards[1], filepath.Join(dir, "ratings.jsonl"), filepath.Join(dir, "rating.json")} {
		b, err := os.ReadFile(path)
		if errors.Is(err, os.ErrNotExist) {
			continue // one of the two files of ratings
		}
		if err != nil {
			t.Fatal(err)
		}
		b[len(b)/2] ^= 0x15
		b[0] = 'x'
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	states, err := filepath.Glob(filepath.Join(dir, "checkpoints", "*", "state.json"))
	if err == nil {
		err = errors.Join(os.Remove(states[len(states)-1]), os.Remove(shards[2]))
	}
	if err != nil {
		t.Fatal(err)
	}
	r := decode[report.Report](t, mustCall(t, "report", dir, "--json"))
	var texts []string
	for _, w := range r.Warnings {
		if w.Code != "unreadable" || !w.Severe {
			t.Errorf("warning %+v", w)
		}
		texts = append(texts, w.Text)
	}
	if len(texts) != 4 || !slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "state.json") }) ||
		!slices.ContainsFunc(texts, func(s string) bool {
			return strings.Contains(s, "number 2 is missing before "+filepath.Base(shards[3]))
		}) || !slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "rating") }) ||
		!slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, shards[1]) }) {
		t.Errorf("warnings %q", texts)
	}
	if r.Games.Shards != len(shards)-2 || r.Games.Of != len(shards)-1 || len(r.Course) == 0 {
		t.Errorf("games %+v, %d stages", r.Games, len(r.Course))
	}
}

// TestReportRefuses what it can make nothing of.
func TestReportRefuses(t *testing.T) {
	dir := reportedRun(t, "generations=1")
	metrics := filepath.Join(dir, "metrics.parquet")
	b, err := os.ReadFile(metrics)
	if err == nil {
		b[len(b)/2]++
		err = os.WriteFile(metrics, b, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	mustFail(t, 1, []string{"report", dir}, "metrics.parquet", "damaged")
	if err := os.Remove(filepath.Join(dir, "config.yaml")); err != nil {
		t.Fatal(err)
	}
	mustFail(t, 1, []string{"report", dir}, "config.yaml is missing")
}

// TestReportOfAYoungRun: it has games and no generation yet.
func TestReportOfAYoungRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "young")
	mustCall(t, "selfplay", "--config", "../configs/tictactoe/tiny.yaml", "--run", dir)
	out := mustCall(t, "report", dir, "--text")
	for _, want := range []string{"No generation has been trained yet", "stopped before its end", "first scored (95 %)"} {
		if !strings.Contains(out, want) {
			t.Errorf("the report does not say %q:\n%s", want, out)
		}
	}
}

// TestReportOfAPack: a pack is no run that could go on.
func TestReportOfAPack(t *testing.T) {
	run, pack := tinyRun(t, filepath.Join(t.TempDir(), "run"), "--no-rating"), filepath.Join(t.TempDir(), "pack")
	mustCall(t, "runs", "pack", run, "--out", pack)
	if out := mustCall(t, "report", pack, "--text"); !strings.Contains(out, "packed; a new run goes on from it") {
		t.Errorf("the report of a pack says\n%s", out)
	}
}

// TestReportCanBeInterrupted while it reads games.
func TestReportCanBeInterrupted(t *testing.T) {
	dir := reportedRun(t, "generations=1")
	ctx, stop := context.WithCancel(context.Background())
	stop()
	var out strings.Builder
	if _, err := trained.Report(ctx, builtinEnv().Families, dir, shell.Shards(&out)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// TestKilledReport leaves the run as it was, and the next one is whole.
func TestKilledReport(t *testing.T) {
	dir := reportedRun(t, "generations=1")
	whole := digest(t, dir)
	if err := os.Remove(filepath.Join(dir, trained.ReportHTML)); err != nil {
		t.Fatal(err)
	}
	for _, point := range []string{"report", "report:2", "mid-write@report.html", "before-rename@report.txt"} {
		c := command([]string{"LUDOZERO_FAULT=" + point}, "report", dir)
		if err := c.Run(); err == nil {
			t.Errorf("%s: the process was not killed", point)
		}
	}
	if _, err := atomicfile.Clean(dir); err != nil {
		t.Fatal(err)
	}
	mustCall(t, "report", dir)
	for name, want := range whole {
		if got := digest(t, dir)[name]; got != want {
			t.Errorf("%s changed", name)
		}
	}
}
