package yardstick

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/ludozero/ludozero/internal/wording"
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
	if _, err := fmt.Fprintf(w, "%s\n%s.\n\n", t.counts(), t.conditions()); err != nil {
		return err
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range t.rows("-") {
		fmt.Fprintln(tw, strings.Join(row, "\t"))
	}
	return tw.Flush()
}

// WriteMarkdown writes the table for a document in Markdown, a line for each
// player. In place of its name a line has the cells of first with its number,
// under those of heads. about, unless it is empty, ends the conditions.
func (t *Table) WriteMarkdown(w io.Writer, about string, heads []string, first [][]string) error {
	if len(t.Scores) == 0 {
		return nil
	}
	if about != "" {
		about = "; " + about
	}
	if _, err := fmt.Fprintf(w, "%s\n%s%s.\n\n", t.counts(), t.conditions(), about); err != nil {
		return err
	}
	rows := t.rows(" to ")
	width := make([]int, len(heads)+len(rows[0])-1)
	for i, row := range rows {
		begin := heads
		if i > 0 {
			begin = first[i-1]
		}
		rows[i] = slices.Concat(begin, row[1:])
		for k, cell := range rows[i] {
			width[k] = max(width[k], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for i, row := range rows {
		for k, cell := range row {
			fmt.Fprintf(&b, "| %-*s ", width[k], cell)
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// counts says what is counted, conditions of what.
func (t *Table) counts() string { return t.Counts + ", in % (95 % intervals)." }

func (t *Table) conditions() string {
	return fmt.Sprintf("%s %s, set %s of %d positions, seed %d. Columns %s and so on: by %s", t.Game, t.Rules, t.Set, t.Positions, t.Seed, t.Scores[0].Stages[0].name(), t.Of)
}

// name is the range of the stage.
func (s *Stage) name() string {
	if s.From == s.To {
		return strconv.Itoa(s.From)
	}
	return fmt.Sprintf("%d-%d", s.From, s.To)
}

// rows are the heads and a row for each player, with to between the ends of
// intervals.
func (t *Table) rows(to string) [][]string {
	var rows [][]string
	for i, s := range t.Scores {
		head, cells := []string{"player", "all"}, []string{wording.PlainName(s.Player), s.All.text(1, to)}
		for _, k := range s.Kinds {
			head, cells = append(head, k.Name), append(cells, k.text(0, to))
		}
		for _, stage := range s.Stages {
			head, cells = append(head, stage.name()), append(cells, stage.text(0, to))
		}
		if i == 0 {
			rows = append(rows, head)
		}
		rows = append(rows, cells)
	}
	return rows
}

// text writes the share in percent with this number of decimals, and to between the
// ends of its interval.
func (s *Share) text(digits int, to string) string {
	if s.Positions == 0 {
		return "-"
	}
	return fmt.Sprintf("%.*f (%.*f%s%.*f)", digits, 100*s.Value, digits, 100*s.Low, to, digits, 100*s.High)
}
