package play

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/table"
	"github.com/ludozero/ludozero/report/rulebook"
)

// gameTable is a session at a terminal or a pipe.
type gameTable struct {
	*setting
	env     *shell.Env
	program string // how a person calls it
	session *table.Session
	known   map[string]match.Contestant
	hinters map[string]match.Player
	color   bool
	prompts bool // somebody looks at the output and types
	out     io.Writer
	sides   [2]engine.Side // of the players, as last said
	shown   bool           // the board of the present position, or how the game ended
}

// errLeft ends a table whose person has left it.
var errLeft = errors.New("left")

// run plays until the game is over and nobody wants anything any more. The
// goroutine that reads in ends with it or with the process: a read of a terminal
// cannot be broken off.
func (t *gameTable) run(ctx context.Context, in io.Reader) error {
	t.welcome()
	lines := make(chan string)
	left := make(chan struct{})
	defer close(left)
	var broken error // of the input, once lines is closed
	go func() {
		defer close(lines)
		r := bufio.NewReader(in)
		for {
			line, err := r.ReadString('\n')
			if line = strings.TrimSpace(line); line != "" || err == nil {
				select {
				case lines <- line:
				case <-left:
					return
				}
			}
			if err != nil {
				if err != io.EOF {
					broken = fmt.Errorf("standard input: %w", err)
				}
				return
			}
		}
	}()
	for {
		err := t.decide(ctx)
		if err == nil {
			changed := !t.shown
			if t.show(); t.people() == 0 && !t.session.Entering() || changed && t.judge() {
				return nil
			}
			// The clock runs before anybody is asked, and what has been typed is
			// too late once it has run out.
			runsOut := t.session.Think()
			if t.session.Flag() {
				t.shown = false
				continue
			}
			t.prompt()
			select {
			case <-ctx.Done():
				err = ctx.Err()
			case <-runsOut:
				if t.prompts {
					t.say("\n")
				}
				continue
			case line, ok := <-lines:
				if !ok {
					if t.prompts {
						t.say("\n")
					}
					t.leave()
					return broken
				}
				err = t.obey(ctx, line)
			}
		}
		switch {
		case errors.Is(err, errLeft):
			t.leave()
			return nil
		case err != nil && ctx.Err() != nil:
			t.say("\n")
			if _, over := t.session.Result(); over {
				return nil
			}
			t.leave()
			return errors.New("interrupted")
		case err != nil:
			t.leave()
			return err
		}
	}
}

// say prints. Where nobody can be told, as when a pipe is gone, the table ends
// with its input.
func (t *gameTable) say(format string, args ...any) { fmt.Fprintf(t.out, format, args...) }

// people is how many of the seats have a person.
func (t *gameTable) people() int {
	n := 0
	for p := range engine.Player(2) {
		if t.session.Seat(p).Person() {
			n++
		}
	}
	return n
}

// welcome says who plays what, and the moves that were given.
func (t *gameTable) welcome() {
	t.say("%s, %s\n", t.session.Game().Info().Name, t.game.Rules())
	t.seats()
	if t.note != "" {
		t.say("%s\n", t.note)
	}
	if l := t.lesson; l != nil {
		t.say("\n%s\n%sThe goal: %s\n", l.Title, wording.Wrap(strings.Fields(l.Text), rulebook.TextWidth, "", ""), l.Goal.Text)
	}
	for _, step := range t.session.Steps() {
		t.tell(step)
	}
	if t.session.Clocked() {
		t.say("Clocks of %v, minutes and seconds a turn.\n", t.session.Control())
	}
	if t.people() > 0 {
		t.say("`help` lists what you can type.\n")
	}
}

// seats says which player owns which side.
func (t *gameTable) seats() {
	s := t.session
	for p := range engine.Player(2) {
		t.sides[p] = s.State().SideOf(p)
		t.say("%s player, %s: %s\n", p, s.Game().Info().Sides[t.sides[p]], wording.PlainName(s.Seat(p).Name))
	}
}

// asks reports whether somebody who types is to decide, or to enter what chance does.
func (t *gameTable) asks() bool { return t.session.Asked() != engine.Nobody || t.session.Entering() }

