// Package foreign lets other programs play: engines that speak UGI, each a process
// of its own. A player starts its program when it is made and ends it when it is
// dismissed (match.Dismiss); a program that has crashed, or that no longer
// answers, is started again for the next game.
//
// What programs do wrong loses them the game, as other match runners have it
// (cutechess: a disconnected, stalling or illegally moving engine loses): the
// errors are of type match.Forfeit. A program that fails in several games in a
// row is broken, and its error ends the series.
package foreign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/ugi"
)

const (
	// mostFailures in a row are taken for bad luck.
	mostFailures = 2
	// grace tells a crash from an interruption: at Ctrl-C on a terminal a program may
	// end before this one has seen the signal.
	grace = 500 * time.Millisecond
	// seeds is the range of the option Seed of programs that have one.
	seeds = 1 << 31
)

// rulesOption and seedOption are set if the program has them.
const (
	rulesOption = "Rules"
	seedOption  = "Seed"
)

// Kind is the kind of players that are other programs, which are entered in running.
func Kind(running *Programs) player.Kind {
	return player.Kind{
		Doc: "another program that speaks UGI, such as ludozero engine; quotes around COMMAND let it hold commas. " +
			"set: options for it; timeout: the longest wait for a move where no time is set",
		Argument: "COMMAND",
		Quotes:   true, ChoiceOnly: true,
		OneOf: []string{"nodes", "depth", "time"},
		Options: []player.Option{
			{Name: "nodes", Doc: "nodes a move, in the program's own count", Min: 1, Max: 1_000_000_000},
			{Name: "depth", Doc: "depth of search, in the program's own count", Min: 1, Max: 1000},
			player.TimeOption(),
			{Name: "set", Doc: "options of the program", Default: "none", Text: "NAME:VALUE|NAME:VALUE", Quiet: true},
			{Name: "timeout", Doc: "longest wait for a move where no time is set", Default: "1m0s", MinTime: 10 * time.Millisecond, MaxTime: 24 * time.Hour, Quiet: true},
		},
		Carry: func(string) (string, []byte, error) {
			return "", nil, errors.New("it is a program of this machine: want players that other machines have, too")
		},
		Name: func(command string) (string, error) {
			if strings.Contains(command, `"`) && strings.Contains(command, "'") && strings.Contains(command, ",") {
				return "", fmt.Errorf("command %q: commas and both kinds of quotes: want one kind", command)
			}
			_, err := split(command)
			return command, err
		},
		Make: func(v player.Values) (player.Factory, error) {
			c, err := configure(v)
			if err != nil {
				return nil, err
			}
			c.running = running
			return func(g engine.Game) (match.Player, error) {
				p := &foreign{config: c, game: g}
				ctx, stop := whileStarting()
				defer stop()
				if err := p.begin(ctx); err != nil {
					return nil, err
				}
				return p, nil
			}, nil
		},
		Identify: func(v player.Values) (string, error) {
			c, err := configure(v)
			if err != nil {
				return "", err
			}
			ctx, stop := whileStarting()
			defer stop()
			p, err := start(ctx, c.command, running)
			if err != nil {
				return "", err
			}
			defer p.close()
			return "program " + p.Name, nil
		},
	}
}

// whileStarting ends with Ctrl-C: a program that does not answer yet is a process of its
// own, which nothing else would end.
func whileStarting() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

// config is what a description says.
type config struct {
	command []string
	running *Programs
	set     [][2]string
	limit   ugi.Limits
	time    time.Duration // a move; 0: by another limit
	byClock bool
	timeout time.Duration
}

func configure(v player.Values) (config, error) {
	var c config
	var err error
	if c.command, err = split(v.Argument); err != nil {
		return c, err
	}
	if text := v.Values["set"]; text != "none" {
		for _, pair := range strings.Split(text, "|") {
			name, value, ok := strings.Cut(pair, ":")
			if !ok || strings.TrimSpace(name) == "" || value == "" {
				return c, fmt.Errorf("option set=%s: %q: want NAME:VALUE", text, pair)
			}
			c.set = append(c.set, [2]string{name, value})
		}
	}
	c.timeout, _ = v.Time("timeout")
	switch {
	case v.Values["nodes"] != "":
		c.limit.Nodes = v.Int("nodes")
	case v.Values["depth"] != "":
		c.limit.Depth = v.Int("depth")
	case v.ByClock():
		c.byClock = true
	default:
		c.time, _ = v.Time("time")
		c.limit.MoveTime = int(c.time / time.Millisecond)
	}
	return c, nil
}

// foreign is a player that is another program.
type foreign struct {
	config
	game     engine.Game
	program  *program // nil: none runs
	searches bool     // a search was broken off, whose bestmove is still to come
	failures int      // games in a row that it failed in
	failed   bool     // in this game
	seed     uint64   // of this game
}

// begin starts the program.
func (f *foreign) begin(ctx context.Context) error {
	p, err := start(ctx, f.command, f.running)
	if err != nil {
		return err
	}
	f.program, f.searches = p, false
	ctx, stop := context.WithTimeoutCause(ctx, startTime, fmt.Errorf("no readyok within %v", startTime))
	defer stop()
	for _, o := range f.set {
		if err = p.Set(ctx, o[0], o[1]); err != nil {
			break
		}
	}
	if err == nil && p.Has(rulesOption) {
		err = p.Set(ctx, rulesOption, f.game.Rules())
	}
	if err == nil {
		err = p.Accepts(ctx)
	}
	if err != nil {
		err = p.explain(err)
		f.end()
	}
	return err
}

