//go:build !unix

package coretime

import "time"

// Process returns false: it is not implemented here.
func Process() (time.Duration, bool) { return 0, false }
