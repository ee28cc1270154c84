//go:build !unix

package coretime

import "time"

// Process is not known here.
func Process() (time.Duration, bool) { return 0, false }
