//go:build unix

package input

import "syscall"

// nonblock has a FIFO opened at once, whether somebody writes to it or not.
const nonblock = syscall.O_NONBLOCK
