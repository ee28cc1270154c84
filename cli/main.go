// Package cli is the program: its commands, a package each below this one, and Main,
// by which a program of another module has them with games of its own.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/ludozero/ludozero/cli/builtin"
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/internal/fault"
	"github.com/ludozero/ludozero/internal/wording"
)

// Game is a game with what it brings besides its rules. Only its Family is needed.
type Game = shell.Game

// Option changes what Main runs.
type Option func(*options)

type options struct {
	games   []Game
	program program
}

// Games adds games to those of this module. Two games of one name are an error of
// every command.
func Games(gs ...Game) Option { return func(o *options) { o.games = append(o.games, gs...) } }

// Main runs the command that the process was started with and returns its exit code:
// 0 done, 1 failed, 2 called wrongly.
func Main(opts ...Option) int {
	p := thisProgram()
	opts = append(opts, func(o *options) { o.program = p })
	err := execute(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, opts...)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %s\n", p.name, wording.Plain(err.Error()))
	}
	return shell.ExitCode(err)
}

func execute(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer, opts ...Option) error {
	o := options{games: builtin.Games(), program: program{"ludozero", "ludozero"}}
	for _, opt := range opts {
		opt(&o)
	}
	env, err := shell.NewEnv(o.games)
	if err == nil {
		err = fault.Err()
	}
	if err != nil {
		return shell.Usage(err)
	}
	defer env.Close()
	env.Players.Announce(func(command string) { fmt.Fprintln(errOut, "starting the program", wording.Plain(command)) })
	root := newRoot(env, o.program)
	named := o.program.naming(root)
	nameHelp(root, named)
	root.SetArgs(append([]string{}, args...)) // nil would be the arguments of the process
	root.SetIn(in)
	printed := shell.NewOutput(out)
	root.SetOut(printed)
	root.SetErr(errOut)
	root.InitDefaultHelpCmd()
	// Flags are read before a word is found to be no command, and would be blamed.
	if c, rest, err := root.Find(args); err == nil && isGroup(c) && len(rest) > 0 && !internalWord(rest[0]) {
		return shell.NoSuchCommand(c, rest[:1])
	}
	if err := root.ExecuteContext(ctx); err != nil {
		return namedError{err, named(err.Error())}
	}
	return printed.Err()
}

// internalWord tells words that cobra answers: flags and the completion of shells.
func internalWord(word string) bool {
	return word == "" || strings.HasPrefix(word, "-") || strings.HasPrefix(word, "__") || word == "completion"
}
