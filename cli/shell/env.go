// Package shell holds what the commands share: the environment that all of them get,
// flags about games, players and series, errors that are the caller's fault, progress
// bars, and words for numbers. It knows no command.
package shell

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/guide"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/study/yardstick"
)

// Game is a game that the commands know, with what it brings besides its rules.
// Family alone is needed.
type Game struct {
	Family *engine.Family
	// Players are kinds of players of this game alone, such as a solver, by the names
	// that descriptions have them under.
	Players map[string]player.Kind
	// Solved are positions of known value, for score and for sweeps; Fresh are others, by
	// which nothing is chosen, for score --set fresh.
	Solved, Fresh func() (*yardstick.Set, error)
	// SolvedDoc says in half a sentence what is asked in Solved, for people.
	SolvedDoc string
	// Measures says what is counted in the position that moves lead to from a position
	// line, "" for the start, for show --measures.
	Measures func(g engine.Game, line string, moves []string) (Measures, error)
	// Signature says that the signature of the search covers the game. Games that come
	// and go would change the number; a few fixed ones do not.
	Signature bool
	// Guide is its page of rules, its lessons and its opponents by name.
	Guide *guide.Guide
}

// SignatureGames lists the games that the signature of the search covers.
func (e *Env) SignatureGames() (list engine.Families) {
	for _, g := range e.Having(func(g *Game) bool { return g.Signature }) {
		list = append(list, g.Family)
	}
	return list
}

// Measures is written as text or as JSON.
type Measures interface{ WriteText(io.Writer) error }

// Env is what the commands of a program share: every constructor of a command gets
// it.
type Env struct {
	Games []Game
	// Families are the rules of Games.
	Families engine.Families
	// Guides are the guides of Games.
	Guides guide.Guides
	// Players reads descriptions of players and owns the programs that play for us.
	Players *open.Players
}

// NewEnv returns the environment of commands for these games, at least one, which must
// have different names, and kinds of players with names that nobody else has. Whoever makes
// it closes it when the command has ended.
func NewEnv(games []Game) (*Env, error) {
	e := &Env{Games: slices.Clone(games), Guides: guide.Guides{}}
	kinds, taken := map[string]player.Kind{}, player.Builtin()
	var errs problems.List
	errs.If(len(games) == 0, "no games: want one")
	for i, g := range games {
		if g.Family == nil {
			errs.Add("game %d of %d: it has no rules: want a Family", i+1, len(games))
			continue
		}
		if slices.ContainsFunc(e.Families, func(f *engine.Family) bool { return f.Name == g.Family.Name }) {
			errs.Add("game %s: there are two of that name", g.Family.Name)
		}
		e.Families = append(e.Families, g.Family)
		if g.Guide != nil {
			e.Guides[g.Family.Name] = g.Guide
		}
		for name, kind := range g.Players {
			_, known := taken[name]
			if _, twice := kinds[name]; known || twice || zoo.Has(name) || slices.Contains([]string{"net", "nnue", "ugi"}, name) {
				errs.Add("game %s: players %s: there are others of that name", g.Family.Name, name)
			}
			kinds[name] = kind
		}
	}
	e.Players = open.New(e.Families, kinds)
	return e, errs.Err()
}

// Game returns the game of that name, which must be one of Games.
func (e *Env) Game(name string) *Game {
	i := slices.IndexFunc(e.Games, func(g Game) bool { return g.Family.Name == name })
	if i < 0 {
		panic("BUG: no game " + name)
	}
	return &e.Games[i]
}

// Having returns the games that have something.
func (e *Env) Having(has func(*Game) bool) []Game {
	return slices.DeleteFunc(slices.Clone(e.Games), func(g Game) bool { return !has(&g) })
}

// Names lists the games that have something, by name.
func (e *Env) Names(has func(*Game) bool) string {
	var names []string
	for _, g := range e.Having(has) {
		names = append(names, g.Family.Name)
	}
	slices.Sort(names)
	return strings.Join(names, " or ")
}

// Solved returns the positions of known value of the game of that name.
func (e *Env) Solved(name string) (*yardstick.Set, error) {
	if g := e.Game(name); g.Solved != nil {
		return g.Solved()
	}
	return nil, fmt.Errorf("there are no positions of known value for %s: want %s", name, e.Names(func(g *Game) bool { return g.Solved != nil }))
}

// Close ends the foreign programs that still run.
func (e *Env) Close() { e.Players.Close() }

// Interruptible ends ctx at the first Ctrl-C, SIGTERM or SIGHUP (the terminal has been
// closed), so that the work can be left in order. The second ends the process. What is
// started by nohup hears no SIGHUP.
func Interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(ctx, signals...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
