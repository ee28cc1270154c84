package engine

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// rules is a Game that only knows its rules word.
type rules struct {
	Game
	word string
}

func (r rules) Rules() string { return r.word }

func toy() *Family {
	f := &Family{
		Name:    "toy",
		Presets: []Preset{{Name: "plain"}, {Name: "fast", Set: map[string]string{"turns": "5"}}},
		Options: []Option{
			{Name: "pie", Default: "false", Values: Bools},
			{Name: "turns", Default: "20", Min: 1, Max: 99},
		},
	}
	f.Build = func(s Settings) (Game, error) {
		if s.Bool("pie") && s.Int("turns") < 3 {
			return nil, errors.New("pie needs 3 turns")
		}
		return rules{word: f.Canonical(s)}, nil
	}
	return f
}

func TestParseIsCanonical(t *testing.T) {
	for word, want := range map[string]string{
		"":                        "plain",
		"plain":                   "plain",
		"pie=true":                "plain,pie=true",
		"plain,turns=20":          "plain",
		"fast":                    "fast",
		"fast,turns=5":            "fast",
		"fast,turns=20":           "fast,turns=20",
		"fast,turns=7,pie=true":   "fast,pie=true,turns=7",
		"turns=4,pie=true":        "plain,pie=true,turns=4",
		"plain,pie=false,turns=1": "plain,turns=1",
	} {
		g, err := toy().Parse(word)
		if err != nil {
			t.Errorf("Parse(%q): %v", word, err)
			continue
		}
		if g.Rules() != want {
			t.Errorf("Parse(%q).Rules() = %q, want %q", word, g.Rules(), want)
		}
		if again, err := toy().Parse(want); err != nil || again.Rules() != want {
			t.Errorf("%q does not read back as itself: %v", want, err)
		}
	}
}

func TestParseNamesEveryProblem(t *testing.T) {
	for word, wants := range map[string][]string{
		"slow,speed=3,turns=100,pie": {`no preset "slow"`, `no option "speed"`, "turns=100: want 1 to 99", `"pie": want option=value`},
		"turns=x":                    {"turns=x: want a whole number"},
		"turns=07":                   {"turns=07: want a whole number"},
		"pie=yes":                    {"want one of false, true"},
		"turns=3,turns=4":            {"turns is set twice"},
		"pie=true,turns=2":           {"pie needs 3 turns"},
		"plain,":                     {`"": want option=value`},
	} {
		_, err := toy().Parse(word)
		if err == nil {
			t.Errorf("Parse(%q) is accepted", word)
			continue
		}
		for _, want := range append(wants, "rules of toy") {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("Parse(%q): %v\nwants %q", word, err, want)
			}
		}
	}
}

// TestOptionsAreNotPartOfAPreset where programs name the two apart.
func TestOptionsAreNotPartOfAPreset(t *testing.T) {
	for preset, want := range map[string]string{
		"fast,pie=true,turns=9": `; options are not part of it: want preset "fast" with options ["pie=true", "turns=9"]`,
		"pie=true":              `; options are not part of it: want preset "" with options ["pie=true"]`,
		"slow":                  "want one of plain, fast",
	} {
		if _, err := toy().New(preset, nil); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("preset %q: %v, want %s", preset, err, want)
		}
	}
}

func TestOutcomeValue(t *testing.T) {
	for _, c := range []struct {
		o    Outcome
		p    Player
		want float32
	}{
		{Outcome{}, First, 0},
		{Outcome{Over: true, Winner: First}, First, 1},
		{Outcome{Over: true, Winner: First}, Second, -1},
		{Outcome{Over: true, Winner: Second}, Second, 1},
		{Outcome{Over: true, Winner: Nobody}, Second, 0},
	} {
		if got := c.o.Value(c.p); got != c.want {
			t.Errorf("%+v for %v = %g, want %g", c.o, c.p, got, c.want)
		}
	}
}

func TestDrawFollowsTheProbabilities(t *testing.T) {
	outcomes := []Weighted{{3, 0.25}, {5, 0.5}, {8, 0.25}}
	for u, want := range map[float64]Action{0: 3, 0.2: 3, 0.25: 5, 0.74: 5, 0.75: 8, 0.9999999999999999: 8} {
		if got := Draw(outcomes, u); got != want {
			t.Errorf("Draw(%g) = %d, want %d", u, got, want)
		}
	}
}

// TestAlike goes by the options that result, however they were written.
func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		but  string
		want bool
	}{
		{"", "plain", "", true},
		{"fast", "plain,turns=5", "", true},
		{"fast", "plain", "", false},
		{"fast", "plain", "turns", true},
		{"fast,pie=true", "plain", "turns", false},
	} {
		if got, err := toy().Alike(c.a, c.b, c.but); got != c.want || err != nil {
			t.Errorf("Alike(%q, %q, %q) = %v, %v, want %v", c.a, c.b, c.but, got, err, c.want)
		}
	}
	if _, err := toy().Alike("plain", "slow"); err == nil || !strings.Contains(err.Error(), "slow") {
		t.Errorf("an unknown preset: %v", err)
	}
}

// TestDataOption gives an option a board as its value.
func TestDataOption(t *testing.T) {
	f := toy()
	f.Options = append(f.Options, Option{Name: "board", Doc: "the cells", Default: "a:b", Data: &Data{
		Form: "letters with colons between",
		Canonical: func(value string) (string, error) {
			if i := strings.IndexByte(value, '?'); i >= 0 {
				return "", fmt.Errorf("cell %d: no such cell", i/2+1)
			}
			return strings.ToLower(value), nil
		},
	}})
	for rules, want := range map[string]string{
		"":                 "plain",
		"board=A:B":        "plain",
		"fast,board=B:a":   "fast,board=b:a",
		"board=" + "x:y=z": "plain,board=x:y=z",
	} {
		s, err := f.Settings(split(rules))
		if got := f.Canonical(s); err != nil || got != want {
			t.Errorf("rules %q are %q, %v; want %q", rules, got, err, want)
		}
	}
	for value, want := range map[string]string{
		"a:?":                     "cell 2: no such cell",
		"a b":                     "character 2: want letters with colons between, without blanks",
		"a\u0000":                 "character 2",
		"\xff":                    "character 1",
		strings.Repeat("a", 5000): "5000 bytes: want at most 4096",
	} {
		_, err := f.Settings("", []string{"board=" + value})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "option board=") || len(err.Error()) > 300 {
			t.Errorf("board=%.20q: %v, want it to say %q", value, err, want)
		}
	}
}

// TestVariants: every value but the defaults is told apart, in the order of the options.
func TestVariants(t *testing.T) {
	f := Family{Presets: []Preset{{Name: "plain"}}, Options: []Option{
		{Name: "setup", Default: "free", Values: []string{"free", "fixed"}},
		{Name: "blocks", Default: "true", Values: Bools},
		{Name: "turns", Default: "5", Min: 1, Max: 9},
		{Name: "tie", Default: "again", Values: []string{"again", "draw", "loss"}},
	}}
	for word, want := range map[string]string{
		"": "[false false false] 0", "setup=fixed": "[false false false] 0", "blocks=false": "[true false false] 0",
		"tie=draw": "[false true false] 1", "blocks=false tie=loss turns=3": "[true false true] 2",
	} {
		s, err := f.Settings("", strings.Fields(word))
		if got := fmt.Sprint(s.Variants("setup"), s.Index("tie")); err != nil || got != want {
			t.Errorf("%q: %s, %v, want %s", word, got, err, want)
		}
	}
}
