// Package ugi speaks UGI, the Universal Game Interface: a protocol of lines
// between a program that plays a game and one that asks it to, after the UCI of
// chess. It follows the text of kz04px (github.com/kz04px/cutegames, ugi.md);
// docs/ugi.md is the protocol as it is spoken here, with what was added.
//
// [Serve] is the side that plays, with any player of package player, and [Client]
// the side that asks. Both work on readers and writers and know no processes; the
// rules come from package engine alone. A bestmove is one decision, as everywhere
// here: what a turn asks for besides, and the answer to a pie rule, are decisions
// of their own.
package ugi

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// Config is what an engine plays and how.
type Config struct {
	// Name and Author are what the engine says of itself.
	Name, Author string
	Game         engine.Game
	// Parse reads another ruleset of the same family.
	Parse func(rules string) (engine.Game, error)
	// Player describes the player of g; note, if not empty, is a sentence about it. Called
	// before anything is read, after changes of the rules, and where Choices are several also
	// before a search.
	Player func(g engine.Game, by Choice) (p *player.Spec, note string, err error)
	// Choices are the players of g among which the other side may choose; nil for none.
	Choices func(g engine.Game) []string
}

const (
	// maxLine bounds what is kept of a line: a game of some 100,000 moves.
	maxLine = 1 << 20
	// reportEvery is how often a search says what it knows.
	reportEvery = time.Second
	// plainTime is how long a search takes where nobody set a limit.
	plainTime = time.Second
)

// Serve answers the commands of in on out until quit, the end of in, or that of
// ctx. A search under way is then answered: at quit and at the end of in one that has
// a limit comes to its end, unless stop or another quit follows; others are stopped. An error comes from making the first player or
// from writing to out; mistakes of the other side are answered and no error.
// in may still be read from once Serve has returned.
func Serve(ctx context.Context, cfg Config, in io.Reader, out io.Writer) error {
	s := &server{cfg: cfg, out: &output{w: out}, options: defaultOptions()}
	if err := s.sit(ctx, cfg.Game); err != nil {
		return err
	}
	defer func() { match.Dismiss(s.player) }()
	gone := make(chan struct{})
	defer close(gone)
	input := make(chan string)
	go read(in, input, gone)
	lines := (<-chan string)(input)
	for on := true; on && s.out.err() == nil && (lines != nil && !s.quits || s.search != nil); {
		select {
		case line, ok := <-lines:
			if ok {
				on = s.obey(ctx, line)
				continue
			}
			lines = nil
			s.finish()
		case <-s.ended():
			s.search.over = true
			if s.search.infinite {
				s.say("info string %s; stop gives the move", s.search.why())
				continue
			}
			s.answer()
		case <-ctx.Done():
			on = false
		}
	}
	s.abort()
	return s.out.err()
}

// lastGrace is how long a player that cannot be stopped may go on after the end.
const lastGrace = 2 * time.Second

// finish stops the search under way if nothing else would end it. One that was told to stop and
// goes on cannot be stopped.
func (s *server) finish() {
	switch q := s.search; {
	case q == nil || !q.infinite && !q.stopped:
	case q.stops:
		s.stop()
	default: // it may go on for as long as it likes
		s.stop()
		time.AfterFunc(lastGrace, q.abort)
	}
}

// read sends the lines of in. Of one that is too long, a question mark comes in
// its place, which is no command.
func read(in io.Reader, lines chan<- string, gone <-chan struct{}) {
	defer close(lines)
	r := bufio.NewReader(in)
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; long {
			line = line[:0]
		} else {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		text := string(bytes.TrimSpace(line))
		if long {
			text = "?"
		}
		if text != "" {
			select {
			case lines <- text:
			case <-gone:
				return
			}
		}
		if err != nil {
			return
		}
		line, long = line[:0], false
	}
}

// server is one engine. Everything but a search runs on the goroutine of Serve.
type server struct {
	cfg     Config
	out     *output
	options options
	game    engine.Game
	player  match.Player
	spec    *player.Spec // describes it
	choice  Choice       // by which it plays
	note    string       // about it
	threads int          // that it had by its description
	state   engine.State
	history *engine.History
	games   uint64     // begun so far
	rng     *rand.Rand // of draws by temperature
	dice    *rand.Rand // of roll
	search  *search    // under way or held back; nil: none
	quits   bool       // quit was said
}

