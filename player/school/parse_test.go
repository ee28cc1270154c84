package school

import (
	"reflect"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/konreh"
)

// whole has every key.
const whole = `# A school for tests.
name: Whole House
about: It has every key.
terms: {exits: 12, cross: -40}
never:
  - do: seed
    if: {ssi: 0, turn: ..9}
  - do: enter_cross
favour:
  - {do: place_apex, if: {pieces: ..8, cca: 1.., greens: 2}, by: -30}
placement: {home: 50, apex: -20}
opening:
  by: 60
  lines:
    - [d1f1, f1f3]
    - [b3d3]
`

func TestParse(t *testing.T) {
	s, err := Parse("some/folder/whole-house.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	const least, most = -int(^uint(0)>>1) - 1, int(^uint(0) >> 1)
	want := &School{
		ID: "whole-house", Name: "Whole House", About: "It has every key.", Text: whole,
		Terms: []Term{{"cross", -40}, {"exits", 12}},
		Rules: []Rule{
			{Event: "seed", Never: true, If: []Condition{{"ssi", 0, 0}, {"turn", least, 9}}},
			{Event: "enter_cross", Never: true},
			{Event: "place_apex", If: []Condition{{"pieces", least, 8}, {"cca", 1, most}, {"greens", 2, 2}}, By: -30},
			{Event: "place_home", By: 50}, {Event: "place_apex", By: -20},
		},
		Opening: Opening{By: 60, Lines: [][]string{{"d1f1", "f1f3"}, {"b3d3"}}},
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got  %+v\nwant %+v", s, want)
	}
	if got := s.word(); got != "whole-house" {
		t.Errorf("people type %q", got)
	}
}

func TestParseRefuses(t *testing.T) {
	const head = "name: X\nabout: Y\n"
	for text, want := range map[string]string{
		"":                                               "own.yaml: the file is empty",
		"- a":                                            "own.yaml:1: want keys and values",
		"name: X":                                        "own.yaml:1: about: is missing",
		"name: [X]\nabout: Y":                            "own.yaml:1: name: want a line of text of 1 to 40 bytes",
		"name: 7\nabout: Y":                              "own.yaml:1: name: want a line of text",
		head + "---\na: b":                               "more than one YAML document",
		head + strings.Repeat("x: 1\n", 30):              "own.yaml:22: unknown key \"x\"; want about, favour, name, never, opening, placement, terms\nand 10 more",
		head + "name: Z":                                 "own.yaml:3: name: is there twice",
		head + "term: {cross: 1}":                        `own.yaml:3: unknown key "term"; did you mean terms?`,
		head + "terms: {\n  cros: 1}":                    `own.yaml:4: terms: unknown key "cros"; did you mean cross?`,
		head + "terms: {cross: 1.5}":                     `own.yaml:3: terms.cross: "1.5": want a whole number from -1000 to 1000, not 0`,
		head + "terms: {cross: 0}":                       `"0": want a whole number`,
		head + "terms: {cross: 1001}":                    `"1001": want a whole number`,
		head + "terms: {cross: [1]}":                     "a list: want a whole number",
		head + "terms: &t {cross: 1}\nnever: *t":         "own.yaml:4: never: want a value of its own, not an alias",
		head + "never: {do: seed}":                       "own.yaml:3: never: want a list",
		head + "never: []":                               "own.yaml:3: never: want a list",
		head + "never:\n  - if: {ssi: 0}":                "own.yaml:4: never[1].do: is missing",
		head + "never:\n  - do: sed":                     `own.yaml:4: never[1].do: "sed": no such event; did you mean seed?`,
		head + "never:\n  - do: seed\n    by: 3":         `own.yaml:5: never[1]: unknown key "by"`,
		head + "favour:\n  - do: seed":                   "own.yaml:4: favour[1].by: is missing",
		head + "favour:\n  - {do: seed, by: 2001}":       "want a whole number from -2000 to 2000",
		head + "never:\n  - {do: seed, if: {ssi: a}}":    `own.yaml:4: never[1].if.ssi: "a": want a whole number or a range such as 1.., ..2 or 1..2`,
		head + "never:\n  - {do: seed, if: {ssi: ..}}":   `"..": want a whole number or a range`,
		head + "never:\n  - {do: seed, if: {ssi: 2..1}}": `"2..1": want a whole number or a range`,
		head + "never:\n  - {do: seed, if: {risk: 1}}":   `unknown key "risk"`,
		head + "never:\n  - {do: plant, if: {ssi: 1}}":   "own.yaml:4: never[1]: ssi means something with do: seed or decline_seed only",
		head + "placement: {centre: 3}":                  `own.yaml:3: placement: unknown key "centre"; want apex, home, sanctum`,
		head + "opening: {lines: [[d1f1]]}":              "own.yaml:3: opening.by: is missing",
		head + "opening: {by: 9, lines: [d1f1]}":         "opening.lines[1]: want a list",
		head + "opening: {by: 9, lines: [[d1e1]]}":       `opening.lines[1][1]: "d1e1": the piece slides exactly 2 squares onward`,
		head + "opening: {by: 9, lines: [[d1f1, e5e6]]}": `opening.lines[1][2]: "e5e6": no piece of the line stands on e5`,
		head + "opening: {by: 9, lines: [[a1f1]]}":       "in its way on b1",
		head + "opening: {by: 9, lines: [[d1f3]]}":       "follows no lane",
		head + "opening: {by: 9, lines: [[d1f1, f1c1]]}": "at most 1 squares homeward",
		head + "opening: {by: 9, lines: [[swap]]}":       "want a slide from square to square",
		"name: X\nterms: {a: 1}":                         `unknown key "a"`,
	} {
		_, err := Parse("own.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q):\n%v\nwant %q", text, err, want)
		}
	}
	// All that is wrong is said at once.
	_, err := Parse("own.yaml", []byte("name: X\nterms: {a: 1}\nnever: 3\n"))
	for _, want := range []string{"own.yaml:2: terms", "own.yaml:3: never", "own.yaml:1: about"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q, too", err, want)
		}
	}
}

// FuzzParse: no file makes Parse panic, and what it takes guides an engine.
func FuzzParse(f *testing.F) {
	f.Add(whole)
	f.Add("name: X\nabout: Y\nterms: &t {cross: 1}\nnever: *t")
	f.Add("name: X\nabout: Y\nopening: {by: 1, lines: [[d1f1, d1d3], []]}")
	f.Add("? [a]\n: b\n<<: *x")
	for _, s := range shipped {
		f.Add(s.Text)
	}
	g := game(f, "standard")
	s := g.NewState().(*konreh.State)
	s.Start(nil)
	next := *s
	list := s.Legal(nil, nil)
	next.Apply(list[0], nil)
	f.Fuzz(func(t *testing.T, text string) {
		x, err := Parse("fuzz.yaml", []byte(text))
		if err != nil {
			return
		}
		y, err := Parse("fuzz.yaml", []byte(x.Text))
		if err != nil || !reflect.DeepEqual(x, y) {
			t.Fatalf("read again it is another one: %v", err)
		}
		guide := x.Guide(1)
		guide.Value(s, s.Actor())
		guide.Bonus(s, &next, list[0])
	})
}
