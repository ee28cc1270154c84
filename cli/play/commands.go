package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/table"
)

// tableCommand is what a person may type besides moves.
type tableCommand struct {
	name, argument, doc string
	optional            bool // the argument may be left out
	do                  func(t *gameTable, ctx context.Context, argument string) error
}

// tableCommands are in the order in which help lists them. It is a function since
// help is one of them.
func tableCommands() []tableCommand {
	plain := func(do func(t *gameTable) error) func(*gameTable, context.Context, string) error {
		return func(t *gameTable, _ context.Context, _ string) error { return do(t) }
	}
	return []tableCommand{
		{name: "moves", doc: "list your moves", do: plain((*gameTable).list)},
		{name: "board", doc: "draw the board again", do: plain(func(t *gameTable) error { t.shown = false; return nil })},
		{name: "position", doc: "print the position as one line", do: plain(func(t *gameTable) error {
			t.say("%s\n", t.session.State().AppendPosition(nil))
			return nil
		})},
		{name: "clock", doc: "say what the clocks show", do: func(t *gameTable, _ context.Context, _ string) error {
			if !t.session.Clocked() {
				return errors.New("there are no clocks: `play --clock 5+3` has some")
			}
			t.times()
			return nil
		}},
		{name: "log", doc: "print the decisions so far", do: plain(func(t *gameTable) error {
			for _, step := range t.session.Steps() {
				t.tell(step)
			}
			return nil
		})},
		{name: "hint", argument: "PLAYER", optional: true, doc: "what PLAYER, or the player of --hints, would do", do: (*gameTable).hint},
		{name: "rules", argument: "SECTION", optional: true, doc: "print the page of rules, or one section or option of it", do: func(t *gameTable, _ context.Context, section string) error {
			return t.rules(section)
		}},
		{name: "dice", argument: diceByHand + "|" + diceByProgram, doc: diceByProgram + " lets the program roll the dice, " + diceByHand + " lets you type those of a real board", do: func(t *gameTable, _ context.Context, by string) error {
			return t.dice(by)
		}},
		{name: "undo", doc: "take back your last decision", do: plain(func(t *gameTable) error { return t.back(t.session.Undo) })},
		{name: "takeback", doc: "go back to the beginning of the turn in which you last decided", do: plain(func(t *gameTable) error { return t.back(t.session.Takeback) })},
		{name: "draw", doc: fmt.Sprintf("offer a draw, once a turn; a player accepts if its own value is at most %+.2f", table.DrawMargin), do: func(t *gameTable, ctx context.Context, _ string) error {
			return t.offer(ctx)
		}},
		{name: "accept", doc: "accept a draw", do: plain(func(t *gameTable) error { return t.answer(true) })},
		{name: "decline", doc: "decline a draw", do: plain(func(t *gameTable) error { return t.answer(false) })},
		{name: "resign", doc: "give the game up", do: plain(func(t *gameTable) error { t.shown = false; return t.session.Resign() })},
		{name: "save", argument: "FILE", doc: "write the game to a new file, for play --load and the page in the browser", do: func(t *gameTable, _ context.Context, path string) error {
			return t.save(path)
		}},
		{name: "help", doc: "list what you can type", do: plain((*gameTable).help)},
		{name: "quit", doc: "leave the table", do: plain(func(*gameTable) error { return errLeft })},
	}
}

// obey does what a line says. What is wrong with it is said at the table; an
// error ends the game.
func (t *gameTable) obey(ctx context.Context, line string) error {
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil
	}
	err := t.do(ctx, line, words)
	if err != nil && !errors.Is(err, errLeft) && ctx.Err() == nil {
		t.say("%v\n", err)
		return nil
	}
	return err
}

// do does a command or plays moves. A word that is a legal move is no
// command.
func (t *gameTable) do(ctx context.Context, line string, words []string) error {
	commands := tableCommands()
	i := slices.IndexFunc(commands, func(c tableCommand) bool { return c.name == words[0] })
	if i >= 0 && !t.isMove(words[0]) {
		c := &commands[i]
		argument := strings.TrimSpace(strings.TrimPrefix(line, words[0]))
		switch {
		case argument != "" && c.argument == "":
			return fmt.Errorf("%s stands alone; %q follows it", c.name, argument)
		case argument == "" && c.argument != "" && !c.optional:
			return fmt.Errorf("want %s %s: %s", c.name, c.argument, c.doc)
		}
		return c.do(t, ctx, argument)
	}
	list := shell.MoveWords(t.session.Game(), line)
	for k, word := range list {
		if _, over := t.session.Result(); over {
			return fmt.Errorf("%q: the game is over; `undo` takes your last decision back, `quit` leaves", word)
		}
		if !t.asks() {
			return fmt.Errorf("%q was not played: it is not you who decides now", strings.Join(list[k:], " "))
		}
		if t.lessonOver() {
			return errLesson
		}
		a, err := t.parse(word)
		if err != nil {
			return err
		}
		step, err := t.session.Play(a)
		if errors.Is(err, match.ErrFlagFell) {
			t.shown = false
			return nil
		}
		if err != nil {
			return err
		}
		t.made(step)
	}
	return nil
}

