//go:build !linux

package atomicfile

import "errors"

// exchange cannot be had here.
func exchange(string, string) error { return errors.ErrUnsupported }
