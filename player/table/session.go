// Package table is a game at one table, between people and players: who decides
// next, what may be taken back, and the ends that the rules of games leave to
// the players, resigning and agreeing to a draw. It reads and writes nothing: a
// terminal or a page is the caller's business.
package table

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
)

// You is the name of a seat in which a person sits.
const You = "you"

// Seat is who decides for First or Second.
type Seat struct {
	// Name describes the player, or is You.
	Name string
	// Player decides; nil for a person.
	Player match.Player
}

// Person reports whether a person sits there.
func (s *Seat) Person() bool { return s.Player == nil }

// Step is a decision that was made.
type Step struct {
	Action engine.Action
	// Word is the action in the game's words, Note in its notation for people,
	// empty where it has none.
	Word, Note string
	Actor      engine.Player // Chance, too
	Side       engine.Side
	Turn       int // State.Turn before it
	// Drawn says that the program drew the outcome of chance; false for one that was
	// entered or read, and for a player.
	Drawn bool
}

// Result is the end of a game by the rules or by its players.
type Result struct {
	Winner engine.Player // Nobody for a draw
	Reason string
}

// Reasons of results that players make.
const (
	Resigned = "resignation"
	Agreed   = "agreement"
)

// Session is a game under way. The same seats, seed and decisions of people give
// the same game, except where players are limited by time. Not safe for
// concurrent use.
type Session struct {
	game    engine.Game
	seats   [2]Seat
	seed    uint64
	begin   engine.State // the position of the first step
	line    string       // that position; empty if it is the game's start
	state   engine.State
	before  engine.State // scratch
	history *engine.History
	steps   []Step
	legal   []engine.Action // scratch
	settled *Result         // by the players or a clock
	byHand  bool            // people enter what chance decides
	offer   engine.Player   // whose draw offer waits for an answer; Nobody: no one's
	clock   *match.Clock    // nil: none
	clocks  []match.Clock   // before each of steps, and perhaps one more, if there is a clock
	began   time.Time       // when the person who is to move began to think; zero: the clock stands
	offered [2]int          // 1 + the turn of each player's last offer, 0: none
}

// EnterChance lets people enter what chance decides from here on, as at a board with real
// dice, or the program draw it again, as at first. Entered outcomes are decisions of
// people: they can be taken back.
func (s *Session) EnterChance(on bool) { s.byHand = on }

// ChanceEntered reports whether people enter what chance decides.
func (s *Session) ChanceEntered() bool { return s.byHand }

// Entering reports whether people are to enter an outcome of chance now. Nobody is Asked
// then, and no clock runs.
func (s *Session) Entering() bool {
	_, over := s.Result()
	return !over && s.byHand && s.state.Actor() == engine.Chance
}

// ErrOver is returned for a decision after the end.
var ErrOver = errors.New("the game is over")

// ErrNotAsked is returned to a person who decides where none is asked.
var ErrNotAsked = errors.New("no person is to decide here")

// New seats players at a table on which start lies, which is copied.
func New(ctx context.Context, g engine.Game, start engine.State, seats [2]Seat, runSeed uint64) (*Session, error) {
	s := &Session{
		game: g, seats: seats, seed: runSeed,
		begin: g.NewState(), state: g.NewState(), before: g.NewState(), history: g.NewHistory(),
		offer: engine.Nobody,
	}
	s.begin.CopyFrom(start)
	s.state.Start(s.history)
	if line := string(start.AppendPosition(nil)); line != string(s.state.AppendPosition(nil)) {
		s.line = line
	}
	s.rewind(0)
	for i := range seats {
		if p := seats[i].Player; p != nil {
			if err := p.NewGame(ctx, seed.Number(runSeed, "play player", uint64(i))); err != nil {
				return nil, fmt.Errorf("%s: %w", seats[i].Name, err)
			}
		}
	}
	return s, nil
}

// State is the present position; it must not be changed.
func (s *Session) State() engine.State { return s.state }

// History is the past of the present position; it must not be changed.
func (s *Session) History() *engine.History { return s.history }

// Game is the ruleset.
func (s *Session) Game() engine.Game { return s.game }

// Steps are the decisions so far; they must not be changed.
func (s *Session) Steps() []Step { return s.steps }

// Decisions are the position of the first step and the actions of all steps.
func (s *Session) Decisions() (start engine.State, list []engine.Action) {
	start = s.game.NewState()
	s.Before(start, 0)
	for _, step := range s.steps {
		list = append(list, step.Action)
	}
	return start, list
}

// Before copies the position before step n, or the present one if n is their
// number, to dst, a state of the same game.
func (s *Session) Before(dst engine.State, n int) {
	dst.CopyFrom(s.begin)
	for _, step := range s.steps[:n] {
		dst.Apply(step.Action, nil)
	}
}

// Seat is who sits in the seat of First or Second.
func (s *Session) Seat(p engine.Player) *Seat { return &s.seats[p] }

