package rules

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine/newgame"
)

// TestWriteAllOrNothing: what fails half-way leaves the tree as it was.
func TestWriteAllOrNothing(t *testing.T) {
	folders := []string{"engine/hop", "configs/hop"}
	added := []newgame.File{{Path: "engine/hop/hop.go"}, {Path: "engine/hop/guide/rules.md"}, {Path: "configs/hop/tiny.yaml"}}
	changed := []newgame.File{{Path: "list", Data: []byte("new")}, {Path: "lists/other", Data: []byte("new")}}
	for name, c := range map[string]struct {
		spoil func(top string) error
		want  []string
	}{
		"nothing":         {func(string) error { return nil }, []string{"configs/hop/tiny.yaml", "engine/hop/guide/rules.md", "engine/hop/hop.go", "list new", "lists/other new"}},
		"a second folder": {func(top string) error { return os.Mkdir(filepath.Join(top, "configs", "hop"), 0o777) }, []string{"list old", "lists/other old"}},
		"a second list":   {func(top string) error { return os.Remove(filepath.Join(top, "lists", "other")) }, []string{"list old"}},
	} {
		top := t.TempDir()
		for _, dir := range []string{"engine", "configs", "lists"} {
			if err := os.Mkdir(filepath.Join(top, dir), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		for _, f := range changed {
			if err := os.WriteFile(filepath.Join(top, f.Path), []byte("old"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.spoil(top); err != nil {
			t.Fatal(err)
		}
		err := writeAll(top, folders, added, changed)
		if got := filesOf(t, top); (err == nil) != (name == "nothing") || !slices.Equal(got, c.want) {
			t.Errorf("%s is missing: %v, and there is %q, want %q", name, err, got, c.want)
		}
	}
}

// filesOf lists the files below top with their contents.
func filesOf(t *testing.T, top string) (list []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(top), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(top, path))
		if len(data) > 0 {
			path += " " + string(data)
		}
		list = append(list, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
