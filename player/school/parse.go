package school

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/internal/problems"
	"go.yaml.in/yaml/v3"
)

// Bounds of what a file may say, in hundredths of a Red: beyond a few Reds a school
// gives away whatever it has for its doctrine.
const (
	maxTerm  = 1000
	maxBonus = 2000
	maxName  = 40
	maxAbout = 300
)

// Parse reads a school from the file of that name, whose contents are data. The error
// joins all that is wrong, each with file, line, key and rule.
func Parse(file string, data []byte) (*School, error) {
	base := path.Base(filepath.ToSlash(file))
	s := &School{ID: strings.TrimSuffix(base, path.Ext(base)), Text: string(data)}
	r := &reader{file: file}
	root, err := document(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	r.section(root, "", map[string]func(*yaml.Node, string){
		"name":      func(n *yaml.Node, key string) { s.Name = r.text(n, key, maxName) },
		"about":     func(n *yaml.Node, key string) { s.About = r.text(n, key, maxAbout) },
		"terms":     func(n *yaml.Node, key string) { s.Terms = r.terms(n, key) },
		"never":     func(n *yaml.Node, key string) { s.Rules = append(s.Rules, r.rules(n, key, true)...) },
		"favour":    func(n *yaml.Node, key string) { s.Rules = append(s.Rules, r.rules(n, key, false)...) },
		"placement": func(n *yaml.Node, key string) { s.Rules = append(s.Rules, r.placement(n, key)...) },
		"opening":   func(n *yaml.Node, key string) { s.Opening = r.opening(n, key) },
	}, "name", "about")
	if len(r.errs) > 0 {
		return nil, problems.Join(r.errs)
	}
	return s, nil
}

func document(data []byte) (*yaml.Node, error) {
	var doc, more yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("the file is empty: want at least name and about")
		}
		return nil, err
	}
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one YAML document")
	}
	return doc.Content[0], nil
}

// reader turns nodes into values and gathers what is wrong with them.
type reader struct {
	file string
	errs []error
}

func (r *reader) fail(n *yaml.Node, key, format string, args ...any) {
	if key != "" {
		format = key + ": " + format
	}
	r.errs = append(r.errs, fmt.Errorf("%s:%d: %w", r.file, n.Line, fmt.Errorf(format, args...)))
}

// section reads a mapping of which all keys are known; those needed must be there.
func (r *reader) section(n *yaml.Node, key string, read map[string]func(n *yaml.Node, key string), needed ...string) {
	if n.Kind != yaml.MappingNode {
		r.fail(n, key, "want keys and values")
		return
	}
	known := make([]string, 0, len(read))
	for name := range read {
		known = append(known, name)
	}
	slices.Sort(known)
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		full := strings.TrimPrefix(key+"."+name.Value, ".")
		do, ok := read[name.Value]
		switch {
		case !ok || name.Kind != yaml.ScalarNode:
			r.fail(name, key, "unknown key %q%s; want %s", name.Value, problems.Nearest(name.Value, known), strings.Join(known, ", "))
		case seen[name.Value]:
			r.fail(name, full, "is there twice")
		case value.Kind == yaml.AliasNode:
			r.fail(value, full, "want a value of its own, not an alias")
		default:
			do(value, full)
		}
		seen[name.Value] = true
	}
	for _, name := range needed {
		if !seen[name] {
			r.fail(n, strings.TrimPrefix(key+"."+name, "."), "is missing")
		}
	}
}

func (r *reader) text(n *yaml.Node, key string, most int) string {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" || n.Value == "" || len(n.Value) > most || strings.ContainsFunc(n.Value, func(c rune) bool { return c < ' ' }) {
		r.fail(n, key, "want a line of text of 1 to %d bytes", most)
	}
	return n.Value
}

// number reads a whole number from -most to most, not 0.
func (r *reader) number(n *yaml.Node, key string, most int) int {
	v, err := strconv.Atoi(n.Value)
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" || err != nil || v < -most || v > most || v == 0 {
		r.fail(n, key, "%s: want a whole number from %d to %d, not 0, in hundredths of a Red", shown(n), -most, most)
		return 1
	}
	return v
}

