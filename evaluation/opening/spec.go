package opening

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Kind is a way to make openings.
type Kind string

// The kinds.
const (
	Random Kind = "random"
	First  Kind = "first"
	File   Kind = "file"
)

// Spec says which openings are wanted. Its text form is one word, KIND:ARGUMENTS:
//
//	random:turns=4                  drawn, four player turns long
//	random:turns=4,unique=symmetry  no two that mirror or turn each other
//	first:turns=1                   all that the first turn leads to
//	file:PATH                       one a line; see ParseFile
//
// Turns are counted from the start of the game. Where the rules balance the
// start, the turns that settle it are among them, and an opening is never over
// before: it is then longer than asked for. The decision whether to exchange
// sides takes the neutral answer (in Kon'reh: hold), so that the player who
// begins owns the same side as in the game itself; all other moves are drawn, or
// all taken, as ever. Only turns=0 leaves the start to the players.
type Spec struct {
	Kind Kind
	// Turns is the length in player turns; for random and first.
	Turns int
	// Symmetric drops random openings that lead to the image of another's
	// position under a symmetry of the rules; "first" always does.
	Symmetric bool
	// Path is that of a file.
	Path string
}

// maxTurns is longer than any opening.
const maxTurns = 1000

// Default is what a match uses that is told nothing else.
func Default() Spec { return Spec{Kind: Random, Turns: 4} }

// Forms describes the kinds for people, one a line.
func Forms() []string {
	return []string{
		"random:turns=N                  N turns drawn at random (default 4; 0: the start itself), leading to different positions",
		"random:turns=N,unique=symmetry  the same, and no two positions that are images of each other",
		"first:turns=N                   every sequence of N first turns (default 1), equivalent ones once",
		"file:PATH                       one a line: moves from the start, or pos POSITION, or pos POSITION moves MOVES; # begins a comment",
	}
}

// Parse reads the text form. Every problem is reported.
func Parse(text string) (Spec, error) {
	kind, rest, colon := strings.Cut(text, ":")
	s := Spec{Kind: Kind(kind)}
	fail := func(format string, args ...any) (Spec, error) {
		return Spec{}, fmt.Errorf("openings %q: %s", text, fmt.Sprintf(format, args...))
	}
	var allowed []string
	switch s.Kind {
	case File:
		if s.Path = rest; rest == "" {
			return fail("want file:PATH")
		}
		return s, nil
	case Random:
		s.Turns, allowed = Default().Turns, []string{"turns", "unique"}
	case First:
		s.Turns, s.Symmetric, allowed = 1, true, []string{"turns"}
	default:
		return fail("no kind %q: want %s, %s or %s", kind, Random, First, File)
	}
	var words []string
	if colon {
		words = strings.Split(rest, ",")
	}
	var errs []error
	seen := map[string]bool{}
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		switch {
		case !slices.Contains(allowed, key):
			errs = append(errs, fmt.Errorf("%s has no option %q: want %s", kind, key, strings.Join(allowed, ", ")))
		case seen[key]:
			errs = append(errs, fmt.Errorf("option %s is set twice", key))
		case key == "turns":
			n, err := strconv.Atoi(value)
			least := 0
			if s.Kind == First {
				least = 1
			}
			if err != nil || n < least || n > maxTurns {
				errs = append(errs, fmt.Errorf("turns=%s: want %d to %d", value, least, maxTurns))
			}
			s.Turns = n
		case value != "position" && value != "symmetry":
			errs = append(errs, fmt.Errorf("unique=%s: want position or symmetry", value))
		default:
			s.Symmetric = value == "symmetry"
		}
		seen[key] = true
	}
	if err := errors.Join(errs...); err != nil {
		return fail("%v", err)
	}
	return s, nil
}

// String is the text form with all that matters said; Parse reads it back.
func (s Spec) String() string {
	switch {
	case s.Kind == File:
		return "file:" + s.Path
	case s.Kind == Random && s.Symmetric:
		return fmt.Sprintf("%s:turns=%d,unique=symmetry", s.Kind, s.Turns)
	}
	return fmt.Sprintf("%s:turns=%d", s.Kind, s.Turns)
}
