//go:build !linux && !purego

package kernel

// allowTiles: no other system has been tried.
func allowTiles() bool { return false }
