package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/spf13/cobra"
)

func newGames(env *shell.Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "games",
		Short:   "List the games",
		Args:    cobra.NoArgs,
		Example: "  ludozero games",
		RunE: func(c *cobra.Command, _ []string) error {
			type row struct {
				Name    string   `json:"name"`
				Doc     string   `json:"doc"`
				Presets []string `json:"presets"`
			}
			var rows []row
			for _, f := range env.Families {
				r := row{Name: f.Name, Doc: f.Doc}
				for _, p := range f.Presets {
					r.Presets = append(r.Presets, p.Name)
				}
				rows = append(rows, r)
			}
			if asJSON {
				return shell.WriteJSON(c, rows)
			}
			for _, r := range rows {
				fmt.Fprintf(c.OutOrStdout(), "%-12s %s\n%-12s presets: %s\n", r.Name, r.Doc, "", strings.Join(r.Presets, ", "))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func newRules(env *shell.Env) *cobra.Command {
	var f shell.GameFlags
	var asJSON bool
	c := &cobra.Command{
		Use:     "rules",
		Short:   "List a game's presets and options, or show what a rules word means",
		Args:    cobra.NoArgs,
		Example: "  ludozero rules --game konreh\n  ludozero rules --game konreh --rules blitz,balance=pie",
		RunE: func(c *cobra.Command, _ []string) error {
			family, err := f.Family()
			if err != nil {
				return err
			}
			g, err := f.Open()
			if err != nil {
				return err
			}
			preset, options := shell.SplitRules(g.Rules())
			s, err := family.Settings(preset, options)
			if err != nil {
				return err
			}
			if asJSON {
				return shell.WriteJSON(c, rulesJSON(family, g, s))
			}
			out := c.OutOrStdout()
			fmt.Fprintf(out, "%s: %s\n\nPresets\n", family.Name, family.Doc)
			w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
			for _, p := range family.Presets {
				fmt.Fprintf(w, "  %s\t%s\n", p.Name, p.Doc)
			}
			w.Flush()
			if len(family.Options) == 0 {
				return nil
			}
			fmt.Fprintf(out, "\nOptions (value under %q)\n", g.Rules())
			w = tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
			for i := range family.Options {
				o := &family.Options[i]
				fmt.Fprintf(w, "  %s\t%s\t%s\tdefault %s\t%s\n", o.Name, s.Values[o.Name], o.Range(), o.Default, o.Doc)
			}
			return w.Flush()
		},
	}
	f.Add(c, env)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func rulesJSON(family *engine.Family, g engine.Game, s engine.Settings) any {
	type option struct {
		Name    string   `json:"name"`
		Value   string   `json:"value"`
		Default string   `json:"default"`
		Values  []string `json:"values,omitempty"`
		Min     *int     `json:"min,omitempty"`
		Max     *int     `json:"max,omitempty"`
		Doc     string   `json:"doc"`
	}
	type preset struct {
		Name string            `json:"name"`
		Doc  string            `json:"doc"`
		Set  map[string]string `json:"set,omitempty"`
	}
	doc := struct {
		Game    string   `json:"game"`
		Rules   string   `json:"rules"`
		Presets []preset `json:"presets"`
		Options []option `json:"options"`
	}{Game: family.Name, Rules: g.Rules()}
	for _, p := range family.Presets {
		doc.Presets = append(doc.Presets, preset{p.Name, p.Doc, p.Set})
	}
	for i := range family.Options {
		o := &family.Options[i]
		x := option{Name: o.Name, Value: s.Values[o.Name], Default: o.Default, Values: o.Values, Doc: o.Doc}
		if len(o.Values) == 0 {
			x.Min, x.Max = &o.Min, &o.Max
		}
		doc.Options = append(doc.Options, x)
	}
	return doc
}

func newShow(env *shell.Env) *cobra.Command {
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
			var numbers *measured
			if measures {
				if numbers, err = measuresOf(g, line, moves); err != nil {
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
			fmt.Fprintf(out, "%s\n\n%s\n\n", s.AppendPosition(nil), strings.TrimRight(s.Board(useColor), "\n"))
			if o := s.Outcome(); o.Over {
				winner, player := shell.WinnerWords(g, s, o)
				fmt.Fprintf(out, "over: %s, winner %s (%s player), %d turns\n", o.Reason, winner, player, s.Turn())
			} else {
				var words []string
				var scratch []engine.Weighted
				for _, a := range engine.AppendPossible(nil, &scratch, s, h) {
					words = append(words, string(s.AppendAction(nil, a)))
				}
				fmt.Fprintf(out, "%s to act (%s player), %d moves: %s\n", g.Info().Sides[s.Side()], s.Actor(), len(words), strings.Join(words, " "))
			}
			if measures {
				return writeMeasures(out, numbers)
			}
			return nil
		},
	}
	f.Add(c, env)
	c.Flags().StringVar(&line, "position", "", "position line (default: the start)")
	c.Flags().StringVar(&moves, "moves", "", "moves to play first, separated by spaces")
	c.Flags().StringVar(&color, "color", "auto", "colour the board: auto, always or never")
	c.Flags().StringVar(&svg, "svg", "", "draw the position, with the last turn of --moves marked, to this file as SVG (-: standard output, and nothing else)")
	c.Flags().BoolVar(&measures, "measures", false, "also print what Kon'reh's rulebook counts in the position, for both sides")
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
		log = append(log, shell.LogLine(before.Turn(), g.Info().Sides[before.Side()], word, string(note)))
	}
	return log, nil
}
