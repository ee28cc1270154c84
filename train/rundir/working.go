package rundir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// Working tells whether a process is working on the run in folder dir, without
// writing there. To find out it takes the run's lock as one of many readers, if
// it can be had, and lets go of it at once: only a process that begins to work
// on the run in that very moment would be refused.
func Working(dir string) (bool, error) {
	lock := flock.New(filepath.Join(dir, LockFile), flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryRLock()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("run %s: %w", dir, err)
	}
	return !free, lock.Unlock()
}

// lockPatience is how long a lock that is held is tried for.
const lockPatience = 200 * time.Millisecond

// Lock makes this the process that works on the run in folder dir, which must
// exist, until unlock is called. Run and the other functions that work on a run
// do it themselves.
func Lock(ctx context.Context, dir string) (unlock func() error, err error) {
	lock := flock.New(filepath.Join(dir, LockFile))
	// Whoever lists runs holds the lock for an instant: try for a little longer.
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockPatience)
	defer cancel()
	switch _, err := lock.TryLockContext(patience, lockPatience/10); {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("run %s: another process is working on it", dir)
	case err != nil:
		return nil, fmt.Errorf("run %s: %w", dir, err)
	}
	return lock.Unlock, nil
}
