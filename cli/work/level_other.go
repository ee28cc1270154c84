//go:build !unix

package work

import (
	"os"
	"os/exec"
)

// become starts a program with the arguments of this one and waits for its end.
func become(file string) error {
	c := exec.Command(file, os.Args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	return c.Run()
}
