package opening

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/internal/problems"
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
//	random:turns=4,from=settled     four player turns after the start is settled
//	first:turns=1                   all that the first turn leads to
//	file:PATH                       one a line; see parseFile
//
// Where the rules balance the start, an opening is never over before that is
// settled. Turns are counted from the start of the game, so that those that settle
// it are among them and an opening may be longer than asked for; with from=settled
// they are counted from where it is settled. The decision whether to swap
// sides takes the neutral answer (in Kon'reh: hold), so that the player who
// begins owns the same side as in the game itself; all other moves are drawn, or
// all taken, as ever. Only turns=0, counted from the start, leaves the start to the
// players.
type Spec struct {
	Kind Kind
	// Turns is the length in player turns; for random and first.
	Turns int
	// FromSettled counts them from where the start is settled.
	FromSettled bool
	// Symmetric drops random openings that lead to the image of another's
	// position under a symmetry of the rules; "first" always does.
	Symmetric bool
	// Path is the path of a file of openings.
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
		"random:turns=N,from=settled     N turns after what settles the start; first takes that, too",
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
		s.Turns, allowed = Default().Turns, []string{"turns", "from", "unique"}
	case First:
		s.Turns, s.Symmetric, allowed = 1, true, []string{"turns", "from"}
	default:
		return fail("no kind %q: want %s, %s or %s", kind, Random, First, File)
	}
	var words []string
	if colon {
		words = strings.Split(rest, ",")
	}
	var errs problems.List
	seen := map[string]bool{}
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		switch {
		case !slices.Contains(allowed, key):
			errs.Add("%s has no option %q: want %s", kind, key, strings.Join(allowed, ", "))
		case seen[key]:
			errs.Add("option %s is set twice", key)
		case key == "turns":
			n, err := strconv.Atoi(value)
			errs.If(err != nil || n < 0 || n > maxTurns, "turns=%s: want 0 to %d", value, maxTurns)
			s.Turns = n
		case key == "from":
			errs.If(value != "start" && value != "settled", "from=%s: want start or settled", value)
			s.FromSettled = value == "settled"
		case value != "position" && value != "symmetry":
			errs.Add("unique=%s: want position or symmetry", value)
		default:
			s.Symmetric = value == "symmetry"
		}
		seen[key] = true
	}
	if err := errs.Err(); err != nil {
		return fail("%v", err)
	}
	return s, nil
}

// String is the text form with all that matters said; Parse reads it back.
func (s Spec) String() string {
	if s.Kind == File {
		return "file:" + s.Path
	}
	text := fmt.Sprintf("%s:turns=%d", s.Kind, s.Turns)
	if s.FromSettled {
		text += ",from=settled"
	}
	if s.Kind == Random && s.Symmetric {
		text += ",unique=symmetry"
	}
	return text
}
