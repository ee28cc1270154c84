//go:build !linux

package sweep

import (
	"errors"
	"time"
)

func coreTime(int) (time.Duration, error) { return 0, errors.ErrUnsupported }

// allowedCores lists the cores that processes can be bound to: none here.
func allowedCores() []int { return nil }

func pin([]int) error { return nil }
