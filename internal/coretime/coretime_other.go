//go:build !unix

package coretime

import "time"

// Process returns false: such systems do not say what processors spent on a process.
func Process() (time.Duration, bool) { return 0, false }
