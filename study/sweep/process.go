package sweep

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/ludozero/ludozero/internal/input"
)

// Words are the settings of a run beside the configuration that all begin with, as
// --set takes them.
func (p *Plan) Words(r *Run) []string {
	return append([]string{
		"seed=" + strconv.FormatUint(r.Seed, 10),
		"workers=" + strconv.Itoa(p.CoresEach),
		"budget=0s",
		"core_budget=" + p.CoreTime.String(),
		"generations=" + strconv.Itoa(p.Generations),
	}, r.Settings...)
}

// child is a process that works on a run.
type child struct {
	*exec.Cmd
	log *os.File
}

// command prepares the process. The end of ctx stops it as Ctrl-C would; SIGTERM does
// the same, and processes of a script's background are not born deaf to it.
func (s *Sweep) command(ctx context.Context, o *Options, r *Run) (*child, error) {
	args := []string{"train", "--config", filepath.Join(s.dir, BaseFile), "--run", s.Folder(r), "--no-rating"}
	for _, w := range s.Plan.Words(r) {
		args = append(args, "--set", w)
	}
	log, err := os.OpenFile(s.log(r), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, o.Program, args...)
	c.Env = append(o.Env[:len(o.Env):len(o.Env)], "GOMAXPROCS="+strconv.Itoa(s.Plan.CoresEach))
	c.Stdout, c.Stderr = log, log
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = stopPatience
	c.SysProcAttr = attributes()
	return &child{c, log}, nil
}

func (c *child) close() { _ = c.log.Close() }

// lastLine is the last line of a file that says anything.
func lastLine(path string) string {
	b, err := input.Read(path, input.Large)
	if err != nil {
		return err.Error()
	}
	b = bytes.TrimSpace(b)
	return fmt.Sprintf("%q", b[bytes.LastIndexByte(b, '\n')+1:])
}
