//go:build unix

package foreign

import (
	"os"
	"syscall"
)

// groupOfItsOwn has a process begin a group, to which what it starts belongs.
// Ctrl-C at the terminal does not reach it then: it ends when this program does.
func groupOfItsOwn() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends a process that began a group, and all others in it.
func killGroup(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL) // there may be none any more
}
