//go:build unix

// Package coretime reads the processor time of this process.
package coretime

import (
	"syscall"
	"time"
)

// Process is the processor time of this process, user and system over all threads; false
// if the system does not tell.
func Process() (time.Duration, bool) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
