package yardstick

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Table is what players scored on one set, and the conditions.
type Table struct {
	Game      string   `json:"game"`
	Set       string   `json:"set"`
	Positions int      `json:"positions"`
	Seed      uint64   `json:"seed"`
	Scores    []*Score `json:"scores"`
}

// WriteText writes the table for people, a line for each player.
func (t *Table) WriteText(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "Decisions that keep the game value, in %% (95 %% intervals).\n%s, set %s of %d positions, seed %d. Columns 8-11 and so on: by moves played.\n\n",
		t.Game, t.Set, t.Positions, t.Seed); err != nil {
		return err
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(cells []string) { fmt.Fprintln(tw, strings.Join(cells, "\t")) }
	for i, s := range t.Scores {
		if i == 0 {
			cells := []string{"player", "all", "won", "drawn"}
			for _, stage := range s.Stages {
				cells = append(cells, fmt.Sprintf("%d-%d", stage.From, stage.To))
			}
			line(cells)
		}
		cells := []string{s.Player, s.All.text(1), s.Won.text(0), s.Drawn.text(0)}
		for _, stage := range s.Stages {
			cells = append(cells, stage.text(0))
		}
		line(cells)
	}
	return tw.Flush()
}

// text writes the share in percent with so many digits behind the point.
func (s *Share) text(digits int) string {
	if s.Positions == 0 {
		return "-"
	}
	return fmt.Sprintf("%.*f (%.*f-%.*f)", digits, 100*s.Value, digits, 100*s.Low, digits, 100*s.High)
}
