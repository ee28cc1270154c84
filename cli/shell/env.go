// Package shell holds what the commands share: the environment that all of them get,
// flags about games, players and series, errors that are the caller's fault, progress
// bars, and words for numbers. It knows no command.
package shell

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/player/open"
)

// Game is a game that the commands know, with what it brings besides its rules.
type Game struct {
	Family *engine.Family
}

// Env is what the commands of a program share: every constructor of a command gets
// it.
type Env struct {
	Games []Game
	// Families are the rules of Games.
	Families engine.Families
	// Players reads descriptions of players and owns the programs that play for us.
	Players *open.Players
}

// NewEnv returns the environment of commands for these games. Whoever makes it
// closes it when the command has ended.
func NewEnv(games []Game) *Env {
	e := &Env{Games: slices.Clone(games)}
	for _, g := range games {
		e.Families = append(e.Families, g.Family)
	}
	e.Players = open.New(e.Families)
	return e
}

// Close ends the foreign programs that still run.
func (e *Env) Close() { e.Players.Close() }

// Open returns a game under rules in one word.
func (e *Env) Open(name, rules string) (engine.Game, error) {
	f, err := e.Families.ByName(name)
	if err != nil {
		return nil, err
	}
	return f.Parse(rules)
}

// Interruptible ends ctx at the first Ctrl-C or SIGTERM, so that the work can be
// left in order. The second ends the process.
func Interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
