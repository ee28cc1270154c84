//go:build !amd64 || purego

package kernel

func levels() []level { return []level{{"generic", generic, generic8, generic16, wholeGeneric}} }
