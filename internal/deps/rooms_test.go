package deps

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// largestRoom is the share of the module's lines that one top-level folder may
// have: a room that outgrows it has more than one purpose. Below engine the folders count
// one by one: it holds every game.
const largestRoom = 0.17

// TestRooms counts the lines of Go that are no tests in each top-level folder.
func TestRooms(t *testing.T) {
	const top = "../.."
	lines, all := map[string]int{}, 0
	err := filepath.WalkDir(top, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && (file == filepath.Join(top, "runs") || name == "bin" || name == "parts" || len(name) > 2 && name[0] == '.') {
			return fs.SkipDir // not ours
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		room, below, _ := strings.Cut(strings.TrimPrefix(filepath.ToSlash(file), top+"/"), "/")
		if folder, _, ok := strings.Cut(below, "/"); ok && room == "engine" {
			room += "/" + folder
		}
		n := bytes.Count(text, []byte("\n"))
		lines[room] += n
		all += n
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if all < 50_000 {
		t.Fatalf("%d lines were found, want those of the whole module", all)
	}
	for room, n := range lines {
		if share := float64(n) / float64(all); share > largestRoom {
			t.Errorf("%s has %d of %d lines, %.1f %%: want at most %.0f %%", room, n, all, 100*share, 100*largestRoom)
		}
	}
	t.Logf("%d lines", all)
}
