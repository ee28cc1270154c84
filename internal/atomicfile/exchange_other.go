//go:build !linux

package atomicfile

import "errors"

// exchange is not supported here.
func exchange(string, string) error { return errors.ErrUnsupported }
