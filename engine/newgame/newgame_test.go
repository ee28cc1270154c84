package newgame_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ludozero/ludozero/engine/newgame"
)

func TestNames(t *testing.T) {
	for word, want := range map[string]string{
		"hop": "", "hop2": "", "go9x9": "",
		"": "small letters", "x": "small letters", "Hop": "small letters", "2hop": "small letters", "hop-2": "small letters", "höp": "small letters",
		"abcdefghijklmnopqrstu": "small letters",
		"main":                  "another meaning", "internal": "another meaning", "range": "another meaning",
		"kit": "use the word", "files": "use the word", "strings": "use the word", "line": "use the word", "len": "use the word",
	} {
		err := newgame.CheckName(word)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("CheckName(%q) = %v, want an error with %q", word, err, want)
		}
	}
}

// TestTreeBuilds: this tree with another game in it compiles, down to the list of games,
// and has the game in every list once.
func TestTreeBuilds(t *testing.T) {
	top, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	added, changed, err := newgame.Tree(os.DirFS(top), "hop")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range changed {
		now, err := os.ReadFile(filepath.Join(top, f.Path))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(f.Data), "engine/hop") != 1 || strings.Contains(string(now), "engine/hop") {
			t.Errorf("%s: want one entry for hop more than there is", f.Path)
		}
	}
	dir, replace := t.TempDir(), map[string]string{}
	for i, f := range slices.Concat(added, changed) {
		if strings.Contains(string(f.Data), "pawnrace") {
			t.Errorf("%s still names the template", f.Path)
		}
		at := filepath.Join(dir, string(rune('a'+i)))
		if err := os.WriteFile(at, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(top, f.Path)] = at
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{
		{"build", "-overlay", filepath.Join(dir, "overlay.json"), "./engine/hop", "./engine/games"},
		{"test", "-overlay", filepath.Join(dir, "overlay.json"), "-short", "-vet=off", "./engine/games"}, // which holds all games to what they bring
	} {
		c := exec.Command("go", command...)
		c.Dir = top
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", command[0], err, out)
		}
	}
}

func TestRefusals(t *testing.T) {
	const header = "module github.com/ludozero/ludozero\n"
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	for _, c := range []struct {
		want string
		tree fstest.MapFS
	}{
		{"no source tree", fstest.MapFS{}},
		{"no source tree", fstest.MapFS{"go.mod": file("module example.org/hop\n")}},
		{"engine/hop exists", fstest.MapFS{"go.mod": file(header), "engine/hop/hop.go": file("")}},
		{"configs/hop exists", fstest.MapFS{"go.mod": file(header), "configs/hop/tiny.yaml": file("")}},
		{"engine/games/games.go", fstest.MapFS{"go.mod": file(header)}},
		{"want one list", fstest.MapFS{"go.mod": file(header), "engine/games/games.go": file("package games\n")}},
	} {
		if added, _, err := newgame.Tree(c.tree, "hop"); err == nil || !strings.Contains(err.Error(), c.want) || added != nil {
			t.Errorf("Tree = %d files, %v, want an error with %q", len(added), err, c.want)
		}
	}
	tree := fstest.MapFS{"go.mod": file(header), "go.sum": file("")}
	for _, path := range []string{"", "hop game", "/hop", "hop/", "../hop", "Example.org/hop", "github.com/ludozero/ludozero"} {
		if _, err := newgame.Module(tree, "..", path, "hop"); err == nil || !strings.Contains(err.Error(), "want a path") {
			t.Errorf("Module of path %q = %v, want an error", path, err)
		}
	}
	if _, err := newgame.Module(fstest.MapFS{}, "..", "example.org/hop", "hop"); err == nil {
		t.Error("Module of no source tree gives no error")
	}
}
