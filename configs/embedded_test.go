package configs

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
)

// TestEmbeddedFilesWorkFromAnyFolder: by name and by their path here.
func TestEmbeddedFilesWorkFromAnyFolder(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	names := Names()
	if !slices.Contains(names, "konreh/quick") || !slices.Contains(names, "sweeps/tictactoe") {
		t.Fatalf("Names = %q", names)
	}
	t.Chdir(t.TempDir())
	for _, name := range names {
		if strings.HasPrefix(name, "sweeps/") || strings.HasPrefix(name, "fits/") {
			if got := Find(name); got != "configs/"+name+".yaml" {
				t.Errorf("Find(%q) = %q", name, got)
			}
			continue
		}
		want, err := Load(DefaultRun(games.All()), filepath.Join(here, name+".yaml"), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{name, name + ".yaml", "configs/" + name, "configs/" + name + ".yaml", "./configs/" + name + ".yaml"} {
			if got, err := Load(DefaultRun(games.All()), word, nil, nil); err != nil || !reflect.DeepEqual(Dump(got), Dump(want)) {
				t.Errorf("%s: %v, or it is not the file of this folder", word, err)
			}
		}
	}
	_, err = Load(DefaultRun(games.All()), "konreh/quickly", nil, nil)
	if err == nil || !strings.Contains(err.Error(), "konreh/quickly") || !strings.Contains(err.Error(), "connect4/quick, ") {
		t.Errorf("a name that nothing has: %v", err)
	}
	if _, err := Load(DefaultRun(games.All()), "mine.yaml", nil, nil); err == nil || strings.Contains(err.Error(), "connect4/quick") {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestFilesWinOverEmbeddedOnes of the same name.
func TestFilesWinOverEmbeddedOnes(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("configs/konreh", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"configs/konreh/quick.yaml", "mine"} {
		if err := os.WriteFile(path, []byte("generations: 7\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, word := range []string{"konreh/quick", "configs/konreh/quick.yaml", "mine"} {
		if got, err := Load(DefaultRun(games.All()), word, nil, nil); err != nil || got.Generations != 7 {
			t.Errorf("%s: %v, %d generations, want those of the file", word, err, got.Generations)
		}
	}
}
