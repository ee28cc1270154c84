package shell

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
)

// signed is a value for people, without the sign of what is rounded to zero.
func signed(v float64) string { return fmt.Sprintf("%+.3f", math.Round(v*1e3)/1e3+0) }

// shownMoves is how many moves are shown to people.
const shownMoves = 10

// WriteAnalysis prints an analysis of s, a position of g with history h, for people.
func WriteAnalysis(out io.Writer, g engine.Game, s engine.State, h *engine.History, a *match.Analysis) error {
	fmt.Fprintf(out, "plays    %s\n", s.AppendAction(nil, a.Choice))
	if a.Judged {
		certain := ""
		if a.Solved {
			certain = ", solved"
		}
		fmt.Fprintf(out, "value    %s for %s%s (+1 wins, -1 loses)\n", signed(a.Value), g.Info().Sides[s.Side()], certain)
	}
	if len(a.Line) > 1 {
		fmt.Fprintf(out, "expects  %s\n", strings.Join(engine.LineWords(g, s, h, a.Line), " "))
	}
	if len(a.Moves) == 0 {
		return nil
	}
	moves := slices.Clone(a.Moves)
	slices.SortStableFunc(moves, func(x, y match.Move) int {
		if c := cmp.Compare(y.Prob, x.Prob); c != 0 {
			return c
		}
		return cmp.Compare(y.Value, x.Value)
	})
	fmt.Fprintln(out)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "move\tpolicy\tvisits\tvalue\t\n")
	for _, m := range moves[:min(shownMoves, len(moves))] {
		visits, value := "-", "-"
		if m.Visits > 0 {
			visits = strconv.Itoa(m.Visits)
		}
		if m.Judged {
			value = signed(m.Value)
		}
		fmt.Fprintf(w, "%s\t%.1f %%\t%s\t%s\t\n", s.AppendAction(nil, m.Action), 100*m.Prob, visits, value)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if more := len(moves) - shownMoves; more > 0 {
		fmt.Fprintf(out, "and %d more moves\n", more)
	}
	return nil
}
