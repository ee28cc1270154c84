// Package manual describes a game to programs in other languages: what each input of a
// network is, how position lines and words of actions read, how positions are packed. The
// definitions are formulas over a position line, so that a program which reads them can
// compute inputs and action numbers of any game without knowing its rules.
//
// docs/game-file.md explains formulas to those who write such a program.
package manual

import (
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// Described is a Game with a manual.
type Described interface {
	engine.Game
	// Manual describes the family and this ruleset of it. What belongs to the family is
	// the same for all its rulesets.
	Manual() *Manual
}

// Manual is what a game says of itself. Sentences are for people, formulas for programs.
type Manual struct {
	// Planes and Globals are the inputs, in the order of Features.
	Planes, Globals []Input
	// Terms are formulas that others use by name.
	Terms map[string]Formula
	// Position reads position lines.
	Position Grammar
	// Words read the words of actions.
	Words []Word
	// Lists are ordered words for formulas, and of this ruleset; Links lead from cells to
	// others.
	Lists map[string][]string
	Links map[string]map[string][]string
	// Packed is the layout of packed positions, from the first bit.
	Packed []Bits

	// Board has the names of the cells of the first field, by the rows in which a line has
	// them; nil if lines have no board. Sets and Numbers are constants of the ruleset.
	Board   [][]string
	Sets    map[string][]string
	Numbers map[string]float64
}

// Input is one plane or global.
type Input struct {
	Name string `json:"name"`
	// Says is the definition in a sentence.
	Says string `json:"says"`
	// Is computes the input: a set of cells for a plane, a number for a global. Empty if
	// the rules of the game are needed, or the history; encode supplies it.
	Is Formula `json:"is,omitempty"`
}

// Grammar reads position lines by a regular expression, whose groups are the fields.
type Grammar struct {
	Pattern string  `json:"pattern"`
	Fields  []Field `json:"fields"`
	// Cell is a regular expression for the name of a cell.
	Cell string `json:"cell"`
}

// Field is a group of a Grammar. One that a line leaves out is empty.
type Field struct {
	Name string `json:"name"`
	Says string `json:"says"`
}

// Line begins a grammar whose cells are named by a regular expression.
func Line(cell string) *Grammar { return &Grammar{Cell: cell} }

// Word adds a word that every line has, of some pattern with a group for each field. Fields
// are pairs of name and sentence.
func (g *Grammar) Word(pattern string, fields ...string) *Grammar {
	if g.Pattern != "" {
		g.Pattern += " "
	}
	return g.add(pattern, fields)
}

// Key adds key=value, left out where it is not needed. The pattern has a group for each
// field.
func (g *Grammar) Key(key, pattern string, fields ...string) *Grammar {
	return g.add("(?: "+key+"="+pattern+")?", fields)
}

func (g *Grammar) add(pattern string, fields []string) *Grammar {
	g.Pattern += pattern
	for i := 0; i < len(fields); i += 2 {
		g.Fields = append(g.Fields, Field{fields[i], fields[i+1]})
	}
	return g
}

// Word is a form of words for actions.
type Word struct {
	// Pattern is a regular expression for the whole word; formulas use its groups. A word
	// is of the first form that fits it.
	Pattern string `json:"pattern"`
	Says    string `json:"says"`
	// Action computes the number of the action.
	Action Formula `json:"action"`
}

// Bits are bits of a packed position: Count runs of Bits each. Multi-byte numbers have their
// lowest byte first, and the first bit of a byte is its lowest.
type Bits struct {
	Name  string `json:"name"`
	Bits  int    `json:"bits"`
	Count int    `json:"count"`
	Says  string `json:"says"`
}

// Side chooses by the side to act: a if that is side 0, else b.
func Side(a, b string) string { return "(side " + a + " " + b + ")" }

// Both writes a formula for either side: with the words of side 0 and side 1 for each $ in
// it, and with their exchange. own is about the side to act, other about its opponent.
func Both(formula string, words [2]string) (own, other string) {
	a, b := strings.ReplaceAll(formula, "$", words[0]), strings.ReplaceAll(formula, "$", words[1])
	return Side(a, b), Side(b, a)
}

// Names is the regular expression for one of some words.
func Names(words ...string) string { return "(" + strings.Join(words, "|") + ")" }
