package run

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gofrs/flock"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestWorkingSeesTheLock also wants that looking makes no file, keeps no lock
// and does not take another reader for a process at work.
func TestWorkingSeesTheLock(t *testing.T) {
	want := func(dir string, want bool) {
		t.Helper()
		if got, err := rundir.Working(dir); err != nil || got != want {
			t.Errorf("Working = %v, %v, want %v", got, err, want)
		}
	}
	empty := t.TempDir()
	want(empty, false)
	want(filepath.Join(empty, "missing"), false)
	if entries, err := os.ReadDir(empty); err != nil || len(entries) != 0 {
		t.Errorf("looking left %v, %v", entries, err)
	}

	dir := copyRun(t)
	want(dir, false)
	lock := flock.New(filepath.Join(dir, rundir.LockFile))
	if ok, err := lock.TryLock(); !ok || err != nil {
		t.Fatalf("Working kept the lock: %v, %v", ok, err)
	}
	want(dir, true)
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if ok, err := lock.TryRLock(); !ok || err != nil {
		t.Fatalf("no second reader: %v, %v", ok, err)
	}
	defer lock.Unlock()
	want(dir, false)
}

// TestWorkingOnWhatIsNoFile says what is wrong with the lock.
func TestWorkingOnWhatIsNoFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := rundir.Working(file); err == nil {
		t.Error("a file was taken for the folder of a run")
	}
}
