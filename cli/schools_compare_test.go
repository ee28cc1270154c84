package cli

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/study/schools"
)

// quickSchools are the words of a comparison that takes a moment.
func quickSchools(words ...string) []string {
	return append([]string{"schools", "compare", "ykrul", "cross-raid", "--depth", "1", "--rounds", "2", "--pairs", "2", "--other-pairs", "1", "--weights", "1,2",
		"--network-pairs", "1", "--sims", "1,2", "--max-turns", "60", "--workers", "2"}, words...)
}

func TestSchoolsCompareGoesOnAndShowsItsResultAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "compared")
	whole, said, err := call(t, "", quickSchools("--out", dir)...)
	if err != nil || strings.Contains(said, "played before") {
		t.Fatalf("%v; rounds pass for resumptions:\n%s", err, said)
	}
	_, report, cut := strings.Cut(whole, "\n\n")
	if !cut || !strings.HasPrefix(whole, "plan ") || !strings.Contains(whole, "12 of the round robin, 16 against none, 12 against networks") {
		t.Fatalf("the output does not begin with a plan and go on with a report:\n%s", whole)
	}
	files := map[string][]byte{}
	for _, name := range []string{"report.txt", "report.html", "schools.json", "ratings.csv", "duels.csv", "effects.csv", "fingerprints.csv", "declared.csv", "networks.csv", "doctrines/games.parquet"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	if !strings.HasPrefix(report, string(files["report.txt"])) {
		t.Errorf("report.txt is not what was printed")
	}
	if again := mustCall(t, quickSchools("--out", dir)...); again != report {
		t.Errorf("the finished folder prints\n%s", again)
	}
	_, command, _ := strings.Cut(report, "The same again: ludozero ")
	command, _, _ = strings.Cut(command, "\n")
	if _, again, _ := strings.Cut(mustCall(t, strings.Fields(command)...), "\n\n"); again != string(files["report.txt"]) {
		t.Errorf("%s prints\n%s", command, again)
	}

	// Half of the games of a part and the result are gone, as if it had been killed.
	journal := filepath.Join(dir, "doctrines", "games.jsonl")
	data, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	if err := errors.Join(os.WriteFile(journal, bytes.Join(lines[:len(lines)/2], nil), 0o666), os.Remove(filepath.Join(dir, "schools.json"))); err != nil {
		t.Fatal(err)
	}
	out, errOut, err := call(t, "", quickSchools("--out", dir, "--workers", "1")...)
	if err != nil || !strings.Contains(out, "; 32 of them played before") {
		t.Fatalf("it does not go on: %v, %s%s", err, errOut, out)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not as it was (%v)", name, err)
		}
	}

	// Without networks the games that there are count on.
	less := append(quickSchools("--out", dir, "--json"), "--network-pairs", "0")
	less = slices.DeleteFunc(less, func(w string) bool { return w == "--sims" || w == "1,2" })
	less = slices.DeleteFunc(less, func(w string) bool { return w == "--weights" })
	r := decode[schools.Result](t, mustCall(t, append(less, "--weights=1,2")...))
	if len(r.Effects) != 4 || r.Matches != nil || r.Games != 28 {
		t.Errorf("without networks: %d effects, %d matches, %d games", len(r.Effects), len(r.Matches), r.Games)
	}
	before := jsonFiles(t, dir)
	if _, _, err := call(t, "", quickSchools("--out", dir, "--seed", "2")...); err == nil || !strings.Contains(err.Error(), "begun with other settings") {
		t.Errorf("the folder goes on with another seed: %v", err)
	}
	if after := jsonFiles(t, dir); len(before) < 3 || !maps.Equal(before, after) {
		t.Errorf("a study that was refused has changed the folder of another: %d files, then %d", len(before), len(after))
	}
}

// jsonFiles are the JSON files of a study's folder, by name.
func jsonFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = string(data)
	}
	return files
}

func TestSchoolsComparePlanPlaysNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	out := mustCall(t, "schools", "compare", "--plan", "--network-pairs", "0", "--out", dir)
	for _, want := range []string{"14 schools", "4200 of the round robin, 5800 against none, 0 against networks", "a decision", "about"} {
		if !strings.Contains(out, want) {
			t.Errorf("the plan does not say %q:\n%s", want, out)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a plan made its folder: %v", err)
	}
}

// TestSchoolsCompareOnesOwn: a school of a user's own takes part, without anything
// declared, and with its digest in the report.
func TestSchoolsCompareOnesOwn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(path, []byte("name: Hearth\nabout: Stays at home.\nterms: {blue_out: -20}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"schools", "compare", path, "--depth", "1", "--rounds", "0", "--pairs", "2", "--other-pairs", "1", "--network-pairs", "0", "--max-turns", "40", "--json"}
	r := decode[schools.Result](t, mustCall(t, args...))
	if len(r.Claims) != 0 || r.RoundRobin != nil || r.Names[0] != "Hearth" || !strings.HasPrefix(r.Identity[r.Schools[0]], "school ") {
		t.Errorf("%d declared differences, names %v, identity %v", len(r.Claims), r.Names, r.Identity)
	}
	mustFail(t, 2, append(args, path), "another one is called Hearth, too")
}

func TestSchoolsCompareStopsAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errOut bytes.Buffer
	err := execute(ctx, quickSchools("--out", filepath.Join(t.TempDir(), "stopped")), strings.NewReader(""), &out, &errOut)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want it to be interrupted; it said %s", err, out.String())
	}
}

func TestSchoolsCompareRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "letter.txt"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	mustFail(t, 1, quickSchools("--out", dir), "want a new or empty folder")
	mustFail(t, 1, quickSchools("--networks", "nowhere/at/all"), "nowhere/at/all")
	mustFail(t, 1, quickSchools("--opening-turns", "2", "--rounds", "500", "--rules", "micro"), "different openings of 2 turns for 500 rounds")
}
