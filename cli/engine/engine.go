// Package engine is the command that plays for another program, by the protocol UGI.
package engine

import (
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/player/ugi"
	"github.com/spf13/cobra"
)

// New is the command engine.
func New(env *shell.Env) *cobra.Command {
	var f shell.GameFlags
	var text string
	c := &cobra.Command{
		Use:   "engine",
		Short: "Play for another program, by the text protocol UGI",
		Long: "Answers the commands of UGI, the universal game interface, on standard input and output: ugi, isready, setoption,\n" +
			"uginewgame, position, go, stop, query and quit; see docs/ugi.md. A\n" +
			"bestmove is one decision, as in --moves of other commands. It ends at quit and at the end of the input.\n\n" +
			"The description of the player is the most that it thinks; what go and setoption say may be less. With time=clock\n" +
			"they alone decide. Without --player that is the network or the evaluation for alpha-beta shipped for the game, or\n" +
			plainMover + " by rules that it was not trained on and in other games; of both the one that was stronger in\n" +
			"matches with about the time of the go, unless the option Player says who. LimitStrength and Rating have a network\n" +
			"play at an Elo, if it has a table of what was measured: on a scale of programs, not of people.\n\nPlayers:\n" + env.Players.Help(),
		Args: cobra.NoArgs,
		Example: "  ludozero engine --game konreh <commands.txt\n" +
			"  ludozero engine --game konreh --player alphabeta:depth=4 <commands.txt\n" +
			"  ludozero engine --game connect4 --player net:connect4,sims=64 <commands.txt",
		RunE: func(c *cobra.Command, _ []string) error {
			g, err := f.Open()
			if err != nil {
				return err
			}
			family, err := f.Family()
			if err != nil {
				return err
			}
			players := &enginePlayers{players: env.Players, specs: map[string]*player.Spec{}}
			if c.Flags().Changed("player") {
				if players.spec, err = env.Players.Parse(text); err != nil {
					return shell.Usage(err)
				}
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			return ugi.Serve(ctx, ugi.Config{
				Name: "ludozero " + g.Info().Name, Author: "the authors of ludozero",
				Game: g, Parse: family.Parse, Player: players.describe, Choices: players.choices,
			}, c.InOrStdin(), c.OutOrStdout())
		},
	}
	f.Add(c, env)
	c.Flags().StringVar(&text, "player", "", "description of the player (default: the network or evaluation shipped for the game)")
	return c
}

// plainMover plays where nobody says who and no network is shipped. What it thinks
// is for the other program to say.
const plainMover = "mcts:" + byClock

const byClock = "time=clock"

// enginePlayers describes the player of an engine, for one ruleset after the other.
type enginePlayers struct {
	players *open.Players
	spec    *player.Spec // of --player; nil: nobody said who
	// rules is the ruleset that candidates were chosen for; specs has the players that
	// were read, by description, so that files are read once.
	rules      string
	candidates *open.Candidates
	specs      map[string]*player.Spec
}

// meet sets the candidates to those of g.
func (e *enginePlayers) meet(g engine.Game) (err error) {
	if e.candidates == nil || e.rules != g.Rules() {
		e.rules = g.Rules()
		e.candidates, err = e.players.Candidates(g)
	}
	return err
}

// choices are the network and the evaluation that are shipped for g, if both are and nobody
// said who.
func (e *enginePlayers) choices(g engine.Game) []string {
	if e.spec != nil || e.meet(g) != nil {
		return nil // describe says what is wrong
	}
	return e.candidates.Both()
}

// describe says who plays g.
func (e *enginePlayers) describe(g engine.Game, by ugi.Choice) (spec *player.Spec, note string, err error) {
	if e.spec != nil {
		return e.spec, "", nil
	}
	if err := e.meet(g); err != nil {
		return nil, "", err
	}
	text := by.Named + "," + byClock
	if by.Named == "" {
		u := e.candidates.Usual(open.Limits{Network: byClock, Evaluation: byClock, Plain: plainMover, Decision: by.Decision})
		text, note = u.Text, u.Why()
	}
	if e.specs[text] == nil {
		if spec, err = e.players.Parse(text); err != nil {
			return nil, "", err
		}
		e.specs[text] = spec
	}
	return e.specs[text], note, nil
}
