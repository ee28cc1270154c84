package open

import (
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
	if a.Given() {
		t.Error("it is given before anybody gave it")
	}
	if err := a.Give(); err != nil {
		t.Fatal(err)
	}
	if !a.Given() {
		t.Error("it was given, and is not")
	}
	for _, other := range []Approval{
		{Run: "/runs/b", Programs: a.Programs}, {Run: a.Run, Programs: a.Programs[:1]}, {Run: a.Run, Programs: []string{"ugi:two", "ugi:one"}}, {Run: a.Run},
	} {
		if other.Given() {
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
	if a.Given() {
		t.Error("half a line approves")
	}
}