// decide lets players and chance decide until a person is asked or the game is
// over.
func (t *gameTable) decide(ctx context.Context) error {
	for {
		if _, over := t.session.Result(); over || t.asks() || t.lessonOver() {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		step, err := t.session.Continue(ctx)
		if errors.Is(err, match.ErrFlagFell) {
			t.shown = false
			return nil
		}
		if f := (*match.Forfeit)(nil); errors.As(err, &f) {
			t.shown = false
			t.say("%v\n", err)
			return nil
		}
		if err != nil {
			return err
		}
		t.made(step)
	}
}

// made tells of a decision and of what it changed.
func (t *gameTable) made(step table.Step) {
	t.shown = false
	t.tell(step)
	if t.session.State().SideOf(engine.First) != t.sides[0] {
		t.say("The players have changed sides.\n")
		t.seats()
	}
}

// tell prints a decision as the log has it.
func (t *gameTable) tell(step table.Step) { t.say("%s\n", t.entry(step)) }

// entry is a decision as the log has it.
func (t *gameTable) entry(step table.Step) string {
	who := t.session.Game().Info().Sides[step.Side]
	if step.Actor == engine.Chance {
		who = engine.Chance.String()
	}
	return shell.LogLine(step.Turn, who, step.Word, step.Note)
}

// show draws the position, or says how the game ended, if that was not done yet.
func (t *gameTable) show() {
	if t.shown {
		return
	}
	t.shown = true
	s := t.session
	t.board()
	r, over := s.Result()
	if over {
		name := "a draw"
		if r.Winner != engine.Nobody {
			name = fmt.Sprintf("%s wins (%s player, %s)", s.Game().Info().Sides[s.State().SideOf(r.Winner)], r.Winner, wording.PlainName(s.Seat(r.Winner).Name))
		}
		turns := wording.Count(s.State().Turn(), "turn")
		if s.Ended() != nil {
			t.say("The game is over: %s, by %s, after %s.\n", name, r.Reason, turns)
		} else {
			t.say("The game is over: %s after %s: %s.\n", name, turns, r.Reason)
		}
		if t.lesson == nil && t.prompts && t.people() > 0 {
			t.say("`undo` takes your last decision back, `save FILE` keeps the game, `quit` leaves.\n")
		}
		return
	}
	if !t.lessonOver() {
		t.ask()
	}
}

// board draws the position and what runs beside it.
func (t *gameTable) board() {
	state := t.session.State()
	t.say("\n%s", engine.BoardText(state, t.color))
	if w, ok := state.(engine.Explainer); ok {
		t.say("%s", w.AppendStatus(nil))
	}
	t.say("\n")
	t.times()
}

// times says what the clocks show.
func (t *gameTable) times() {
	s := t.session
	if !s.Clocked() {
		return
	}
	var left [2]string
	for p := range engine.Player(2) {
		left[p] = fmt.Sprintf("%s %v", s.Game().Info().Sides[s.State().SideOf(p)], shownTime(s.TimeLeft(p)))
	}
	t.say("Time left: %s, %s.\n", left[0], left[1])
}

// shownTime is a time on a clock for people: tenths only in the last minute.
func shownTime(d time.Duration) time.Duration {
	switch {
	case d <= 0:
		return 0
	case d < time.Minute:
		return d.Truncate(100 * time.Millisecond)
	}
	return d.Truncate(time.Second)
}

// ask says what is asked of whom.
func (t *gameTable) ask() {
	s := t.session
	if p := s.Offered(); p != engine.Nobody {
		t.say("%s offers a draw: accept or decline.\n", s.Game().Info().Sides[s.State().SideOf(p)])
		return
	}
	if s.Entering() {
		t.say("Enter the dice, one of %s", t.rolls())
	} else {
		t.say("%s to decide (%s player), %d moves", s.Game().Info().Sides[s.State().Side()], s.State().Actor(), len(s.Legal()))
	}
	if w, ok := s.State().(engine.Explainer); ok {
		t.say(": %s", w.AppendAsked(nil))
	}
	t.say(".\n")
}

// rolls are the words for what chance may decide.
func (t *gameTable) rolls() string {
	var words []string
	for _, a := range t.session.Legal() {
		words = append(words, string(t.session.State().AppendAction(nil, a)))
	}
	return strings.Join(words, " ")
}

// dice switches who decides for chance.
func (t *gameTable) dice(by string) error {
	if err := checkDice(t.session.Game(), by); err != nil {
		return err
	}
	if t.lesson != nil {
		return errors.New("the dice of a lesson are the program's")
	}
	t.session.EnterChance(by == diceByHand)
	t.shown = false
	if by == diceByHand {
		t.say("You enter the dice from here on.\n")
	} else {
		t.say("The program rolls the dice from here on.\n")
	}
	return nil
}

// Values of --dice.
const (
	diceByProgram = "program"
	diceByHand    = table.DiceByHand
)

func checkDice(g engine.Game, by string) error {
	switch {
	case by != diceByProgram && by != diceByHand:
		return fmt.Errorf("dice %q: want %s or %s", by, diceByProgram, diceByHand)
	case by == diceByHand && g.Info().NumChance == 0:
		return fmt.Errorf("dice %q: nothing is drawn in %s", by, g.Info().Name)
	}
	return nil
}

// prompt waits at the beginning of a line for what a person types.
func (t *gameTable) prompt() {
	if !t.prompts {
		return
	}
	s := t.session
	word := "over"
	if s.Entering() {
		word = "dice"
	} else if p := s.Asked(); p != engine.Nobody {
		word = s.Game().Info().Sides[s.State().SideOf(p)]
	}
	t.say("%s> ", word)
}

// leave says how to come back to a game that is not over.
func (t *gameTable) leave() {
	if _, over := t.session.Result(); over {
		return
	}
	t.say("The game is not over. Position:\n  %s\nThis goes on:\n  %s\n", t.session.State().AppendPosition(nil), t.goOn())
}

// hinter is the player of a description, who gives hints and takes no part.
func (t *gameTable) hinter(ctx context.Context, name string) (match.Player, error) {
	if p := t.hinters[name]; p != nil {
		return p, nil
	}
	c, ok := t.known[name]
	if !ok {
		list, err := t.env.Contestants(t.session.Game(), t.session.State(), name)
		if err == nil {
			err = shell.WantClock(list, t.clock, "play --clock 5+3")
		}
		if err != nil {
			return nil, err
		}
		c = list[0]
	}
	p, err := c.New()
	if err != nil {
		return nil, err
	}
	if t.hinters == nil {
		t.hinters = map[string]match.Player{}
	}
	if err := p.NewGame(ctx, seed.Number(t.seed, "play hint", 0)); err != nil {
		match.Dismiss(p)
		return nil, err
	}
	t.hinters[name] = p
	return p, nil
}
