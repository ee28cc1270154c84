package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/clitest"
	"github.com/ludozero/ludozero/selfplay/record/recordtest"
	"github.com/ludozero/ludozero/study/heuristics"
)

func TestHeuristicsListAndShow(t *testing.T) {
	text := mustCall(t, "heuristics", "list")
	list := decode[[]heuristics.Rule](t, mustCall(t, "heuristics", "list", "--json"))
	if len(list) != len(heuristics.Rules()) {
		t.Fatalf("%d rules, want %d", len(list), len(heuristics.Rules()))
	}
	for _, r := range list {
		if !strings.Contains(text, r.ID) || !strings.Contains(text, r.Says) {
			t.Errorf("the text does not have %s", r.ID)
		}
		shown := mustCall(t, "heuristics", "show", r.ID)
		if !strings.Contains(shown, "\nnever:\n") {
			t.Errorf("%s: %s", r.ID, shown)
		}
	}
	if mustCall(t, "schools", "show", "only-ring") != mustCall(t, "heuristics", "show", "ring") {
		t.Errorf("schools show and heuristics show differ")
	}
	mustFail(t, 2, []string{"heuristics", "show", "nonsense"}, `no rule of thumb "nonsense": want one of seed-safety`)
}

// quickHeuristics are the words of a test that takes a moment, by two untrained networks
// at dir.
func quickHeuristics(t *testing.T, dir string, more ...string) []string {
	t.Helper()
	words := []string{"heuristics", "test", "--pairs", "1", "--depth", "1", "--games", "2", "--sims", "2", "--most", "2", "--per-game", "1",
		"--choose-sims", "2", "--judge-sims", "2", "--max-turns", "40", "--workers", "2", "--networks"}
	var networks []string
	for seed, name := range []string{"one", "two"} {
		path := filepath.Join(dir, name+".safetensors")
		if _, err := os.Stat(path); err != nil {
			clitest.WriteWeights(t, path, "konreh", uint64(seed))
		}
		networks = append(networks, path)
	}
	return append(append(words, strings.Join(networks, ",")), more...)
}

