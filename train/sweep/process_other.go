//go:build !linux

package sweep

import (
	"errors"
	"syscall"
	"time"
)

// readsCoreTime says that coreTime works.
const readsCoreTime = false

func coreTime(int) (time.Duration, error) { return 0, errors.ErrUnsupported }

// allowedCores lists the cores that processes can be bound to: none here.
func allowedCores() []int { return nil }

func pin([]int) error { return nil }

func attributes() *syscall.SysProcAttr { return nil }
