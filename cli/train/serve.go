package train

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/cluster"
	"github.com/ludozero/ludozero/cluster/broker"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/run"
	"github.com/spf13/cobra"
)

// serveFlags are those by which other machines play.
type serveFlags struct {
	addr, nats string
	noPlay     bool
	audit      float64
}

func (f *serveFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.addr, "serve", "", "let other machines play by ludozero work: listen at `HOST:PORT`, HOST or :PORT")
	c.Flags().StringVar(&f.nats, "nats", "", "let other machines play, through the NATS server at this `URL`")
	c.Flags().BoolVar(&f.noPlay, "no-play", false, "with --serve or --nats: play no games of self-play here, only train")
	c.Flags().Float64Var(&f.audit, "audit", defaultAudit, "with --serve or --nats: share of leases that a second worker plays, too, to find who computes wrongly")
}

// defaultAudit finds a worker that falsifies a tenth of its leases within a thousand of
// them in 99 of 100 cases.
const defaultAudit = 0.05

// goodbye is how long the workers are waited for when the run is over.
const goodbye = 3 * time.Second

// service is what lets other machines play; a nil one does nothing.
type service struct {
	host   *cluster.Host
	server *broker.Server
	office *broker.Office
	spool  *cluster.Spool
	own    chan error // what the worker of this process ends with; nil: there is none
	stop   context.CancelFunc
	done   sync.WaitGroup // of the worker
}

// start begins to serve a run, nil if no flag says so.
func (f *serveFlags) start(c *cobra.Command, env *shell.Env, of *setting) (s *service, err error) {
	switch {
	case f.addr != "" && f.nats != "":
		return nil, shell.Usagef("--serve and --nats: want one of them")
	case f.addr == "" && f.nats == "" && f.noPlay:
		return nil, shell.Usagef("--no-play: want --serve or --nats with it, or nobody would play")
	case f.addr == "" && f.nats == "" && c.Flags().Changed("audit"):
		return nil, shell.Usagef("--audit: want --serve or --nats with it, or there is nobody to check")
	case f.addr == "" && f.nats == "":
		return nil, nil
	case f.nats != "" && !isNATS(f.nats):
		return nil, shell.Usagef("--nats %s: want the URL of a NATS server, such as nats://mars:4222", f.nats)
	}
	if _, err := strconv.ParseUint(f.addr, 10, 16); err == nil {
		return nil, shell.Usagef("--serve %s: want :%s for that port", f.addr, f.addr)
	}
	s = &service{stop: func() {}}
	defer func() {
		if err != nil {
			s.close(false)
		}
	}()
	if s.host, err = cluster.NewHost(of.dir, of.cfg.Config, cluster.HostOptions{Games: env.Families, Teacher: of.teacher, Audit: f.audit}); err != nil {
		return s, shell.Usage(err)
	}
	var direct cluster.Link
	if !f.noPlay {
		direct = s.host.Direct()
	}
	addr := f.nats
	if f.addr != "" {
		if s.server, err = broker.Start(of.dir, f.addr); err != nil {
			return s, err
		}
		addr = s.server.Address()
		s.office, err = s.server.Open(s.host)
	} else {
		s.office, err = broker.Dial(f.nats, s.host)
		if err == nil && !s.office.Connected() {
			fmt.Fprintln(c.ErrOrStderr(), "warning: the NATS server of --nats does not answer; it is tried again until it does, and others cannot play before")
		}
	}
	if err == nil && direct != nil {
		err = s.play(c.Context(), env, of, direct)
	}
	if err != nil {
		return s, err
	}
	fmt.Fprintf(c.ErrOrStderr(), "other machines join with: ludozero work %s\n", addr)
	return s, nil
}

// isNATS reports whether an address is the URL of a NATS server, of several with commas.
func isNATS(addr string) bool {
	for one := range strings.SplitSeq(addr, ",") {
		u, err := url.Parse(strings.TrimSpace(one))
		if err != nil || u.Host == "" || !slices.Contains([]string{"nats", "tls", "ws", "wss"}, u.Scheme) {
			return false
		}
	}
	return true
}

// play starts the worker of this process.
func (s *service) play(ctx context.Context, env *shell.Env, of *setting, link cluster.Link) (err error) {
	if s.spool, err = cluster.OpenSpool(filepath.Join(of.dir, broker.Dir, "spool")); err != nil {
		return err
	}
	w := cluster.NewWorker(cluster.WorkerOptions{
		Link: link, Spool: s.spool, Games: env.Families, Name: "trainer", Cores: of.cfg.WorkerCount(),
		Teacher: func(*plan.Config) (run.Teacher, error) { return of.teacher, nil },
	})
	ctx, s.stop = context.WithCancel(ctx)
	s.own = make(chan error, 1)
	s.done.Go(func() { s.own <- w.Run(ctx) })
	return nil
}

// job is run.Run with what lets others play.
func (s *service) job(ctx context.Context, dir string, cfg plan.Config, opt run.Options) error {
	if s == nil {
		return run.Run(ctx, dir, cfg, opt)
	}
	opt.Elsewhere = s.host
	return run.Run(s.watched(ctx), dir, cfg, opt)
}

// watched ends ctx when the service cannot go on.
func (s *service) watched(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		var err error
		select {
		case <-ctx.Done():
			return
		case err = <-s.own:
		case err = <-s.office.Failed():
		}
		if err != nil {
			cancel(err)
		}
	}()
	return ctx
}

// close ends the service; over says that the run has all its games, which the workers
// are told.
func (s *service) close(over bool) {
	if s == nil {
		return
	}
	if over {
		s.host.Over()
		for end := time.Now().Add(goodbye); !s.host.AllTold() && time.Now().Before(end); {
			time.Sleep(50 * time.Millisecond)
		}
	}
	s.stop()
	s.done.Wait()
	if s.spool != nil {
		_ = s.spool.Close() // the lock ends with the process in any case
	}
	if s.office != nil {
		s.office.Close(over)
	}
	if s.server != nil {
		s.server.Close()
	}
}
