package play

import (
	"reflect"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
)

// TestDifferencesAreOfEveryColumn changes each field of a row.
func TestDifferencesAreOfEveryColumn(t *testing.T) {
	row := record.Row{Ply: 3, Before: nil}
	for k := range reflect.TypeFor[record.Row]().NumField() {
		other := row
		switch f := reflect.ValueOf(&other).Elem().Field(k); f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		case reflect.Float32:
			f.SetFloat(0.5)
		case reflect.Uint64:
			f.SetUint(9)
		default:
			f.SetInt(9)
		}
		if d := compareGames([]record.Row{row}, []record.Row{other}); len(d) != 1 || d[0].Ply != 3 || d[0].Column == "" || d[0].Recorded == d[0].Again {
			t.Errorf("field %d: %v", k, d)
		}
	}
	same := row
	same.After, same.RootValue = []engine.Action{}, 1e-6 // as a shard holds them
	if d := compareGames([]record.Row{row}, []record.Row{same}); d != nil {
		t.Errorf("rows that a shard does not tell apart: %v", d)
	}
	if d := compareGames([]record.Row{row, row}, []record.Row{row}); len(d) != 1 || d[0].Column != "rows of the game" {
		t.Errorf("a row is missing: %v", d)
	}
}
