package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipesAreNotReplaced: a file would take the place of a device for everybody.
func TestPipesAreNotReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	link := path + "-link"
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, link} {
		if err := WriteBytes(name, []byte("x")); err == nil || !strings.Contains(err.Error(), name+": it is a device or a pipe") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s, err := os.Stat(link); err != nil || s.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe is %v, %v", s, err)
	}
}

// TestOpenFilesAreNotReplaced: what a program writes to its output would be lost.
func TestOpenFilesAreNotReplaced(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "open"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("kept"); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(fmt.Sprintf("/dev/fd/%d", f.Fd()), link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{link, fmt.Sprintf("/proc/self/fd/%d", f.Fd()), "/dev/stdout"} {
		if err := WriteBytes(name, []byte("x")); err == nil || !strings.Contains(err.Error(), name+": it is what a program has open") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := read(t, f.Name()); got != "kept" {
		t.Errorf("the file holds %q", got)
	}
}

// TestDiskFull writes more than fits: into a tmpfs of its own where this
// process may mount one, else under a limit of file size, in a child because
// the limit is for good.
func TestDiskFull(t *testing.T) {
	const capacity = 256 << 10
	if dir := os.Getenv("ATOMICFILE_DISKFULL_CHILD"); dir != "" {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: capacity, Max: capacity}); err != nil {
			t.Skipf("this machine: no limit of file size: %v", err)
		}
		checkFull(t, dir, 4*capacity, syscall.EFBIG)
		return
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err == nil {
		defer syscall.Unmount(dir, syscall.MNT_DETACH)
		checkFull(t, dir, 4*capacity, syscall.ENOSPC)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=TestDiskFull", "-test.v")
	cmd.Env = append(os.Environ(), "ATOMICFILE_DISKFULL_CHILD="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func checkFull(t *testing.T, dir string, size int, want error) {
	t.Helper()
	path := filepath.Join(dir, "a")
	if err := Write(path, put("old")); err != nil {
		t.Fatal(err)
	}
	err := Write(path, func(w io.Writer) error {
		_, err := w.Write(make([]byte, size))
		return err
	})
	if !errors.Is(err, want) {
		t.Errorf("Write = %v, want %v", err, want)
	}
	err = WriteDir(filepath.Join(dir, "d"), func(d string) error {
		return os.WriteFile(filepath.Join(d, "f"), make([]byte, size), 0o666)
	})
	if !errors.Is(err, want) {
		t.Errorf("WriteDir = %v, want %v", err, want)
	}
	if got := read(t, path); got != "old" {
		t.Errorf("file holds %q, want \"old\"", got)
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("folder holds %v, want only a", got)
	}
}
