// Package lock lets one process at a time work in a folder. A lock is on a file, which
// programs of any version know, and on a folder beside it, which nobody removes by
// mistake: whoever deletes the file of a lock that is held lets no second process in.
// Where a system cannot lock folders, the file alone counts.
package lock

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"time"

	"github.com/gofrs/flock"
	"github.com/ludozero/ludozero/internal/input"
)

// ErrHeld says that another process has the lock.
var ErrHeld = errors.New("another process is working on it")

// patience is how long a lock that is held is tried for: whoever asks whether it is
// held has it for an instant.
const patience = 200 * time.Millisecond

// Take locks file, which is made if need be, and folder, which must exist, until unlock
// is called.
func Take(file, folder string) (unlock func() error, err error) {
	if err := regular(file); err != nil {
		return nil, err
	}
	// As readable as other files: to ask whether the lock is held it has to be opened.
	first := flock.New(file, flock.SetPermissions(0o666))
	if err := try(first); err != nil {
		return nil, err
	}
	second := flock.New(folder, flock.SetFlag(os.O_RDONLY))
	if err := try(second); errors.Is(err, ErrHeld) {
		return nil, errors.Join(err, first.Unlock())
	}
	return func() error { return errors.Join(second.Unlock(), first.Unlock()) }, nil
}

func try(l *flock.Flock) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err := l.TryLockContext(ctx, patience/10)
	if errors.Is(err, context.DeadlineExceeded) {
		return ErrHeld
	}
	return err
}

// Held tells whether a process has the lock, without writing anything. To find out it
// takes the lock as one of many readers and lets go of it at once.
func Held(file, folder string) (bool, error) {
	if err := regular(file); err != nil {
		return false, err
	}
	held, err := read(file)
	if err != nil || held {
		return held, err
	}
	held, _ = read(folder)
	return held, nil
}

func read(path string) (held bool, err error) {
	l := flock.New(path, flock.SetFlag(os.O_RDONLY))
	free, err := l.TryRLock()
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return !free, l.Unlock()
}

// regular refuses to open anything but a file: a pipe would be waited for.
func regular(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return nil // it is missing, or opening it says why not
	}
	return input.Check(file, info, math.MaxInt64)
}