func TestHeuristicsGoOnAndShowTheirResultAgain(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	words := quickHeuristics(t, dir, "--out", out)
	plan := mustCall(t, append(words, "--plan")...)
	if other := mustCall(t, append(words, "--plan", "--rules", "standard,green_cap=4")...); !strings.Contains(other, "these rules have 4") || strings.Contains(plan, "these rules have") {
		t.Errorf("a cap of four Greens is planned as\n%s", other)
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) || !strings.Contains(plan, "12 rules: 2 games each on and off") {
		t.Errorf("a plan made its folder (%v), or does not say what it is:\n%s", err, plan)
	}
	whole := mustCall(t, words...)
	_, report, _ := strings.Cut(whole, "\n\n")
	files := map[string][]byte{}
	for _, name := range []string{"report.txt", "report.html", "heuristics.json", "findings.csv", "regret.csv", "situations.csv", "choices.csv", "only-ring/games.parquet", "games/games.parquet"} {
		data, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	if !strings.HasPrefix(report, string(files["report.txt"])) {
		t.Errorf("report.txt is not what was printed:\n%s", whole)
	}
	if again := mustCall(t, words...); again != report {
		t.Errorf("the finished folder prints\n%s\nwant\n%s", again, report)
	}

	// Half of the verdicts and the result are gone, as if it had been killed in the
	// middle of a line.
	journal := filepath.Join(out, "verdicts.jsonl")
	data, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Count(data, []byte("\n")) < 2 {
		t.Fatalf("%d choices were judged: too few to stop in between", bytes.Count(data, []byte("\n")))
	}
	if err := errors.Join(os.WriteFile(journal, data[:len(data)*2/3], 0o666), os.Remove(filepath.Join(out, "heuristics.json"))); err != nil {
		t.Fatal(err)
	}
	_, errOut, err := call(t, "", append(words, "--workers", "1")...)
	if err != nil || !strings.Contains(errOut, "judged before") {
		t.Fatalf("it does not go on: %v, %s", err, errOut)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(out, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not as it was (%v)", name, err)
		}
	}
	mustFail(t, 1, append(words, "--seed", "9"), "begun for something else: --seed 9: its games are of 1: want that, or a folder of its own")
	mustFail(t, 1, append(words, "--pairs", "2", "--depth", "2"), "--pairs 2: its games are of 1", "--depth 2: its games are of 1")
	mustFail(t, 1, append(words, "--rules", "letter"), "begun for something else: rules standard there, letter now: want the same again")
	clitest.WriteWeights(t, filepath.Join(dir, "two.safetensors"), "konreh", 7)
	mustFail(t, 1, words, "begun for something else: networks ", "two.safetensors@", " there, ")
	clitest.WriteWeights(t, filepath.Join(dir, "two.safetensors"), "konreh", 1)
	if err := errors.Join(os.WriteFile(journal, []byte("{\"game\":1,\"verdicts\":[]}\n"), 0o666), os.Remove(filepath.Join(out, "heuristics.json"))); err != nil {
		t.Fatal(err)
	}
	if _, _, err := call(t, "", words...); err == nil || !strings.Contains(err.Error(), "verdicts.jsonl: line 1: 0 verdicts: want 2") {
		t.Errorf("verdicts of fewer networks: %v", err)
	}
}

func TestHeuristicsObserveRecords(t *testing.T) {
	dir := t.TempDir()
	shards := filepath.Join(dir, "shards")
	if err := os.Mkdir(shards, 0o777); err != nil {
		t.Fatal(err)
	}
	writeShard(t, shards, 0, recordtest.RandomGames(openRules(t, "konreh", "standard,max_turns=600"), 0, 3))
	r := decode[heuristics.Result](t, mustCall(t, quickHeuristics(t, dir, "--run", shards, "--records", "2", "--json")...))
	if r.Games != 2 || r.Source != "recorded self-play" {
		t.Errorf("%d games of %s", r.Games, r.Source)
	}
	other := filepath.Join(dir, "other", "shards") // of which none has enough alone
	makeDir(t, other)
	writeShard(t, other, 0, recordtest.RandomGames(openRules(t, "konreh", "standard,max_turns=600"), 3, 3))
	if r := decode[heuristics.Result](t, mustCall(t, quickHeuristics(t, t.TempDir(), "--run", shards, "--run", other, "--records", "5", "--json")...)); r.Games != 5 {
		t.Errorf("%d games of two runs", r.Games)
	}
	if _, _, err := call(t, "", quickHeuristics(t, dir, "--rules", "letter", "--run", shards)...); err == nil || !strings.Contains(err.Error(), "no games of konreh by rules letter") {
		t.Errorf("records of other rules: %v", err)
	}
}

func TestHeuristicsStopAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	var out, errOut bytes.Buffer
	if err := execute(ctx, quickHeuristics(t, dir, "--out", filepath.Join(dir, "out")), strings.NewReader(""), &out, &errOut); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want it to be interrupted; it said %s", err, out.String())
	}
}

func TestHeuristicsDrills(t *testing.T) {
	text := mustCall(t, "heuristics", "drills", "--player", "net:konreh,sims=2")
	for _, want := range []string{"\nD4  ", "R 1, S 2; best ", "to seed (SSI of Blue 0) by seed rather than noseed: "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	r := decode[heuristics.Drilled](t, mustCall(t, "heuristics", "drills", "--player", "alphabeta:depth=1", "--rules", "standard,green_cap=4", "--json"))
	refused := 0
	for _, d := range r.Drills {
		if strings.Contains(d.Error, "5 Greens, above the cap of 4") {
			refused++
		}
	}
	if refused != 1 {
		t.Errorf("%d drills with too many Greens for a cap of 4", refused)
	}
	if text := mustCall(t, "heuristics", "drills", "--player", "alphabeta:depth=1"); !r.Lead || !strings.Contains(text, "; best ") || !strings.Contains(text, ", lead ") || strings.Contains(text, "%") || strings.Contains(text, "points") {
		t.Errorf("a lead is called an expected score:\n%s", text)
	}
	mustFail(t, 2, []string{"heuristics", "drills", "--player", "random"}, "it says nothing of the value")
	mustFail(t, 2, []string{"heuristics", "drills", "--player", "nonsense"}, `no kind "nonsense"`)
	mustFail(t, 2, []string{"heuristics", "drills", "--rules", "nonsense"}, "nonsense")
}
