package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ludozero/ludozero/cluster/broker"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/report/ratings"
)

// TestFullDiskAtTheRating fails by the name of the rating, keeps none, and rates
// the run when there is room.
func TestFullDiskAtTheRating(t *testing.T) {
	root := smallDisk(t, "2m")
	dir, ballast := filepath.Join(root, "run"), filepath.Join(root, "ballast")
	mustCall(t, tiny(dir, "--set", "generations=1", "--no-rating")...)
	rate := []string{"train", "--run", dir, "--set", "evaluation.match.pairs=20"}
	// The configuration and the events of the process take some pages, the rating
	// many more: the room between is what this looks for.
	for pages := 0; ; pages++ {
		if pages > 100 {
			t.Fatal("there was room for all but the rating at no time")
		}
		fillDisk(t, ballast, pages)
		_, _, err := call(t, "", rate...)
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("%d pages free: %v, want %v", pages, err, syscall.ENOSPC)
		}
		if m, lost := ratings.Read(builtinEnv().Families, dir); len(m) != 0 || lost != nil {
			t.Fatalf("%d pages free: there are %d matches, %v", pages, len(m), lost)
		}
		if strings.Contains(err.Error(), "rating: "+filepath.Join(dir, ratings.File)) {
			break
		}
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	mustCall(t, rate...)
	if m, err := ratings.Read(builtinEnv().Families, dir); err != nil || len(m) != 2 {
		t.Errorf("%d matches, %v, want 2", len(m), err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.Contains(e.Name(), "tmp") {
			t.Errorf("there is %s left", e.Name())
		}
	}
}

// TestFullDiskAtTheJournal fails by the name of the journal, says how many games it
// holds, and goes on with them when there is room.
func TestFullDiskAtTheJournal(t *testing.T) {
	root := smallDisk(t, "16k")
	dir := filepath.Join(root, "m")
	asked := []string{"match", "--game", "connect4", "random", "random", "--pairs", "300", "--out", dir}
	journal := filepath.Join(dir, archive.JournalFile)
	_, said, err := call(t, "", asked...)
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), journal) {
		t.Fatalf("error %v, want %v in %s", err, syscall.ENOSPC, journal)
	}
	lines, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%s keeps %d games, ", dir, bytes.Count(lines, []byte("\n"))); !strings.Contains(said, want) {
		t.Errorf("it says %q, want %q", said, want)
	}
	if err := syscall.Mount("", root, "", syscall.MS_REMOUNT, "size=2m"); err != nil {
		t.Fatal(err)
	}
	gone := decode[match.Result](t, mustCall(t, append(asked, "--json")...))
	asked[len(asked)-1] = t.TempDir()
	if whole := decode[match.Result](t, mustCall(t, append(asked, "--json")...)); whole.Pairs != gone.Pairs {
		t.Errorf("gone on with, pairs end %v, played at once %v", gone.Pairs, whole.Pairs)
	}
}

// TestFullDiskAtATrainerThatServes ends it by that name. Its workers keep what has no
// receipt, and when there is room the run has the bytes of one machine's.
func TestFullDiskAtATrainerThatServes(t *testing.T) {
	root, alone := smallDisk(t, "350k"), filepath.Join(t.TempDir(), "tiny")
	if out, err := clusterTiny(alone).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir, addr := filepath.Join(root, "tiny"), freeAddress(t)
	for _, spool := range []string{"a", "b"} { // one checks the other's games; by itself it would wait half a minute
		worker := keep(t, func() *exec.Cmd {
			return command(nil, "work", addr, "--cores", "1", "--spool", filepath.Join(filepath.Dir(alone), spool))
		})
		defer worker.end()
	}
	serve := func() error {
		out, err := clusterTiny(dir, "--serve", addr, "--no-play").CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w\n%s", err, out)
		}
		return err
	}
	full := 0
	for size := 350; ; size += 400 {
		err := serve()
		if err == nil {
			break
		}
		if !strings.Contains(err.Error(), "no space left on device") || size > 10_000 {
			t.Fatalf("%d KiB: %v", size, err)
		}
		full++
		if err := syscall.Mount("", root, "", syscall.MS_REMOUNT, fmt.Sprintf("size=%dk", size+400)); err != nil {
			t.Fatal(err)
		}
	}
	want, got := clusterDigest(t, alone), clusterDigest(t, dir)
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s differs from that of one machine", name)
		}
	}
	if len(got) != len(want) || full == 0 {
		t.Errorf("%d files after %d full disks, one machine has %d", len(got), full, len(want))
	}
}

// TestFullDiskAtTheTrainersOwnGames ends it as well: nobody else would find the disk full
// while it waits for games.
func TestFullDiskAtTheTrainersOwnGames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tiny")
	spool := filepath.Join(dir, broker.Dir, "spool")
	if err := os.MkdirAll(filepath.Dir(spool), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(smallDisk(t, "8k"), spool); err != nil { // less than the network takes
		t.Fatal(err)
	}
	out := &said{}
	c := clusterTiny(dir, "--serve", freeAddress(t))
	c.Stdout, c.Stderr = out, out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case err := <-ended:
		if err == nil || !strings.Contains(out.String(), "no space left on device") || !strings.Contains(out.String(), spool) {
			t.Errorf("%v, want no space left in %s:\n%s", err, spool, out)
		}
	case <-time.After(time.Minute):
		_ = c.Process.Kill()
		t.Errorf("it waits:\n%s", out)
	}
}

// smallDisk is a file system of that size, as mount takes it.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	root := t.TempDir()
	if err := syscall.Mount("tmpfs", root, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("this machine: no tmpfs can be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(root, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return root
}

// fillDisk makes the file ballast take all space but that many pages.
func fillDisk(t *testing.T, ballast string, pages int) {
	t.Helper()
	if err := os.RemoveAll(ballast); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(ballast)
	if err != nil {
		t.Fatal(err)
	}
	page := make([]byte, 4096)
	size := int64(0)
	for err == nil {
		var n int
		n, err = f.Write(page)
		size += int64(n)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(max(0, size-int64(pages*len(page)))), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestFullDiskAtTheExport: there is the whole folder or none.
func TestFullDiskAtTheExport(t *testing.T) {
	root := smallDisk(t, "1m") // the model alone is larger
	_, _, err := call(t, "", "export", "--model", "connect4", "--out", filepath.Join(root, "onnx"), "--vectors", "1")
	if entries, _ := os.ReadDir(root); !errors.Is(err, syscall.ENOSPC) || len(entries) > 0 {
		t.Errorf("export = %v, want %v; %d entries are left", err, syscall.ENOSPC, len(entries))
	}
}
