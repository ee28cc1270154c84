package play

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/guide"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/table"
)

// options are what play is asked for.
type options struct {
	ruleset                       shell.GameFlags
	against, first, second, hints string
	position, moves, color, clock string
	dice                          string // diceByProgram or diceByHand
	lessonName, file              string
	seed                          uint64
}

// setting is what options come to: the game, who sits where, and what is on the table.
type setting struct {
	options // as lessons, files and defaults have completed them
	game    engine.Game
	guide   *guide.Guide  // nil if the game has none
	lesson  *guide.Lesson // nil for a game
	start   engine.State
	saved   table.Saved // position, moves, dice and end
	seats   [2]string
	hinting string // the description of the player who gives hints
	note    string // about the player opposite, if nobody said who
	control match.TimeControl
}

// resolve checks options and completes them; given tells which of them were set by a
// flag. No player is made and nothing is played.
func (o options) resolve(env *shell.Env, given func(flag string) bool) (*setting, error) {
	s := &setting{}
	if o.file != "" {
		var err error
		if s.saved.Ended, err = o.load(env, given); err != nil {
			return nil, shell.Usage(err)
		}
	}
	s.guide = env.Guides[o.ruleset.Name]
	if o.lessonName != "" {
		if err := s.learn(&o, given); err != nil {
			return nil, err
		}
	}
	var err error
	if s.game, err = o.ruleset.Open(); err != nil {
		return nil, err
	}
	if s.lesson == nil {
		if err := s.seat(env, &o, given("against")); err != nil {
			return nil, err
		}
	}
	if o.hints == "" && given("against") && s.seats == [2]string{table.You, table.You} {
		o.hints = o.against // which a game that goes on must be told, too
	}
	if s.hinting = o.hints; s.hinting == "" {
		s.hinting = o.against
		for i, name := range s.seats {
			if name != table.You && s.seats[1-i] == table.You {
				s.hinting = name
			}
		}
	}
	if s.control, err = match.ParseTimeControl(o.clock); err != nil {
		return nil, shell.Usage(err)
	}
	if err := checkDice(s.game, o.dice); err != nil {
		return nil, shell.Usagef("--dice: %w", err)
	}
	if o.dice == diceByHand {
		s.saved.Dice = table.DiceByHand
	}
	s.saved.Pos, s.saved.Moves = o.position, strings.Join(shell.MoveWords(s.game, o.moves), " ")
	s.start, _, err = shell.Position(s.game, o.position)
	s.options = o
	return s, err
}

// seat finds out who sits where.
func (s *setting) seat(env *shell.Env, o *options, against bool) error {
	if named := s.guide.PlayerOf(o.against); named != o.against {
		o.against = named
	} else if _, err := env.Players.Parse(o.against); against && err != nil && s.guide != nil {
		var known []string
		for _, x := range s.guide.Opponents {
			known = append(known, x.Name)
		}
		return shell.Usage(fmt.Errorf("%w; the opponents by name are %s", err, strings.Join(known, ", ")))
	}
	note := ""
	if !against {
		var err error
		if o.against, note, err = env.Players.Opponent(s.game); err != nil {
			return err
		}
	}
	var err error
	if s.seats, err = o.names(against); err != nil {
		return shell.Usage(err)
	}
	if s.seats[0] == o.against || s.seats[1] == o.against {
		s.note = note
	}
	return nil
}

// names resolves who sits where; a seat that no flag fills belongs to the one who
// is left, you or the player of --against.
func (o *options) names(against bool) ([2]string, error) {
	n := [2]string{o.first, o.second}
	if n[0] == "" && n[1] == "" {
		n[0] = table.You
	}
	for i := range n {
		switch {
		case n[i] != "":
		case n[1-i] == table.You:
			n[i], against = o.against, false
		default:
			n[i] = table.You
		}
	}
	if against && (n[0] != table.You || n[1] != table.You) {
		return n, errors.New("--against: who sits opposite to you is said by --first or --second already")
	}
	return n, nil
}

// load sets options by the game of a file. Who sits where may be said anew, and must be if
// the file names a program: it may be somebody else's, and only what this user names is
// started.
func (o *options) load(env *shell.Env, given func(flag string) bool) (*table.Ended, error) {
	for _, name := range []string{"game", "rules", "position", "moves"} {
		if given(name) {
			return nil, fmt.Errorf("--%s: the file of --load says it", name)
		}
	}
	data, err := input.Read(o.file, input.Small)
	if err != nil {
		return nil, fmt.Errorf("--load: %w", err)
	}
	saved, err := table.ParseSaved(data)
	if err != nil {
		return nil, fmt.Errorf("--load %s: %w", o.file, err)
	}
	o.ruleset.Name, o.ruleset.Rules = saved.Game, saved.Rules()
	o.position, o.moves = saved.Pos, saved.Moves
	if !given("against") && !given("first") && !given("second") {
		if programs := env.Players.Programs(saved.Seats[:]); len(programs) > 0 {
			return nil, fmt.Errorf("--load %s: it names a program, %s, and a file starts none: to start it, name the players yourself: --first %s --second %s",
				o.file, strings.Join(programs, ", "), wording.Quoted(saved.Seats[0]), wording.Quoted(saved.Seats[1]))
		}
		o.first, o.second = saved.Seats[0], saved.Seats[1]
	}
	if saved.Seed != nil && !given("seed") {
		o.seed = *saved.Seed
	}
	if saved.Dice != "" && !given("dice") {
		o.dice = saved.Dice
	}
	return saved.Ended, nil
}
