package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// mountRoom mounts a tmpfs of that size (as mount takes it) and returns a path
// for a run in it. Without the right to mount the test is skipped.
func mountRoom(t *testing.T, size string) string {
	t.Helper()
	root := t.TempDir()
	if err := syscall.Mount("tmpfs", root, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("this machine: no tmpfs can be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(root, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return filepath.Join(root, "tiny")
}

// TestFullDisk gives a run a little more room at a time. It fails by name each
// time, anywhere in its work, and goes on when there is room.
func TestFullDisk(t *testing.T) {
	t.Run("keeping all", func(t *testing.T) {
		dir := mountRoom(t, "2m")
		failed := fillUp(t, dir, tiny())
		compare(t, dir)
		if failed[rundir.CheckpointsDir] == 0 {
			t.Errorf("it failed so often in %v, want in %s", failed, rundir.CheckpointsDir)
		}
	})
	// Room for a checkpoint is room for a few shards.
	t.Run("when the first games are played", func(t *testing.T) {
		dir := mountRoom(t, "2m")
		if err := os.CopyFS(dir, os.DirFS(wholeDir)); err != nil {
			t.Fatal(err)
		}
		forget(t, dir, 0)
		if failed := fillUp(t, dir, tiny()); failed[rundir.ShardsDir] == 0 {
			t.Errorf("it failed so often in %v, want in %s", failed, rundir.ShardsDir)
		}
		compare(t, dir)
	})
	t.Run("when the metrics are made again", func(t *testing.T) {
		dir := mountRoom(t, "2m")
		if err := os.CopyFS(dir, os.DirFS(wholeDir)); err != nil {
			t.Fatal(err)
		}
		remove(t, filepath.Join(dir, rundir.MetricsName))
		if failed := fillUp(t, dir, tiny()); failed[rundir.MetricsName] == 0 {
			t.Errorf("it failed so often in %v, want in %s", failed, rundir.MetricsName)
		}
		compare(t, dir)
	})
	t.Run("with retention", func(t *testing.T) {
		dir := mountRoom(t, "2m")
		cfg := tiny()
		cfg.Retention.Checkpoints = 1
		fillUp(t, dir, cfg)
		checkKept(t, dir, wholeDir, "N.W")
	})
}

// fillUp works on the run in dir with more room each time until it is done, and
// counts in which files it failed. With its room goes the ballast.
func fillUp(t *testing.T, dir string, cfg plan.Config) map[string]int {
	t.Helper()
	ballast := filepath.Join(filepath.Dir(dir), "ballast")
	failed := map[string]int{}
	for free := 0; ; free++ {
		fill(t, ballast, free)
		err := work(context.Background(), dir, cfg)
		if err == nil {
			break
		}
		if free > 300 {
			t.Fatalf("the run does not end with %d pages free: %v", free, err)
		}
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), filepath.Dir(dir)) {
			t.Fatalf("%d pages free: Run = %v, want %v by name", free, err, syscall.ENOSPC)
		}
		for _, part := range []string{rundir.ConfigFile, rundir.CheckpointsDir, rundir.ShardsDir, rundir.EventsFile, rundir.MetricsName} {
			if strings.Contains(err.Error(), part) {
				failed[part]++
			}
		}
	}
	remove(t, ballast)
	t.Logf("failures: %v", failed)
	return failed
}

// fill makes the file ballast take all space but that many pages.
func fill(t *testing.T, ballast string, pages int) {
	t.Helper()
	remove(t, ballast)
	f, err := os.Create(ballast)
	if err != nil {
		t.Fatal(err)
	}
	page := make([]byte, 4096)
	size := int64(0)
	for {
		n, err := f.Write(page)
		size += int64(n)
		if errors.Is(err, syscall.ENOSPC) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(f.Truncate(max(0, size-int64(pages*len(page)))), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestReadOnlyFolder: a run that cannot be written to is not begun, not gone on
// with, and not changed.
func TestReadOnlyFolder(t *testing.T) {
	dir := mountRoom(t, "8m")
	if err := os.CopyFS(dir, os.DirFS(wholeDir)); err != nil {
		t.Fatal(err)
	}
	root := filepath.Dir(dir)
	if err := syscall.Mount("", root, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("this machine: no remounting: %v", err)
	}
	before := snapshot(t, dir)
	for _, path := range []string{dir, filepath.Join(root, "new")} {
		cfg := tiny()
		cfg.Generations, cfg.Retention.Checkpoints = 3, 1
		if err := work(context.Background(), path, cfg); !errors.Is(err, syscall.EROFS) || !strings.Contains(err.Error(), path) {
			t.Errorf("Run = %v, want %v and the path %s", err, syscall.EROFS, path)
		}
	}
	for name, b := range snapshot(t, dir) {
		if before[name] != b {
			t.Errorf("%s changed in a read-only folder", name)
		}
	}
	if err := syscall.Mount("", root, "", syscall.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	mustWork(t, dir, tiny())
	compare(t, dir)
}
