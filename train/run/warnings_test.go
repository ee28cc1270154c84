package run

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestWarningsAreToldOnce: when they begin and when they end, also if another
// process goes on in between.
func TestWarningsAreToldOnce(t *testing.T) {
	dir := newDir(t)
	cfg := tiny()
	var told []string
	opt := Options{Games: games.All(), Resolved: []byte(resolved), Report: func(e rundir.Event) {
		if w := e.Warning; w != nil {
			told = append(told, fmt.Sprintf("%s %d %v %s", w.Code, w.Generation, w.Over, w.Text))
		}
	}}
	opt.Check = func(rows []rundir.Metrics) []rundir.WarningEvent {
		newest := int(rows[len(rows)-1].Generation)
		if len(rows) != newest {
			t.Errorf("%d rows of metrics after generation %d", len(rows), newest)
		}
		var list []rundir.WarningEvent
		for i, code := range []string{"long", "short"} {
			if newest <= 4-2*i {
				list = append(list, rundir.WarningEvent{Code: code, Severity: "warning", FirstGeneration: 1, Text: fmt.Sprint(code, " ", newest)})
			}
		}
		return list
	}
	for _, generations := range []int{1, 3, 4, 5} {
		cfg.Generations = generations
		if err := Run(context.Background(), dir, cfg, opt); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"long 1 false long 1", "short 1 false short 1", "short 3 true ", "long 5 true "}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	events, err := rundir.ReadEvents(dir)
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, e := range events {
		if w := e.Warning; w != nil {
			kept++
			if w.FirstGeneration != 1 || w.Severity != "warning" {
				t.Errorf("kept %+v", w)
			}
		}
	}
	if kept != 4 {
		t.Errorf("%d events of warnings, want 4", kept)
	}
}
