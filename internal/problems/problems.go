// Package problems collects configuration errors: one line a problem, each with its
// full key, the value and the rule.
package problems

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// List is the problems of a configuration.
type List []error

// Add adds a problem.
func (l *List) Add(format string, args ...any) { *l = append(*l, fmt.Errorf(format, args...)) }

// If adds a problem if broken is true.
func (l *List) If(broken bool, format string, args ...any) {
	if broken {
		l.Add(format, args...)
	}
}

// Want adds a problem unless ok is true.
func (l *List) Want(ok bool, format string, args ...any) { l.If(!ok, format, args...) }

// Range adds a problem unless v is from min to max; NaN is not.
func Range[N int | int64 | float64](l *List, key string, v, min, max N) {
	l.Want(v >= min && v <= max, "%s: %v: want %v to %v", key, v, min, max)
}

// Word adds a problem unless v is allowed.
func (l *List) Word(key, v string, allowed ...string) {
	l.Want(slices.Contains(allowed, v), "%s: %q: want one of %s", key, v, strings.Join(allowed, ", "))
}

// In adds the problems joined in the error of a section, each with the section's key
// before it.
func (l *List) In(section string, err error) { l.Each(section+".", err) }

// Each adds the problems joined in err, each with words before it.
func (l *List) Each(words string, err error) {
	for _, e := range Flat(err) {
		l.Add("%s%w", words, e)
	}
}

// Named is how many problems of one source are named: more help nobody, and a file of
// another kind can have hundreds of thousands.
const Named = 20

// Join joins errors, the first of them and the number of the others.
func Join(errs []error) error {
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if n := len(errs) - Named; n > 0 {
		errs = append(errs[:Named:Named], fmt.Errorf("and %d more", n))
	}
	return errors.Join(errs...)
}

// Err joins the problems; nil if there are none.
func (l List) Err() error { return errors.Join(l...) }

// Flat returns the errors joined in err, and those joined in them; none for nil.
func Flat(err error) []error {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, Flat(e)...)
	}
	return all
}
