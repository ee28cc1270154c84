package sweep

import (
	"syscall"
	"time"

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

// coreTime is the processor time that process pid has used with all its threads, user
// and system: its CPU-time clock, whose number clock_getcpuclockid(3) makes of the
// process number in this way.
func coreTime(pid int) (time.Duration, error) {
	const scheduled = 2 // user and system time as the scheduler counts it
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|scheduled), &t); err != nil {
		return 0, err
	}
	return time.Duration(t.Nano()), nil
}
