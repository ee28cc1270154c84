// Package positions holds the commands about positions of a game: show for one of them,
// perft for all that follow, and moves, replay and analyze for many, one JSON object a
// line.
package positions

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/spf13/cobra"
)

// NewShow is the command show.
func NewShow(env *shell.Env) *cobra.Command {
	var f shell.GameFlags
	var line, moves, color, svg string
	var measures, asJSON bool
	c := &cobra.Command{
		Use:   "show",
		Short: "Draw a position and list its legal moves",
		Args:  cobra.NoArgs,
		Example: "  ludozero show --game konreh\n  ludozero show --game konreh --moves \"d1f1 h5f5\"\n" +
			"  ludozero show --game connect4 --moves 4453 --svg board.svg\n" +
			"  ludozero show --game konreh --moves \"d1f1 h5f5\" --measures",
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkMeasureFlags(measures, asJSON, svg); err != nil {
				return err
			}
			useColor, err := shell.WantColor(color, c.OutOrStdout())
			if err != nil {
				return err
			}
			g, err := f.Open()
			if err != nil {
				return err
			}
			s, h, err := shell.Position(g, line)
			if err != nil {
				return err
			}
			log, err := playWords(g, s, h, moves)
			if err != nil {
				return err
			}
			var numbers shell.Measures
			if measures {
				if numbers, err = measuresOf(env, g, line, moves); err != nil {
					return err
				}
			}
			if svg != "" {
				if err := writePicture(c.OutOrStdout(), g, line, moves, svg); err != nil || svg == "-" {
					return err
				}
			}
			if asJSON {
				return shell.WriteJSON(c, numbers)
			}
			out := c.OutOrStdout()
			for _, l := range log {
				fmt.Fprintln(out, l)
			}
			fmt.Fprintf(out, "%s\n\n%s\n", s.AppendPosition(nil), engine.BoardText(s, useColor))
			if o := s.Outcome(); o.Over {
				won := "a draw"
				if o.Winner != engine.Nobody {
					winner, player := shell.WinnerWords(g, s, o)
					won = fmt.Sprintf("winner %s (%s player)", winner, player)
				}
				fmt.Fprintf(out, "over: %s, %s, %d turns\n", o.Reason, won, s.Turn())
			} else {
				var words []string
				var scratch []engine.Weighted
				for _, a := range engine.AppendPossible(nil, &scratch, s, h) {
					words = append(words, string(s.AppendAction(nil, a)))
				}
				who, what := fmt.Sprintf("%s to act (%s player)", g.Info().Sides[s.Side()], s.Actor()), "moves"
				if s.Actor() == engine.Chance {
					who, what = fmt.Sprintf("%s's turn, chance decides", g.Info().Sides[s.Side()]), "outcomes"
				}
				fmt.Fprintf(out, "%s, %d %s: %s\n", who, len(words), what, strings.Join(words, " "))
			}
			if measures {
				return numbers.WriteText(out)
			}
			return nil
		},
	}
	f.Add(c, env)
	c.Flags().StringVar(&line, "position", "", "position line (default: the start)")
	c.Flags().StringVar(&moves, "moves", "", "moves to play first, separated by spaces")
	c.Flags().StringVar(&color, "color", "auto", "colour the board: auto, always or never")
	c.Flags().StringVar(&svg, "svg", "", "draw the position, with the last turn of --moves marked, to this file as SVG (-: standard output, and nothing else)")
	c.Flags().BoolVar(&measures, "measures", false, "also print what the rulebook counts in the position, for both sides (games: "+env.Names(hasMeasures)+")")
	c.Flags().BoolVar(&asJSON, "json", false, "with --measures, print them as JSON and nothing else")
	return c
}

// playWords plays the words of --moves and returns a line for each in the
// game's notation for people, where it has one.
func playWords(g engine.Game, s engine.State, h *engine.History, words string) ([]string, error) {
	var log []string
	before := g.NewState()
	for i, word := range shell.MoveWords(g, words) {
		a, err := s.ParseAction(word, h)
		if err != nil {
			return nil, shell.Usagef("move %d, %q: %w", i+1, word, err)
		}
		before.CopyFrom(s)
		s.Apply(a, h)
		note := engine.AppendNote(nil, before, a, s)
		who := g.Info().Sides[before.Side()]
		if before.Actor() == engine.Chance {
			who = engine.Chance.String()
		}
		log = append(log, shell.LogLine(before.Turn(), who, word, string(note)))
	}
	return log, nil
}

func hasMeasures(g *shell.Game) bool { return g.Measures != nil }

// measuresOf measures a position that has been read before, for --measures.
func measuresOf(env *shell.Env, g engine.Game, line, moves string) (shell.Measures, error) {
	name := g.Info().Name
	brings := env.Game(name)
	if !hasMeasures(brings) {
		return nil, shell.Usagef("--measures: %s has none: want --game %s", name, env.Names(hasMeasures))
	}
	return brings.Measures(g, line, shell.MoveWords(g, moves))
}

// checkMeasureFlags refuses flags of show that contradict each other.
func checkMeasureFlags(measures, asJSON bool, svg string) error {
	switch {
	case asJSON && !measures:
		return shell.Usagef("--json needs --measures")
	case measures && svg == "-":
		return shell.Usagef("--svg - writes the picture and nothing else: give --measures alone or the picture a file")
	}
	return nil
}
