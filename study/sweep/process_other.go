//go:build !linux

package sweep

// allowedCores lists the cores that processes can be bound to: none here.
func allowedCores() []int { return nil }

func pin([]int) error { return nil }
