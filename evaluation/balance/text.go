package balance

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

// textColumns is where sentences wrap; tables are as wide as they are.
const textColumns = 100

// WriteText writes the result for people: what was found in sentences, and all
// tables.
func (r *Result) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Balance of %s, rules %s (version %d)\n\n", r.Game, r.Rules, r.GameVersion)
	for _, sentence := range r.Summary {
		wrap(&b, sentence)
	}
	for _, t := range r.tables() {
		fmt.Fprintf(&b, "\n%s\n", t.Title)
		tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, row := range append([][]string{t.Head}, t.Rows...) {
			fmt.Fprintf(tw, "  %s\n", strings.Join(row, "\t"))
		}
		tw.Flush()
		for _, n := range t.Notes {
			wrap(&b, n)
		}
	}
	fmt.Fprintln(&b)
	wrap(&b, r.conditions())
	fmt.Fprintf(&b, "\nThe same again: %s\n", r.Command)
	_, err := io.WriteString(w, b.String())
	return err
}

// conditions are what the games were played with.
func (r *Result) conditions() string {
	var temperatures []string
	for _, t := range r.Temperatures {
		temperatures = append(temperatures, fmt.Sprintf("%g", t))
	}
	forced := "no forced first decisions"
	if r.Forced > 0 {
		forced = fmt.Sprintf("%d after each first decision", r.Forced)
	}
	limit := "no limit of turns"
	if r.MaxTurns > 0 {
		limit = fmt.Sprintf("drawn after %d turns", r.MaxTurns)
	}
	weights := ""
	if r.Precision != "" {
		weights = fmt.Sprintf(" Networks are computed in %s.", r.Precision)
	}
	for _, network := range r.Networks {
		weights += fmt.Sprintf(" Network %s: %s.", network, r.Weights[network])
	}
	return fmt.Sprintf("Games: %d from the start and %s, for each player and temperature (%s); %s drawn from the policy of each player; %s; seed %d. Players: %s.%s",
		r.Games, forced, strings.Join(temperatures, ", "), plural(r.Sampled, "decision"), limit, r.Seed, strings.Join(r.Players, "; "), weights)
}

// wrap writes text in lines between words.
func wrap(b *strings.Builder, text string) {
	column := 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case column == 0:
		case column+1+n > textColumns:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	b.WriteByte('\n')
}
