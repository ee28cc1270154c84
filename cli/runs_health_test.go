package cli

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/report/trained"
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
	got := decode[trained.Health](t, mustCall(t, "runs", "health", dir, "--json"))
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
