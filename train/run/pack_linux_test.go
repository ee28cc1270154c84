package run

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestForkOfAReadOnlyPack: nothing is written where a pack is.
func TestForkOfAReadOnlyPack(t *testing.T) {
	root := mountRoom(t, "8m")
	pack := filepath.Join(root, "pack")
	mustPack(t, wholeDir, -1, pack)
	err := syscall.Mount(pack, pack, "", syscall.MS_BIND, "")
	if err == nil {
		err = syscall.Mount("", pack, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
	}
	if err != nil {
		t.Skipf("this machine: no mount of a part: %v", err)
	}
	defer func() {
		if err := syscall.Unmount(pack, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	}()
	mustFork(t, forkDir(t), tiny(), fresh(pack))
}
