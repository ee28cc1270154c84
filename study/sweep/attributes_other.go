//go:build !unix

package sweep

import "syscall"

func attributes() *syscall.SysProcAttr { return nil }
