package ugi

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// asked is what the words of a go say.
type asked struct {
	numbers  map[string]int
	moves    []string // after searchmoves; nil: all
	infinite bool
	ignored  []string // that are none of go
}

// goWords take a number each.
var goWords = []string{"p1time", "p2time", "p1inc", "p2inc", "movetime", "depth", "nodes"}

const (
	searchWord   = "searchmoves"
	infiniteWord = "infinite"
)

// isGoWord tells whether word begins a part of a go.
func isGoWord(word string) bool {
	return word == searchWord || word == infiniteWord || slices.Contains(goWords, word)
}

func parseGo(words []string) (asked, error) {
	a := asked{numbers: map[string]int{}}
	for i := 0; i < len(words); i++ {
		word := words[i]
		_, twice := a.numbers[word]
		switch {
		case word == infiniteWord:
			a.infinite = true
			continue
		case word == searchWord:
			end := i + 1
			for end < len(words) && !isGoWord(words[end]) {
				end++
			}
			if end == i+1 {
				return a, fmt.Errorf("%s has no moves", word)
			}
			a.moves = append(a.moves, words[i+1:end]...)
			i = end - 1
			continue
		case !isGoWord(word):
			a.ignored = append(a.ignored, word)
			continue
		case twice:
			return a, fmt.Errorf("%s is there twice", word)
		case i == len(words)-1:
			return a, fmt.Errorf("%s has no number", word)
		}
		i++
		n, err := strconv.Atoi(words[i])
		clock := strings.HasSuffix(word, "time") && word != "movetime"
		if clock && err == nil && n < 1 {
			n = 1 // a clock that has run out, in the eyes of some programs
		}
		least := 1
		if strings.HasSuffix(word, "inc") {
			least = 0
		}
		if err != nil || n < least || n > math.MaxInt32 {
			return a, fmt.Errorf("%s %q: want a whole number from %d to %d", word, words[i], least, math.MaxInt32)
		}
		a.numbers[word] = n
	}
	return a, nil
}

// only are the moves after searchmoves as actions in s, ascending; nil if there are none.
func (a *asked) only(s engine.State, h *engine.History) (list []engine.Action, err error) {
	for _, word := range a.moves {
		x, err := s.ParseAction(word, h)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", searchWord, err)
		}
		list = append(list, x)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}
