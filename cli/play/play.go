// Package play is the command to play a game at the terminal.
package play

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/guide"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/player/table"
	"github.com/spf13/cobra"
)

// playFlags are the flags of play besides those of the game.
type playFlags struct {
	against, first, second, hints string
	position, moves, color, clock string
	dice                          string // diceByProgram or diceByHand
	note                          string // about the player of --against, if nobody said who
	lessonName, file              string
	ended                         *table.Ended  // what file says besides moves
	guide                         *guide.Guide  // nil if the game has none
	lesson                        *guide.Lesson // nil for a game
	seed                          uint64
}

// New is the command play.
func New(env *shell.Env) *cobra.Command {
	var f shell.GameFlags
	var p playFlags
	c := &cobra.Command{
		Use:   "play",
		Short: "Play a game at the terminal",
		Long: "Plays one game, by default you against the player of --against, you first. In each seat sits \"you\" or a player, so\n" +
			"that two people or two players may play, too. Without --against your opponent is the network that is shipped for the\n" +
			"game, if it was trained on these rules; see ludozero networks. Decisions are typed in the game's words; `help` at the table lists\n" +
			"what else can be done: hints, undo, takeback, resigning, a draw offer, saving. Input may come from a pipe. The end\n" +
			"of the input or Ctrl-C leaves the table; the position and the command that goes on are then printed.\n\nPlayers:\n" + env.Players.Help(),
		Args: cobra.NoArgs,
		Example: "  ludozero play --game konreh\n" +
			"  ludozero play --game konreh --rules tutor --against Easy\n" +
			"  ludozero play --game konreh --lesson displacement\n" +
			"  ludozero play --game connect4 --against mcts:sims=2000\n" +
			"  ludozero play --game konreh --rules micro --first minimax:depth=2 --second you\n" +
			"  ludozero play --game tictactoe --first you --second you --hints exact\n" +
			"  ludozero play --game konreh --against net:runs/konreh-quick,sims=200\n" +
			"  ludozero play --game konreh --against alphabeta:time=clock --clock 10+5\n" +
			"  ludozero play --load game.json",
		RunE: func(c *cobra.Command, _ []string) error {
			if p.file != "" {
				if err := p.load(c, &f); err != nil {
					return err
				}
			}
			p.guide = env.Guides[f.Name]
			if p.lessonName == listLessons {
				return lessons(c, p.guide, f.Name)
			}
			var names [2]string
			if p.lessonName != "" {
				var err error
				if names, err = p.learn(c, &f); err != nil {
					return err
				}
			}
			g, err := f.Open()
			if err != nil {
				return err
			}
			if p.lesson != nil {
				return p.play(c, env, g, names)
			}
			against := c.Flags().Changed("against")
			if named := p.guide.PlayerOf(p.against); named != p.against {
				p.against = named
			} else if _, err := env.Players.Parse(p.against); against && err != nil && p.guide != nil {
				var known []string
				for _, o := range p.guide.Opponents {
					known = append(known, o.Name)
				}
				return shell.Usage(fmt.Errorf("%w; the opponents by name are %s", err, strings.Join(known, ", ")))
			}
			if !against {
				if p.against, p.note, err = env.Players.Opponent(g); err != nil {
					return err
				}
			}
			if names, err = p.names(against); err != nil {
				return shell.Usage(err)
			}
			if _, err := match.ParseTimeControl(p.clock); err != nil {
				return shell.Usage(err)
			}
			return p.play(c, env, g, names)
		},
	}
	f.Add(c, env)
	c.Flags().StringVar(&p.lessonName, "lesson", "", "play a lesson, a small position with a goal; "+listLessons+" lists those of the game")
	c.Flags().StringVar(&p.against, "against", "", "player who sits opposite to you, or one of the game's opponents by name, such as Easy (default: the network shipped for the game, or "+open.PlainOpponent+")")
	c.Flags().StringVar(&p.first, "first", "", "who decides for the first player: you or a player")
	c.Flags().StringVar(&p.second, "second", "", "who decides for the second player: you or a player")
	c.Flags().StringVar(&p.hints, "hints", "", "player who gives hints (default: your opponent, or that of --against between people)")
	c.Flags().StringVar(&p.position, "position", "", "position line to begin with (default: the start)")
	c.Flags().StringVar(&p.file, "load", "", "go on with the game in this file, which save at the table or on the page in the browser has written")
	c.Flags().StringVar(&p.moves, "moves", "", "moves to play first, separated by spaces")
	shell.AddClock(c, &p.clock)
	c.Flags().Uint64Var(&p.seed, "seed", 1, "seed of players and chance")
	c.Flags().StringVar(&p.dice, "dice", diceByProgram, "who rolls the dice of games that have some: "+diceByProgram+", or "+diceByHand+" to type them, as at a real board")
	c.Flags().StringVar(&p.color, "color", "auto", "colour the board: auto, always or never")
	return c
}

// names resolves who sits where; a seat that no flag fills belongs to the one who
// is left, you or the player of --against.
func (f *playFlags) names(against bool) ([2]string, error) {
	n := [2]string{f.first, f.second}
	if n[0] == "" && n[1] == "" {
		n[0] = table.You
	}
	for i := range n {
		switch {
		case n[i] != "":
		case n[1-i] == table.You:
			n[i], against = f.against, false
		default:
			n[i] = table.You
		}
	}
	if against && n[0] != n[1] {
		return n, errors.New("--against: who sits opposite to you is said by --first or --second already")
	}
	return n, nil
}

