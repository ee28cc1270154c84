package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Working tells whether a process is working on the run in folder dir, without
// writing there. To find out it takes the run's lock as one of many readers, if
// it can be had, and lets go of it at once: only a process that begins to work
// on the run in that very moment would be refused.
func Working(dir string) (bool, error) {
	lock := flock.New(filepath.Join(dir, lockFile), flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryRLock()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("run %s: %w", dir, err)
	}
	return !free, lock.Unlock()
}
