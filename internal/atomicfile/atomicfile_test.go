package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ludozero/ludozero/internal/fault"
)

func put(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
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

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestWriteReplacesWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	for _, text := range []string{"first and longer", "second"} {
		if err := Write(path, put(text)); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); got != text {
			t.Errorf("file holds %q, want %q", got, text)
		}
	}
	if got := names(t, filepath.Dir(path)); len(got) != 1 {
		t.Errorf("folder holds %v, want one file", got)
	}
}

// TestLinksStay: what a link leads to is written, be it there or not.
func TestLinksStay(t *testing.T) {
	dir := t.TempDir()
	path, link, lost := filepath.Join(dir, "a.txt"), filepath.Join(dir, "link"), filepath.Join(dir, "lost")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{link: "a.txt", lost: "nowhere"} {
		if err := os.Symlink(to, name); err != nil {
			t.Skip(err)
		}
		if err := Write(name, put("new")); err != nil {
			t.Fatal(err)
		}
	}
	if to, err := os.Readlink(link); err != nil || to != "a.txt" || read(t, path) != "new" || read(t, filepath.Join(dir, "nowhere")) != "new" {
		t.Errorf("the link leads to %s, %v; it holds %s, the other %s", to, err, read(t, path), read(t, lost))
	}
	if got := names(t, dir); len(got) != 4 {
		t.Errorf("folder holds %v", got)
	}
	if err := errors.Join(os.Remove(lost), os.Symlink("lost", lost)); err != nil {
		t.Fatal(err)
	}
	if err := Write(lost, put("new")); err == nil || !strings.Contains(err.Error(), "links in a row") {
		t.Errorf("a link to itself: %v", err)
	}
}

func TestFailedWriteLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	if err := Write(path, put("old")); err != nil {
		t.Fatal(err)
	}
	boom := errors.New("boom")
	err := Write(path, func(w io.Writer) error {
		w.Write(make([]byte, 3*bufferBytes))
		return boom
	})
	if !errors.Is(err, boom) || !strings.Contains(err.Error(), path) {
		t.Errorf("Write = %v, want boom with the path", err)
	}
	if got := read(t, path); got != "old" {
		t.Errorf("file holds %q, want \"old\"", got)
	}
	if err := Write(filepath.Join(dir, "no/such/folder"), put("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Write into no folder = %v", err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"a.txt"}) {
		t.Errorf("folder holds %v", got)
	}
}

// TestErrorsNameTheFileMeant: temporary names mean nothing to people.
func TestErrorsNameTheFileMeant(t *testing.T) {
	dir := t.TempDir()
	missing, folder := filepath.Join(dir, "no", "f"), filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	read := func(at string) error { _, err := os.ReadFile(filepath.Join(at, "x")); return err }
	for name, err := range map[string]error{
		"no folder":           Write(missing, func(io.Writer) error { return nil }),
		"no folder, a folder": WriteDir(missing, func(string) error { return nil }),
		"fill":                WriteDir(filepath.Join(dir, "new"), read),
		"fill again":          ReplaceDir(folder, read),
		"nothing to remove":   Remove(missing),
		"a folder is there":   Write(folder, func(io.Writer) error { return nil }),
	} {
		if err == nil || strings.Contains(err.Error(), ".tmp") || !strings.Contains(err.Error(), dir) || strings.Count(err.Error(), dir) > 2 {
			t.Errorf("%s: %v", name, err)
		}
		if name != "a folder is there" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, want it to wrap %v", name, err, fs.ErrNotExist)
		}
	}
}

func TestConcurrentWritersOfOneName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if err := Write(path, put(strings.Repeat(fmt.Sprint(i), 100_000))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if b := []byte(read(t, path)); len(b) != 100_000 || bytes.Count(b, b[:1]) != len(b) {
		t.Error("the file mixes two writers")
	}
}

