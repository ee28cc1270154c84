package serve

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/ludozero/ludozero/cluster"
	"github.com/ludozero/ludozero/cluster/broker"
)

// goodbye is how long the workers are waited for when the run is over.
const goodbye = 3 * time.Second

// Host hands games out.
type Host interface {
	cluster.Desk
	// Over tells the workers that there are no more games, AllTold whether they know.
	Over()
	AllTold() bool
}

// Service lets other machines play; a nil one does nothing.
type Service struct {
	host   Host
	server *broker.Server
	office *broker.Office
	spool  *cluster.Spool
	own    chan error // what the worker of this process ends with; nil: there is none
	stop   context.CancelFunc
	done   sync.WaitGroup // of the worker
}

// Start begins to serve the games of host, whose folder is dir, and says on errOut how
// others join. The worker of this process, which is missing with --no-play, is made from
// own.
func (f *Flags) Start(ctx context.Context, errOut io.Writer, host Host, dir string, own cluster.WorkerOptions) (s *Service, err error) {
	s = &Service{host: host, stop: func() {}}
	defer func() {
		if err != nil {
			s.Close(false)
			s = nil
		}
	}()
	if !f.noPlay { // before the office, which may call for reports at once
		own.Link = cluster.Direct(host)
	}
	addr := f.nats
	if f.addr != "" {
		if s.server, err = broker.Start(dir, f.addr); err != nil {
			return s, err
		}
		addr = s.server.Address()
		s.office, err = s.server.Open(host)
	} else {
		s.office, err = broker.Dial(f.nats, host)
		if err == nil && !s.office.Connected() {
			fmt.Fprintln(errOut, "warning: the NATS server of --nats does not answer; it is tried again until it does, and others cannot play before")
		}
	}
	if err == nil && own.Link != nil {
		err = s.play(ctx, dir, own)
	}
	if err != nil {
		return s, err
	}
	fmt.Fprintf(errOut, "other machines join with: ludozero work %s\n", addr)
	return s, nil
}

// play starts the worker of this process.
func (s *Service) play(ctx context.Context, dir string, own cluster.WorkerOptions) (err error) {
	if s.spool, err = cluster.OpenSpool(filepath.Join(dir, broker.Dir, "spool")); err != nil {
		return err
	}
	own.Spool, own.FullEnds = s.spool, true
	w := cluster.NewWorker(own)
	ctx, s.stop = context.WithCancel(ctx)
	s.own = make(chan error, 1)
	s.done.Go(func() { s.own <- w.Run(ctx) })
	return nil
}

// Watched ends ctx when the service cannot go on.
func (s *Service) Watched(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		var err error
		select {
		case <-ctx.Done():
			return
		case err = <-s.own:
			s.own <- err // for who watches after
		case err = <-s.office.Failed():
		}
		if err != nil {
			cancel(err)
		}
	}()
	return ctx, func() { cancel(nil) }
}

// Close ends the service; over says that there are no more games, which the workers are
// told.
func (s *Service) Close(over bool) {
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
