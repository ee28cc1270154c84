//go:build unix

package input

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestReadsRegularFilesAlone(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, size int) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(strings.Repeat("x", size)), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, size := range []int{0, 1, 511, 512, 513, 100_000} {
		if got, err := Read(write("file", size), 100_000); err != nil || len(got) != size {
			t.Errorf("%d bytes are read as %d, %v", size, len(got), err)
		}
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(write("file", 3), link); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(link, 10); err != nil || string(got) != "xxx" {
		t.Errorf("a link to a file: %q, %v", got, err)
	}
	if _, err := Read(filepath.Join(dir, "none"), 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Read(write("large", 11<<10), 10<<10); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "large") {
		t.Errorf("a file above the limit: %v", err)
	}
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skipf("this machine: no pipe can be made: %v", err)
	}
	for path, want := range map[string]string{fifo: "pipe", dir: "folder", "/dev/zero": "device"} {
		if _, err := Read(path, 1<<20); !errors.Is(err, ErrNotRegular) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want it refused as a %s", path, err, want)
		}
	}
}

// TestEndlessFile is what an endless one looks like to whoever asked for its size.
func TestEndlessFile(t *testing.T) {
	// The size of a file in /proc is 0, whatever it holds.
	if data, err := Read("/proc/self/maps", 1<<20); err == nil && len(data) == 0 {
		t.Error("a file that says it is empty is not read to its end")
	}
	if _, err := Read("/proc/self/maps", 10); !errors.Is(err, ErrTooLarge) && !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that grows beyond the limit: %v", err)
	}
}
