//go:build !amd64 || purego

package kernel

func variants() []*variant { return []*variant{generic} }
