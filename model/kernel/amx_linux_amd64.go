//go:build !purego

package kernel

import "syscall"

// allowTiles asks Linux for AMX, which a process has to (Linux,
// Documentation/arch/x86/xstate.rst): the state of the tiles, 8 KiB, is part of
// every thread that used them, and of the frames of its signal handlers. The
// kernel refuses if a thread's signal stack is too small for that; Go's have
// 32 KiB, three times what it takes.
func allowTiles() bool {
	const (
		requestPermission = 0x1023 // ARCH_REQ_XCOMP_PERM
		tileData          = 18     // XFEATURE_XTILEDATA
	)
	_, _, errno := syscall.RawSyscall(syscall.SYS_ARCH_PRCTL, requestPermission, tileData, 0)
	return errno == 0
}
