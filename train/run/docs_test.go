package run

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/parquet-go/parquet-go"
)

// table returns the rows of the first table after a heading of
// docs/data-format.md, each as its cells.
func table(t *testing.T, heading string) [][]string {
	t.Helper()
	page, err := os.ReadFile("../../docs/data-format.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(page), "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("docs/data-format.md has no heading %q", heading)
	}
	var rows [][]string
	for line := range strings.Lines(rest) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "| "):
			rows = append(rows, strings.Split(strings.Trim(line, "| "), " | "))
		case len(rows) > 0 && !strings.HasPrefix(line, "|"):
			return rows[1:]
		}
	}
	t.Fatalf("heading %q has no table", heading)
	return nil
}

var word = regexp.MustCompile("`([a-z_]+)`")

// words are the names in code letters of a cell.
func words(cell string) []string {
	var names []string
	for _, m := range word.FindAllStringSubmatch(cell, -1) {
		names = append(names, m[1])
	}
	return names
}

// TestColumnsAreDocumented: the tables name the columns of shards and metrics in
// their order; in that of the metrics optional ones are marked and those that
// depend on clock, machine and process are in italics.
func TestColumnsAreDocumented(t *testing.T) {
	for heading, schema := range map[string]*parquet.Schema{"Shards": parquet.SchemaOf(record.Row{}), "Metrics": parquet.SchemaOf(rundir.Metrics{})} {
		var got, want []string
		for _, row := range table(t, heading) {
			for _, name := range words(row[0]) {
				got = append(got, fmt.Sprintf("%s optional=%v", name, strings.HasSuffix(row[1], ", optional")))
			}
		}
		for _, f := range schema.Fields() {
			want = append(want, fmt.Sprintf("%s optional=%v", f.Name(), f.Optional()))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the table has\n%q, want\n%q", heading, got, want)
		}
	}
	var m rundir.Metrics
	v := reflect.ValueOf(&m).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case f.CanInt():
			f.SetInt(1)
		case f.CanFloat():
			f.SetFloat(1)
		}
	}
	repeatable := reflect.ValueOf(m.Repeatable())
	for _, row := range table(t, "Metrics") {
		for _, name := range words(row[0]) {
			i := slices.IndexFunc(reflect.VisibleFields(v.Type()), func(f reflect.StructField) bool {
				return strings.Split(f.Tag.Get("parquet"), ",")[0] == name
			})
			if i < 0 || v.Field(i).Kind() == reflect.Slice {
				continue
			}
			if italic := strings.HasPrefix(row[0], "*"); italic != repeatable.Field(i).IsZero() {
				t.Errorf("%s is in italics: %v, want the opposite", name, italic)
			}
		}
	}
}

// TestEventsAreDocumented: the table names every event with its fields, and the sentence below it those that may be left out.
func TestEventsAreDocumented(t *testing.T) {
	fields := func(e reflect.Type) (names, empty []string) {
		for _, f := range reflect.VisibleFields(e) {
			name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
			names = append(names, name)
			if option == "omitempty" {
				empty = append(empty, name)
			}
		}
		return names, empty
	}
	documented := map[string]string{}
	for _, row := range table(t, "Events") {
		documented[words(row[0])[0]] = row[1]
	}
	page, err := os.ReadFile("../../docs/data-format.md")
	if err != nil {
		t.Fatal(err)
	}
	_, sentence, _ := strings.Cut(string(page), "\nThe fields `")
	sentence, _, _ = strings.Cut("`"+sentence, "\n\n") // the paragraph
	check := func(event string, e reflect.Type) {
		names, empty := fields(e)
		for _, n := range names {
			if !slices.Contains(words(documented[event]), n) {
				t.Errorf("event %s: field %s is not in the table", event, n)
			}
		}
		for _, n := range empty {
			if !slices.Contains(words(sentence), n) {
				t.Errorf("event %s: field %s may be left out, which is not said", event, n)
			}
		}
	}
	events := reflect.TypeFor[rundir.Event]()
	n := 4 // those inside others
	for _, f := range reflect.VisibleFields(events) {
		if f.Type.Kind() == reflect.Pointer {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			check(name, f.Type.Elem())
			n++
		}
	}
	check("rules", reflect.TypeFor[rundir.RulesEvent]())
	check("origin", reflect.TypeFor[rundir.OriginEvent]())
	check("matches", reflect.TypeFor[rundir.RatedMatch]())
	check("elo", reflect.TypeFor[rundir.RatedElo]())
	if len(documented) != n {
		t.Errorf("the table has %d events, want %d", len(documented), n)
	}
}
