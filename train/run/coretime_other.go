//go:build !unix

package run

import "time"

// processCores is not known here.
func processCores() (time.Duration, bool) { return 0, false }
