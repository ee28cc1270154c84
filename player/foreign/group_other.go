//go:build !unix

package foreign

import (
	"os"
	"syscall"
)

func groupOfItsOwn() *syscall.SysProcAttr { return nil }

// killGroup ends a process; what it started is left alone here.
func killGroup(p *os.Process) { _ = p.Kill() }
