//go:build unix && !linux

package sweep

import "syscall"

// attributes make a process one that Ctrl-C at the terminal does not reach: it is
// stopped by this one, and the second signal would end it at once.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
