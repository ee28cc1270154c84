package cli

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/report/trained"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestRunsWithRetention: a run whose old checkpoints are gone is listed, rated
// and compared with one that kept all, over its whole course.
func TestRunsWithRetention(t *testing.T) {
	root := t.TempDir()
	all, few := filepath.Join(root, "all", "run"), filepath.Join(root, "few", "run") // equal names: equal shards
	mustCall(t, tiny(all, "--set", "generations=5", "--set", "evaluation.during.share=0")...)
	mustCall(t, tiny(few, "--set", "generations=5", "--set", "evaluation.during.share=0", "--set", "retention.checkpoints=1", "--set", "retention.every=3")...)

	list := listRuns(t, root)
	if len(list) != 2 || list[0].State != trained.StateFinished || list[1].State != trained.StateFinished {
		t.Fatalf("runs %+v, want two that are finished", list)
	}
	if got, want := list[0].Networks, []int{0, 1, 2, 3, 4, 5}; !reflect.DeepEqual(got, want) {
		t.Errorf("%s has networks %v, want %v", list[0].Name, got, want)
	}
	if got, want := list[1].Networks, []int{0, 3, 5}; !reflect.DeepEqual(got, want) {
		t.Errorf("%s has networks %v, want %v", list[1].Name, got, want)
	}
	for i := range list[0].Ratings {
		a, b := &list[0].Ratings[i], &list[1].Ratings[i]
		if !reflect.DeepEqual(a, b) {
			t.Errorf("ratings %+v and %+v", a, b)
		}
	}

	c := decode[trained.Comparison](t, mustCall(t, "runs", "compare", all, few, "--json"))
	if len(c.A.Generations) != 5 || len(c.B.Generations) != 5 {
		t.Fatalf("courses of %d and %d generations, want 5", len(c.A.Generations), len(c.B.Generations))
	}
	for i := range c.A.Generations {
		a, b := &c.A.Generations[i], &c.B.Generations[i]
		s, err := rundir.ReadState(all, i+1)
		if err != nil {
			t.Fatal(err)
		}
		if a.Step != s.Step || a.Games != s.Games || a.Positions != s.Rows || a.Elapsed != s.Elapsed {
			t.Errorf("generation %d is told as %+v, its checkpoint is %+v", i+1, a, s)
		}
		if b.Generation != i+1 || b.Step != a.Step || b.Positions != a.Positions || b.Training.PolicyLoss != a.Training.PolicyLoss {
			t.Errorf("generation %d of the run with retention %+v, of the other %+v", i+1, b, a)
		}
	}
	text := mustCall(t, "runs", "compare", all, few, "--match", "1")
	if want := "\nB has kept the networks of generations 0, 3, 5 and no others\n"; !strings.Contains(text, want) || strings.Contains(text, "A has kept") {
		t.Errorf("compare prints\n%s want %q", text, want)
	}

	if err := os.RemoveAll(rundir.CheckpointDir(few, 0)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(few, trained.ReportText)); err != nil {
		t.Fatal(err)
	}
	_, _, err := call(t, "", "train", "--run", few)
	if err == nil || !strings.Contains(err.Error(), rundir.CheckpointDir(few, 0)+" is gone") {
		t.Errorf("a rating without the untrained network: %v", err)
	}
	if _, err := os.Stat(filepath.Join(few, trained.ReportText)); err != nil {
		t.Errorf("a run whose last matches cannot be played has no report: %v", err)
	}
}
