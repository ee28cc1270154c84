// Package configs loads the settings of a run strictly: a YAML file, then the
// environment, then overrides, on the defaults of a struct. What no struct field
// takes, has the wrong type, or cannot be, is reported all at once, by key and
// source, before any work is done.
//
// Keys are the mapstructure tags of the struct, joined by dots (train.batch); the
// environment variable of a key is LUDOZERO_ and the key in capitals with
// underscores (LUDOZERO_TRAIN_BATCH). Durations are text with a unit (15m), sizes
// whole numbers in the unit their key names. In the file 100_000 is a number; a
// number is not taken for text, nor 1.5 or 1e6 for a whole number.
package configs

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// envPrefix begins every environment variable of this program.
const envPrefix = "LUDOZERO_"

// NotConfig lists the variables with our prefix that are no settings of a run:
// they choose how the process works, not what it computes.
var NotConfig = []string{
	"LUDOZERO_FAULT",  // internal/fault: kill the process at a named point
	"LUDOZERO_KERNEL", // model/kernel: force a variant
}

// IsSetting tells whether a variable of the environment would set a key of a run.
func IsSetting(name string) bool {
	return strings.HasPrefix(name, envPrefix) && !slices.Contains(NotConfig, name)
}

// leaf is one setting: a struct field that is no section.
type leaf struct {
	key   string
	index []int // for reflect.Value.FieldByIndex
	typ   reflect.Type
}

// env is the leaf's environment variable.
func (l *leaf) env() string { return envName(l.key) }

func envName(key string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

var durationType = reflect.TypeFor[time.Duration]()

// fieldName is the tag of a struct field. Fields without a tag are bugs: their
// key would follow the Go name.
func fieldName(t reflect.Type, f reflect.StructField) (name string, squash, skip bool) {
	tag, ok := f.Tag.Lookup("mapstructure")
	name, option, _ := strings.Cut(tag, ",")
	switch {
	case name == "-":
		return "", false, true
	case name == "" && option == "squash" && f.Type.Kind() == reflect.Struct:
		return "", true, false
	case !ok || !f.IsExported() || option != "" || !isKey(name):
		panic(fmt.Sprintf("BUG: field %s of %v needs a mapstructure tag of lower-case letters, digits and underscores", f.Name, t))
	}
	return name, false, false
}

func isKey(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// leaves lists the settings of struct type t in the order of its fields. Types
// that the loader cannot read are bugs, as are two keys with one variable.
func leaves(t reflect.Type) []leaf {
	list := appendLeaves(nil, t, "", nil)
	seen := map[string]string{}
	for _, name := range NotConfig {
		seen[name] = name
	}
	for i := range list {
		l := &list[i]
		if other, ok := seen[l.env()]; ok {
			panic(fmt.Sprintf("BUG: keys %s and %s share the variable %s", other, l.key, l.env()))
		}
		seen[l.env()] = l.key
	}
	return list
}

func appendLeaves(list []leaf, t reflect.Type, prefix string, index []int) []leaf {
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("BUG: %v is no struct", t))
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, squash, skip := fieldName(t, f)
		if skip {
			continue
		}
		at := append(append([]int(nil), index...), i)
		switch {
		case squash:
			list = appendLeaves(list, f.Type, prefix, at)
		case f.Type.Kind() == reflect.Struct:
			list = appendLeaves(list, f.Type, prefix+name+".", at)
		default:
			checkType(f.Type, prefix+name)
			list = append(list, leaf{prefix + name, at, f.Type})
		}
	}
	return list
}

// checkType panics for a type that decode cannot read.
func checkType(t reflect.Type, key string) {
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Struct {
			appendLeaves(nil, t.Elem(), "", nil)
			return
		}
		checkType(t.Elem(), key)
	default:
		panic(fmt.Sprintf("BUG: key %s has a type that no file can set: %v", key, t))
	}
}

// Keys lists the keys of a settings struct in the order of its fields, each
// with its environment variable.
func Keys[T any]() (keys, variables []string) {
	for _, l := range leaves(reflect.TypeFor[T]()) {
		keys = append(keys, l.key)
		variables = append(variables, l.env())
	}
	return keys, variables
}