func shown(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a section"
	case yaml.SequenceNode:
		return "a list"
	}
	return strconv.Quote(n.Value)
}

func (r *reader) terms(n *yaml.Node, key string) (list []Term) {
	read := map[string]func(*yaml.Node, string){}
	for _, f := range features {
		read[f.Name] = func(n *yaml.Node, key string) {
			list = append(list, Term{Feature: f.Name, Weight: r.number(n, key, maxTerm)})
		}
	}
	r.section(n, key, read)
	slices.SortFunc(list, func(a, b Term) int { return cmp.Compare(featureNamed(a.Feature), featureNamed(b.Feature)) })
	return list
}

// list calls read for the entries of a list.
func (r *reader) list(n *yaml.Node, key string, read func(n *yaml.Node, key string)) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		r.fail(n, key, "want a list")
		return
	}
	for i, entry := range n.Content {
		read(entry, fmt.Sprintf("%s[%d]", key, i+1))
	}
}

func (r *reader) rules(n *yaml.Node, key string, never bool) (list []Rule) {
	r.list(n, key, func(n *yaml.Node, key string) {
		rule := Rule{Never: never}
		read := map[string]func(*yaml.Node, string){
			"do": func(n *yaml.Node, key string) { rule.Event = r.event(n, key) },
			"if": func(n *yaml.Node, key string) { rule.If = r.conditions(n, key) },
		}
		needed := []string{"do"}
		if !never {
			read["by"] = func(n *yaml.Node, key string) { rule.By = r.number(n, key, maxBonus) }
			needed = append(needed, "by")
		}
		wrong := len(r.errs)
		r.section(n, key, read, needed...)
		if len(r.errs) > wrong {
			return
		}
		for _, c := range rule.If {
			if i := extraNamed(c.Of); i >= 0 && len(extras[i].needs) > 0 && !slices.Contains(extras[i].needs, rule.Event) {
				r.fail(n, key, "%s means something with do: %s only", c.Of, strings.Join(extras[i].needs, " or "))
			}
		}
		list = append(list, rule)
	})
	return list
}

func (r *reader) event(n *yaml.Node, key string) string {
	if n.Kind != yaml.ScalarNode || eventNamed(n.Value) < 0 {
		var known []string
		for _, e := range events {
			known = append(known, e.Name)
		}
		r.fail(n, key, "%s: no such event%s; want one of %s", shown(n), problems.Nearest(n.Value, known), strings.Join(known, ", "))
	}
	return n.Value
}

func (r *reader) conditions(n *yaml.Node, key string) (list []Condition) {
	read := map[string]func(*yaml.Node, string){}
	add := func(name string) {
		read[name] = func(n *yaml.Node, key string) {
			low, high, ok := span(n)
			if !ok {
				r.fail(n, key, "%s: want a whole number or a range such as 1.., ..2 or 1..2", shown(n))
			}
			list = append(list, Condition{Of: name, Min: low, Max: high})
		}
	}
	for _, f := range features {
		add(f.Name)
	}
	for _, x := range extras {
		add(x.Name)
	}
	r.section(n, key, read)
	return list
}

// span reads a whole number, or a range of which one end may be open.
func span(n *yaml.Node) (low, high int, ok bool) {
	if n.Kind != yaml.ScalarNode {
		return 0, 0, false
	}
	from, to, isRange := strings.Cut(n.Value, "..")
	if !isRange {
		to = from
	}
	low, high = math.MinInt, math.MaxInt
	var errs [2]error
	if from != "" {
		low, errs[0] = strconv.Atoi(from)
	}
	if to != "" {
		high, errs[1] = strconv.Atoi(to)
	}
	return low, high, from+to != "" && errs == [2]error{} && low <= high
}

// placement reads the values of the three places as rules about them.
func (r *reader) placement(n *yaml.Node, key string) (list []Rule) {
	read := map[string]func(*yaml.Node, string){}
	for _, place := range []string{"home", "sanctum", "apex"} {
		read[place] = func(n *yaml.Node, key string) {
			list = append(list, Rule{Event: "place_" + place, By: r.number(n, key, maxBonus)})
		}
	}
	r.section(n, key, read)
	return list
}