func TestWriteDir(t *testing.T) {
	parent := t.TempDir()
	path := filepath.Join(parent, "checkpoint-1")
	fill := func(dir string) error {
		if err := os.Mkdir(filepath.Join(dir, "sub"), 0o777); err != nil {
			return err
		}
		return errors.Join(
			os.WriteFile(filepath.Join(dir, "sub", "b"), []byte("bb"), 0o666),
			Write(filepath.Join(dir, "a"), put("aa")))
	}
	if err := WriteDir(path, fill); err != nil {
		t.Fatal(err)
	}
	if read(t, filepath.Join(path, "a")) != "aa" || read(t, filepath.Join(path, "sub", "b")) != "bb" {
		t.Error("files differ")
	}
	if err := WriteDir(path, fill); !errors.Is(err, fs.ErrExist) {
		t.Errorf("WriteDir over a folder = %v, want ErrExist", err)
	}
	boom := errors.New("boom")
	err := WriteDir(filepath.Join(parent, "checkpoint-2"), func(dir string) error { return errors.Join(fill(dir), boom) })
	if !errors.Is(err, boom) {
		t.Errorf("WriteDir = %v, want boom", err)
	}
	if got := names(t, parent); !slices.Equal(got, []string{"checkpoint-1"}) {
		t.Errorf("folder holds %v", got)
	}
}

func TestCleanRemovesOnlyOurNames(t *testing.T) {
	dir := t.TempDir()
	keep := []string{"a", "a.tmp", "a.tmp-12", "b.tmp-ludozero-x-1", ".tmp-ludozero-1-2", "c.tmp-ludozero-1-2.bak", "d.tmp-ludozero-1"}
	for _, n := range append(keep, "e.tmp-ludozero-71-2") {
		if err := os.WriteFile(filepath.Join(dir, n), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "f.tmp-ludozero-1-1", "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	removed, err := Clean(dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"e.tmp-ludozero-71-2", "f.tmp-ludozero-1-1"}; !slices.Equal(removed, want) {
		t.Errorf("Clean removed %v, want %v", removed, want)
	}
	slices.Sort(keep)
	if got := names(t, dir); !slices.Equal(got, keep) {
		t.Errorf("folder holds %v, want %v", got, keep)
	}
}

func TestRemove(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{"a", "d"} {
		path = filepath.Join(dir, path)
		var err error
		if filepath.Base(path) == "a" {
			err = Write(path, put("text"))
		} else {
			err = WriteDir(path, func(d string) error { return os.WriteFile(filepath.Join(d, "f"), nil, 0o666) })
		}
		if err == nil {
			err = Remove(path)
		}
		if got := names(t, dir); err != nil || len(got) != 0 {
			t.Errorf("after Remove of %s: %v, %v", path, got, err)
		}
		if err := Remove(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Remove of what is gone: %v", err)
		}
	}
}

// TestKilledWriter kills a real process at every point and looks at what is
// left: the old content or the new, never part of one, and Clean tidies up.
func TestKilledWriter(t *testing.T) {
	if dir := os.Getenv("ATOMICFILE_TEST_CHILD"); dir != "" {
		Write(filepath.Join(dir, "a"), put(strings.Repeat("new", bufferBytes)))
		WriteDir(filepath.Join(dir, "d"), func(d string) error {
			return os.WriteFile(filepath.Join(d, "f"), []byte("f"), 0o666)
		})
		Remove(filepath.Join(dir, "d"))
		return
	}
	for _, c := range []struct {
		point  string
		a      string // content of a afterwards
		d      bool   // folder d is there
		litter int
	}{
		{"mid-write", "old", false, 1},
		{"mid-write:2", "old", false, 1},
		{"before-rename", "old", false, 1},
		{"after-rename", "new", false, 0},
		{"before-rename:2", "new", false, 1},
		{"mid-write@d", "new", false, 1},
		{"before-rename@d", "new", false, 1},
		{"after-rename:2", "new", true, 0},
		{"before-remove", "new", true, 0},
		{"mid-remove@d", "new", false, 1},
		{"after-rename:3", "new", false, 0},
	} {
		t.Run(c.point, func(t *testing.T) {
			dir := t.TempDir()
			if err := Write(filepath.Join(dir, "a"), put("old")); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(os.Args[0], "-test.run=TestKilledWriter")
			cmd.Env = append(os.Environ(), "ATOMICFILE_TEST_CHILD="+dir, fault.Env+"="+c.point)
			if err := cmd.Run(); (err == nil) != (c.point == "after-rename:3") {
				t.Fatalf("child: %v", err)
			}
			want := c.a
			if want == "new" {
				want = strings.Repeat("new", bufferBytes)
			}
			if read(t, filepath.Join(dir, "a")) != want {
				t.Error("file a is neither the old nor the new one")
			}
			if _, err := os.Stat(filepath.Join(dir, "d", "f")); (err == nil) != c.d {
				t.Errorf("folder d: %v", err)
			}
			removed, err := Clean(dir)
			if err != nil || len(removed) != c.litter {
				t.Errorf("Clean = %v, %v, want %d names", removed, err, c.litter)
			}
		})
	}
}
