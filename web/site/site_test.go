package site

import (
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player"
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
		weights, card, err := zoo.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		card.Training = []byte(`{"folder":"mine"}`)
		list = append(list, Network{Name: name, Weights: weights, Card: card, Ratings: &player.Ratings{Weights: name}})
	}
	return list
}

// TestSiteHasWhatItNames, and nothing in it names another address.
func TestSiteHasWhatItNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	if err := Write(dir, standIns(), shipped(t, zoo.Names()...), []Evaluation{{Name: "konreh", Game: "konreh", File: []byte("learned"), First: true}}); err != nil {
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
		if n.Ratings == nil || n.Ratings.Weights != n.Name {
			t.Errorf("network %s: ratings %+v", n.Name, n.Ratings)
		}
		_, card, err := model.Load(filepath.Join(dir, n.Weights))
		if err != nil {
			t.Fatal(err)
		}
		if n.Card.Training != nil || card.Training != nil {
			t.Errorf("network %s: the card has the configuration of its training", n.Name)
		}
	}
	for _, e := range site.Evaluations {
		if data, err := os.ReadFile(filepath.Join(dir, e.File)); string(data) != "learned" || e.Game != "konreh" || !e.First || err != nil {
			t.Errorf("%+v: %q, %v", e, data, err)
		}
	}
	if len(site.Evaluations) != 1 {
		t.Errorf("evaluations %+v", site.Evaluations)
	}
	checkKept(t, dir)
	// What the page names, and what that names.
	named := regexp.MustCompile(`"(?:\./)?([\w-]+\.(?:js|css|svg|wasm|webmanifest))"`)
	needed, from := []string{"index.html", "licences.txt", worker.SiteFile}, 0
	for ; from < len(needed); from++ {
		data, err := os.ReadFile(filepath.Join(dir, needed[from]))
		if err != nil || len(data) == 0 {
			t.Errorf("%s is named, and of %d bytes: %v", needed[from], len(data), err)
		}
		if strings.Contains(strings.ReplaceAll(string(data), svgSpace, ""), "://") {
			t.Errorf("%s names an address", needed[from])
		}
		for _, m := range named.FindAllSubmatch(data, -1) {
			if name := string(m[1]); !slices.Contains(needed, name) {
				needed = append(needed, name)
			}
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() && !slices.Contains(needed, strings.TrimSuffix(e.Name(), compressedExt)) {
			t.Errorf("nothing names %s", e.Name())
		}
	}
}

// checkKept: the service worker keeps what the page needs, once: of large files the
// compressed copy, which has the same contents.
func checkKept(t *testing.T, dir string) {
	t.Helper()
	script, err := os.ReadFile(filepath.Join(dir, "sw.js"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"": true, "play.js": true, "index.html": false, "ludozero.wasm.gz": true, "ludozero.wasm": false, "site.json.gz": true, "networks/konreh.onnx.gz": true, "networks/konreh.eval.gz": true, "networks/konreh.eval": false,
		"networks/konreh.safetensors": false, "networks/konreh.safetensors.gz": false, "sw.js": false,
	} {
		if got := strings.Contains(string(script), `"`+name+`"`); got != want {
			t.Errorf("the service worker keeps %q: %v, want %v", name, got, want)
		}
	}
	file, err := os.Open(filepath.Join(dir, "ludozero.wasm.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := io.ReadAll(z); err != nil || string(data) != "ludozero.wasm" {
		t.Errorf("the compressed copy has %q, %v", data, err)
	}
}

// svgSpace names no place to load anything from.
const svgSpace = "http://www.w3.org/2000/svg"

// TestSiteIsWholeOrNot: what goes wrong leaves nothing, and what is there is left.
func TestSiteIsWholeOrNot(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "site")
	parts := standIns()
	delete(parts, "ort.wasm")
	for want, try := range map[string]func() error{
		"ort.wasm":    func() error { return Write(dir, parts, nil, nil) },
		"network a/b": func() error { n := shipped(t, "konreh"); n[0].Name = "a/b"; return Write(dir, standIns(), n, nil) },
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
	if err := Write(dir, standIns(), nil, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a folder: %v", err)
	}
}