// play sets the table and plays.
func (f *playFlags) play(c *cobra.Command, env *shell.Env, g engine.Game, names [2]string) error {
	useColor, err := shell.WantColor(f.color, c.OutOrStdout())
	if err != nil {
		return err
	}
	hints := f.hints
	if hints == "" {
		hints = f.against
		for i, name := range names {
			if name != table.You && names[1-i] == table.You {
				hints = name
			}
		}
	}
	// All that is wrong with any of them is reported before the first move.
	descriptions := others(names[0], names[1], hints)
	if err := checkDice(g, f.dice); err != nil {
		return shell.Usagef("--dice: %w", err)
	}
	start, _, err := shell.Position(g, f.position)
	if err != nil {
		return err
	}
	list, err := env.Contestants(g, f.after(g), descriptions...)
	if err == nil {
		err = shell.WantClock(list, f.clock, "--clock 5+3")
	}
	if err != nil {
		return err
	}
	known := map[string]match.Contestant{}
	for i, text := range descriptions {
		known[text] = list[i]
	}
	var seats [2]table.Seat
	for i, name := range names {
		if seats[i].Name = name; name == table.You {
			continue
		}
		seats[i].Name = known[name].Name
		if seats[i].Player, err = known[name].New(); err != nil {
			return err
		}
		defer match.Dismiss(seats[i].Player)
	}
	s, err := table.New(c.Context(), g, start, seats, f.seed)
	if err != nil {
		return err
	}
	for i, word := range shell.MoveWords(g, f.moves) {
		a, err := s.State().ParseAction(word, s.History())
		if err == nil {
			_, err = s.Play(a)
		}
		if err != nil {
			return shell.Usagef("move %d, %q: %w", i+1, word, err)
		}
	}
	s.EnterChance(f.dice == diceByHand)
	if f.ended != nil {
		if err := s.End(*f.ended); err != nil {
			return shell.Usagef("--load %s: %w", f.file, err)
		}
	}
	if control, err := match.ParseTimeControl(f.clock); err == nil && control.On() {
		s.SetClock(control)
	}
	ctx, stop := shell.Interruptible(c.Context())
	defer stop()
	if !slices.Contains(names[:], f.against) {
		f.note = "" // somebody else plays
	}
	t := &gameTable{
		env: env, program: c.Root().DisplayName(), session: s, flags: f, hints: hints, known: known, ruleset: g.Rules(), color: useColor,
		out: c.OutOrStdout(), prompts: shell.IsTerminal(c.OutOrStdout()) && readsTerminal(c.InOrStdin()),
	}
	defer func() {
		for _, p := range t.hinters {
			match.Dismiss(p)
		}
	}()
	return t.run(ctx, c.InOrStdin())
}

// after is the position in which the players begin, as far as --moves are possible.
func (f *playFlags) after(g engine.Game) engine.State {
	s, h, err := shell.Position(g, f.position)
	if err != nil {
		return nil
	}
	for _, word := range shell.MoveWords(g, f.moves) {
		a, err := s.ParseAction(word, h)
		if err != nil {
			break // which is said when they are played
		}
		s.Apply(a, h)
	}
	return s
}

// others are the different names that are not You.
func others(names ...string) []string {
	var list []string
	seen := map[string]bool{table.You: true}
	for _, name := range names {
		if !seen[name] {
			list = append(list, name)
		}
		seen[name] = true
	}
	return list
}

// readsTerminal tells whether a person types what r reads.
func readsTerminal(r io.Reader) bool {
	w, ok := r.(io.Writer) // a file
	return ok && shell.IsTerminal(w)
}

// goOn is the command that goes on with the game in a shell.
func (t *gameTable) goOn() string {
	s := t.session
	words := []string{"play", "--game", s.Game().Info().Name}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, flag, value)
		}
	}
	if t.flags.lesson != nil {
		add("--lesson", t.flags.lesson.Name)
	} else {
		add("--rules", t.ruleset)
		add("--first", s.Seat(engine.First).Name)
		add("--second", s.Seat(engine.Second).Name)
	}
	add("--hints", t.flags.hints)
	if t.flags.lesson == nil {
		add("--clock", t.flags.clock)
		add("--seed", fmt.Sprint(t.flags.seed))
		add("--position", t.flags.position)
		if t.flags.dice == diceByHand {
			add("--dice", diceByHand)
		}
	}
	add("--moves", s.Words())
	for i, w := range words {
		words[i] = wording.Quoted(w)
	}
	return t.program + " " + strings.Join(words, " ")
}

// load sets flags by the game of a file. Who sits where may be said anew.
func (f *playFlags) load(c *cobra.Command, game *shell.GameFlags) error {
	for _, name := range []string{"game", "rules", "position", "moves"} {
		if c.Flags().Changed(name) {
			return shell.Usagef("--%s: the file of --load says it", name)
		}
	}
	data, err := input.Read(f.file, input.Small)
	if err != nil {
		return shell.Usagef("--load: %w", err)
	}
	saved, err := table.ParseSaved(data)
	if err != nil {
		return shell.Usagef("--load %s: %w", f.file, err)
	}
	game.Name, game.Rules = saved.Game, saved.Rules()
	f.position, f.moves, f.ended = saved.Pos, saved.Moves, saved.Ended
	if seated := c.Flags().Changed; !seated("against") && !seated("first") && !seated("second") {
		f.first, f.second = saved.Seats[0], saved.Seats[1]
	}
	if saved.Dice != "" && !c.Flags().Changed("dice") {
		f.dice = saved.Dice
	}
	return nil
}
