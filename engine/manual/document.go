package manual

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// Format and FormatVersion mark a Document. The version changes when a program that reads
// an older one would misunderstand a newer one.
const (
	Format        = "ludozero-game"
	FormatVersion = 1
)

// Document is a manual as it is written for programs, with some rulesets of the family.
// Without a manual it has the names of inputs alone.
type Document struct {
	Format         string    `json:"format"`
	FormatVersion  int       `json:"format_version"`
	Game           string    `json:"game"`
	Version        int       `json:"version"`
	EncoderVersion int       `json:"encoder_version"`
	Sides          [2]string `json:"sides"`
	Actions        int       `json:"actions"`
	Height         int       `json:"height"`
	Width          int       `json:"width"`
	Planes         []Input   `json:"planes"`
	Globals        []Input   `json:"globals"`

	Terms map[string]Formula             `json:"terms,omitempty"`
	Words []Word                         `json:"words,omitempty"`
	Lists map[string][]string            `json:"lists,omitempty"`
	Links map[string]map[string][]string `json:"links,omitempty"`
	// PackedBytes is the size of a packed position.
	PackedBytes int        `json:"packed_bytes"`
	Packed      []Bits     `json:"packed,omitempty"`
	Symmetries  []Symmetry `json:"symmetries"`
	Rulesets    []Ruleset  `json:"rulesets"`
}

// Symmetry is one of engine.Info. A map that is left out leaves all where they are.
type Symmetry struct {
	Name    string          `json:"name"`
	Cells   []int32         `json:"cells,omitempty"`
	Planes  []int32         `json:"planes,omitempty"`
	Globals []int32         `json:"globals,omitempty"`
	Actions []engine.Action `json:"actions,omitempty"`
}

// Ruleset is what one ruleset adds.
type Ruleset struct {
	Rules   string            `json:"rules"`
	Options map[string]string `json:"options"`
	// Position reads position lines; Start is the line of the start.
	Position Grammar `json:"position"`
	Start    string  `json:"start"`
	// Cells has, for each side to act, the name of every cell of a plane, "" off the board.
	Cells   map[string][]string `json:"cells,omitempty"`
	Board   [][]string          `json:"board,omitempty"`
	Sets    map[string][]string `json:"sets,omitempty"`
	Numbers map[string]float64  `json:"numbers,omitempty"`
}

// Describe writes the document of games of one family, at least one.
func Describe(family *engine.Family, games []engine.Game) (*Document, error) {
	info := games[0].Info()
	d := &Document{
		Format: Format, FormatVersion: FormatVersion, Game: info.Name, Version: info.Version, EncoderVersion: info.EncoderVersion, Sides: info.Sides,
		Actions: info.NumActions, Height: info.Features.Height, Width: info.Features.Width,
		Planes: named(info.Features.PlaneNames), Globals: named(info.Features.GlobalNames), PackedBytes: info.PackedBytes,
	}
	for _, y := range info.Symmetries {
		d.Symmetries = append(d.Symmetries, Symmetry(y))
	}
	for _, g := range games {
		s, err := family.SettingsOf(g.Rules())
		if err != nil {
			return nil, err
		}
		state := g.NewState()
		state.Start(nil)
		r := Ruleset{Rules: g.Rules(), Options: s.Values, Start: string(state.AppendPosition(nil)), Cells: Cells(g)}
		if m, ok := g.(Described); ok {
			m := m.Manual()
			if err := m.Check(g); err != nil {
				return nil, fmt.Errorf("manual of %s: %w", info.Name, err)
			}
			d.Planes, d.Globals, d.Terms, d.Words, d.Lists, d.Links, d.Packed = m.Planes, m.Globals, m.Terms, m.Words, m.Lists, m.Links, m.Packed
			r.Position, r.Board, r.Sets, r.Numbers = m.Position, m.Board, m.Sets, m.Numbers
		}
		d.Rulesets = append(d.Rulesets, r)
	}
	return d, nil
}

// JSON writes the document on one line.
func (d *Document) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(d)
	return b.Bytes(), err
}

func named(names []string) []Input {
	list := make([]Input, len(names))
	for i, n := range names {
		list[i].Name = n
	}
	return list
}

// Cells are the names of the cells of a plane by the side to act; nil for a game without
// pictures, whose cells have no names.
func Cells(g engine.Game) map[string][]string {
	d, ok := g.NewState().(engine.Pictured)
	if !ok {
		return nil
	}
	info := g.Info()
	names := make([]string, info.Features.Cells())
	for _, cell := range d.Layout().Cells {
		if cell.Input >= 0 {
			names[cell.Input] = cell.Name
		}
	}
	other := names
	if t := engine.Turned(g); t != nil {
		other = make([]string, len(names))
		for i, to := range t {
			other[i] = names[to]
		}
	}
	return map[string][]string{info.Sides[0]: names, info.Sides[1]: other}
}

// Check holds a manual to its game: a sentence for every input, whole formulas whose names
// exist, patterns that compile, and a layout of the right size.
func (m *Manual) Check(g engine.Game) error {
	f := &g.Info().Features
	for _, x := range []struct {
		what  string
		list  []Input
		names []string
	}{{"plane", m.Planes, f.PlaneNames}, {"global", m.Globals, f.GlobalNames}} {
		if !slices.EqualFunc(x.list, x.names, func(in Input, name string) bool { return in.Name == name }) {
			return fmt.Errorf("%ss %q: want one for each of %q", x.what, x.list, x.names)
		}
		for _, in := range x.list {
			if !strings.HasSuffix(in.Says, ".") {
				return fmt.Errorf("%s %q: %q is no sentence", x.what, in.Name, in.Says)
			}
			if err := m.formula(in.Is); in.Is != nil && err != nil {
				return fmt.Errorf("%s %q: %w", x.what, in.Name, err)
			}
		}
	}
	for name, t := range m.Terms {
		if err := m.formula(t); err != nil {
			return fmt.Errorf("term %q: %w", name, err)
		}
	}
	for _, w := range m.Words {
		if err := m.formula(w.Action); err != nil {
			return fmt.Errorf("word %s: %w", w.Pattern, err)
		}
		if _, err := regexp.Compile(w.Pattern); err != nil || w.Says == "" {
			return fmt.Errorf("word %s, %q: %w", w.Pattern, w.Says, err)
		}
	}
	line, err := regexp.Compile("^" + m.Position.Pattern + "$")
	if err != nil || line.NumSubexp() != len(m.Position.Fields) {
		return fmt.Errorf("position %s: want a group for each of %d fields: %w", m.Position.Pattern, len(m.Position.Fields), err)
	}
	bits := 0
	for _, b := range m.Packed {
		bits += b.Bits * b.Count
	}
	if bits != 8*g.Info().PackedBytes {
		return fmt.Errorf("packed position of %d bits: want %d bytes", bits, g.Info().PackedBytes)
	}
	return nil
}

// formula checks a formula and that what it names exists.
func (m *Manual) formula(f Formula) error {
	return f.check(func(op, name string) error {
		ok := true
		switch op {
		case "term":
			_, ok = m.Terms[name]
		case "field", "letters", "named":
			ok = slices.ContainsFunc(m.Position.Fields, func(f Field) bool { return f.Name == name })
		case "index", "pick":
			_, ok = m.Lists[name]
		case "linked":
			_, ok = m.Links[name]
		}
		if !ok {
			return fmt.Errorf("there is no %s %q", op, name)
		}
		return nil
	})
}