// Result is how the game ended; over is false while it goes on.
func (s *Session) Result() (r Result, over bool) {
	if s.settled != nil {
		return *s.settled, true
	}
	o := s.state.Outcome()
	return Result{Winner: o.Winner, Reason: o.Reason}, o.Over
}

// Asked is the person, First or Second, who is to decide now, a draw offer
// included; Nobody if a player or chance is, or if the game is over.
func (s *Session) Asked() engine.Player {
	if _, over := s.Result(); over {
		return engine.Nobody
	}
	if s.offer != engine.Nobody {
		return s.offer.Other()
	}
	p := s.state.Actor()
	if p > engine.Second || !s.seats[p].Person() {
		return engine.Nobody
	}
	return p
}

// Legal are the actions that can be played now; the slice holds until the next
// call of a method.
func (s *Session) Legal() []engine.Action {
	var scratch []engine.Weighted
	s.legal = engine.AppendPossible(s.legal[:0], &scratch, s.state, s.history)
	return s.legal
}

// Play makes a decision, whoever is to make it, chance included: that is how
// moves of a file are entered. A draw offer that waits lapses. If the clock of a
// person who thought has run out, nothing is played, the game is over, and
// match.ErrFlagFell is returned.
func (s *Session) Play(a engine.Action) (Step, error) {
	if err := s.playable(a); err != nil {
		return Step{}, err
	}
	s.mark()
	if err := s.Rest(); err != nil {
		return Step{}, err
	}
	return s.play(a), nil
}

// playable says why a cannot be played.
func (s *Session) playable(a engine.Action) error {
	if _, over := s.Result(); over {
		return ErrOver
	}
	if !slices.Contains(s.Legal(), a) {
		return fmt.Errorf("action %d is not legal in %s", a, s.state.AppendPosition(nil))
	}
	return nil
}

// play makes a decision that can be made and has been paid for.
func (s *Session) play(a engine.Action) Step {
	s.offer = engine.Nobody
	step := Step{
		Action: a, Word: string(s.state.AppendAction(nil, a)),
		Actor: s.state.Actor(), Side: s.state.Side(), Turn: s.state.Turn(),
	}
	s.before.CopyFrom(s.state)
	s.state.Apply(a, s.history)
	step.Note = string(engine.AppendNote(nil, s.before, a, s.state))
	s.steps = append(s.steps, step)
	s.press()
	return step
}

// Continue lets the player or chance decide whose decision it is. Nobody may be
// Asked or Entering, and the game must not be over. Chance draws the same outcome when a
// decision is repeated after an Undo. If the player's clock runs out the game is
// over and match.ErrFlagFell is returned. It is over, too, if the error is an
// match.Forfeit of the player, who is asked again after an Undo.
func (s *Session) Continue(ctx context.Context) (Step, error) {
	actor := s.state.Actor()
	if actor == engine.Chance {
		if s.byHand {
			return Step{}, errors.New("what chance decides is to be entered")
		}
		draw := rand.New(seed.Stream(s.seed, "play chance", uint64(len(s.steps))))
		step, err := s.Play(engine.Draw(s.state.Chance(nil), draw.Float64()))
		if err == nil {
			step.Drawn = true
			s.steps[len(s.steps)-1].Drawn = true
		}
		return step, err
	}
	seat := &s.seats[actor]
	s.mark()
	x, err := s.clock.Think(ctx, seat.Player, s.state, s.history, match.Bounds{Record: s.record})
	if errors.Is(err, match.ErrFlagFell) {
		s.Forfeit(match.TimeForfeit)
		return Step{}, err
	}
	if err == nil {
		err = s.playable(x.Choice)
	}
	if err != nil {
		if f := (*match.Forfeit)(nil); errors.As(err, &f) {
			s.Forfeit(f.Reason)
		}
		return Step{}, fmt.Errorf("%s: %w", seat.Name, err)
	}
	return s.play(x.Choice), nil
}

// record says how the game came to the present position: match.Bounds.Record.
func (s *Session) record() (start, moves string) {
	words := make([]string, len(s.steps))
	for i := range s.steps {
		words[i] = s.steps[i].Word
	}
	return s.line, strings.Join(words, " ")
}

// rewind goes back to before step n.
func (s *Session) rewind(n int) {
	s.state.CopyFrom(s.begin)
	s.state.Begin(s.history)
	for _, step := range s.steps[:n] {
		s.state.Apply(step.Action, s.history)
	}
	if n < len(s.steps) && s.clock != nil {
		*s.clock = s.clocks[n]
		s.clocks = s.clocks[:n]
	}
	s.began = time.Time{}
	s.steps = s.steps[:n]
	s.settled, s.offer = nil, engine.Nobody
	for i := range s.offered {
		// An offer of a turn that was taken back has not been made.
		if s.offered[i] > s.state.Turn()+1 {
			s.offered[i] = 0
		}
	}
}