// quiet ends a search that was broken off, so that its bestmove is not taken for
// another's; a program that searches on all the same is ended.
func (f *foreign) quiet(ctx context.Context) {
	if f.program == nil || !f.searches {
		return
	}
	ctx, stop := context.WithTimeout(ctx, endTime)
	defer stop()
	if f.program.Stop(ctx) != nil {
		f.end()
	}
	f.searches = false
}

// end kills the program.
func (f *foreign) end() {
	if f.program != nil {
		f.program.kill()
		f.program = nil
	}
}

// Close implements io.Closer: it ends the program, which may say goodbye.
func (f *foreign) Close() error {
	if f.program != nil {
		f.program.close()
		f.program = nil
	}
	return nil
}

// NewGame implements match.Player. It also starts a program again that has gone: no
// clock runs yet. If it does not come up the first question, which tries again, forfeits
// the game.
func (f *foreign) NewGame(ctx context.Context, seed uint64) error {
	if !f.failed {
		f.failures = 0
	}
	f.failed, f.seed = false, seed
	limited, stop := context.WithTimeout(ctx, startTime)
	defer stop()
	f.quiet(limited)
	if f.program == nil && f.begin(limited) != nil {
		return context.Cause(ctx)
	}
	if f.announce(limited) != nil {
		f.end()
	}
	return context.Cause(ctx)
}

// announce tells the program that the game with f.seed begins.
func (f *foreign) announce(ctx context.Context) (err error) {
	if f.program.Has(seedOption) {
		err = f.program.Set(ctx, seedOption, strconv.FormatUint(f.seed%seeds, 10))
	}
	if err == nil {
		err = f.program.NewGame(ctx)
	}
	if err == nil {
		err = f.program.Ready(ctx)
	}
	return err
}

// ChoiceOnly says that it judges no positions.
func (f *foreign) ChoiceOnly() bool { return true }

// Think implements match.Player; nodes count as simulations.
func (f *foreign) Think(ctx context.Context, s engine.State, h *engine.History, b match.Bounds) (*match.Analysis, error) {
	if s.Actor() > engine.Second {
		return nil, player.ErrNoDecision
	}
	if f.byClock && b.Remaining == 0 {
		return nil, player.ErrNoClock
	}
	x, reason, err := f.ask(ctx, s, h, &b)
	if err == nil {
		return x, nil
	}
	if reason == match.ForfeitCrash {
		select {
		case <-ctx.Done():
		case <-time.After(grace):
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	f.failed = true
	if f.failures++; f.failures > mostFailures {
		return nil, fmt.Errorf("it failed in %d games in a row, at last by %s: %w", f.failures, reason, err)
	}
	return nil, &match.Forfeit{Reason: reason, Err: err}
}

// ask asks the program, and says what kind of failure an error is.
func (f *foreign) ask(ctx context.Context, s engine.State, h *engine.History, b *match.Bounds) (x *match.Analysis, reason string, err error) {
	f.quiet(ctx)
	anew := f.program == nil
	if anew {
		if err := f.begin(ctx); err != nil {
			return nil, match.ForfeitCrash, err
		}
	}
	limit := f.limit
	wait := f.timeout
	switch {
	case f.byClock:
		// Below a millisecond nothing can be said.
		ms := func(d time.Duration) int { return int(max(1, d/time.Millisecond)) }
		limit.Remaining[s.Actor()], limit.Remaining[s.Actor().Other()] = ms(b.Remaining), ms(b.Other)
		limit.Increment = [2]int{int(b.Increment / time.Millisecond), int(b.Increment / time.Millisecond)}
		wait += b.Remaining
	case f.time > 0:
		wait += f.time
	}
	silence := fmt.Errorf("no bestmove within %v", wait)
	limited, stop := context.WithTimeoutCause(ctx, wait, silence)
	defer stop()
	from, moves := "", ""
	if b.Record != nil {
		from, moves = b.Record()
	} else {
		from = string(s.AppendPosition(nil))
	}
	if anew {
		err = f.announce(limited)
	}
	if err == nil {
		err = f.program.Position(limited, from, moves)
	}
	if err == nil {
		err = f.program.Ready(limited)
	}
	x = &match.Analysis{Limit: f.time, ByClock: f.byClock}
	var word string
	if err == nil {
		began := time.Now()
		f.searches = true
		word, x.Simulations, err = f.program.Go(limited, limit)
		f.searches = err != nil
		x.Time = time.Since(began)
	}
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return nil, "", err
	case errors.Is(err, silence):
		err = f.program.explain(err)
		f.end()
		return nil, match.ForfeitSilence, err
	default:
		err = f.program.explain(err)
		f.end()
		return nil, match.ForfeitCrash, err
	}
	if x.Choice, err = s.ParseAction(word, h); err != nil {
		err = f.program.explain(fmt.Errorf("bestmove %q in %s: %w", word, s.AppendPosition(nil), err))
		f.end() // it may have lost track of the game
		return nil, match.ForfeitIllegal, err
	}
	x.Line = []engine.Action{x.Choice}
	return x, "", nil
}
