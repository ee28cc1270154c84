package ugi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// ErrGone says that the engine's output has ended.
var ErrGone = errors.New("the engine has gone")

// keptLines is how many of an engine's last lines are kept for error messages.
const keptLines = 5

// Client asks an engine. Its methods are called by one goroutine at a time; those
// that wait for an answer end with the cause of their context, after which the
// engine's answer may still come: ask it for nothing but Stop or Ready then.
type Client struct {
	lines    <-chan string
	commands chan<- string
	// Name is what the engine called itself.
	Name    string
	options []string

	mu   sync.Mutex
	last []string
}

// Limits are the words of a go; zero values are left out, those of Remaining and
// Increment (by player, in milliseconds) unless the first two are set.
type Limits struct {
	Nodes, Depth, MoveTime int
	Remaining, Increment   [2]int
}

// NewClient returns a client of an engine that reads from w and writes to r. Two
// goroutines move the lines; Close ends them, once r has ended.
func NewClient(r io.Reader, w io.WriteCloser) *Client {
	c := &Client{}
	lines := make(chan string)
	// An engine that does not read while it thinks may be sent some commands.
	commands := make(chan string, 16)
	c.lines, c.commands = lines, commands
	go func() {
		defer close(lines)
		raw := make(chan string)
		go read(r, raw, nil)
		for line := range raw {
			c.note(line)
			lines <- line
		}
	}()
	go func() {
		var failed error
		for line := range commands {
			if failed == nil {
				_, failed = io.WriteString(w, line+"\n")
			}
		}
		w.Close()
	}()
	return c
}

func (c *Client) note(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last = append(c.last, oneLine(line)); len(c.last) > keptLines {
		c.last = c.last[1:]
	}
}

// Last are the last lines that the engine wrote.
func (c *Client) Last() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.last)
}

// Close ends the engine's input, once it has read what was said, and waits for the
// end of its output.
func (c *Client) Close() {
	close(c.commands)
	for range c.lines { // what nobody asked for
	}
}

// say sends a command. It waits while the engine has not read the commands before.
func (c *Client) say(ctx context.Context, format string, args ...any) error {
	select {
	case c.commands <- fmt.Sprintf(format, args...):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// hear hands lines, in words, to take until it is done.
func (c *Client) hear(ctx context.Context, take func(words []string) (done bool)) error {
	for {
		select {
		case line, ok := <-c.lines:
			if !ok {
				return ErrGone
			}
			if words := strings.Fields(line); len(words) > 0 && take(words) {
				return nil
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Begin says ugi and learns the engine's name and options.
func (c *Client) Begin(ctx context.Context) error {
	if err := c.say(ctx, "ugi"); err != nil {
		return err
	}
	return c.hear(ctx, func(words []string) bool {
		switch {
		case len(words) > 2 && words[0] == "id" && words[1] == "name":
			c.Name = oneLine(strings.Join(words[2:], " "))
		case len(words) > 2 && words[0] == "option" && words[1] == "name":
			end := slices.Index(words, "type")
			if end < 0 {
				end = len(words)
			}
			c.options = append(c.options, strings.Join(words[2:end], " "))
		}
		return words[0] == "ugiok"
	})
}

// Has tells whether the engine has an option.
func (c *Client) Has(option string) bool {
	return slices.ContainsFunc(c.options, func(o string) bool { return strings.EqualFold(o, option) })
}

// Set sets an option. It is an error if the engine has none of that name.
func (c *Client) Set(ctx context.Context, option, value string) error {
	if !c.Has(option) {
		has := "it has none"
		if len(c.options) > 0 {
			has = "it has " + strings.Join(c.options, ", ")
		}
		return fmt.Errorf("the engine has no option %q: %s", option, oneLine(has))
	}
	return c.say(ctx, "setoption name %s value %s", option, value)
}

// Ready waits until the engine has done what it was told.
func (c *Client) Ready(ctx context.Context) error {
	if err := c.say(ctx, "isready"); err != nil {
		return err
	}
	return c.hear(ctx, func(words []string) bool { return words[0] == "readyok" })
}

// Accepts waits as Ready does, after options were set: engines that say what they
// cannot do, in lines that begin with "info string error", have then refused one.
func (c *Client) Accepts(ctx context.Context) error {
	if err := c.say(ctx, "isready"); err != nil {
		return err
	}
	var refused error
	err := c.hear(ctx, func(words []string) bool {
		if refused == nil && len(words) > 2 && words[0] == "info" && words[1] == "string" && strings.HasPrefix(words[2], "error") {
			refused = errors.New(oneLine(strings.Join(words[2:], " ")))
		}
		return words[0] == "readyok"
	})
	if err != nil {
		return err
	}
	return refused
}

// NewGame says that another game begins.
func (c *Client) NewGame(ctx context.Context) error { return c.say(ctx, "uginewgame") }

// Position sets the position after moves, words with spaces between, from the line
// start, or from the game's start if that is empty.
func (c *Client) Position(ctx context.Context, start, moves string) error {
	from := "startpos"
	if start != "" {
		from = "fen " + start
	}
	if moves != "" {
		from += " " + movesWord + " " + moves
	}
	return c.say(ctx, "position %s", from)
}

// Go has the engine search the position and returns its bestmove, and the last
// number of nodes that it told of.
func (c *Client) Go(ctx context.Context, l Limits) (move string, nodes int, err error) {
	text := "go"
	word := func(name string, n int) {
		text += fmt.Sprintf(" %s %d", name, n)
	}
	if l.Remaining != [2]int{} {
		word("p1time", l.Remaining[0])
		word("p2time", l.Remaining[1])
		word("p1inc", l.Increment[0])
		word("p2inc", l.Increment[1])
	}
	for _, limit := range []struct {
		name string
		n    int
	}{{"movetime", l.MoveTime}, {"depth", l.Depth}, {"nodes", l.Nodes}} {
		if limit.n > 0 {
			word(limit.name, limit.n)
		}
	}
	if err := c.say(ctx, "%s", text); err != nil {
		return "", 0, err
	}
	move, nodes, err = c.best(ctx)
	return move, nodes, err
}

// Stop ends a search whose answer nobody waits for any more, and waits for it.
func (c *Client) Stop(ctx context.Context) error {
	if err := c.say(ctx, "stop"); err != nil {
		return err
	}
	_, _, err := c.best(ctx)
	return err
}

// best waits for a bestmove.
func (c *Client) best(ctx context.Context) (move string, nodes int, err error) {
	err = c.hear(ctx, func(words []string) bool {
		switch words[0] {
		case "info":
			if i := slices.Index(words, "nodes"); i >= 0 && i+1 < len(words) && words[1] != "string" {
				if n, err := strconv.Atoi(words[i+1]); err == nil && n >= 0 {
					nodes = n
				}
			}
		case "bestmove":
			if len(words) > 1 {
				move = words[1]
			}
			return true
		}
		return false
	})
	return move, nodes, err
}

// Quit says quit; the engine then ends.
func (c *Client) Quit(ctx context.Context) error { return c.say(ctx, "quit") }
