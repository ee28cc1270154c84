package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/train/rundir"
)

// save writes a network with a calibration; change may spoil its card.
func save(t *testing.T, path string, blocks int, generation int, change func(*model.Card)) {
	t.Helper()
	n := model.Network{
		Shape:  model.Shape{Planes: 6, Height: 6, Width: 7, Globals: 1, MaskPlane: -1, PolicyPlanes: 1},
		Config: model.Config{Blocks: blocks, Channels: 128, PoolEvery: 2, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 8},
	}
	w := model.NewWeights(n)
	w.Init(rand.New(rand.NewPCG(uint64(generation), 0)))
	c := model.Card{
		Identity:   model.Identity{Game: "connect4", GameVersion: 1, EncoderVersion: 2, Actions: 7},
		Rules:      []model.RulesShare{{Rules: "standard", Share: 1}},
		Generation: generation, Step: 10 * generation, Positions: 5, Samples: 20,
		Calibration: &model.Calibration{Version: model.CalibrationVersion, Positions: 9, Planes: slices.Repeat([]float32{1}, n.Shape.Planes), Means: make([]float32, n.Shape.Planes), Ranges: map[string]float32{}},
	}
	for _, a := range n.Activations() {
		c.Calibration.Ranges[a] = 1
	}
	if change != nil {
		change(&c)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := model.Save(path, w, c); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestShip takes networks of a run by all the ways to name them. What is shipped
// is the same network with its calibration and a licence; the page stays as long
// as it is about the same weights.
func TestShip(t *testing.T) {
	dir, source := t.TempDir(), t.TempDir()
	for _, g := range []int{2, 3} {
		save(t, rundir.WeightsPath(source, g), 1, g, nil)
	}
	single := filepath.Join(t.TempDir(), "strong"+model.Extension)
	save(t, single, 1, 7, nil)
	page := filepath.Join(dir, "connect4"+zoo.PageExtension)
	for _, c := range []struct {
		source, from string
		generation   int
	}{
		{source, rundir.WeightsPath(source, 3), 3},
		{source + "@2", rundir.WeightsPath(source, 2), 2},
		{rundir.CheckpointDir(source, 3), rundir.WeightsPath(source, 3), 3},
		{single, single, 7},
	} {
		said, err := ship(dir, c.source, "connect4", "MIT", "gumbel")
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := model.Load(c.from)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "connect4"+model.Extension)
		w, card, err := model.Load(path)
		if err != nil || !w.Equal(want) || card.Generation != c.generation || card.Licence != "MIT" || card.Search != "gumbel" || card.Calibration == nil || card.Calibration.Positions != 9 {
			t.Fatalf("%s: shipped %+v, %v", c.source, card, err)
		}
		if text := read(t, model.CardPath(path)); !strings.Contains(text, `"licence": "MIT"`) {
			t.Errorf("the card beside the network is %s", text)
		}
		digest := zoo.Digest([]byte(read(t, path)))
		if text := read(t, page); zoo.About(text) != digest || !strings.Contains(text, "Not measured yet") || !strings.Contains(said, digest) || !strings.Contains(said, ": new;") {
			t.Errorf("%s: page\n%s\nsaid %s", c.source, text, said)
		}
		measured := strings.Replace(read(t, page), "Not measured yet.", "Beats us.", 1)
		if err := os.WriteFile(page, []byte(measured), 0o666); err != nil {
			t.Fatal(err)
		}
		if said, err = ship(dir, c.source, "connect4", "MIT", "gumbel"); err != nil || read(t, page) != measured || !strings.Contains(said, "stays") {
			t.Errorf("%s again: %s, %v, page\n%s", c.source, said, err, read(t, page))
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 {
		t.Errorf("%v in the folder, %v: want weights, card and page", entries, err)
	}
}

// TestShipRefuses what nobody should be given, and writes nothing.
func TestShipRefuses(t *testing.T) {
	dir, root := t.TempDir(), t.TempDir()
	path := func(name string) string { return filepath.Join(root, name+model.Extension) }
	save(t, path("good"), 1, 1, nil)
	save(t, path("large"), 4, 1, nil)
	save(t, path("plain"), 1, 1, func(c *model.Card) { c.Calibration = nil })
	save(t, path("fresh"), 1, 0, nil)
	save(t, path("unknown"), 1, 1, func(c *model.Card) { c.Rules = nil })
	for _, c := range []struct{ dir, source, name, licence, search, want string }{
		{dir, path("large"), "connect4", "MIT", "", "want at most 3000000"},
		{dir, path("plain"), "connect4", "MIT", "", "no calibration"},
		{dir, path("fresh"), "connect4", "MIT", "", "has learned nothing"},
		{dir, path("unknown"), "connect4", "MIT", "", "has learned nothing"},
		{dir, path("good"), "Connect 4", "MIT", "", `name "Connect 4"`},
		{dir, path("good"), "../connect4", "MIT", "", "small letters"},
		{dir, path("good"), "random", "MIT", "", "a kind of players has it"},
		{dir, path("good"), "connect4", "", "", "licence"},
		{dir, path("good"), "connect4", "MIT", "minimax", "search"},
		{dir, path("none"), "connect4", "MIT", "", "none"},
		{dir, root, "connect4", "MIT", "", "no run with a checkpoint"},
		{dir, root + "@3", "connect4", "MIT", "", "no run with a checkpoint"},
		{filepath.Join(dir, "none"), path("good"), "connect4", "MIT", "", "no such folder"},
	} {
		if _, err := ship(c.dir, c.source, c.name, c.licence, c.search); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s as %q: %v, want %s", c.source, c.name, err, c.want)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("%v was written, %v", entries, err)
	}
}

// TestOutdatedRatingsGo and those of the weights that are shipped stay.
func TestOutdatedRatingsGo(t *testing.T) {
	dir := t.TempDir()
	single := filepath.Join(t.TempDir(), "strong"+model.Extension)
	save(t, single, 1, 7, nil)
	table := filepath.Join(dir, "connect4"+zoo.RatingsExtension)
	if err := os.WriteFile(table, []byte(`{"weights":"of another"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	said, err := ship(dir, single, "connect4", "MIT", "")
	if _, gone := os.Stat(table); err != nil || !os.IsNotExist(gone) || !strings.Contains(said, table+": removed") {
		t.Errorf("%v, %v, %s", err, gone, said)
	}
	kept := `{"weights":"` + zoo.Digest([]byte(read(t, filepath.Join(dir, "connect4"+model.Extension)))) + `"}`
	if err := os.WriteFile(table, []byte(kept), 0o666); err != nil {
		t.Fatal(err)
	}
	if said, err := ship(dir, single, "connect4", "MIT", ""); err != nil || read(t, table) != kept || strings.Contains(said, "removed") {
		t.Errorf("%v, %s", err, said)
	}
}
