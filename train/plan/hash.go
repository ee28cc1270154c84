package plan

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/ludozero/ludozero/selfplay/record"
)

// The game and the rules that hashes leave out. Another choice would change the hashes of
// all runs, of which none could be resumed.
const (
	unhashedGame  = "konreh"
	unhashedRules = "standard,max_turns=600"
)

// Hash identifies what must stay the same for a run to go on: the settings that
// differ from DefaultConfig, except those that may change. So a later program
// with more keys, whose defaults are what was done before, resumes the run;
// one with another default does not.
func (c *Config) Hash() string {
	fixed, base := *c, DefaultConfig()
	base.Game, base.Rules = unhashedGame, unhashedRules
	fixed.Budget, fixed.CoreBudget, fixed.Generations, fixed.Workers = base.Budget, base.CoreBudget, base.Generations, base.Workers
	fixed.Retention = base.Retention
	fixed.SelfPlay.CachePositions = base.SelfPlay.CachePositions
	return record.HashText(differences("", reflect.ValueOf(fixed), reflect.ValueOf(base))...)
}

// differences lists what is different in settings v and base as key=value, in
// the order of the fields.
func differences(prefix string, v, base reflect.Value) []string {
	var list []string
	for i := range v.NumField() {
		key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("mapstructure"), ",")
		a, b := v.Field(i), base.Field(i)
		switch {
		case a.Kind() == reflect.Struct && key == "": // squashed
			list = append(list, differences(prefix, a, b)...)
		case a.Kind() == reflect.Struct:
			list = append(list, differences(prefix+key+".", a, b)...)
		default:
			if text := settingText(a); text != settingText(b) {
				list = append(list, prefix+key+"="+text)
			}
		}
	}
	return list
}

// settingText writes a value so that different ones have different texts. Of the
// entries of a list it leaves out what is zero, the default there.
func settingText(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Slice:
		var b strings.Builder
		for i := range v.Len() {
			fmt.Fprintf(&b, "[%s]", settingText(v.Index(i)))
		}
		return b.String()
	case reflect.Struct:
		return strings.Join(differences("", v, reflect.Zero(v.Type())), " ")
	case reflect.String:
		return fmt.Sprintf("%q", v.String())
	}
	return fmt.Sprint(v.Interface())
}
