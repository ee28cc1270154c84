package work

import (
	"os"

	"github.com/ludozero/ludozero/model/kernel"
)

// playAt begins this program anew with kernels of another level, which a process chooses
// when it begins. The arguments stay. Where the system can replace the program of a
// process it returns only errors.
func playAt(level string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := os.Setenv(kernel.EnvVariant, level); err != nil {
		return err
	}
	return become(self)
}
