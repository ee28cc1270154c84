package census

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/selfplay/record"
)

// TestColumnsAreThoseOfTheSchema by name, order and kind of value.
func TestColumnsAreThoseOfTheSchema(t *testing.T) {
	row := reflect.TypeFor[record.Row]()
	if row.NumField() != len(columns) {
		t.Fatalf("%d columns, a row has %d", len(columns), row.NumField())
	}
	for i := range row.NumField() {
		f := row.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
		text := f.Type.Kind() == reflect.String || f.Type == reflect.TypeFor[[]byte]()
		if c := columns[i]; c.Name != name || c.Quoted != text {
			t.Errorf("column %d is %s, quoted %t, want %s, %t", i, c.Name, c.Quoted, name, text)
		}
	}
}

// TestOddTextIsQuoted: what JSON must escape does not occur in our games' text.
func TestOddTextIsQuoted(t *testing.T) {
	for _, text := range []string{"", "a b", `say "x"`, `back\slash`, "tab\t", "é", "\x00"} {
		want, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := appendQuoted(nil, []byte(text)); string(got) != string(want) {
			t.Errorf("%q is quoted as %s, want %s", text, got, want)
		}
	}
}
