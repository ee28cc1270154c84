package configs

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/ludozero/ludozero/internal/problems"
	"go.yaml.in/yaml/v3"
)

// decode sets v to what the YAML node says. Nothing is converted but a whole
// number to a fraction: the decoder of the yaml package would cut 1.5 to 1. Aliases are
// refused: a small file could stand for a huge one.
func decode(n *yaml.Node, v reflect.Value) error {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return fmt.Errorf("has no value: want %s", want(v.Type()))
	}
	switch v.Kind() {
	case reflect.Slice:
		return decodeSlice(n, v)
	case reflect.Struct:
		return decodeStruct(n, v)
	}
	if n.Kind != yaml.ScalarNode || !fits(n.ShortTag(), v.Type()) {
		return wrongType(n, v.Type())
	}
	switch {
	case v.Type() == durationType:
		d, err := time.ParseDuration(n.Value)
		if err != nil {
			return wrongType(n, v.Type())
		}
		v.SetInt(int64(d))
	case v.Kind() == reflect.String:
		v.SetString(n.Value)
	case v.Kind() == reflect.Bool:
		v.SetBool(strings.EqualFold(n.Value, "true"))
	case v.CanFloat():
		f, err := strconv.ParseFloat(strings.ReplaceAll(n.Value, "_", ""), v.Type().Bits())
		if err != nil || math.IsInf(f, 0) {
			return fmt.Errorf("%s: want a finite number", n.Value)
		}
		v.SetFloat(f)
	default:
		return decodeInt(n, v)
	}
	return nil
}

// fits says whether a scalar that YAML takes for tag may set a leaf of type t.
func fits(tag string, t reflect.Type) bool {
	switch {
	case t == durationType, t.Kind() == reflect.String:
		return tag == "!!str"
	case t.Kind() == reflect.Bool:
		return tag == "!!bool"
	case t.Kind() == reflect.Float32, t.Kind() == reflect.Float64:
		return tag == "!!float" || tag == "!!int"
	}
	return tag == "!!int"
}

func decodeInt(n *yaml.Node, v reflect.Value) error {
	text := strings.ReplaceAll(n.Value, "_", "")
	if v.CanUint() {
		u, err := strconv.ParseUint(text, 10, 64)
		if err != nil || v.OverflowUint(u) {
			return fmt.Errorf("%s: want %s", n.Value, want(v.Type()))
		}
		v.SetUint(u)
		return nil
	}
	i, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v.OverflowInt(i) {
		return fmt.Errorf("%s: want %s", n.Value, want(v.Type()))
	}
	v.SetInt(i)
	return nil
}

func decodeSlice(n *yaml.Node, v reflect.Value) error {
	if n.Kind != yaml.SequenceNode {
		return wrongType(n, v.Type())
	}
	list := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	var errs problems.List
	for i, item := range n.Content {
		errs.Each(fmt.Sprintf("entry %d: ", i+1), decode(item, list.Index(i)))
		if len(errs) > problems.Named { // a file of another kind
			break
		}
	}
	v.Set(list)
	return errs.Err()
}

// decodeStruct reads an entry of a list of structs: all its keys must be known,
// those left out are zero.
func decodeStruct(n *yaml.Node, v reflect.Value) error {
	if n.Kind != yaml.MappingNode {
		return wrongType(n, v.Type())
	}
	var errs problems.List
	fields := leaves(v.Type())
	walk(n, "", func(key string, node *yaml.Node) {
		l := find(fields, key)
		switch {
		case len(errs) > problems.Named:
		case l == nil:
			errs = append(errs, unknown(key, fields))
		default:
			errs.Each(key+": ", decode(node, v.FieldByIndex(l.index)))
		}
	}, sections(fields))
	return errs.Err()
}

func wrongType(n *yaml.Node, t reflect.Type) error {
	got := n.Value
	switch n.Kind {
	case yaml.MappingNode:
		got = "a section"
	case yaml.SequenceNode:
		got = "a list"
	case yaml.AliasNode:
		got = "the alias *" + n.Value
	default:
		if n.ShortTag() == "!!str" {
			got = strconv.Quote(got)
		}
	}
	return fmt.Errorf("%s is of the wrong type: want %s", got, want(t))
}

// want describes the values of a type for people.
func want(t reflect.Type) string {
	switch {
	case t == durationType:
		return "a duration such as 15m"
	case t.Kind() == reflect.String:
		return "text"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.Float32, t.Kind() == reflect.Float64:
		return "a number"
	case t.Kind() == reflect.Slice:
		return "a list of " + want(t.Elem())
	case t.Kind() == reflect.Struct:
		names := []string{}
		for _, l := range leaves(t) {
			names = append(names, l.key)
		}
		return "{" + strings.Join(names, ", ") + "}"
	case t.Kind() >= reflect.Uint && t.Kind() <= reflect.Uint64:
		return fmt.Sprintf("a whole number from 0 to %d", uint64(math.MaxUint64)>>(64-t.Bits()))
	case t.Bits() < 64:
		return fmt.Sprintf("a whole number from %d to %d", int64(-1)<<(t.Bits()-1), int64(1)<<(t.Bits()-1)-1)
	}
	return "a whole number"
}
