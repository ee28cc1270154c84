package atomicfile

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// exchange swaps two paths in one step. Its error is
// errors.ErrUnsupported where the file system cannot do that.
func exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.EXDEV):
		return fmt.Errorf("exchange %s and %s: %w (%w)", a, b, errors.ErrUnsupported, err)
	}
	return &os.LinkError{Op: "exchange", Old: a, New: b, Err: err}
}
