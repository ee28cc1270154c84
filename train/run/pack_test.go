package run

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// mustPack packs a checkpoint of a run of tiny.
func mustPack(t testing.TB, dir string, generation int, out string) (made, replaced *rundir.Pack) {
	t.Helper()
	cfg := tiny()
	made, replaced, err := MakePack(dir, generation, &cfg, out, PackOptions{Games: games.All()})
	if err != nil {
		t.Fatal(err)
	}
	return made, replaced
}

// fresh are the options of a fork with a fresh window.
func fresh(source string) Options {
	opt := forkOf(source, -1)
	opt.Fork.FreshWindow = true
	return opt
}

// TestForkOfAPack copies a pack as git does, to where the run is not, and forks it:
// the fork learns what one of the run with a fresh window learns, or would learn
// if the average were in training.
func TestForkOfAPack(t *testing.T) {
	average := tiny()
	average.Train.AverageDecay, average.Train.AverageBatches = 0.9, 2
	averaged := newDir(t)
	mustWork(t, averaged, average)
	for name, c := range map[string]struct {
		source string
		cfg    plan.Config
		files  []string
	}{
		"plain":    {wholeDir, tiny(), []string{rundir.WeightsFile, rundir.OptimizerFile}},
		"averaged": {averaged, average, []string{rundir.WeightsFile, rundir.OptimizerFile, rundir.TrainingFile}},
	} {
		t.Run(name, func(t *testing.T) {
			pack := filepath.Join(t.TempDir(), "results", "pack")
			made, replaced, err := MakePack(c.source, -1, &c.cfg, pack, PackOptions{Games: games.All()})
			if err != nil || replaced != nil || made.String() != "tiny@2" {
				t.Fatalf("MakePack = %v, %v, %v, want tiny@2 and nothing before it", made, replaced, err)
			}
			clone := filepath.Join(t.TempDir(), "clone")
			if err := os.CopyFS(clone, os.DirFS(pack)); err != nil {
				t.Fatal(err)
			}
			remove(t, pack)
			before := snapshot(t, clone)
			packed, direct := forkDir(t), forkDir(t)
			mustFork(t, packed, c.cfg, fresh(clone))
			mustFork(t, direct, c.cfg, fresh(inTraining(t, c.source, 2)))
			for g := range 3 {
				for _, f := range c.files {
					if file(t, rundir.CheckpointDir(packed, g), f) != file(t, rundir.CheckpointDir(direct, g), f) {
						t.Errorf("generation %d: %s is not that of a fork of the run itself", g, f)
					}
				}
			}
			// The origin names the run: whoever looks at it does not mind the pack.
			o, _, err := rundir.ReadOrigin(packed)
			if err != nil || o.String() != "tiny@2" || o.FromAverage != c.cfg.Train.Averages() {
				t.Fatalf("origin %+v, %v, want tiny@2, and that training began at the average if there is one", o, err)
			}
			o.FromAverage = false
			if want, _, err := rundir.ReadOrigin(direct); err != nil || !reflect.DeepEqual(o, want) {
				t.Errorf("origin %+v, want that of a fork of the run itself, %+v, %v", o, want, err)
			}
			mustFork(t, packed, c.cfg, fresh(clone)) // the same command goes on
			if err := Run(t.Context(), forkDir(t), c.cfg, forkOf(clone, -1)); err == nil || !strings.Contains(err.Error(), "it is a pack, which has no games: want --fresh-window") {
				t.Errorf("Run without a fresh window = %v", err)
			}
			if err := Run(t.Context(), forkDir(t), c.cfg, forkOf(clone, 1)); err == nil || !strings.Contains(err.Error(), "no checkpoint of generation 1; the last is 2") {
				t.Errorf("Run from another generation = %v", err)
			}
			if err := work(t.Context(), clone, c.cfg); err == nil || !strings.Contains(err.Error(), "is a pack, which stays as it is") {
				t.Errorf("Run in the pack = %v", err)
			}
			after := snapshot(t, clone)
			for name := range after {
				if after[name] != before[name] {
					t.Errorf("%s was changed in the pack, or added", name)
				}
			}
		})
	}
}

