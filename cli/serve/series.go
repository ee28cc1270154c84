package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/cluster"
	"github.com/ludozero/ludozero/cluster/broker"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/match"
	"github.com/spf13/cobra"
)

// Series gives a command that plays series of games the flags by which other machines play
// them, or those of the commands below it that are named, and returns it. Its folder is
// what --out says, if it has that.
func Series(env *shell.Env, c *cobra.Command, below ...string) *cobra.Command {
	if len(below) == 0 {
		addSeries(env, c)
	}
	for _, sub := range c.Commands() {
		if slices.Contains(below, sub.Name()) {
			addSeries(env, sub)
		}
	}
	return c
}

func addSeries(env *shell.Env, c *cobra.Command) {
	var f Flags
	var equal bool
	f.Add(c, "play no games here, only hand them out and count them")
	c.Flags().BoolVar(&equal, "equal-machines", false, "with --serve or --nats: allow players and games limited by time, since all machines are equally fast and idle")
	do := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := f.Check(c); err != nil {
			return err
		}
		if !f.On() {
			return do(c, args)
		}
		s := &series{flags: &f, env: env, c: c, equal: equal}
		c.SetContext(match.WithElsewhere(c.Context(), s))
		err := do(c, args)
		s.close(err == nil)
		return err
	}
}

// series is a match.Elsewhere that begins to serve with the first game: a command that is
// refused, or finds that nothing is missing, needs no other machine.
type series struct {
	flags *Flags
	env   *shell.Env
	c     *cobra.Command
	equal bool

	host    *cluster.SeriesHost
	service *Service
	temp    string // folder of the server where nothing is kept; "": none
}

// PlaySeries implements match.Elsewhere.
func (s *series) PlaySeries(ctx context.Context, of *match.Series, open []int, finished func(*match.Game) error) error {
	if s.service == nil {
		if err := s.start(ctx, of); err != nil {
			return err
		}
	}
	ctx, cancel := s.service.Watched(ctx)
	defer cancel()
	return s.host.PlaySeries(ctx, of, open, finished)
}

func (s *series) start(ctx context.Context, first *match.Series) (err error) {
	dir := ""
	if out := s.c.Flags().Lookup("out"); out != nil {
		dir = out.Value.String()
	}
	name := filepath.Base(dir)
	if dir == "" {
		if s.temp, err = os.MkdirTemp("", "ludozero-"); err != nil {
			return err
		}
		dir, name = s.temp, s.c.Name()
	}
	id, err := identity(filepath.Join(dir, broker.Dir))
	if err != nil {
		return err
	}
	if s.host, err = cluster.NewSeriesHost(name, id, s.equal, s.flags.Options()); err != nil {
		return shell.Usage(err)
	}
	s.service, err = s.flags.Start(context.WithoutCancel(ctx), s.c.ErrOrStderr(), s.host, dir, cluster.WorkerOptions{
		Games: s.env.Families, Name: "this machine", Cores: cores(first), Contestant: s.env.Players.Contestant,
	})
	return err
}

// cores is how many cores the games of a series are to be played on here.
func cores(s *match.Series) int {
	if s.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	threads := 1
	for i := range s.Contestants {
		if carry := s.Contestants[i].Portable; carry != nil {
			if p, err := carry(); err == nil {
				threads = max(threads, p.Threads)
			}
		}
	}
	return s.Workers * threads
}

// identityFile has the identity of a folder's series, by which parcels are known again
// after the command was stopped.
const identityFile = "identity"

func identity(dir string) (string, error) {
	path := filepath.Join(dir, identityFile)
	b, err := input.Read(path, input.Small)
	if err == nil && len(b) > 0 {
		return string(b), nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	id := rand.Text()
	return id, atomicfile.WriteBytes(path, []byte(id))
}

func (s *series) close(over bool) {
	s.service.Close(over)
	if s.temp != "" {
		_ = os.RemoveAll(s.temp) // the system empties its folder for such files
	}
}
