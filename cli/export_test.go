package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/export"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestExportWritesTheFolder, also into an empty one, with what the command says.
func TestExportWritesTheFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "onnx")
	list := decode[[]struct {
		File  string
		Bytes int64
	}](t, mustCall(t, "export", "--model", "connect4", "--out", dir, "--vectors", "5", "--json"))
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(list) || len(list) < 5 {
		t.Fatalf("%d files, %v, %d listed", len(entries), err, len(list))
	}
	for _, f := range list {
		if i, err := os.Stat(f.File); err != nil || i.Size() != f.Bytes {
			t.Errorf("%s of %d bytes: %v, %v", f.File, f.Bytes, i, err)
		}
	}
}

// TestExportTakesFoldersAsPeopleNameThem: with a slash at the end, as shells complete
// them, or by a link; an empty one is as good as a new one.
func TestExportTakesFoldersAsPeopleNameThem(t *testing.T) {
	root := t.TempDir()
	empty, behind, link := filepath.Join(root, "empty"), filepath.Join(root, "behind"), filepath.Join(root, "link")
	if err := errors.Join(os.Mkdir(empty, 0o777), os.Mkdir(behind, 0o777), os.Symlink(behind, link)); err != nil {
		t.Fatal(err)
	}
	for dir, real := range map[string]string{filepath.Join(root, "new") + "/": filepath.Join(root, "new"), empty + "/": empty, link: behind} {
		out := mustCall(t, "export", "--model", "shipped:connect4", "--out", dir, "--vectors", "1")
		card := filepath.Join(real, export.CardFile)
		if _, err := os.Stat(card); err != nil || !strings.Contains(out, card) {
			t.Errorf("--out %s: %v, output %q", dir, err, out)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	here := filepath.Join(root, "here")
	if err := os.Mkdir(here, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(here)
	for _, flag := range []string{"--out", "--web"} {
		mustFail(t, 2, []string{"export", "--model", "connect4", flag, "."}, flag+" .: it is the folder that you are in")
	}
	if err := os.Symlink("nowhere", "dangling"); err != nil {
		t.Fatal(err)
	}
	mustFail(t, 2, []string{"export", "--model", "connect4", "--out", "dangling"}, "a link to what is not there")
}

// TestExportOfARun says what the run knows: a name that tells it from others, what
// it took, and how its matches went. Of a lone weight file nothing is known.
func TestExportOfARun(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "night")
	tinyRun(t, dir)
	alone := filepath.Join(root, "best"+model.Extension)
	if err := os.WriteFile(alone, mustRead(t, rundir.WeightsPath(dir, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	for word, name := range map[string]string{dir: "night", dir + "/": "night", rundir.CheckpointDir(dir, 1): "night-1", rundir.WeightsPath(dir, 1): "night-1", alone: "best"} {
		out := filepath.Join(t.TempDir(), "out")
		mustCall(t, "export", "--model", word, "--out", out, "--vectors", "1")
		var card export.Card
		if err := json.Unmarshal(mustRead(t, filepath.Join(out, export.CardFile)), &card); err != nil {
			t.Fatal(err)
		}
		if card.Name != name {
			t.Errorf("%s is called %q, want %q", word, card.Name, name)
		}
		known := strings.Contains(card.Strength, "against `random` ") && strings.Contains(card.Strength, "- Elo ") && card.Spent != nil && card.Spent.Games > 0
		if word == alone && (known || card.Strength != "Not measured.") || word != alone && !known {
			t.Errorf("%s: strength %q, spent %+v", word, card.Strength, card.Spent)
		}
	}
	t.Chdir(dir)
	mustCall(t, "export", "--model", ".", "--out", "../here", "--vectors", "1")
	if page := string(mustRead(t, filepath.Join(root, "here", export.ReadmeFile))); !strings.HasPrefix(page, "# night: ") {
		t.Errorf("the run that the command is in: %.40q", page)
	}
}

// TestExportRefuses what it cannot do, and then leaves nothing.
func TestExportRefuses(t *testing.T) {
	root := t.TempDir()
	full, file := filepath.Join(root, "full"), filepath.Join(root, "file")
	if err := errors.Join(os.Mkdir(full, 0o777), os.WriteFile(filepath.Join(full, "mine"), nil, 0o666), os.WriteFile(file, nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	w, card, err := zoo.Load("connect4")
	if err != nil {
		t.Fatal(err)
	}
	older := filepath.Join(root, "older"+model.Extension)
	card.EncoderVersion++
	other := fmt.Sprintf("encoder %d, ", card.EncoderVersion)
	if err := model.Save(older, w, *card); err != nil {
		t.Fatal(err)
	}
	strange := filepath.Join(root, "strange"+model.Extension)
	card.Game = "go"
	if err := model.Save(strange, w, *card); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(root, "out")
	for _, c := range []struct {
		code int
		args []string
		want string
	}{
		{2, []string{"--out", out}, "--model is required"},
		{2, []string{"--model", "connect4"}, "--out is required"},
		{2, []string{"--model", "connect4", "--out", out, "--vectors", "0"}, "--vectors 0"},
		{2, []string{"--model", "connect4", "--out", full}, full + ": there are files in it"},
		{2, []string{"--model", "connect4", "--out", file}, file},
		{1, []string{"--model", "nonsense", "--out", out}, "no shipped network of that name: want a path, or " + strings.Join(zoo.Names(), " or ")},
		{1, []string{"--model", older, "--out", out}, other},
		{1, []string{"--model", strange, "--out", out}, `strange.safetensors: no game "go"`},
		{2, []string{"--model", "connect4", "--out", filepath.Join(file, "below")}, file},
	} {
		mustFail(t, c.code, append([]string{"export"}, c.args...), c.want)
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains([]string{"full", "file", filepath.Base(older), filepath.Base(strange), filepath.Base(model.CardPath(older)), filepath.Base(model.CardPath(strange))}, e.Name()) {
			t.Errorf("%s is left", e.Name())
		}
	}
}
