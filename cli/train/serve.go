package train

import (
	"context"
	"fmt"
	"sync"

	"github.com/ludozero/ludozero/cli/serve"
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/cluster"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
	"github.com/ludozero/ludozero/train/run"
	"github.com/spf13/cobra"
)

// service lets other machines play the games of a run; a nil one does nothing.
type service struct {
	*serve.Service
	host *cluster.Host
}

// startService begins to serve a run, nil if no flag says so.
func startService(c *cobra.Command, env *shell.Env, f *serve.Flags, of *setting) (*service, error) {
	if err := f.Check(c); err != nil || !f.On() {
		return nil, err
	}
	if err := teacherTravels(env, &of.cfg); err != nil {
		return nil, shell.Usage(err)
	}
	host, err := cluster.NewHost(of.dir, of.cfg.Config, env.Families, of.teacher, f.Options())
	if err != nil {
		return nil, shell.Usage(err)
	}
	s, err := f.Start(c.Context(), c.ErrOrStderr(), host, of.dir, cluster.WorkerOptions{
		Games: env.Families, Name: "trainer", Cores: of.cfg.WorkerCount(),
		Teacher: func(*plan.Config) (play.Teacher, error) { return of.teacher, nil },
	})
	if err != nil {
		return nil, err
	}
	return &service{s, host}, nil
}

// teacherTravels refuses a teacher that other machines would make of a file of their own:
// a network is named by the hash of its weights, any other file by its path alone.
func teacherTravels(env *shell.Env, cfg *configs.Run) error {
	text := cfg.SelfPlay.Teacher.Player
	if text == "" {
		return nil
	}
	g, err := env.Families.Open(cfg.Game, cfg.Rules)
	if err != nil {
		return err
	}
	spec, err := env.Players.Parse(text)
	if err != nil {
		return err
	}
	p, err := spec.Contestant(g).Portable()
	if err == nil && p.File != nil && !spec.ByNetwork {
		err = fmt.Errorf("self_play.teacher.player: %s is of a file, which other machines of a run do not get: want a player without one", text)
	}
	return err
}

// job is run.Run with what lets others play.
func (s *service) job(ctx context.Context, dir string, cfg plan.Config, opt run.Options) error {
	if s == nil {
		return run.Run(ctx, dir, cfg, opt)
	}
	opt.Elsewhere = s.host
	ctx, cancel := s.Watched(ctx)
	var showing sync.WaitGroup
	defer showing.Wait()
	defer cancel()
	showing.Go(func() { s.host.KeepLive(ctx) })
	return run.Run(ctx, dir, cfg, opt)
}

// close ends the service; over says that the run has all its games.
func (s *service) close(over bool) {
	if s != nil {
		s.Close(over)
	}
}
