package sweep

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/builtin"
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/study/fits"
	"github.com/ludozero/ludozero/study/sweep"
)

func environment() *shell.Env {
	env, err := shell.NewEnv(builtin.Games())
	if err != nil {
		panic(err)
	}
	return env
}

// TestSweepPlans reads every plan that is checked in, with the configurations of its
// runs.
func TestSweepPlans(t *testing.T) {
	files, err := filepath.Glob("../../configs/sweeps/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("plans: %v, %v", files, err)
	}
	for _, path := range files {
		if _, err := sweep.Read(environment().Families, environment().Solved, path, t.TempDir()); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestPlanKeysAreDocumented holds the table of docs/sweeps.md to the keys of a plan.
func TestPlanKeysAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/sweeps.md")
	if err != nil {
		t.Fatal(err)
	}
	plans, fits, ok := strings.Cut(string(page), `<a id="fits">`)
	if !ok {
		t.Fatal("the page has no section on fits")
	}
	ofPlans, _ := configs.Keys[sweep.Plan]()
	ofFits, _ := configs.Keys[sweep.Fits]()
	for _, table := range []struct {
		text string
		want []string
	}{{plans, ofPlans}, {fits, ofFits}} {
		var got []string
		for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_.]*)` \\| (?:`[^`]*`)? ?\\|").FindAllStringSubmatch(table.text, -1) {
			got = append(got, m[1])
		}
		slices.Sort(got)
		slices.Sort(table.want)
		if !slices.Equal(got, table.want) {
			t.Errorf("the table has %v, a plan %v", got, table.want)
		}
	}
}

// TestFitPlans reads every plan that is checked in, up to the games, which are not there.
func TestFitPlans(t *testing.T) {
	files, err := filepath.Glob("../../configs/fits/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("plans: %v, %v", files, err)
	}
	for _, path := range files {
		if _, err := fits.Read(environment().Families, path, t.TempDir()); err == nil || !strings.Contains(err.Error(), "games: ") {
			t.Errorf("%s: %v, want an error about its games", path, err)
		}
	}
}
