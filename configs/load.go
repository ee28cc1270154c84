package configs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/go-viper/mapstructure/v2"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"
)

// Validator is a settings struct that knows what its values can be. Validate
// joins one error a problem, each "key: value: rule" or alike with the key as it is
// within the struct.
type Validator interface{ Validate() error }

// Load reads settings over defaults: the file at path ("" for none; see Find), then the
// environment (os.Environ's form; other variables than ours are ignored), then
// overrides, words "key=value". Text is taken from the last two as it is, other
// values are written as in the file; a list is [a, b].
//
// Then every section that is a Validator is asked, a section inside such a
// section not again, and T itself, which may repeat what its sections say. The
// error joins every problem found, each once; the settings are then of no use.
func Load[T any](defaults T, path string, overrides, environ []string) (T, error) {
	return LoadCalled(defaults, path, "override", overrides, environ)
}

// LoadCalled is Load where problems call an override by another name.
func LoadCalled[T any](defaults T, path, called string, overrides, environ []string) (T, error) {
	cfg := defaults
	l := &loader{
		leaves:  leaves(reflect.TypeFor[T]()),
		sources: map[string]string{},
		failed:  map[string]bool{},
		layers:  viper.New(),
	}
	l.setDefaults(reflect.ValueOf(&cfg).Elem())
	var unread error
	if path != "" {
		var data []byte
		if path, data, unread = read(path); unread == nil {
			l.file(path, data)
			l.rest(path)
		}
	}
	l.environment(environ)
	l.rest("environment")
	l.overrides(called, overrides)
	l.rest(called + "s")
	if unread != nil { // what the values are is not known
		return cfg, errors.Join(append([]error{unread}, l.errs...)...)
	}
	if err := l.layers.UnmarshalExact(&cfg, viper.DecodeHook(nil), strict); err != nil {
		panic("BUG: settings that were checked do not decode: " + err.Error())
	}
	l.validate(reflect.ValueOf(&cfg).Elem(), "")
	if v, ok := any(&cfg).(Validator); ok {
		l.addAll(v.Validate(), "")
	}
	l.rest("settings")
	return cfg, errors.Join(l.errs...)
}

// strict stops mapstructure from converting between types.
func strict(c *mapstructure.DecoderConfig) { c.WeaklyTypedInput = false }

// loader gathers values in viper's layers, and what is wrong with them.
type loader struct {
	leaves  []leaf
	layers  *viper.Viper
	sources map[string]string // key to where its value came from
	errs    []error
	failed  map[string]bool // texts of all problems
	// fresh are those since the last rest: a file, the environment, the overrides and the
	// values have problems.Named of their own each.
	fresh []error
}

// fail enters a problem that is not there yet.
func (l *loader) fail(source string, err error) {
	err = fmt.Errorf("%s: %w", source, err)
	text := err.Error()
	if !l.failed[text] {
		l.fresh = append(l.fresh, err)
	}
	l.failed[text] = true
}

// rest ends the problems of one kind of source with the number of those not named.
func (l *loader) rest(source string) {
	if n := len(l.fresh) - problems.Named; n > 0 {
		l.fresh = append(l.fresh[:problems.Named], fmt.Errorf("%s: and %d more", source, n))
	}
	l.errs, l.fresh = append(l.errs, l.fresh...), nil
}

// unknown fails because of a key that no leaf has, with a suggestion while problems are
// still named.
func (l *loader) unknown(source, key string) {
	err := fmt.Errorf("unknown key %q", key)
	if len(l.fresh) < problems.Named {
		err = unknown(key, l.leaves)
	}
	l.fail(source, err)
}

// setDefaults moves the values of cfg to the lowest layer.
func (l *loader) setDefaults(cfg reflect.Value) {
	for _, f := range l.leaves {
		v := cfg.FieldByIndex(f.index)
		l.layers.SetDefault(f.key, v.Interface())
		// Decoding would write into a default list instead of replacing it.
		v.SetZero()
	}
}

// value checks one value and returns it in the type of its leaf.
func (l *loader) value(f *leaf, n *yaml.Node, source string) (any, bool) {
	v := reflect.New(f.typ).Elem()
	if err := decode(n, v); err != nil {
		for _, e := range problems.Flat(err) {
			l.fail(source, fmt.Errorf("%s: %w", f.key, e))
		}
		return nil, false
	}
	l.sources[f.key] = source
	return v.Interface(), true
}

