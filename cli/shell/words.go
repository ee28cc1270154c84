package shell

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/spf13/cobra"
)

// SplitRules takes a canonical rules word apart.
func SplitRules(rules string) (preset string, options []string) {
	words := strings.Split(rules, ",")
	return words[0], words[1:]
}

// LogLine is a decision in a log: the turn that it belongs to, counted from 1,
// whose it is, its word and its notation.
func LogLine(turn int, who, word, note string) string {
	return strings.TrimRight(fmt.Sprintf("%3d. %s %-8s %s", turn+1, who, word, note), " ")
}

// WinnerWords names the winner of a game that ended in s by side and by player.
func WinnerWords(g engine.Game, s engine.State, o engine.Outcome) (side, player string) {
	if o.Winner == engine.Nobody {
		return "draw", "draw"
	}
	return g.Info().Sides[s.SideOf(o.Winner)], o.Winner.String()
}

// WriteJSON prints v as indented JSON.
func WriteJSON(c *cobra.Command, v any) error {
	e := json.NewEncoder(c.OutOrStdout())
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// MoveWords takes the moves of a game apart. Between columns spaces may be left out, as
// in most programs for Connect Four.
func MoveWords(g engine.Game, words string) []string {
	list := strings.Fields(words)
	if NamesColumns(g) {
		return strings.Split(strings.Join(list, ""), "")
	}
	return list
}

// NamesColumns says that the moves of g are columns, numbers of one digit.
func NamesColumns(g engine.Game) bool {
	s := g.NewState()
	list := s.Legal(nil, nil) // none where a game begins with dice
	return len(list) > 0 && !slices.ContainsFunc(list, func(a engine.Action) bool {
		word := s.AppendAction(nil, a)
		return len(word) != 1 || word[0] < '0' || word[0] > '9'
	})
}

// Print prints v as JSON, or text for people.
func Print(c *cobra.Command, asJSON bool, v any, text func(io.Writer) error) error {
	if asJSON {
		return WriteJSON(c, v)
	}
	return text(c.OutOrStdout())
}
