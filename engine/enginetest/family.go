package enginetest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// CheckFamily checks a family's presets and options against its games: every preset
// builds, a rules word reads back as it was written, all games share one Info.
func CheckFamily(f *engine.Family) error {
	var errs []error
	fault := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("family %s: %s", f.Name, fmt.Sprintf(format, args...)))
	}
	if f.Name == "" || f.Doc == "" || len(f.Presets) == 0 {
		fault("wants a name, a sentence about it and a preset")
		return errors.Join(errs...)
	}
	def, err := f.Parse("")
	if err != nil {
		return err
	}
	check := func(rules string) {
		g, err := f.Parse(rules)
		if err != nil {
			fault("%v", err)
			return
		}
		if g.Rules() != rules {
			fault("rules %q are called %q", rules, g.Rules())
		}
		if g.Info() != def.Info() || g.Info().Name != f.Name {
			fault("rules %q have an Info of their own", rules)
		}
	}
	for i, p := range f.Presets {
		if p.Doc == "" {
			fault("preset %s is not explained", p.Name)
		}
		for name := range p.Set {
			if !slices.ContainsFunc(f.Options, func(o engine.Option) bool { return o.Name == name }) {
				fault("preset %s sets %s, which is no option", p.Name, name)
			}
		}
		if i == 0 && def.Rules() != p.Name {
			fault("default rules are called %q, want %q", def.Rules(), p.Name)
		}
		check(p.Name)
	}
	for _, o := range f.Options {
		if o.Doc == "" {
			fault("option %s is not explained", o.Name)
		}
		if s, err := f.Settings("", []string{o.Name + "=" + o.Default}); err != nil {
			fault("default: %v", err)
		} else if s.Values[o.Name] != o.Default {
			fault("default: option %s=%s is written %s", o.Name, o.Default, s.Values[o.Name])
		}
		if g, err := f.Parse(f.Presets[0].Name + "," + o.Name + "=" + o.Default); err == nil && g.Rules() != f.Presets[0].Name && f.Presets[0].Set[o.Name] == "" {
			fault("option %s set to its default gives %q", o.Name, g.Rules())
		}
		for _, value := range values(&o) {
			word := f.Presets[0].Name + "," + o.Name + "=" + value
			if s, err := f.Settings("", []string{o.Name + "=" + value}); err != nil {
				fault("%v", err)
			} else if s.Values[o.Name] != value {
				fault("option %s=%s is written %s", o.Name, value, s.Values[o.Name])
			} else if g, err := f.Parse(word); err == nil && g.Rules() != f.Presets[0].Name {
				check(word)
			}
		}
	}
	return errors.Join(errs...)
}

// values are the words of an option, the ends of its range, or its examples of data.
func values(o *engine.Option) []string {
	switch {
	case o.Data != nil:
		return o.Data.Examples
	case len(o.Values) > 0:
		return o.Values
	}
	return []string{fmt.Sprint(o.Min), fmt.Sprint(o.Max)}
}

// Reporter is the part of testing.TB that Run needs.
type Reporter interface {
	Helper()
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
}

// gamesPerRules is how many random games Run plays of each ruleset.
const gamesPerRules = 12

// inputGames is how many of each ruleset it plays to compare encodings.
const inputGames = 2

// Run is the conformance test of a game: CheckFamily, then Check and
// CheckAllocations for each of the rules words, and CheckMixed and CheckInputs for all
// of them. Encodings and their hashes are compared over all rulesets.
//
// Without rules words it takes every preset, a random game for every value of every
// option over the first one, and wants every plane and global of the encoding to vary
// that Features.Constant does not name.
func Run(t Reporter, f *engine.Family, rules ...string) {
	t.Helper()
	RunFrom(t, f, nil, rules...)
}

// RunFrom is Run for a game with phases that random play hardly reaches: games are also
// played from positions, under every ruleset that has them. The first one wants them all.
func RunFrom(t Reporter, f *engine.Family, positions []string, rules ...string) {
	t.Helper()
	if err := CheckFamily(f); err != nil {
		t.Errorf("%v", err)
		return
	}
	var variants []engine.Game
	if len(rules) == 0 {
		for _, p := range f.Presets {
			rules = append(rules, p.Name)
		}
		variants = optionGames(f)
	}
	e := newEncodings()
	var games []engine.Game
	for i, word := range rules {
		g, err := f.Parse(word)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		games = append(games, g)
		for _, line := range positions {
			if err := g.NewState().ParsePosition(line); err != nil && i == 0 {
				t.Errorf("%s: position %s: %v", g.Rules(), line, err)
			}
		}
		stats, err := newChecker(g, e, uint64(i)).run(gamesPerRules, positions...)
		if err != nil {
			t.Errorf("%v", err)
		}
		t.Logf("%s %s: %v", f.Name, g.Rules(), &stats)
		if err := errors.Join(CheckAllocations(g, uint64(i)), CheckBits(g, uint64(i))); err != nil {
			t.Errorf("%v", err)
		}
	}
	if len(games) == 0 {
		return
	}
	if err := CheckMixed(games, 0); err != nil {
		t.Errorf("%v", err)
	}
	for i, g := range variants {
		if _, err := newChecker(g, e, uint64(len(rules)+i)).run(1, positions...); err != nil {
			t.Errorf("%v", err)
		}
	}
	inputs, err := checkInputs(games, variants, positions, inputGames, 0)
	if err != nil {
		t.Errorf("%v", err)
	}
	t.Logf("%s inputs: %v", f.Name, &inputs)
	if variants == nil {
		return
	}
	for _, name := range inputs.Constant {
		if !slices.Contains(games[0].Info().Features.Constant, name) {
			t.Errorf("%s: input %q never varies: a fault, or one to name in Features.Constant", f.Name, name)
		}
	}
	for _, name := range games[0].Info().Features.Constant {
		if !slices.Contains(inputs.Constant, name) {
			t.Errorf("%s: input %q is named in Features.Constant, and varies", f.Name, name)
		}
	}
}

// optionGames are the first preset with every other value of every option, as far as the
// rules allow it.
func optionGames(f *engine.Family) (games []engine.Game) {
	for i := range f.Options {
		for _, value := range values(&f.Options[i]) {
			g, err := f.Parse(f.Presets[0].Name + "," + f.Options[i].Name + "=" + value)
			if err == nil && g.Rules() != f.Presets[0].Name {
				games = append(games, g)
			}
		}
	}
	return games
}
