package configs

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Dump writes settings as YAML that Load reads back to the same values, keys in
// the order of the fields. Equal settings make equal bytes.
func Dump[T any](cfg T) []byte {
	leaves(reflect.TypeFor[T]()) // panics for structs that Load would not take
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(nodeOf(reflect.ValueOf(cfg))); err != nil {
		panic("BUG: settings do not encode: " + err.Error())
	}
	return b.Bytes()
}

// text is a value on one line: a list as in a file, other values plain.
func text(v reflect.Value) string {
	if v.Kind() != reflect.Slice {
		return fmt.Sprint(v)
	}
	n := nodeOf(v)
	flow(n)
	b, err := yaml.Marshal(n)
	if err != nil {
		panic("BUG: settings do not encode: " + err.Error())
	}
	return strings.Join(strings.Fields(string(b)), " ") // the encoder folds long lines
}

func flow(n *yaml.Node) {
	n.Style |= yaml.FlowStyle
	for _, c := range n.Content {
		flow(c)
	}
}

func nodeOf(v reflect.Value) *yaml.Node {
	switch {
	case v.Type() == durationType:
		return scalar("!!str", durationText(time.Duration(v.Int())))
	case v.Kind() == reflect.Struct:
		n := &yaml.Node{Kind: yaml.MappingNode}
		addFields(n, v)
		return n
	case v.Kind() == reflect.Slice:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		if v.Len() == 0 || v.Type().Elem().Kind() != reflect.Struct {
			n.Style = yaml.FlowStyle
		}
		for i := range v.Len() {
			n.Content = append(n.Content, nodeOf(v.Index(i)))
		}
		return n
	case v.Kind() == reflect.Bool:
		return scalar("!!bool", strconv.FormatBool(v.Bool()))
	case v.CanInt():
		return scalar("!!int", strconv.FormatInt(v.Int(), 10))
	case v.CanUint():
		return scalar("!!int", strconv.FormatUint(v.Uint(), 10))
	case v.CanFloat():
		text := strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
		if strings.Trim(text, "-0123456789") == "" {
			return scalar("!!int", text) // as !!float it would be written with its tag
		}
		return scalar("!!float", text)
	}
	return scalar("!!str", v.String())
}

func addFields(n *yaml.Node, v reflect.Value) {
	for i := range v.NumField() {
		name, squash, skip := fieldName(v.Type(), v.Type().Field(i))
		switch {
		case skip:
		case squash:
			addFields(n, v.Field(i))
		default:
			n.Content = append(n.Content, scalar("!!str", name), nodeOf(v.Field(i)))
		}
	}
}

func scalar(tag, value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value}
}

// durationText is d.String without parts that are zero: 15m, not 15m0s.
func durationText(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
