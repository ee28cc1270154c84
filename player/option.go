package player

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ludozero/ludozero/engine"
)

// Option is one knob of a kind: a word, a number or a time. Without a
// Default it must be given, unless it is one of several.
type Option struct {
	Name, Doc string
	Default   string
	// Values lists the allowed words. If it is empty the option is a time from
	// MinTime to MaxTime, a real number from 0 to MaxReal, or one of Words, or, if
	// those are zero, a whole number from Min to Max.
	Values           []string
	Words            []string
	Min, Max         int
	MinTime, MaxTime time.Duration
	MaxReal          float64
	// Text says what any text stands for: then there are no bounds.
	Text string
	// Bytes of memory are what one unit of a whole number takes, if it bounds the search's
	// memory; else 0.
	Bytes int
	// Needs names an option of the kind without which this one may not be set.
	Needs string
	// Quiet leaves the option out of canonical descriptions at its default, so
	// that results of before there was such an option go by the same name.
	Quiet bool
}

// Range describes the allowed values for people.
func (o *Option) Range() string {
	forms := o.Words
	switch {
	case o.Text != "":
		return o.Text
	case o.MaxTime > 0:
		forms = append([]string{fmt.Sprintf("%v..%v", o.MinTime, o.MaxTime)}, forms...)
	case o.MaxReal > 0:
		forms = append([]string{fmt.Sprintf("0..%g", o.MaxReal)}, forms...)
	default:
		forms = append([]string{o.plain().Range()}, forms...)
	}
	return strings.Join(forms, "|")
}

// plain is o as the rules of games have options.
func (o *Option) plain() *engine.Option {
	return &engine.Option{Name: o.Name, Doc: o.Doc, Default: o.Default, Values: o.Values, Min: o.Min, Max: o.Max}
}

// read returns value in canonical form, and the rule that it breaks.
func (o *Option) read(value string) (string, error) {
	bad := func(want string) (string, error) {
		return value, fmt.Errorf("option %s=%s: want %s", o.Name, value, want)
	}
	switch {
	case o.Text != "", slices.Contains(o.Words, value):
		return value, nil
	case o.MaxReal > 0:
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || !(x >= 0 && x <= o.MaxReal) {
			return bad(o.Range())
		}
		return strconv.FormatFloat(x, 'g', -1, 64), nil
	case o.MaxTime == 0:
		return o.plain().Check(value)
	}
	d, err := time.ParseDuration(value)
	if err != nil {
		return bad(strings.Join(append([]string{"a time such as 100ms or 2s"}, o.Words...), " or "))
	}
	if d < o.MinTime || d > o.MaxTime {
		return bad(fmt.Sprintf("%v to %v", o.MinTime, o.MaxTime))
	}
	return d.String(), nil
}

// Real is the value of an option that is a real number and no word.
func (v *Values) Real(name string) (x float64, ok bool) {
	x, err := strconv.ParseFloat(v.Values[name], 64)
	return x, err == nil
}

// Time is the value of an option that is a time and no word, if it was given.
func (v *Values) Time(name string) (time.Duration, bool) {
	text, ok := v.Values[name]
	if !ok {
		return 0, false
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		panic("BUG: option " + name + " is no time")
	}
	return d, true
}

// oneOf describes the options of OneOf.
func (k *Kind) oneOf() (forms []string) {
	for _, o := range k.Options {
		if slices.Contains(k.OneOf, o.Name) {
			forms = append(forms, fmt.Sprintf("%s=%s (%s)", o.Name, o.Range(), o.Doc))
		}
	}
	return forms
}

// Form is how players of kind k, called name, are described: what may be left
// out stands in brackets.
func (k *Kind) Form(name string) string {
	var words, alternatives []string
	if k.Argument != "" {
		words = append(words, k.Argument)
	}
	for _, o := range k.Options {
		word := o.Name + "=" + o.Range()
		switch {
		case slices.Contains(k.OneOf, o.Name):
			if alternatives = append(alternatives, word); len(alternatives) < len(k.OneOf) {
				continue
			}
			word = "(" + strings.Join(alternatives, " or ") + ")"
			if k.Usual != "" {
				word = "[" + strings.Join(alternatives, " or ") + "]"
			}
		case o.Default != "":
			word = "[" + word + "]"
		}
		words = append(words, word)
	}
	if len(words) == 0 {
		return name
	}
	return name + ":" + strings.Join(words, ",")
}
