package yardstick

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Table is what players scored on one set, and the conditions.
type Table struct {
	Game      string `json:"game"`
	Rules     string `json:"rules"`
	Set       string `json:"set"`
	Positions int    `json:"positions"`
	Seed      uint64 `json:"seed"`
	// Counts says what is counted, Of what the stages count.
	Counts string   `json:"counts"`
	Of     string   `json:"stages_of"`
	Scores []*Score `json:"scores"`
}

// NewTable returns the table of s without players.
func NewTable(s *Set, seed uint64) *Table {
	return &Table{Game: s.Game, Rules: s.Rules, Set: s.ID, Positions: len(s.Positions), Seed: seed, Counts: s.Counts, Of: s.Of}
}

// WriteText writes the table for people, a line for each player.
func (t *Table) WriteText(w io.Writer) error {
	if len(t.Scores) == 0 {
		return nil
	}
	name := func(s *Stage) string {
		if s.From == s.To {
			return strconv.Itoa(s.From)
		}
		return fmt.Sprintf("%d-%d", s.From, s.To)
	}
	first := &t.Scores[0].Stages[0]
	if _, err := fmt.Fprintf(w, "%s, in %% (95 %% intervals).\n%s %s, set %s of %d positions, seed %d. Columns %s and so on: by %s.\n\n",
		t.Counts, t.Game, t.Rules, t.Set, t.Positions, t.Seed, name(first), t.Of); err != nil {
		return err
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(cells []string) { fmt.Fprintln(tw, strings.Join(cells, "\t")) }
	for i, s := range t.Scores {
		head, cells := []string{"player", "all"}, []string{s.Player, s.All.text(1)}
		for _, k := range s.Kinds {
			head, cells = append(head, k.Name), append(cells, k.text(0))
		}
		for _, stage := range s.Stages {
			head, cells = append(head, name(&stage)), append(cells, stage.text(0))
		}
		if i == 0 {
			line(head)
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