// inTraining is the run in folder dir itself or, if it averages, a copy of it that
// at that generation trains the average.
func inTraining(t *testing.T, dir string, generation int) string {
	t.Helper()
	s, err := rundir.ReadState(dir, generation)
	if err != nil || !s.Averaged {
		return dir
	}
	copied := filepath.Join(t.TempDir(), filepath.Base(dir))
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	w, card, err := model.Load(rundir.WeightsPath(copied, generation))
	path := filepath.Join(rundir.CheckpointDir(copied, generation), rundir.TrainingFile)
	was, _, lost := model.Load(path)
	if err != nil || lost != nil || was.Equal(w) {
		t.Fatalf("%v, %v, or the average is what is in training", err, lost)
	}
	card.Calibration = nil
	s.Sums = rundir.Sums{}
	if err := errors.Join(model.Save(path, w, *card), s.Write(filepath.Join(rundir.CheckpointDir(copied, generation), rundir.StateFile))); err != nil {
		t.Fatal(err)
	}
	return copied
}

// TestPackOfAnEarlierProgram has the weights in training beside their average: the
// fork goes on with both, and what takes the place of that pack has one of them.
func TestPackOfAnEarlierProgram(t *testing.T) {
	cfg := tiny()
	cfg.Train.AverageDecay, cfg.Train.AverageBatches = 0.9, 2
	source, pack := newDir(t), filepath.Join(t.TempDir(), "pack")
	mustWork(t, source, cfg)
	made, _, err := MakePack(source, -1, &cfg, pack, PackOptions{Games: games.All()})
	if err != nil {
		t.Fatal(err)
	}
	plain, both := len(made.Files), *made
	for _, name := range []string{rundir.TrainingFile, model.CardPath(rundir.TrainingFile)} {
		data := []byte(file(t, rundir.CheckpointDir(source, 2), name))
		if err := os.WriteFile(filepath.Join(rundir.CheckpointDir(pack, 2), name), data, 0o666); err != nil {
			t.Fatal(err)
		}
		both.Files = append(both.Files, rundir.PackedFile{Name: rundir.CheckpointsDir + "/000002/" + name, Bytes: int64(len(data)), SHA256: plan.SHA256(data)})
	}
	text, err := json.Marshal(both)
	if err == nil {
		err = os.WriteFile(filepath.Join(pack, rundir.PackFile), text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	packed, direct := forkDir(t), forkDir(t)
	mustFork(t, packed, cfg, fresh(pack))
	mustFork(t, direct, cfg, fresh(source))
	for _, f := range []string{rundir.WeightsFile, rundir.OptimizerFile, rundir.TrainingFile} {
		if file(t, rundir.CheckpointDir(packed, 2), f) != file(t, rundir.CheckpointDir(direct, 2), f) {
			t.Errorf("%s is not that of a fork of the run itself", f)
		}
	}
	if file(t, packed, rundir.OriginFile) != file(t, direct, rundir.OriginFile) {
		t.Error("the origin is not that of a fork of the run itself")
	}
	made, replaced, err := MakePack(source, -1, &cfg, pack, PackOptions{Games: games.All()})
	if err != nil || len(replaced.Files) != plain+2 || len(made.Files) != plain {
		t.Fatalf("%v was replaced by %v, %v: want %d files in place of %d", replaced, made, err, plain, plain+2)
	}
}

// TestPackOfAnEarlierCheckpoint has what was known then, and of a checkpoint that
// retention has pruned no optimizer.
func TestPackOfAnEarlierCheckpoint(t *testing.T) {
	source, pack := copyRun(t), filepath.Join(t.TempDir(), "pack")
	remove(t, filepath.Join(rundir.CheckpointDir(source, 1), rundir.OptimizerFile))
	mustPack(t, source, 1, pack)
	rows, err := rundir.ReadMetrics(pack)
	whole, lost := rundir.ReadMetrics(wholeDir)
	if err != nil || lost != nil || !rundir.SameMetrics(rows, whole[:1]) {
		t.Errorf("metrics %+v, %v, want those of generation 1", rows, err)
	}
	dir := forkDir(t)
	mustFork(t, dir, tiny(), fresh(pack))
	if o, _, err := rundir.ReadOrigin(dir); err != nil || !o.FreshOptimizer || o.Generation != 1 {
		t.Errorf("origin %+v, %v, want generation 1 without its optimizer", o, err)
	}
}

// TestPackBeforeADamagedCheckpoint does not mind what comes after it.
func TestPackBeforeADamagedCheckpoint(t *testing.T) {
	source, pack := copyRun(t), filepath.Join(t.TempDir(), "pack")
	edit(t, filepath.Join(rundir.CheckpointDir(source, 2), rundir.StateFile), func(b []byte) []byte { return b[:len(b)/2] })
	made, _ := mustPack(t, source, 1, pack)
	if rows, err := rundir.ReadMetrics(pack); err != nil || len(rows) != 1 || made.Generation != 1 {
		t.Errorf("%v has %d rows of metrics, %v", made, len(rows), err)
	}
}

// TestPackBehindALink is replaced where it is, and held to its list.
func TestPackBehindALink(t *testing.T) {
	root := t.TempDir()
	pack, link := filepath.Join(root, "disk", "pack"), filepath.Join(root, "pack")
	mustPack(t, wholeDir, 1, pack)
	if err := os.Symlink(pack, link); err != nil {
		t.Skipf("this system: no links: %v", err)
	}
	if made, old := mustPack(t, wholeDir, 2, link); old == nil || old.Generation != 1 || made.Generation != 2 {
		t.Errorf("%v replaced %v", made, old)
	}
	if to, err := os.Readlink(link); err != nil || to != pack {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	if p, err := rundir.CheckPack(pack); err != nil || p.Generation != 2 {
		t.Errorf("behind the link is %v, %v", p, err)
	}
	if left, err := filepath.Glob(filepath.Join(root, "*", "*")); err != nil || len(left) != 1+len(mustList(t, pack)) {
		t.Errorf("there is %v, %v", left, err)
	}
	added := filepath.Join(pack, rundir.CheckpointsDir, "000009", rundir.StateFile)
	if err := errors.Join(os.Mkdir(filepath.Dir(added), 0o777), os.WriteFile(added, []byte("{}"), 0o666)); err != nil {
		t.Fatal(err)
	}
	if _, err := rundir.CheckPack(link); err == nil || !strings.Contains(err.Error(), "000009/state.json was added to it") {
		t.Errorf("CheckPack through a link = %v", err)
	}
	// Nothing is behind this one.
	remove(t, filepath.Join(root, "disk"))
	cfg := tiny()
	if _, _, err := MakePack(wholeDir, 2, &cfg, link, PackOptions{Games: games.All()}); err == nil || !strings.Contains(err.Error(), link+": it is a link to what is not there") {
		t.Errorf("MakePack = %v", err)
	}
	if list := mustList(t, root); len(list) != 1 {
		t.Errorf("a refused pack has left %v", list)
	}
}

// mustList is what is in a folder.
func mustList(t testing.TB, dir string) []os.DirEntry {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestPackIsReplaced by what comes from it and by nothing else.
func TestPackIsReplaced(t *testing.T) {
	root := t.TempDir()
	pack := filepath.Join(root, "pack")
	cfg := tiny()
	refused := func(dir string, generation int, want ...string) {
		t.Helper()
		before := snapshot(t, root)
		_, _, err := MakePack(dir, generation, &cfg, pack, PackOptions{Games: games.All()})
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("MakePack of %s = %v, want it to say %q", dir, err, w)
			}
		}
		after := snapshot(t, root)
		for name := range after {
			if after[name] != before[name] || len(after) != len(before) {
				t.Errorf("a refused pack has changed %s", name)
			}
		}
	}
	mustPack(t, wholeDir, 1, pack)
	if made, old := mustPack(t, wholeDir, -1, pack); old == nil || old.String() != "tiny@1" || made.String() != "tiny@2" {
		t.Errorf("%v replaced %v, want tiny@1 by tiny@2", made, old)
	}
	if g, err := rundir.Generations(pack); err != nil || !slices.Equal(g, []int{2}) {
		t.Errorf("the pack has generations %v, %v", g, err)
	}
	mustPack(t, wholeDir, -1, pack+string(filepath.Separator)) // again, with a slash behind it
	refused(wholeDir, 1, "holds tiny@2, which tiny@1 does not come from")

	// What was forked, over a pack or not, comes from it.
	fork := func(name string, opt Options) string {
		dir := filepath.Join(t.TempDir(), name)
		mustFork(t, dir, cfg, opt)
		return dir
	}
	second := fork("second", fresh(pack))
	mustPack(t, second, 1, pack)
	refused(wholeDir, 2, "holds second@1, which tiny@2 does not come from")
	third := fork("third", forkOf(second, 2))
	fourth := fork("fourth", forkOf(third, 1))
	o, _, err := rundir.ReadOrigin(fourth)
	if err != nil || len(o.Lineage) != 2 || o.Lineage[0].String() != "tiny@2" || o.Lineage[1].String() != "second@2" || o.String() != "third@1" {
		t.Errorf("origin %+v, %v, want the lineage tiny@2, second@2 before third@1", o, err)
	}
	early := fork("early", forkOf(second, 0))
	refused(early, -1, "holds second@1, which early@2 does not come from")
	if _, old := mustPack(t, fourth, 2, pack); old.String() != "second@1" {
		t.Errorf("fourth replaced %v", old)
	}
	// Of the name of the run before, and another.
	twin := tiny()
	twin.Seed = 2
	other := newDir(t)
	mustWork(t, other, twin)
	remove(t, pack)
	mustPack(t, wholeDir, 1, pack)
	refused(other, -1, "which tiny@2 does not come from")
	altered := copyRun(t)
	edit(t, rundir.WeightsPath(altered, 1), flip)
	refused(altered, 2, "which tiny@2 does not come from")

	notes := filepath.Join(pack, "notes.txt")
	if err := os.WriteFile(notes, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	refused(wholeDir, 2, notes, "is not of the pack")
	remove(t, notes)
	edit(t, rundir.WeightsPath(pack, 1), flip) // a damaged one is worth no less to be replaced
	if _, old := mustPack(t, wholeDir, 2, pack); old == nil || old.Generation != 1 {
		t.Errorf("a damaged pack: replaced %v", old)
	}
	remove(t, filepath.Join(pack, rundir.PackFile))
	refused(wholeDir, 2, "is there and no pack")
	remove(t, pack)
	if err := os.Mkdir(pack, 0o777); err != nil {
		t.Fatal(err)
	}
	mustPack(t, wholeDir, 2, pack) // an empty folder is in nobody's way
}

// TestPackRefuses what it could not pack.
func TestPackRefuses(t *testing.T) {
	source := copyRun(t)
	pack := filepath.Join(t.TempDir(), "pack")
	for name, c := range map[string]struct {
		dir    string
		out    string
		limit  int64
		damage func()
		want   []string
	}{
		"a run that is none":  {dir: filepath.Join(source, "none"), want: []string{"it is no run with a checkpoint"}},
		"itself":              {dir: source, out: source, want: []string{"want folders apart"}},
		"its own folder":      {dir: source, out: filepath.Join(source, "pack"), want: []string{"want folders apart"}},
		"too much":            {dir: source, limit: 10_000, want: []string{"it would take ", rundir.OptimizerFile, "want at most 10000"}},
		"a damaged optimizer": {dir: source, damage: func() { edit(t, filepath.Join(rundir.CheckpointDir(source, 2), rundir.OptimizerFile), flip) }, want: []string{"checkpoint 2: optimizer"}},
		"damaged weights":     {dir: source, damage: func() { edit(t, rundir.WeightsPath(source, 2), flip) }, want: []string{"checkpoint 2: weights"}},
		"no configuration":    {dir: source, damage: func() { remove(t, filepath.Join(source, rundir.ConfigFile)) }, want: []string{rundir.ConfigFile}},
	} {
		t.Run(name, func(t *testing.T) {
			if c.damage != nil {
				c.damage()
				defer func() {
					remove(t, source)
					if err := os.CopyFS(source, os.DirFS(wholeDir)); err != nil {
						t.Fatal(err)
					}
				}()
			}
			out := c.out
			if out == "" {
				out = pack
			}
			cfg := tiny()
			_, _, err := MakePack(c.dir, -1, &cfg, out, PackOptions{Games: games.All(), Limit: c.limit})
			for _, w := range c.want {
				if err == nil || !strings.Contains(err.Error(), w) {
					t.Errorf("MakePack = %v, want it to say %q", err, w)
				}
			}
			if _, err := os.Stat(filepath.Join(out, rundir.PackFile)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a refused pack was written: %v", err)
			}
		})
	}
	mustPack(t, source, -1, pack)
	cfg := tiny()
	if _, _, err := MakePack(pack, -1, &cfg, pack+"2", PackOptions{Games: games.All()}); err == nil || !strings.Contains(err.Error(), "is a pack itself") {
		t.Errorf("MakePack of a pack = %v", err)
	}
}

// TestTamperedPackIsRefused, by the name of what was done to it.
func TestTamperedPackIsRefused(t *testing.T) {
	forked := forkDir(t)
	mustFork(t, forked, tiny(), forkOf(wholeDir, -1))
	whole := filepath.Join(t.TempDir(), "pack")
	mustPack(t, forked, 1, whole)
	if p, err := rundir.CheckPack(whole); err != nil || p == nil || len(p.Files) < 7 {
		t.Fatalf("CheckPack = %+v, %v", p, err)
	}
	text := func(old, new string) func([]byte) []byte {
		return func(b []byte) []byte { return []byte(strings.Replace(string(b), old, new, 1)) }
	}
	checkpoint := filepath.Join(rundir.CheckpointsDir, "000001")
	for name, c := range map[string]struct {
		file   string
		change func([]byte) []byte // nil: the file is removed
		want   []string
	}{
		"weights":         {filepath.Join(checkpoint, rundir.WeightsFile), flip, []string{rundir.WeightsFile, "has ", "and the checksum"}},
		"weights gone":    {filepath.Join(checkpoint, rundir.WeightsFile), nil, []string{rundir.WeightsFile, "no such file"}},
		"optimizer":       {filepath.Join(checkpoint, rundir.OptimizerFile), flip, []string{rundir.OptimizerFile, "the checksum"}},
		"optimizer gone":  {filepath.Join(checkpoint, rundir.OptimizerFile), nil, []string{rundir.OptimizerFile, "no such file"}},
		"state":           {filepath.Join(checkpoint, rundir.StateFile), text(`"step": `, `"step": 1`), []string{rundir.StateFile, "the checksum"}},
		"configuration":   {rundir.ConfigFile, text("true", "false"), []string{rundir.ConfigFile, "the checksum"}},
		"line ends":       {rundir.ConfigFile, text("\n", "\r\n"), []string{rundir.ConfigFile, "has 16 bytes", "want 15"}},
		"origin":          {rundir.OriginFile, text(`"seen": `, `"seen": 1`), []string{rundir.OriginFile, "the checksum"}},
		"another network": {filepath.Join(rundir.CheckpointsDir, "000009", rundir.WeightsFile), func([]byte) []byte { return []byte("x") }, []string{"000009/weights.safetensors was added"}},
		"an average":      {filepath.Join(checkpoint, rundir.TrainingFile), func([]byte) []byte { return []byte("x") }, []string{"training.safetensors was added"}},
		"version":         {rundir.PackFile, text(`"version": 1`, `"version": 2`), []string{rundir.PackFile, "version 2: this program reads version 1"}},
		"field":           {rundir.PackFile, text(`"step"`, `"steps"`), []string{rundir.PackFile, `unknown field "steps"`}},
		"way out":         {rundir.PackFile, text(`"name": "config.yaml"`, `"name": "../config.yaml"`), []string{rundir.PackFile, "want a path inside of the pack"}},
		"checksum":        {rundir.PackFile, text(`"weights_sha256": "`, `"weights_sha256": "x`), []string{rundir.PackFile, "a checksum"}},
		"two":             {rundir.PackFile, func(b []byte) []byte { return append(b, b...) }, []string{rundir.PackFile, "there is more after it"}},
	} {
		t.Run(name, func(t *testing.T) {
			pack, to := filepath.Join(t.TempDir(), "pack"), forkDir(t)
			if err := os.CopyFS(pack, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(pack, c.file)
			if c.change == nil {
				remove(t, path)
			} else {
				b, err := os.ReadFile(path)
				if errors.Is(err, fs.ErrNotExist) {
					err = os.MkdirAll(filepath.Dir(path), 0o777)
				}
				if err == nil {
					err = os.WriteFile(path, c.change(b), 0o666)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			opt := fresh(pack)
			opt.Fork.Generation = 1
			err := Run(t.Context(), to, tiny(), opt)
			_, same := rundir.CheckPack(pack)
			for _, w := range append(c.want, pack) {
				if err == nil || !strings.Contains(err.Error(), w) || same == nil || !strings.Contains(same.Error(), w) {
					t.Errorf("Run = %v, CheckPack = %v, want them to say %q", err, same, w)
				}
			}
			if _, err := os.Stat(to); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %v, want nothing there", to, err)
			}
		})
	}
}

// TestCalibratedRunReplacesItsPack: a calibration that was added to weights does not
// make them another network's.
func TestCalibratedRunReplacesItsPack(t *testing.T) {
	source, pack := copyRun(t), filepath.Join(t.TempDir(), "pack")
	w, card, err := model.Load(rundir.WeightsPath(source, 2))
	if err != nil {
		t.Fatal(err)
	}
	calibration := card.Calibration
	card.Calibration = nil
	if err := model.Save(rundir.WeightsPath(source, 2), w, *card); err != nil {
		t.Fatal(err)
	}
	mustPack(t, source, 2, pack)
	card.Calibration = calibration
	if err := model.Save(rundir.WeightsPath(source, 2), w, *card); err != nil || calibration == nil {
		t.Fatal(err, calibration)
	}
	if made, old := mustPack(t, source, 2, pack); old == nil || made.Weights == old.Weights {
		t.Errorf("MakePack replaced %v by %v", old, made)
	}
}

// TestMetricsOfAPackAreBounded: many rows become fewer, of which the last stays.
func TestMetricsOfAPackAreBounded(t *testing.T) {
	whole, err := rundir.ReadMetrics(wholeDir)
	if err != nil {
		t.Fatal(err)
	}
	const generations = 3001
	rows := make([]rundir.Metrics, generations)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range rows {
		m := whole[1]
		m.Generation, m.PolicyLoss, m.ValueLoss, m.Surprise, m.MeanTurns = int32(i+1), rng.Float64(), rng.Float64(), rng.Float64(), rng.Float64()
		m.ValueBins = slices.Clone(m.ValueBins)
		for k := range m.ValueBins {
			m.ValueBins[k].Error = rng.Float64()
		}
		rows[i] = m
	}
	all, err := rundir.MarshalMetrics(rows, "tiny", "hash")
	if err != nil || len(all) <= packedMetrics {
		t.Fatalf("all rows take %d bytes, %v: too few to be thinned", len(all), err)
	}
	data, err := thinMetrics(rows, "tiny", "hash")
	if err != nil || len(data) > packedMetrics || len(data) < packedMetrics/4 {
		t.Fatalf("thinMetrics leaves %d bytes, %v, want at most %d", len(data), err, packedMetrics)
	}
	kept, _, err := parseMetrics(t, data)
	if err != nil || kept[len(kept)-1].Generation != generations {
		t.Fatalf("%d rows, %v, the last of generation %d", len(kept), err, kept[len(kept)-1].Generation)
	}
	step := kept[1].Generation - kept[0].Generation
	for i := 1; i < len(kept); i++ {
		if d := kept[i].Generation - kept[i-1].Generation; d != step {
			t.Fatalf("generation %d follows %d: want every %dth", kept[i].Generation, kept[i-1].Generation, step)
		}
	}
	t.Logf("%d bytes a row", len(all)/generations)
	if few, err := thinMetrics(rows[:2], "tiny", "hash"); err != nil {
		t.Error(err)
	} else if kept, _, err := parseMetrics(t, few); err != nil || len(kept) != 2 {
		t.Errorf("%d of two rows, %v", len(kept), err)
	}
}

// parseMetrics reads a metrics file that is in memory.
func parseMetrics(t *testing.T, data []byte) ([]rundir.Metrics, string, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, rundir.MetricsName), data, 0o666); err != nil {
		t.Fatal(err)
	}
	return rundir.ReadMetricsFile(dir)
}
