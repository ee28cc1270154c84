package cli

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/report/health"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestHealthOfARun: a short run, whose games all are the same.
func TestHealthOfARun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "same")
	mustCall(t, "train", "--config", "../configs/tictactoe/tiny.yaml", "--run", dir, "--set", "generations=2", "--set", "self_play.temperature=0",
		"--set", "self_play.final_temperature=0", "--set", "self_play.search.noise_fraction=0", "--no-rating")
	before := tree(t, dir)
	text := mustCall(t, "runs", "health", dir)
	for _, want := range []string{"same: tictactoe standard, generation 2\n", "\nalarm games-identical, since generation 1\n  39 of the generation's 40 games", "\ngen  entropy "} {
		if !strings.Contains(text, want) {
			t.Errorf("runs health prints\n%s\nwant %q", text, want)
		}
	}
	got := decode[runHealth](t, mustCall(t, "runs", "health", dir, "--json"))
	rows, err := rundir.ReadMetrics(dir)
	if err != nil || len(rows) != 2 || len(got.Generations) != 2 {
		t.Fatalf("%d generations of %d, %v, want two", len(got.Generations), len(rows), err)
	}
	for i := range rows {
		if len(rows[i].Ends) == 0 || !reflect.DeepEqual(got.Generations[i], rows[i]) {
			t.Errorf("generation %+v, want that of the metrics, %+v", got.Generations[i], rows[i])
		}
	}
	if len(got.Warnings) == 0 || got.Warnings[0].Code != "games-identical" || got.Warnings[0].Last != 2 || got.Name != "same" || got.Generation != 2 {
		t.Errorf("%+v, want the games to be warned of", got)
	}
	if after := tree(t, dir); after != before {
		t.Errorf("asking changed the folder:\n%s\nbefore:\n%s", after, before)
	}
	mustFail(t, 2, []string{"runs", "health"}, "accepts 1 arg(s)")
	mustFail(t, 2, []string{"runs", "health", t.TempDir()}, "it is no run")
}

// TestHealthText has what is off now, in words, before what was off, by code.
func TestHealthText(t *testing.T) {
	h := &runHealth{Name: "r", Game: "konreh", Rules: "standard", Generation: 3}
	var out strings.Builder
	if err := h.print(&out); err != nil || !strings.HasSuffix(out.String(), "no generation was trained: there is nothing to say yet\n") {
		t.Errorf("print = %v\n%s", err, out.String())
	}
	for g := range int32(3) {
		h.Generations = append(h.Generations, rundir.Metrics{Generation: g + 1, NewGames: 64, Steps: 10, ValueSlope: 0.5, ValueSlopeError: 0.125, ValueExplained: 0.25,
			RootExplained: 0.5, PolicyEntropy: 1.5, FrozenPositions: 128, FrozenDrift: 0.25})
	}
	out.Reset()
	if err := h.print(&out); err != nil || !strings.Contains(out.String(), "\nnothing is off\n\ngen ") {
		t.Errorf("print = %v\n%s", err, out.String())
	}
	h.Warnings = []health.Warning{
		{Code: "was-off", Severity: health.Warn, First: 1, Last: 2, Text: "That is over."},
		{Code: "is-off", Severity: health.Alarm, First: 2, Last: 3, Text: "Do something."},
	}
	out.Reset()
	if err := h.print(&out); err != nil {
		t.Fatal(err)
	}
	golden(t, "runs-health.txt", out.String())
	h.Generations[2].FrozenPositions = 0
	out.Reset()
	if err := h.print(&out); err != nil || !strings.Contains(out.String(), " 1.50     0.000     -            -          -          -         0.0  0.00      -     -        -            -       -\n-: not measured") {
		t.Errorf("print of a generation of an older program = %v\n%s", err, out.String())
	}
}
