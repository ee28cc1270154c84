package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/train/rundir"
)

// stage are the words of one stage of the training that tiny does.
func stage(command, dir string, more ...string) []string {
	return append(append([]string{command}, tiny(dir)[1:]...), more...)
}

// TestStagesByHandAreTrain plays and fits in turn and compares what is left with
// what train leaves.
func TestStagesByHandAreTrain(t *testing.T) {
	root := t.TempDir()
	whole, halves := filepath.Join(root, "a", "run"), filepath.Join(root, "b", "run")
	mustCall(t, tiny(whole, "--no-rating", "--set", "generations=2")...)
	for range 2 {
		if out := mustCall(t, stage("selfplay", halves, "--set", "generations=2")...); !strings.Contains(out, "plays: 8 games") || !strings.Contains(out, "fit is next") {
			t.Errorf("selfplay says\n%s", out)
		}
		if out := mustCall(t, "fit", "--run", halves); !strings.Contains(out, "learns: step") || !strings.Contains(out, "selfplay is next; the newest network is in "+halves) {
			t.Errorf("fit says\n%s", out)
		}
	}
	for _, pattern := range []string{"shards/*", "checkpoints/*/" + rundir.WeightsFile} {
		files, err := filepath.Glob(filepath.Join(whole, pattern))
		if err != nil || len(files) < 2 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, path := range files {
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name, _ := filepath.Rel(whole, path)
			if got, err := os.ReadFile(filepath.Join(halves, name)); err != nil || string(got) != string(want) {
				t.Errorf("%s differs: %v", name, err)
			}
		}
	}
}

func TestStagesSayWhatIsWrong(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	mustFail(t, 2, []string{"selfplay"}, "--run is required", "--config is required")
	mustFail(t, 2, []string{"fit", "--run", dir}, "--config is required: the run does not exist yet")
	mustFail(t, 1, stage("fit", dir), "generation 0 has 0 of its 8 games, 8 are missing")
	mustFail(t, 2, []string{"selfplay", "--run", dir, "--set", "seed=9"}, "seed is 1 in run "+dir+", now 9")
}

// TestSelfPlayOfANetwork plays games of a network that was trained in another
// run, with a configuration that asks for one of another size, goes on, and
// trains with it.
func TestSelfPlayOfANetwork(t *testing.T) {
	root := t.TempDir()
	old, dir := filepath.Join(root, "old"), filepath.Join(root, "new")
	mustCall(t, tiny(old, "--no-rating", "--set", "generations=1", "--set", "model.channels=16", "--set", "model.reply=true")...)
	network := rundir.WeightsPath(old, 1)
	with := func(network string) []string {
		return []string{"selfplay", "--config", "../configs/tictactoe/tiny.yaml", "--network", network, "--games", "11", "--run", dir}
	}
	for range 2 { // the second time nothing is missing
		if out := mustCall(t, with(network)...); !strings.Contains(out, "all games of the generation are there") {
			t.Errorf("selfplay says\n%s", out)
		}
	}
	if out := mustCall(t, "data", "reproduce", dir); !strings.Contains(out, "11 games, ") {
		t.Errorf("data reproduce says %s", out)
	}
	mustCall(t, "fit", "--run", dir)
	mustCall(t, "train", "--run", dir, "--set", "evaluation.match.pairs=1")
	if out := mustCall(t, "runs", "compare", dir, dir); strings.Contains(out, "untrained") || !strings.Contains(out, "  first  ") {
		t.Errorf("runs compare calls the first network\n%s\nwant \"first\"", out)
	}
	mustFail(t, 1, with(rundir.WeightsPath(old, 0)), "run "+dir, "began with another network than")
	mustFail(t, 2, with(weightFile(t, "connect4")), "game is tictactoe in run "+dir+", now connect4")
	mustFail(t, 1, []string{"selfplay", "--network", dir + "/none", "--run", dir}, "open "+dir+"/none")
	mustFail(t, 2, []string{"selfplay", "--games", "-1", "--run", dir}, "--games -1")
}
