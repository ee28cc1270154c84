package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/bench"
	"github.com/ludozero/ludozero/cli/train"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/internal/wording"
)

// benchArgs measure a small network of tic-tac-toe, everything in a moment.
func benchArgs(more ...string) []string {
	return append([]string{"bench", "--game", "tictactoe", "--network", "1x8", "--threads", "2", "--time", "10ms",
		"--set", "train.batch=16", "--set", "self_play.games_in_flight=4", "--set", "self_play.search.simulations=8"}, more...)
}

// keysOf lists the paths of a JSON value, those of all elements of a list as one.
func keysOf(path string, v any, into map[string]bool) {
	into[path] = true
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			keysOf(path+"."+k, e, into)
		}
	case []any:
		for _, e := range v {
			keysOf(path+"[]", e, into)
		}
	}
}

// TestBenchJSON: --json and --out have the same keys, which programs rely on.
func TestBenchJSON(t *testing.T) {
	file := filepath.Join(t.TempDir(), "machine.json")
	out := mustCall(t, benchArgs("--json", "--out", file)...)
	written, err := os.ReadFile(file)
	if err != nil || string(written) != out {
		t.Errorf("--out wrote something else than --json: %v", err)
	}
	r := decode[bench.Report](t, out)
	if r.Version != 1 || r.Night == nil || r.Subject.Network.Blocks != 1 || r.Subject.Simulations != 8 || r.Subject.Threads != 2 {
		t.Errorf("version %d, night %v, subject %+v", r.Version, r.Night, r.Subject)
	}
	var v any
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	keysOf("", v, keys)
	delete(keys, ".machine.caches[]") // which not every system tells
	var list []string
	for k := range keys {
		list = append(list, k)
	}
	slices.Sort(list)
	golden(t, "bench-keys.txt", strings.Join(list, "\n")+"\n")
}

// TestBenchText: a table for each section as it is measured, then the plan with a
// configuration that train takes.
func TestBenchText(t *testing.T) {
	out, errOut, err := call(t, "", benchArgs()...)
	if err != nil || !strings.Contains(errOut, "this takes about") {
		t.Fatalf("%v, and on stderr %q", err, errOut)
	}
	rest := out
	for _, want := range append(bench.Sections(), "a night of 10 hours", "recommended: ", "a rule of thumb, no measurement of strength", "night.yaml:\n\n", "it took ") {
		_, after, ok := strings.Cut(rest, "\n"+want)
		if !ok {
			_, after, ok = strings.Cut(rest, want)
		}
		if !ok {
			t.Fatalf("no %q, or not in its place, in\n%s", want, out)
		}
		rest = after
	}
	_, file, _ := strings.Cut(out, "with night.yaml:\n\n")
	file, _, _ = strings.Cut(file, "\n\n")
	path := filepath.Join(t.TempDir(), "night.yaml")
	if err := os.WriteFile(path, []byte(file+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	cfg, err := train.Config(builtinEnv(), path, filepath.Join(t.TempDir(), "run"), nil)
	if err != nil || cfg.Game != "tictactoe" || cfg.Budget.Hours() != 10 || cfg.Train.Batch != 16 || cfg.Model.Channels < 8 || cfg.Train.DecaySteps < 1 {
		t.Errorf("%v: the plan reads as %+v\n%s", err, cfg.Config, file)
	}
}

// TestBenchOfAConfiguration: the plan is said in words that train takes beside the
// file, and the file is what was measured.
func TestBenchOfAConfiguration(t *testing.T) {
	config := filepath.Join("..", "configs", "tictactoe", "tiny.yaml")
	out := mustCall(t, "bench", "--config", config, "--set", "seed=7", "--set", "model.blocks=1", "--only", "night", "--hours", "0.5", "--time", "5ms", "--threads", "1")
	_, command, ok := strings.Cut(out, "\nludozero train ")
	if !ok {
		t.Fatalf("no command in\n%s", out)
	}
	command, _, _ = strings.Cut(command, "\n\n")
	var set []string
	args := words(t, strings.ReplaceAll(command, "\\\n", ""))
	for i, w := range args {
		if w == "--set" {
			set = append(set, args[i+1])
		}
	}
	cfg, err := train.Config(builtinEnv(), config, filepath.Join(t.TempDir(), "run"), set)
	if err != nil || cfg.Budget.Minutes() != 30 || cfg.Seed != 7 || args[1] != config || !slices.Contains(set, "seed=7") {
		t.Errorf("%v: budget %v, seed %d, from %q", err, cfg.Budget, cfg.Seed, args)
	}
	if n := strings.Count(command, "model.blocks="); n != 1 {
		t.Errorf("model.blocks is set %d times in %q", n, command)
	}
	file, err := configs.Load(configs.DefaultRun(games.All()), config, nil, nil)
	if err != nil || !strings.Contains(out, wording.Count(file.SelfPlay.Search.Simulations, "simulation")+";") {
		t.Errorf("%v: the simulations of the file are not those measured in\n%s", err, out)
	}
}

func TestBenchRefuses(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"--network 6", `--network "6": want BLOCKSxCHANNELS`},
		{"--network 6x65", "model.channels"},
		{"--network ax64", "want BLOCKSxCHANNELS"},
		{"--threads -1", "threads -1: want 1 to 1024"},
		{"--time 0s", "time 0s: want above 0"},
		{"--hours 0", "hours 0: want a second at least"},
		{"--only engine,nights", `section "nights": want some of peaks, engine`},
		{"--set train.batch=0", "train.batch"},
		{"--set nonsense=1", "nonsense"},
		{"--game go", `"go"`},
		{"--rules nonsense", "nonsense"},
		{"--config nowhere.yaml", "nowhere.yaml"},
		{"--config ../configs/tictactoe/tiny.yaml --game konreh", "the configuration says it"},
		{"x", `"x"`},
	} {
		mustFail(t, 2, append([]string{"bench"}, strings.Fields(c.args)...), c.want)
	}
}
