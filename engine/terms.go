package engine

import (
	"fmt"
	"strconv"
	"strings"
)

// Termed is a Game whose judge is a sum of weighted terms, which the command fit-terms
// fits to the results of games. A game that is not is fitted by its input planes
// (kit.PieceSquares). To be Termed, a game
//
//  1. names its terms, one word each, the same for all rulesets;
//  2. counts them in a position, the acting side's less the other's: one function, which
//     kit.NewTerms makes a TermJudge of;
//  3. embeds a file of weights beside it, hand-set at first: a line "name weight" each, in
//     hundredths of the smallest piece, read by MustWeights;
//  4. returns from NewJudge the judge by those weights;
//  5. replaces the file by `fit-terms --game NAME --out weights.txt` and keeps what wins.
type Termed interface {
	Judged
	// TermNames are the names of the terms in the order of their weights. Names that are
	// the same up to a colon share a line of the file.
	TermNames() []string
	// NewTermJudge returns a judge by weights, one for each name, which it copies.
	NewTermJudge(weights []int32) TermJudge
}

// TermJudge is a Judge that says what it sums up.
type TermJudge interface {
	Judge
	// Count sets counts, one for each weight, so that the value of a position where a turn
	// begins is the sum of weight times count. ok is false where that is not so, or where
	// the position says little about weights.
	Count(s State, counts []float64) (ok bool)
	// Weights returns a copy of the weights.
	Weights() []int32
}

// TermCounter is a Judge of a sum of terms whose counts are whole numbers, which a learned
// evaluation reads beside the bits of a position ([Bitwise]).
type TermCounter interface {
	// CountTerms sets counts, one for each name of the terms, in a position that Judge may be
	// asked about; danger is as Judge says. It does not allocate.
	CountTerms(s State, counts []int32) (danger bool)
}

// MaxWeight bounds weights, so that sums of them fit an int32.
const MaxWeight = 10_000

// ParseWeights reads the weights of the terms of these names: each line is a name, or
// what names have in common before a colon, and the weights in order. Lines that begin
// with # and empty ones say nothing. Errors name the line.
func ParseWeights(names []string, text string) ([]int32, error) {
	weights := make([]int32, 0, len(names))
	number := 0
	for line := range strings.Lines(text) {
		number++
		words := strings.Fields(line)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		at := len(weights)
		if at == len(names) {
			return nil, fmt.Errorf("line %d: nothing may follow the weights of %s", number, row(names[at-1]))
		}
		end := rowEnd(names, at)
		if words[0] != row(names[at]) || len(words) != 1+end-at {
			return nil, fmt.Errorf("line %d: %.60q: want %s and %d of its weights", number, strings.TrimSpace(line), row(names[at]), end-at)
		}
		for _, word := range words[1:] {
			w, err := strconv.Atoi(word)
			if err != nil || w < -MaxWeight || w > MaxWeight {
				return nil, fmt.Errorf("line %d: %s %.20s: want a whole number from %d to %d", number, words[0], word, -MaxWeight, MaxWeight)
			}
			weights = append(weights, int32(w))
		}
	}
	if at := len(weights); at < len(names) {
		return nil, fmt.Errorf("the weights of %s are missing", row(names[at]))
	}
	return weights, nil
}

// MustWeights is ParseWeights for a file in the binary.
func MustWeights(names []string, text string) []int32 {
	w, err := ParseWeights(names, text)
	if err != nil {
		panic("BUG: weights: " + err.Error())
	}
	return w
}

// FormatWeights writes what ParseWeights reads.
func FormatWeights(names []string, weights []int32) string {
	width := 0
	for _, name := range names {
		width = max(width, len(row(name)))
	}
	var b strings.Builder
	for at := 0; at < len(names); {
		fmt.Fprintf(&b, "%-*s", width, row(names[at]))
		for end := rowEnd(names, at); at < end; at++ {
			fmt.Fprintf(&b, " %6d", weights[at])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// row is the word that a term's line begins with.
func row(name string) string {
	word, _, _ := strings.Cut(name, ":")
	return word
}

// rowEnd is the first term behind at on another line.
func rowEnd(names []string, at int) int {
	end := at + 1
	for end < len(names) && strings.Contains(names[at], ":") && row(names[end]) == row(names[at]) {
		end++
	}
	return end
}
