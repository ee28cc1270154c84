package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/internal/fault"
)

func filling(name string) func(string) error {
	return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte(name), 0o666) }
}

func TestReplaceDir(t *testing.T) {
	parent := t.TempDir()
	path := filepath.Join(parent, "d")
	for _, name := range []string{"old", "new", "newer"} {
		if err := ReplaceDir(path, filling(name)); err != nil {
			t.Fatal(err)
		}
		if got := names(t, path); !slices.Equal(got, []string{name}) || read(t, filepath.Join(path, name)) != name {
			t.Errorf("folder holds %v, want %s alone", got, name)
		}
	}
	boom := errors.New("boom")
	if err := ReplaceDir(path, func(dir string) error { return errors.Join(filling("newest")(dir), boom) }); !errors.Is(err, boom) {
		t.Errorf("ReplaceDir = %v, want boom", err)
	}
	if got := append(names(t, parent), names(t, path)...); !slices.Equal(got, []string{"d", "newer"}) {
		t.Errorf("after an error there is %v, want what was there before", got)
	}
	// Where names cannot be exchanged.
	temp, err := fillTemp(path, filling("newest"))
	if err == nil {
		err = renameBoth(temp, path)
	}
	if got := names(t, path); err != nil || !slices.Equal(got, []string{"newest"}) {
		t.Errorf("renameBoth = %v: folder holds %v", err, got)
	}
	if err := renameBoth(filepath.Join(parent, "none"), path); !errors.Is(err, fs.ErrNotExist) || len(names(t, path)) != 1 {
		t.Errorf("renameBoth of what is not there = %v, and the folder holds %v", err, names(t, path))
	}
}

// TestReplaceDirRemovesItsOwnLitter and no one else's.
func TestReplaceDirRemovesItsOwnLitter(t *testing.T) {
	parent := t.TempDir()
	for _, name := range []string{"d.tmp-ludozero-1-1", "dd.tmp-ludozero-1-1", "d.tmp"} {
		if err := os.Mkdir(filepath.Join(parent, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := ReplaceDir(filepath.Join(parent, "d"), filling("a")); err != nil {
		t.Fatal(err)
	}
	if got := names(t, parent); !slices.Equal(got, []string{"d", "d.tmp", "dd.tmp-ludozero-1-1"}) {
		t.Errorf("there is %v", got)
	}
}

// TestKilledReplaceDir kills a real process at every point: the folder is the old
// one or the new one, and the next call leaves nothing of the killed one.
func TestKilledReplaceDir(t *testing.T) {
	if path := os.Getenv("ATOMICFILE_TEST_REPLACE"); path != "" {
		if err := ReplaceDir(path, filling("new")); err != nil {
			t.Fatal(err)
		}
		return
	}
	for point, want := range map[string]string{"mid-write@d": "old", "before-rename@d": "old", "after-rename@d": "new"} {
		parent := t.TempDir()
		path := filepath.Join(parent, "d")
		if err := ReplaceDir(path, filling("old")); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0], "-test.run=TestKilledReplaceDir")
		cmd.Env = append(os.Environ(), "ATOMICFILE_TEST_REPLACE="+path, fault.Env+"="+point)
		if err := cmd.Run(); err == nil {
			t.Fatalf("%s: the child was not killed", point)
		}
		if got := names(t, path); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: the folder holds %v, want %s", point, got, want)
		}
		if got := names(t, parent); len(got) != 2 {
			t.Errorf("%s: there is %v, want the other folder under a temporary name", point, got)
		}
		if err := ReplaceDir(path, filling("newer")); err != nil || len(names(t, parent)) != 1 {
			t.Errorf("%s: afterwards ReplaceDir = %v leaves %v", point, err, names(t, parent))
		}
	}
}