// isMove reports whether word is a legal move as it stands.
func (t *gameTable) isMove(word string) bool {
	if _, over := t.session.Result(); over {
		return false
	}
	_, err := t.session.State().ParseAction(word, t.session.History())
	return err == nil
}

// parse reads a move, or the beginning of one if no other legal move begins so.
func (t *gameTable) parse(word string) (engine.Action, error) {
	s := t.session
	a, err := s.State().ParseAction(word, s.History())
	if err == nil {
		return a, nil
	}
	var near []string
	for _, x := range s.Legal() {
		if w := string(s.State().AppendAction(nil, x)); strings.HasPrefix(w, word) {
			near = append(near, w)
			a = x
		}
	}
	switch len(near) {
	case 0:
		return 0, fmt.Errorf("%w; `moves` lists what is possible, `help` the commands", err)
	case 1:
		return a, nil
	}
	return 0, fmt.Errorf("%q may be one of %s", word, strings.Join(near, ", "))
}

// list prints the legal moves, with their notation where the game has one.
func (t *gameTable) list() error {
	s := t.session
	if _, over := s.Result(); over {
		return errors.New("the game is over: there are no moves")
	}
	notes, ok := s.State().(engine.Annotator)
	if !ok {
		var words []string
		for _, a := range s.Legal() {
			words = append(words, string(s.State().AppendAction(nil, a)))
		}
		t.say("%s\n", strings.Join(words, " "))
		return nil
	}
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	after := s.Game().NewState()
	for _, a := range s.Legal() {
		after.CopyFrom(s.State())
		after.Apply(a, nil)
		fmt.Fprintf(w, "  %s\t%s\n", s.State().AppendAction(nil, a), notes.AppendAnnotation(nil, a, after))
	}
	return w.Flush()
}

// hint says what a player would do.
func (t *gameTable) hint(ctx context.Context, name string) error {
	if name == "" && t.lesson != nil {
		t.say("%s\n", t.lesson.Hint)
		return nil
	}
	if name == "" {
		name = t.hinting
	}
	s := t.session
	if s.Asked() == engine.Nobody {
		return table.ErrNotAsked
	}
	p, err := t.hinter(ctx, name)
	if err != nil {
		return err
	}
	b := s.Bounds(s.State().Actor())
	b.Analyze = true
	a, err := p.Think(ctx, s.State(), s.History(), b)
	if err != nil {
		return err
	}
	t.say("%s\n", name)
	return shell.WriteAnalysis(t.out, s.Game(), s.State(), s.History(), a)
}

// back takes decisions back.
func (t *gameTable) back(how func() (int, error)) error {
	n, err := how()
	if err != nil {
		return err
	}
	t.shown = false
	switch n {
	case 0:
		t.say("The game goes on.\n")
	case 1:
		t.say("1 decision was taken back.\n")
	default:
		t.say("%d decisions were taken back.\n", n)
	}
	if t.session.State().SideOf(engine.First) != t.sides[0] {
		t.seats()
	}
	return nil
}

func (t *gameTable) offer(ctx context.Context) error {
	if t.lesson != nil {
		return errors.New("a lesson ends with its goal, not with a draw by agreement")
	}
	answer, err := t.session.OfferDraw(ctx)
	if errors.Is(err, match.ErrFlagFell) {
		t.shown = false
		return nil
	}
	if err != nil {
		return err
	}
	switch answer {
	case table.Accepted:
		t.say("The draw is accepted.\n")
		t.shown = false
	case table.Declined:
		t.say("The draw is declined.\n")
	case table.Waits:
		t.ask()
	}
	return nil
}

// answer answers a draw offer of the other person.
func (t *gameTable) answer(accept bool) error {
	if err := t.session.Answer(accept); err != nil {
		return err
	}
	if accept {
		t.shown = false
		return nil
	}
	t.say("The draw is declined.\n")
	t.ask()
	return nil
}

// save writes the game so far to a file that does not exist yet.
func (t *gameTable) save(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	e := json.NewEncoder(f)
	e.SetEscapeHTML(false) // moves may have a >
	if err := errors.Join(e.Encode(t.session.Save()), f.Close()); err != nil {
		return err
	}
	t.say("%s has the game.\n", path)
	return nil
}

func (t *gameTable) help() error {
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "  MOVE ...\tdecide; the beginning of a move is enough if no other begins so\n")
	for _, c := range tableCommands() {
		name := c.name
		switch {
		case c.optional:
			name += " [" + c.argument + "]"
		case c.argument != "":
			name += " " + c.argument
		}
		fmt.Fprintf(w, "  %s\t%s\n", name, c.doc)
	}
	return w.Flush()
}
