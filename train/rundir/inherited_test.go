package rundir

import (
	"os"
	"path/filepath"
	"testing"
)

// TestShardsAreCopiedWhereTheyCannotBeLinked: across file systems.
func TestShardsAreCopiedWhereTheyCannotBeLinked(t *testing.T) {
	const other = "/dev/shm"
	from, err := os.CreateTemp(other, "ludozero-test-")
	if err != nil {
		t.Skipf("this machine: no other file system to link from: %v", err)
	}
	defer os.Remove(from.Name())
	if _, err := from.WriteString("shard"); err != nil {
		t.Fatal(err)
	}
	if err := from.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if os.Link(from.Name(), filepath.Join(dir, "link")) == nil {
		t.Skipf("this machine: %s and %s are one file system", other, dir)
	}
	if err := linkOrCopy(from.Name(), filepath.Join(dir, "copy")); err != nil {
		t.Errorf("linkOrCopy = %v", err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "copy")); err != nil || string(b) != "shard" {
		t.Errorf("the copy holds %q, %v", b, err)
	}
	if err := linkOrCopy(filepath.Join(dir, "copy"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	a, err := os.Stat(filepath.Join(dir, "copy"))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.Stat(filepath.Join(dir, "link")); err != nil || !os.SameFile(a, b) {
		t.Errorf("on one file system it is no link: %v", err)
	}
}
