package study

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/internal/wording"
)

// Setting is something that a study can be asked by a flag.
type Setting struct {
	Name string
	// Value points to an int, uint64, float64, string or a slice of them.
	Value any
	Help  string
	// Each gives every element of a list a flag of its own.
	Each bool
}

// words are the values as flags take them: none of an empty text or list.
func (s *Setting) words() []string {
	switch v := s.Value.(type) {
	case *int:
		return []string{strconv.Itoa(*v)}
	case *uint64:
		return []string{strconv.FormatUint(*v, 10)}
	case *float64:
		return []string{strconv.FormatFloat(*v, 'g', -1, 64)}
	case *string:
		return nonempty(*v)
	case *[]int:
		return nonempty(Joined(*v))
	case *[]float64:
		return nonempty(Joined(*v))
	case *[]string:
		if s.Each {
			return *v
		}
		var b strings.Builder
		w := csv.NewWriter(&b) // as flags read it
		_ = w.Write(*v)        // a Builder takes all
		w.Flush()
		return nonempty(strings.TrimSuffix(b.String(), "\n"))
	}
	panic("BUG: a setting of a type that no flag has")
}

func nonempty(word string) []string {
	if word == "" {
		return nil
	}
	return []string{word}
}

// Joined writes numbers with commas between them.
func Joined[T int | float64](list []T) string {
	words := make([]string, len(list))
	for i, x := range list {
		words[i] = fmt.Sprint(x)
	}
	return strings.Join(words, ",")
}

// Named returns the settings of these names in this order, all of which must be there.
func Named(list []Setting, names ...string) []Setting {
	var named []Setting
	for _, name := range names {
		at := slices.IndexFunc(list, func(s Setting) bool { return s.Name == name })
		named = append(named, list[at])
	}
	return named
}

// Flags writes settings as flags: those of these names in this order, or without names
// all. Empty ones are left out.
func Flags(list []Setting, names ...string) string {
	if len(names) > 0 {
		list = Named(list, names...)
	}
	var words []string
	for _, s := range list {
		for _, w := range s.words() {
			words = append(words, "--"+s.Name, wording.Quoted(w))
		}
	}
	return strings.Join(words, " ")
}

// Changed refuses settings of these names that differ between the games that are kept
// and what is asked now.
func Changed(before, now []Setting, names ...string) error {
	var errs problems.List
	for i, s := range now {
		was, is := strings.Join(before[i].words(), " "), strings.Join(s.words(), " ")
		errs.If(was != is && slices.Contains(names, s.Name), "--%s %s: its games are of %s: want that, or a folder of its own", s.Name, cmp.Or(is, "none"), cmp.Or(was, "none"))
	}
	return errs.Err()
}
