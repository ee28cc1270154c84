package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/player/school"
)

func TestSchoolsListsAll(t *testing.T) {
	text := mustCall(t, "schools", "list")
	list := decode[[]struct{ ID, Name, About, Digest string }](t, mustCall(t, "schools", "list", "--json"))
	if len(list) != len(school.Shipped()) {
		t.Fatalf("%d schools, want %d", len(list), len(school.Shipped()))
	}
	for _, s := range list {
		if len(s.Digest) != 16 {
			t.Errorf("%+v", s)
		}
		for _, word := range []string{s.ID, s.Name, s.About} {
			if word == "" || !strings.Contains(text, word) {
				t.Errorf("the text does not have %q of the JSON:\n%s", word, text)
			}
		}
	}
	words := mustCall(t, "schools", "words")
	for _, word := range []string{"their_kappa ", "enter_cross ", "plant_gain "} {
		if !strings.Contains(words, word) {
			t.Errorf("no %q among the words:\n%s", word, words)
		}
	}
}

// TestSchoolOfOnesOwn: what show prints is a school, which plays a match whose folder
// knows when it has become another one.
func TestSchoolOfOnesOwn(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "mine.yaml")
	text := mustCall(t, "schools", "show", "none")
	write := func(more string) {
		if err := os.WriteFile(path, []byte(text+more), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("")
	if got := mustCall(t, "schools", "show", path); got != text {
		t.Errorf("show of a file printed\n%s\nwant\n%s", got, text)
	}
	asked := []string{"match", "school:" + path + ",depth=1", "school:none,depth=1", "--pairs", "1", "--max-turns", "20", "--out", filepath.Join(dir, "match")}
	mustCall(t, asked...)
	write("terms: {cross: 30}\n")
	if _, _, err := call(t, "", asked...); err == nil || !strings.Contains(err.Error(), "player 1 depends on: school ") {
		t.Errorf("the folder goes on with another school: %v", err)
	}
	write("terms: {crosses: 30}\n")
	if _, _, err := call(t, "", "schools", "show", path); err == nil || !strings.Contains(err.Error(), `mine.yaml:4: terms: unknown key "crosses"; did you mean cross?`) {
		t.Errorf("show of a broken file: %v", err)
	}
}
