//go:build unix

// Package coretime reads what processors have spent on this process: the time of one
// core.
package coretime

import (
	"syscall"
	"time"
)

// Process is the time that processors have spent on this process, on all of
// its threads and for it in the system; false where that is not to be had.
func Process() (time.Duration, bool) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