// sit begins to play g with a new player. Nothing has changed if none can be made.
func (s *server) sit(ctx context.Context, g engine.Game) error {
	if err := s.seat(g); err != nil {
		return err
	}
	s.state, s.history = g.NewState(), g.NewHistory()
	return s.newGame(ctx)
}

// seat makes a new player of g, by its description and the options. Nothing has changed
// if there can be none.
func (s *server) seat(g engine.Game) error {
	spec, note, err := s.cfg.Player(g, s.chosen(g))
	if err != nil {
		return err
	}
	changed, err := spec.With(s.options.changes(spec)...)
	if err != nil {
		return err
	}
	p, err := changed.New(g)
	if err != nil {
		return err
	}
	threads := 0
	if _, err = s.options.strength(p); err == nil {
		threads, err = s.options.spread(p)
	}
	if err != nil {
		match.Dismiss(p)
		return err
	}
	match.Dismiss(s.player)
	s.game, s.player, s.spec, s.threads, s.note = g, p, spec, threads, note
	return nil
}

// reseat makes the player anew in the middle of a game, after options have changed.
func (s *server) reseat(ctx context.Context) error {
	if err := s.seat(s.game); err != nil {
		return err
	}
	return s.player.NewGame(ctx, s.gameSeed())
}

// gameSeed is the seed of the player's game under way.
func (s *server) gameSeed() uint64 { return seed.Number(s.options.seed, "ugi game", s.games-1) }

// explain tells the note about the player, if there is one.
func (s *server) explain() {
	if s.note != "" {
		s.say("info string %s", s.note)
	}
}

// newGame forgets the last game and goes to the start.
func (s *server) newGame(ctx context.Context) error {
	s.state.Start(s.history)
	number := s.games
	s.rng = rand.New(seed.Stream(s.options.seed, "ugi temperature", number))
	s.dice = rand.New(seed.Stream(s.options.seed, "ugi dice", number))
	s.games++
	return s.player.NewGame(ctx, s.gameSeed())
}

func (s *server) say(format string, args ...any) { s.out.line(fmt.Sprintf(format, args...)) }

// complain answers what cannot be done.
func (s *server) complain(command string, err error) {
	s.say("info string error: %s: %s", command, oneLine(err.Error()))
}

// oneLine makes text fit for an answer, whatever it repeats of a question.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return ';'
		case r < ' ', r == 0x7f, r == 0x2028, r == 0x2029, r == '\uFFFD':
			return '?'
		}
		return r
	}, strings.TrimSpace(text))
	const most = 500
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "..."
	}
	return text
}

// obey carries out a line and reports whether to continue.
func (s *server) obey(ctx context.Context, line string) bool {
	words := strings.Fields(line)
	if len(words) == 0 {
		return true
	}
	command, words := words[0], words[1:]
	if s.quits && command != "stop" && command != "quit" {
		return true
	}
	if s.search != nil && slices.Contains([]string{"ugi", "uginewgame", "setoption", "position", "go", "roll"}, command) {
		s.say("info string error: %s: a search is under way: want stop first", command)
		return true
	}
	var err error
	switch command {
	case "ugi":
		s.say("id name %s", s.cfg.Name)
		s.say("id author %s", s.cfg.Author)
		s.explain()
		for _, o := range s.listed() {
			if o.form != "" {
				s.say("option name %s type %s", o.name, o.form)
			}
		}
		s.say("ugiok")
	case "isready":
		s.say("readyok")
	case "uginewgame":
		err = s.newGame(ctx)
	case "setoption":
		if err = s.choose(ctx, Choice{Named: s.choice.Named}); err == nil { // options are of the player where no time is given
			err = s.setOption(ctx, words)
		}
	case "position":
		err = s.setPosition(words)
	case "go":
		if err = s.start(ctx, words); err != nil {
			s.complain(command, err)
			s.say("bestmove %s", NoMove)
			err = nil
		}
	case "roll":
		word := ""
		if word, err = s.roll(); err != nil {
			s.complain(command, err)
			err = nil
		}
		s.say("rolled %s", word)
	case "stop":
		if s.stop(); s.quits {
			s.finish()
		}
	case "query":
		err = s.query(words)
	case "quit":
		if s.quits || s.search != nil && s.search.stopped {
			return false // a player that cannot be stopped may take long
		}
		s.quits = true
		s.finish()
	default:
		s.say("info string error: unknown command %q", oneLine(command))
	}
	if err != nil {
		s.complain(command, err)
	}
	return true
}
