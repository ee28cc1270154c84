package site

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/web/worker"
)

// standIns are parts that do nothing.
func standIns() fstest.MapFS {
	parts := fstest.MapFS{}
	for _, name := range partNames {
		parts[name] = &fstest.MapFile{Data: []byte(name)}
	}
	return parts
}

func shipped(t *testing.T, names ...string) []Network {
	t.Helper()
	var list []Network
	for _, name := range names {
		file, err := zoo.File(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, Network{Name: name, File: file})
	}
	return list
}

// TestSiteHasWhatItNames, and nothing in it names another address.
func TestSiteHasWhatItNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	if err := Write(dir, standIns(), shipped(t, zoo.Names()...)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, worker.SiteFile))
	if err != nil {
		t.Fatal(err)
	}
	site, err := worker.ParseSite(text)
	if err != nil {
		t.Fatal(err)
	}
	if len(site.Networks) != len(zoo.Names()) {
		t.Errorf("%d networks, want %d", len(site.Networks), len(zoo.Names()))
	}
	for _, n := range site.Networks {
		for _, path := range []string{n.Model, n.Weights} {
			if info, err := os.Stat(filepath.Join(dir, path)); err != nil || info.Size() == 0 {
				t.Errorf("network %s: %v", n.Name, err)
			}
		}
		if n.Card.Training != nil {
			t.Errorf("network %s: the card has the configuration of its training", n.Name)
		}
	}
	for _, name := range append(partNames, "engine.js", "worker.js", "transport-worker.js") {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || len(data) == 0 {
			t.Error(err)
		} else if strings.Contains(string(data), "://") {
			t.Errorf("%s names an address", name)
		}
	}
}

// TestSiteIsWholeOrNot: what goes wrong leaves nothing, and what is there is left.
func TestSiteIsWholeOrNot(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "site")
	parts := standIns()
	delete(parts, "ort.wasm")
	for want, try := range map[string]func() error{
		"ort.wasm":      func() error { return Write(dir, parts, nil) },
		"network night": func() error { return Write(dir, standIns(), []Network{{Name: "night", File: []byte("nix")}}) },
	} {
		if err := try(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error about %s", err, want)
		}
		if entries, err := os.ReadDir(parent); err != nil || len(entries) > 0 {
			t.Errorf("%v, %v are left", err, entries)
		}
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, standIns(), nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a folder: %v", err)
	}
}
