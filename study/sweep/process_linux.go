package sweep

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// allowedCores lists the cores that this process may use.
func allowedCores() []int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return nil
	}
	var list []int
	for i := 0; len(list) < set.Count(); i++ {
		if set.IsSet(i) {
			list = append(list, i)
		}
	}
	return list
}

// pin binds the calling thread, and the processes that it starts, to cores, if any
// are given.
func pin(cores []int) error {
	if len(cores) == 0 {
		return nil
	}
	var set unix.CPUSet
	for _, i := range cores {
		set.Set(i)
	}
	return unix.SchedSetaffinity(0, &set)
}

// attributes make a process one that Ctrl-C at the terminal does not reach, since it
// is stopped by this one, and that does not outlive the thread that started it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