func (l *loader) file(path string, data []byte) {
	root, err := parseYAML(data)
	if err != nil {
		l.fail(path, err)
		return
	}
	if root == nil {
		return
	}
	if root.Kind != yaml.MappingNode {
		l.fail(path, errors.New("want keys and values"))
		return
	}
	for _, n := range takeDuplicates(root) {
		l.fail(fmt.Sprintf("%s:%d", path, n.Line), fmt.Errorf("%s is there twice", n.Value))
	}
	values := map[string]any{}
	seen := map[string]bool{}
	sections := sections(l.leaves)
	walk(root, "", func(key string, n *yaml.Node) {
		source := fmt.Sprintf("%s:%d", path, n.Line)
		f := find(l.leaves, key)
		switch {
		case f == nil && sections[key]:
			l.fail(source, fmt.Errorf("%s: want a section of keys", key))
		case f == nil:
			l.unknown(source, key)
		case seen[key]:
			l.fail(source, fmt.Errorf("%s is set twice", key))
		default:
			seen[key] = true
			if v, ok := l.value(f, n, source); ok {
				nest(values, key, v)
			}
		}
	}, sections)
	l.merge(values)
}

// parseYAML returns the top of the one document in data, nil if it is empty.
func parseYAML(data []byte) (*yaml.Node, error) {
	var doc, more yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return nil, err
	}
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one YAML document")
	}
	return doc.Content[0], nil
}

// environment takes the variables with our prefix. viper looks variables up by
// key and so overlooks those that are misspelt.
func (l *loader) environment(environ []string) {
	values := map[string]any{}
	for _, word := range environ {
		name, text, _ := strings.Cut(word, "=")
		if !IsSetting(name) {
			continue
		}
		source := "environment " + name
		i := slices.IndexFunc(l.leaves, func(f leaf) bool { return f.env() == name })
		if i < 0 {
			l.fail(source, errors.New("no such setting"+l.similarVariable(name)))
			continue
		}
		if v, ok := l.word(&l.leaves[i], text, source); ok {
			nest(values, l.leaves[i].key, v)
		}
	}
	l.merge(values)
}

func (l *loader) overrides(called string, words []string) {
	seen := map[string]bool{}
	for _, word := range words {
		key, text, ok := strings.Cut(word, "=")
		source := called + " " + word
		f := find(l.leaves, key)
		switch {
		case !ok:
			l.fail(source, errors.New("want key=value"))
		case f == nil:
			l.unknown(source, key)
		case seen[key]:
			l.fail(source, fmt.Errorf("%s is set twice", key))
		default:
			seen[key] = true
			if v, ok := l.word(f, text, source); ok {
				l.layers.Set(key, v)
			}
		}
	}
}

// word is value for a word of the environment or the command line.
func (l *loader) word(f *leaf, text, source string) (any, bool) {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	if f.typ.Kind() != reflect.String {
		parsed, err := parseYAML([]byte(text))
		if err != nil || parsed == nil {
			l.fail(source, fmt.Errorf("%s: %q is of the wrong type: want %s", f.key, text, want(f.typ)))
			return nil, false
		}
		n = parsed
	}
	return l.value(f, n, source)
}

// merge lays values over the layers below. viper refuses nothing here.
func (l *loader) merge(values map[string]any) {
	if err := l.layers.MergeConfigMap(values); err != nil {
		panic("BUG: " + err.Error())
	}
}

// validate asks the sections of v, whose keys begin with prefix.
func (l *loader) validate(v reflect.Value, prefix string) {
	for i := range v.NumField() {
		name, squash, skip := fieldName(v.Type(), v.Type().Field(i))
		section := v.Field(i)
		if skip || section.Kind() != reflect.Struct {
			continue
		}
		at := prefix
		if !squash {
			at += name + "."
		}
		if c, ok := section.Addr().Interface().(Validator); ok {
			l.addAll(c.Validate(), at)
		} else {
			l.validate(section, at)
		}
	}
}

// addAll enters the problems that a Validator reported, with full keys and the
// source of the value.
func (l *loader) addAll(err error, prefix string) {
	for _, e := range problems.Flat(err) {
		end := strings.IndexFunc(e.Error(), func(r rune) bool { return !isKey(string(r)) && r != '.' })
		key := prefix + e.Error()[:max(end, 0)]
		if find(l.leaves, key) == nil {
			l.fail(strings.TrimSuffix("settings."+prefix, "."), e)
			continue
		}
		source, ok := l.sources[key]
		if !ok {
			source = "default"
		}
		l.fail(source, fmt.Errorf("%s%w", prefix, e))
	}
}
