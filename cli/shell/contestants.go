package shell

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/spf13/cobra"
)

// Contestants reads descriptions of players and makes a player of each, so that
// all that is wrong with any is reported before the first game. from is a position such as
// games begin in, nil if none is known.
func (e *Env) Contestants(g engine.Game, from engine.State, texts ...string) ([]match.Contestant, error) {
	var list []match.Contestant
	var wrong, broken []error
	for _, text := range texts {
		spec, err := e.Players.Parse(text)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		p, err := spec.New(g)
		if err != nil {
			broken = append(broken, err)
		}
		if from != nil {
			if err := CheckStart(spec, p, from); err != nil {
				wrong = append(wrong, err)
			}
		}
		match.Dismiss(p)
		list = append(list, spec.Contestant(g))
	}
	if len(wrong) > 0 {
		return nil, Usage(errors.Join(append(wrong, broken...)...))
	}
	return list, errors.Join(broken...)
}

// CheckStart refuses p, the player of spec, if it is exact and cannot play from a position.
func CheckStart(spec *player.Spec, p match.Player, from engine.State) error {
	if exact, ok := p.(*player.Exact); ok {
		if err := exact.CheckStart(context.Background(), from); err != nil {
			return fmt.Errorf("player %s: %w", spec.Text, err)
		}
	}
	return nil
}

// Begin returns the position after turns random turns, always the same.
func Begin(g engine.Game, turns int) engine.State {
	s, h, rng := g.NewState(), g.NewHistory(), rand.New(rand.NewPCG(1, 1))
	var list []engine.Action
	var scratch []engine.Weighted
	for s.Start(h); s.Turn() < turns; {
		if list = engine.AppendPossible(list[:0], &scratch, s, h); len(list) == 0 {
			break
		}
		s.Apply(list[rng.IntN(len(list))], h)
	}
	return s
}

// RunMatch plays a match from random openings with progress on stderr.
func RunMatch(ctx context.Context, c *cobra.Command, cfg match.Config, g engine.Game, a, b match.Contestant) (*match.Result, error) {
	bar := NewBar(c.ErrOrStderr(), 2*cfg.Pairs, "games")
	defer bar.Clear()
	return match.Play(ctx, cfg, g, a, b, func(e match.Event) {
		bar.Set(e.Games(), fmt.Sprintf("+%d =%d -%d  %s against %s", e.Wins, e.Draws, e.Losses, a.Name, b.Name))
	})
}

// AddClock adds the flag that gives games clocks.
func AddClock(c *cobra.Command, clock *string) {
	c.Flags().StringVar(clock, "clock", *clock, "time for each player of a game, MINUTES+SECONDS: 5+3 is five minutes and three seconds a turn; whose runs out loses")
}

// WantClock refuses players that think by the clock of the game where there is
// none; how says how to have one, empty if there cannot be any.
func WantClock(list []match.Contestant, clock, how string) error {
	var errs []error
	for _, p := range list {
		if p.ByClock && clock == "" {
			rule := "there are no clocks here, want a fixed time=100ms"
			if how != "" {
				rule = "want a clock, " + how + ", or a fixed time=100ms"
			}
			errs = append(errs, fmt.Errorf("player %s: time=clock goes by the clock of the game: %s", p.Name, rule))
		}
	}
	if len(errs) > 0 {
		return Usage(errors.Join(errs...))
	}
	return nil
}

// warnClock warns if the games of that many workers get in each other's way (0: a worker
// for each core): in a game with clocks one player thinks at a time, on one core or as
// many as it has threads.
func warnClock(c *cobra.Command, clock string, workers, threads int) {
	if cores := runtime.GOMAXPROCS(0); clock != "" && workers*threads > cores {
		fmt.Fprintf(c.ErrOrStderr(), "warning: %d games with clocks at the same time on %s%s: players wait for a core while their time runs; want --workers %d at most\n",
			workers, wording.Count(cores, "core"), ofThreads(threads), max(1, cores/threads))
	}
}

// ofThreads names the threads of a player that has several.
func ofThreads(threads int) string {
	if threads == 1 {
		return ""
	}
	return fmt.Sprintf(", of players with up to %d threads", threads)
}

func mostThreads(players []*player.Spec) int {
	most := 1
	for _, p := range players {
		most = max(most, p.Threads)
	}
	return most
}
