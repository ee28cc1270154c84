package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Family is a game with all its rulesets: what the commands list and parse.
type Family struct {
	// Name is the word for the game, Info.Name.
	Name string
	// Doc is one sentence about the game.
	Doc string
	// Presets are named rulesets; the first is the default.
	Presets []Preset
	// Options may be set over any preset.
	Options []Option
	// Build makes the game of complete, well-formed settings. It refuses
	// combinations that the rules rule out.
	Build func(Settings) (Game, error)
}

// Preset is a named ruleset: the options' defaults, except for Set.
type Preset struct {
	Name string            `json:"name"`
	Doc  string            `json:"doc"`
	Set  map[string]string `json:"set,omitempty"`
}

// Option is one knob of the rules, or of a player.
type Option struct {
	Name    string `json:"name"`
	Doc     string `json:"doc"`
	Default string `json:"default"`
	// Values lists the allowed words. If it is empty, and Data nil, the option is a
	// whole number from Min to Max.
	Values []string `json:"values,omitempty"`
	Min    int      `json:"min,omitempty"`
	Max    int      `json:"max,omitempty"`
	// Data is not nil if the value is data, such as a board.
	Data *Data `json:"data,omitempty"`
}

// Data describes an option whose value is data in one word: the text has no blank, no
// comma and no control character, so that it survives rules words, files and shards.
// A list is written with colons between its elements.
type Data struct {
	// Form describes the word for people.
	Form string `json:"form"`
	// Examples are values to try, in canonical form.
	Examples []string `json:"examples,omitempty"`
	// Canonical reads a value and returns it as it is written. The error names the
	// place in the value and the rule; it need not name the option.
	Canonical func(value string) (string, error) `json:"-"`
}

// maxData is the length of the longest value of a Data option, in bytes.
const maxData = 4096

// canonical checks a value and returns it as it is written.
func (d *Data) canonical(value string) (string, error) {
	if len(value) > maxData {
		return "", fmt.Errorf("%d bytes: want at most %d", len(value), maxData)
	}
	if i := strings.IndexFunc(value, func(r rune) bool { return r <= ' ' || r == ',' || r == utf8.RuneError || unicode.IsControl(r) }); i >= 0 {
		return "", fmt.Errorf("character %d: want %s, without blanks, commas and control characters", utf8.RuneCountInString(value[:i])+1, d.Form)
	}
	return d.Canonical(value)
}

// Bools are the Values of a yes-or-no option.
var Bools = []string{"false", "true"}

// Range describes the allowed values for people.
func (o *Option) Range() string {
	switch {
	case o.Data != nil:
		return o.Data.Form
	case len(o.Values) > 0:
		return strings.Join(o.Values, "|")
	}
	return fmt.Sprintf("%d..%d", o.Min, o.Max)
}

// Check returns a value in canonical form, or the rule that it breaks.
func (o *Option) Check(value string) (string, error) {
	if o.Data != nil {
		canonical, err := o.Data.canonical(value)
		if err != nil {
			return "", fmt.Errorf("option %s=%.80q: %w", o.Name, value, err)
		}
		return canonical, nil
	}
	return value, o.check(value)
}

