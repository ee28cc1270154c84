//go:build unix

package lock

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/ludozero/ludozero/internal/input"
)

// TestRemovedFile: without its file the lock is still held.
func TestRemovedFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "lock")
	unlock, err := Take(file, dir)
	if err != nil {
		t.Fatal(err)
	}
	check := func(want bool) {
		t.Helper()
		if held, err := Held(file, dir); err != nil || held != want {
			t.Errorf("held: %t, %v, want %t", held, err, want)
		}
		again, err := Take(file, dir)
		if errors.Is(err, ErrHeld) != want {
			t.Errorf("taken again: %v", err)
		}
		if err == nil {
			if err := again(); err != nil {
				t.Error(err)
			}
		}
	}
	check(true)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	check(true)
	check(true) // with the file that the refused one has made
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	check(false)
}

func TestPipeIsNoLock(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "lock")
	if err := syscall.Mkfifo(file, 0o666); err != nil {
		t.Skipf("this machine: no pipe can be made: %v", err)
	}
	if _, err := Take(file, dir); !errors.Is(err, input.ErrNotRegular) {
		t.Errorf("Take: %v", err)
	}
	if _, err := Held(file, dir); !errors.Is(err, input.ErrNotRegular) {
		t.Errorf("Held: %v", err)
	}
}
