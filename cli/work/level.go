package work

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/ludozero/ludozero/model/kernel"
	"github.com/spf13/cobra"
)

// playAt starts this program again with kernels of another level, which a process
// chooses when it begins, and ends with it.
func playAt(ctx context.Context, c *cobra.Command, level string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	again := exec.CommandContext(ctx, self, os.Args[1:]...)
	again.Env = append(os.Environ(), kernel.EnvVariant+"="+level)
	again.Stdin, again.Stdout, again.Stderr = os.Stdin, c.OutOrStdout(), c.ErrOrStderr()
	again.Cancel = func() error { return again.Process.Signal(syscall.SIGTERM) }
	again.WaitDelay = 10 * time.Second
	return again.Run()
}
