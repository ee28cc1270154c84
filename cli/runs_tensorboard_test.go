package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func eventFile(t *testing.T, dir string) []byte {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "events.out.tfevents.*.ludozero"))
	if err != nil || len(list) != 1 {
		t.Fatalf("event files in %s: %q, %v, want one", dir, list, err)
	}
	b, err := os.ReadFile(list[0])
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestTensorBoardFilesGrowWithTheRun: what package tensorboard writes of them is
// its own matter; here, that all is there and goes on.
func TestTensorBoardFilesGrowWithTheRun(t *testing.T) {
	dir, out := filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "tb")
	tinyRun(t, dir)
	before := tree(t, dir)
	if got, want := mustCall(t, "runs", "tensorboard", dir, "--out", out), dir+": 1 generation in "+out+"\n"; got != want {
		t.Errorf("runs tensorboard prints %q, want %q", got, want)
	}
	if after := tree(t, dir); after != before {
		t.Errorf("the run was changed:\n%s\nbefore:\n%s", after, before)
	}
	first := eventFile(t, filepath.Join(out, "first"))
	for _, tag := range []string{"loss/policy_loss", "games/draw_rate", "speed/positions_per_second", "frozen/frozen_drift", "ends/"} {
		if !bytes.Contains(first, []byte(tag)) {
			t.Errorf("the file has no %s", tag)
		}
	}
	strength := eventFile(t, filepath.Join(out, "first", "strength"))
	for _, tag := range []string{"Elo relative to ", "score against random/score", "score against random/low", "score against random/high"} {
		if !bytes.Contains(strength, []byte(tag)) {
			t.Errorf("the file of strength has no %s", tag)
		}
	}
	mustCall(t, tiny(dir, "--set", "generations=2")...)
	mustCall(t, "runs", "tensorboard", dir, "--out", out)
	if second := eventFile(t, filepath.Join(out, "first")); !bytes.HasPrefix(second, first) || len(second) < 3*len(first)/2 {
		t.Errorf("of %d bytes became %d, want those and as many more", len(first), len(second))
	}
	mustFail(t, 2, []string{"runs", "tensorboard", dir}, "--out is required")
	mustFail(t, 2, []string{"runs", "tensorboard", t.TempDir(), "--out", out}, "it is no run")
	mustFail(t, 2, []string{"runs", "tensorboard", dir, dir + "/.", "--out", out}, "have the same name")
	writeFile(t, filepath.Join(dir, "metrics.parquet"), "no metrics")
	mustFail(t, 1, []string{"runs", "tensorboard", dir, "--out", out}, "metrics.parquet")
}
