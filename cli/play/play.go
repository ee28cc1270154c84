// Package play is the command to play a game at the terminal.
package play

import (
	"fmt"
	"io"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/player/table"
	"github.com/spf13/cobra"
)

// New is the command play.
func New(env *shell.Env) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "play",
		Short: "Play a game at the terminal",
		Long: "Plays one game, by default you against the player of --against, you first. In each seat sits \"you\" or a player, so\n" +
			"that two people or two players may play, too. Without --against your opponent is the network or evaluation that is\n" +
			"shipped for the game, if it was trained on these rules; see ludozero networks. Decisions are typed in the game's words; `help` at the table lists\n" +
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
			if o.lessonName == listLessons {
				if _, err := o.ruleset.Open(); err != nil {
					return err
				}
				return lessons(c, env.Guides[o.ruleset.Name], o.ruleset.Name)
			}
			s, err := o.resolve(env, c.Flags().Changed)
			if err != nil {
				return err
			}
			return s.play(c, env)
		},
	}
	o.ruleset.Add(c, env)
	c.Flags().StringVar(&o.lessonName, "lesson", "", "play a lesson, a small position with a goal; "+listLessons+" lists those of the game")
	c.Flags().StringVar(&o.against, "against", "", "player who sits opposite to you, or one of the game's opponents by name, such as Easy (default: the network or evaluation shipped for the game, the stronger one, or "+open.PlainOpponent+")")
	c.Flags().StringVar(&o.first, "first", "", "who decides for the first player: you or a player")
	c.Flags().StringVar(&o.second, "second", "", "who decides for the second player: you or a player")
	c.Flags().StringVar(&o.hints, "hints", "", "player who gives hints (default: your opponent, or that of --against between people)")
	c.Flags().StringVar(&o.position, "position", "", "position line to begin with (default: the start)")
	c.Flags().StringVar(&o.file, "load", "", "go on with the game in this file, which save at the table or on the page in the browser has written")
	c.Flags().StringVar(&o.moves, "moves", "", "moves to play first, separated by spaces")
	shell.AddClock(c, &o.clock)
	c.Flags().Uint64Var(&o.seed, "seed", 1, "seed of players and chance")
	c.Flags().StringVar(&o.dice, "dice", diceByProgram, "who rolls the dice of games that have some: "+diceByProgram+", or "+diceByHand+" to type them, as at a real board")
	c.Flags().StringVar(&o.color, "color", "auto", "colour the board: auto, always or never")
	return c
}

// play sets the table and plays.
func (s *setting) play(c *cobra.Command, env *shell.Env) error {
	useColor, err := shell.WantColor(s.color, c.OutOrStdout())
	if err != nil {
		return err
	}
	// All that is wrong with any of them is reported before the first move.
	descriptions := others(s.seats[0], s.seats[1], s.hinting)
	list, err := env.Contestants(s.game, s.after(), descriptions...)
	if err == nil {
		err = shell.WantClock(list, s.clock, "--clock 5+3")
	}
	if err != nil {
		return err
	}
	known := map[string]match.Contestant{}
	for i, text := range descriptions {
		known[text] = list[i]
	}
	var seats [2]table.Seat
	for i, name := range s.seats {
		if seats[i].Name = name; name == table.You {
			continue
		}
		seats[i].Name = known[name].Name
		if seats[i].Player, err = known[name].New(); err != nil {
			return err
		}
		defer match.Dismiss(seats[i].Player)
	}
	session, err := table.New(c.Context(), s.game, s.start, seats, s.seed)
	if err != nil {
		return err
	}
	if err := session.Restore(&s.saved); err != nil {
		if s.file != "" {
			err = fmt.Errorf("--load %s: %w", s.file, err)
		}
		return shell.Usage(err)
	}
	if s.control.On() {
		session.SetClock(s.control)
	}
	ctx, stop := shell.Interruptible(c.Context())
	defer stop()
	t := &gameTable{
		setting: s, env: env, program: c.Root().DisplayName(), session: session, known: known, color: useColor,
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
func (s *setting) after() engine.State {
	state, h, err := shell.Position(s.game, s.saved.Pos)
	if err != nil {
		return nil
	}
	for _, word := range strings.Fields(s.saved.Moves) {
		a, err := state.ParseAction(word, h)
		if err != nil {
			break // which is said when they are played
		}
		state.Apply(a, h)
	}
	return state
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

// goOn is the command that resumes the game in a shell.
func (t *gameTable) goOn() string {
	s := t.session
	words := []string{"play", "--game", s.Game().Info().Name}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, flag, value)
		}
	}
	if t.lesson != nil {
		add("--lesson", t.lesson.Name)
	} else {
		add("--rules", t.game.Rules())
		add("--first", s.Seat(engine.First).Name)
		add("--second", s.Seat(engine.Second).Name)
	}
	add("--hints", t.hints)
	if t.lesson == nil {
		add("--clock", t.clock)
		add("--seed", fmt.Sprint(t.seed))
		add("--position", t.position)
		if t.session.ChanceEntered() {
			add("--dice", diceByHand)
		}
	}
	add("--moves", s.Words())
	for i, w := range words {
		words[i] = wording.Quoted(w)
	}
	return t.program + " " + strings.Join(words, " ")
}
