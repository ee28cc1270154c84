package open

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestApprovalsAreOfOneRunAndItsPrograms: another run, another program or another order
// needs an approval of its own, and a file that is damaged approves nothing else.
func TestApprovalsAreOfOneRunAndItsPrograms(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	a := Approval{Run: "/runs/a", Programs: []string{"ugi:one", "ugi:two"}}
	if a.given() {
		t.Error("it is given before anybody gave it")
	}
	if err := a.give(); err != nil {
		t.Fatal(err)
	}
	if !a.given() {
		t.Error("it was given, and is not")
	}
	for _, other := range []Approval{
		{Run: "/runs/b", Programs: a.Programs}, {Run: a.Run, Programs: a.Programs[:1]}, {Run: a.Run, Programs: []string{"ugi:two", "ugi:one"}}, {Run: a.Run},
	} {
		if other.given() {
			t.Errorf("%+v is given by %+v", other, a)
		}
	}
	file := filepath.Join(home, "ludozero", "programs.jsonl")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v: want a file that nobody else can read", info.Mode(), err)
	}
	if err := os.WriteFile(file, a.line()[:20], 0o600); err != nil {
		t.Fatal(err)
	}
	if a.given() {
		t.Error("half a line approves")
	}

	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	// Try starts nothing that nobody named, and remembers no program that did not start.
	b, broken, starts := Approval{Run: "/runs/c", Programs: a.Programs}, errors.New("it does not start"), 0
	try := func(named bool, result error) error { return b.Try(named, func() error { starts++; return result }) }
	if err := try(false, nil); !errors.Is(err, ErrUnapproved) || starts != 0 {
		t.Errorf("unnamed: %v after %d starts", err, starts)
	}
	if err := try(true, broken); !errors.Is(err, broken) || b.given() {
		t.Errorf("a program that does not start: %v, remembered: %t", err, b.given())
	}
	if err := errors.Join(try(true, nil), try(false, nil)); err != nil || starts != 3 {
		t.Errorf("named, then known: %v after %d starts, want 3", err, starts)
	}
}
