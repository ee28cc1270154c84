//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ludozero/ludozero/selfplay/record"
)

// TestPipesInARun: a FIFO in the place of any file of a run is refused by name and
// not waited for.
func TestPipesInARun(t *testing.T) {
	run := filepath.Join(t.TempDir(), "run")
	mustCall(t, tiny(run, "--set", "generations=1")...)
	shard := "shards/" + record.FileName(0, 0)
	for file, commands := range map[string][][]string{
		"config.yaml":                            {{"train", "--run", run}, {"train", "--config", run + "/config.yaml", "--run", run + "2"}, {"report", run, "--text"}},
		"events.jsonl":                           {{"train", "--run", run}, {"report", run, "--text"}, {"runs", "health", run}},
		"metrics.parquet":                        {{"train", "--run", run}, {"report", run, "--text"}, {"data", "check", run}},
		"ratings.jsonl":                          {{"train", "--run", run}, {"runs", "health", run}},
		"checkpoints/000001/state.json":          {{"train", "--run", run}, {"data", "check", run}, {"train", "--from", run, "--run", run + "2"}},
		"checkpoints/000001/optimizer.bin":       {{"train", "--run", run}},
		"checkpoints/000001/weights.safetensors": {{"train", "--run", run}, {"play", "--against", "net:" + run + ",sims=1", "--game", "tictactoe"}},
		shard:                                    {{"train", "--run", run}, {"data", "cat", run}, {"data", "check", run}, {"data", "stat", run}},
	} {
		path := filepath.Join(run, file)
		if err := os.Rename(path, run+".aside"); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o666); err != nil {
			t.Skipf("this machine: no pipe can be made: %v", err)
		}
		for _, args := range commands {
			done := make(chan string)
			go func() {
				out, _, err := call(t, "", args...)
				if err != nil {
					out += err.Error()
				}
				done <- out
			}()
			select {
			case out := <-done:
				if !strings.Contains(out, file) || !strings.Contains(out, "not a regular file but a pipe") && !strings.Contains(out, "want a folder or a file") {
					t.Errorf("%s is a pipe: %q says %q", file, args, out)
				}
			case <-time.After(time.Minute):
				t.Fatalf("%s is a pipe: %q waits for it", file, args)
			}
		}
		if err := os.Rename(run+".aside", path); err != nil {
			t.Fatal(err)
		}
	}
}