func (o *Option) check(value string) error {
	if len(o.Values) > 0 {
		if !slices.Contains(o.Values, value) {
			return fmt.Errorf("option %s=%s: want one of %s", o.Name, value, strings.Join(o.Values, ", "))
		}
		return nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || strconv.Itoa(n) != value {
		return fmt.Errorf("option %s=%s: want a whole number", o.Name, value)
	}
	if n < o.Min || n > o.Max {
		return fmt.Errorf("option %s=%s: want %d to %d", o.Name, value, o.Min, o.Max)
	}
	return nil
}

// Settings is a complete choice of a preset and all options.
type Settings struct {
	Preset string
	Values map[string]string
	// Rules is the choice in canonical form: what Game.Rules returns.
	Rules string

	options []Option // of the family
}

// Text is the value of an option, Int and Bool the same converted. An option
// that the family does not have is a bug.
func (s Settings) Text(name string) string {
	v, ok := s.Values[name]
	if !ok {
		panic("BUG: no option " + name)
	}
	return v
}

// Int is the value of a whole-number option.
func (s Settings) Int(name string) int {
	n, err := strconv.Atoi(s.Text(name))
	if err != nil {
		panic("BUG: option " + name + " is no number")
	}
	return n
}

// Bool is the value of a yes-or-no option.
func (s Settings) Bool(name string) bool { return s.Text(name) == "true" }

// Index is the place of the value of an option among its Values.
func (s Settings) Index(name string) int {
	i := slices.IndexFunc(s.options, func(o Option) bool { return o.Name == name })
	if i < 0 {
		panic("BUG: no option " + name)
	}
	return slices.Index(s.options[i].Values, s.Text(name))
}

// Variants tells for each value of the options with Values that is not the default, in
// order, whether it is chosen: what a network is shown of the rules. Options that change
// nothing once play has begun are left out by their names.
func (s Settings) Variants(but ...string) (chosen []bool) {
	for _, o := range s.options {
		for _, value := range o.Values {
			if value != o.Default && !slices.Contains(but, o.Name) {
				chosen = append(chosen, s.Text(o.Name) == value)
			}
		}
	}
	return chosen
}

// Settings resolves a preset ("" is the default) and "option=value" words over
// it. Every problem is reported, not only the first.
func (f *Family) Settings(preset string, options []string) (Settings, error) {
	if preset == "" {
		preset = f.Presets[0].Name
	}
	p := f.preset(preset)
	var errs []error
	if p == nil {
		hint := ""
		if name, rest := split(preset); len(rest) > 0 {
			hint = fmt.Sprintf("; options are not part of it: want preset %q with options [%s]", name, `"`+strings.Join(rest, `", "`)+`"`)
		}
		errs = append(errs, fmt.Errorf("%s has no preset %q: want one of %s%s", f.Name, preset, strings.Join(f.presetNames(), ", "), hint))
		p = &f.Presets[0]
	}
	s := Settings{Preset: preset, Values: f.values(p), options: f.Options}
	seen := map[string]bool{}
	for _, word := range options {
		name, value, ok := strings.Cut(word, "=")
		o := f.option(name)
		switch {
		case !ok:
			errs = append(errs, fmt.Errorf("%q: want option=value", word))
		case o == nil && len(f.Options) == 0:
			errs = append(errs, fmt.Errorf("%s has no option %q: it has none", f.Name, name))
		case o == nil:
			errs = append(errs, fmt.Errorf("%s has no option %q: want one of %s", f.Name, name, strings.Join(f.optionNames(), ", ")))
		case seen[name]:
			errs = append(errs, fmt.Errorf("option %s is set twice", name))
		default:
			seen[name] = true
			canonical, err := o.Check(value)
			if err != nil {
				errs = append(errs, err)
				break
			}
			s.Values[name] = canonical
		}
	}
	if errs == nil {
		s.Rules = f.Canonical(s)
	}
	return s, errors.Join(errs...)
}

// Parse builds the game of a rules word, "preset,option=value,...". The preset
// may be left out; the empty word is the default preset.
func (f *Family) Parse(rules string) (Game, error) { return f.New(split(rules)) }

// SettingsOf resolves a rules word, as Parse reads it.
func (f *Family) SettingsOf(rules string) (Settings, error) { return f.Settings(split(rules)) }

func split(rules string) (preset string, options []string) {
	if rules == "" {
		return "", nil
	}
	options = strings.Split(rules, ",")
	if strings.Contains(options[0], "=") {
		return "", options
	}
	return options[0], options[1:]
}

// LengthOption is the option, in families that have it, for the number of turns after
// which a game ends. Training and play set it; it does not count as another ruleset.
const LengthOption = "max_turns"

// PliesOption is LengthOption in families whose rules count the actions after a set-up.
const PliesOption = "max_plies"

// BalanceOption is the option, in families that have it, for how the second player is
// made up for moving second. Studies of balance compare its values.
const BalanceOption = "balance"

// Alike reports whether two rules words differ at most in the options named.
func (f *Family) Alike(a, b string, but ...string) (bool, error) {
	x, errA := f.Settings(split(a))
	y, errB := f.Settings(split(b))
	for _, name := range but {
		delete(x.Values, name)
		delete(y.Values, name)
	}
	return maps.Equal(x.Values, y.Values), errors.Join(errA, errB)
}

// New builds the game of a preset and "option=value" words over it.
func (f *Family) New(preset string, options []string) (Game, error) {
	s, err := f.Settings(preset, options)
	if err == nil {
		var g Game
		if g, err = f.Build(s); err == nil {
			return g, nil
		}
	}
	return nil, fmt.Errorf("rules of %s: %w", f.Name, err)
}

// Canonical is the rules word of s: its preset, then what differs from the
// preset in the order of f.Options.
func (f *Family) Canonical(s Settings) string {
	var b strings.Builder
	b.WriteString(s.Preset)
	base := f.values(f.preset(s.Preset))
	for _, o := range f.Options {
		if v := s.Values[o.Name]; v != base[o.Name] {
			b.WriteString("," + o.Name + "=" + v)
		}
	}
	return b.String()
}

func (f *Family) values(p *Preset) map[string]string {
	v := make(map[string]string, len(f.Options))
	for _, o := range f.Options {
		v[o.Name] = o.Default
	}
	for name, value := range p.Set {
		v[name] = value
	}
	return v
}

func (f *Family) preset(name string) *Preset {
	for i := range f.Presets {
		if f.Presets[i].Name == name {
			return &f.Presets[i]
		}
	}
	return nil
}

func (f *Family) option(name string) *Option {
	for i := range f.Options {
		if f.Options[i].Name == name {
			return &f.Options[i]
		}
	}
	return nil
}

func (f *Family) presetNames() []string {
	names := make([]string, len(f.Presets))
	for i, p := range f.Presets {
		names[i] = p.Name
	}
	return names
}

func (f *Family) optionNames() []string {
	names := make([]string, len(f.Options))
	for i, o := range f.Options {
		names[i] = o.Name
	}
	return names
}
