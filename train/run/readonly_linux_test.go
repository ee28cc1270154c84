package run

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ludozero/ludozero/train/rundir"
)

// TestWhatCannotBeWritten takes the right to write to one part of a run away,
// by mounts that are read only: the run fails by the name of that part, loses
// nothing, and goes on when it has the right.
func TestWhatCannotBeWritten(t *testing.T) {
	for name, c := range map[string]struct {
		path string // what is read only
		want []string
	}{
		"metrics":    {rundir.MetricsName, []string{"metrics", rundir.MetricsName}},
		"retention":  {filepath.Join(rundir.CheckpointsDir, "000001"), []string{"retention", "checkpoint 1"}},
		"checkpoint": {rundir.CheckpointsDir, []string{rundir.CheckpointsDir}},
		"shards":     {rundir.ShardsDir, []string{rundir.ShardsDir}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := mountRoom(t, "8m")
			cfg := tiny()
			cfg.Generations = 1
			mustWork(t, dir, cfg)
			path := filepath.Join(dir, c.path)
			err := syscall.Mount(path, path, "", syscall.MS_BIND, "")
			if err == nil {
				err = syscall.Mount("", path, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
			}
			if err != nil {
				t.Skipf("this machine: no mount of a part: %v", err)
			}
			cfg.Generations, cfg.Retention.Checkpoints = 2, 1
			err = work(context.Background(), dir, cfg)
			if lost := syscall.Unmount(path, syscall.MNT_DETACH); lost != nil {
				t.Fatal(lost)
			}
			if !errors.Is(err, syscall.EROFS) && !errors.Is(err, syscall.EBUSY) {
				t.Errorf("Run = %v, want %v or %v", err, syscall.EROFS, syscall.EBUSY)
			}
			for _, w := range append(c.want, dir) {
				if err == nil || !strings.Contains(err.Error(), w) {
					t.Errorf("Run = %v, want it to name %s", err, w)
				}
			}
			mustWork(t, dir, cfg)
			checkKept(t, dir, wholeDir, "N.W")
		})
	}
}
