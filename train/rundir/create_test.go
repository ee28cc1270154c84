package rundir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCreate writes over nobody's files: only a folder that has none of a run's names,
// or is a run, is taken.
func TestCreate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	for _, name := range []string{"log.txt", "config.yaml", "ludozero"} { // of the user, and of `make night`
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := Create(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range ours {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte("mine"), 0o666); err != nil {
			t.Fatal(err)
		}
		err := Create(filepath.Dir(path))
		if err == nil || !strings.Contains(err.Error(), path+" is there") {
			t.Errorf("Create beside %s = %v", name, err)
		}
		if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
			t.Errorf("it left %v, %v", entries, err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := Create(dir); err != nil {
		t.Errorf("a run with all its files is refused: %v", err)
	}
}
