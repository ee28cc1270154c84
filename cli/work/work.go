// Package work holds the command work: a machine that plays for a training elsewhere.
package work

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/cluster"
	"github.com/ludozero/ludozero/cluster/broker"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
	"github.com/spf13/cobra"
)

// New is the command work.
func New(env *shell.Env) *cobra.Command {
	var spool, name string
	var cores int
	var giveUp time.Duration
	c := &cobra.Command{
		Use:   "work ADDRESS",
		Short: "Play for a training or a match on another machine",
		Long: "Plays games of self-play for `ludozero train --serve` elsewhere, until that run is over, or those of a match or\n" +
			"study that is started with --serve. ADDRESS is what the command there prints; @FILE reads it from a file, so that\n" +
			"no list of processes shows it; the URL of a NATS server is for --nats there. Everything else comes from there:\n" +
			"configuration, networks, kernel level.\n\n" +
			"Finished games stay on this machine's disk until the trainer has written them. The trainer may go away for hours\n" +
			"and this program be killed: both go on where they were. The program must be the trainer's, of the same build.",
		Args:    cobra.ExactArgs(1),
		Example: "  ludozero work 127.0.0.1:4222\n  ludozero work @/etc/ludozero/trainer --cores 8",
		RunE: func(c *cobra.Command, args []string) error {
			if err := kernel.Check(); err != nil {
				return shell.Usage(err)
			}
			if giveUp < 0 {
				return shell.Usagef("--give-up %v: want at least 0", giveUp)
			}
			if cores < 1 || cores > cluster.MostCores {
				return shell.Usagef("--cores %d: want at least 1, at most %d", cores, cluster.MostCores)
			}
			addr, err := address(args[0])
			if err != nil {
				return shell.Usage(err)
			}
			w := &work{env: env, addr: addr, name: name, spool: spool, cores: cores, giveUp: giveUp, show: newDisplay(c.OutOrStdout(), c.ErrOrStderr())}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			err = w.play(ctx)
			w.show.close()
			var other otherLevel
			if errors.As(err, &other) {
				return playAt(other.level)
			}
			kept := "is kept in " + w.spool + "; the same command goes on"
			switch {
			case err == nil:
				w.show.over()
			case ctx.Err() != nil && onlyStopped(err):
				return errors.New("stopped; what was played and has no receipt " + kept)
			case ctx.Err() != nil || errors.Is(err, cluster.ErrAway):
				return fmt.Errorf("%w\nwhat was played and has no receipt %s", err, kept)
			}
			return err
		},
	}
	c.Flags().IntVar(&cores, "cores", runtime.GOMAXPROCS(0), "number of cores to play on")
	c.Flags().StringVar(&spool, "spool", "", "folder for games without a receipt (default: ludozero/work in the user's cache folder)")
	c.Flags().StringVar(&name, "name", "", "name of this machine in what the trainer shows (default: the host's)")
	c.Flags().DurationVar(&giveUp, "give-up", 0, "end when the trainer has not answered for so long, such as 30m (default: never)")
	return c
}

// onlyStopped reports whether an error says nothing but that the context has ended.
func onlyStopped(err error) bool {
	var several interface{ Unwrap() []error }
	if errors.As(err, &several) {
		for _, e := range several.Unwrap() {
			if !onlyStopped(e) {
				return false
			}
		}
		return true
	}
	return errors.Is(err, context.Canceled)
}

// address reads what stands for the address: itself, or @ and the file that has it.
func address(word string) (string, error) {
	file, ok := strings.CutPrefix(word, "@")
	if !ok {
		return word, nil
	}
	b, err := input.Read(file, input.Small)
	// The whole line that the trainer prints is good as well.
	words := strings.Fields(string(b))
	if err == nil && len(words) == 0 {
		err = fmt.Errorf("%s: it is empty: want the address that the trainer printed", file)
	}
	if err != nil {
		return "", err
	}
	return words[len(words)-1], nil
}

// work is what the command was told.
type work struct {
	env               *shell.Env
	addr, name, spool string
	cores             int
	giveUp            time.Duration
	show              *display
}

// otherLevel says that the run is played with other kernels, which this machine has.
type otherLevel struct{ level string }

func (o otherLevel) Error() string { return "the run is played with " + o.level + " kernels" }

func (w *work) play(ctx context.Context) error {
	if w.name == "" {
		w.name, _ = os.Hostname()
	}
	if w.spool == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return shell.Usagef("--spool: want a folder: %w", err)
		}
		w.spool = filepath.Join(cache, "ludozero", "work")
	}
	spool, err := cluster.OpenSpool(w.spool)
	if err != nil {
		return err
	}
	defer spool.Close()
	w.spool = spool.Dir()
	link, err := broker.Join(w.addr, w.name)
	if err != nil {
		return shell.Usage(err)
	}
	defer link.Close()
	return cluster.NewWorker(cluster.WorkerOptions{
		Link: link, Spool: spool, Games: w.env.Families, Name: w.name, Cores: w.cores, GiveUp: w.giveUp, Teacher: w.teacher, Contestant: w.env.Players.Contestant, Welcomed: checkLevel, Show: w.show.view,
	}).Run(ctx)
}

// teacher makes the teacher that a configuration names.
func (w *work) teacher(cfg *plan.Config) (play.Teacher, error) {
	t, err := w.env.Teacher(&configs.Run{Config: *cfg})
	return play.Teacher(t), err
}

// checkLevel looks whether other kernels are needed, and here.
func checkLevel(h *cluster.Welcome) error {
	if h.Kernel == cluster.Kernel() || h.AnyKernel {
		return nil
	}
	// Of the levels with the same float32 kernels the fastest comes last.
	for _, l := range slices.Backward(kernel.Levels()) {
		if strings.HasPrefix(l, h.Level) && l != kernel.Level() {
			return otherLevel{l}
		}
	}
	return nil // the worker says what differs
}
