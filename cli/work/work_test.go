package work

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/cluster"
	"github.com/ludozero/ludozero/model/kernel"
)

func TestAddressFromFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trainer")
	for text, want := range map[string]string{
		"ludozero://t@mars:1/f\n": "ludozero://t@mars:1/f",
		"other machines join with: ludozero work ludozero://t@mars:1/f": "ludozero://t@mars:1/f",
		" \n": "",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := address("@" + file); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v: want %q", text, got, err, want)
		}
	}
	if got, err := address("mars:1"); got != "mars:1" || err != nil {
		t.Errorf("an address is not read as it is: %q, %v", got, err)
	}
}

// TestLevelOfTheRun: another level is begun with if this machine has it.
func TestLevelOfTheRun(t *testing.T) {
	if err := checkLevel(&cluster.Welcome{Kernel: cluster.Kernel(), Level: kernel.Variant()}); err != nil {
		t.Errorf("the same kernels: %v", err)
	}
	if err := checkLevel(&cluster.Welcome{Kernel: "riscv64 vector/1", Level: "vector"}); err != nil {
		t.Errorf("kernels that this machine does not have are for the worker to name: %v", err)
	}
	if kernel.Level() == "generic" {
		t.Skip("this machine: it has no other kernels than generic ones")
	}
	var other otherLevel
	if err := checkLevel(&cluster.Welcome{Kernel: runtime.GOARCH + " generic/2", Level: "generic"}); !errors.As(err, &other) || other.level != "generic" {
		t.Errorf("generic kernels: %v", err)
	}
	if err := checkLevel(&cluster.Welcome{Kernel: runtime.GOARCH + " generic/2", Level: "generic", AnyKernel: true}); err != nil {
		t.Errorf("a run that any kernels may play is joined with others than this machine's: %v", err)
	}
}

// TestOnlyStopped: an end by a signal is told without an error, one with an error beside
// it is not.
func TestOnlyStopped(t *testing.T) {
	full := errors.New("no space left")
	for _, c := range []struct {
		err  error
		want bool
	}{
		{context.Canceled, true},
		{errors.Join(context.Canceled, nil), true},
		{fmt.Errorf("weights: %w", context.Canceled), true},
		{errors.Join(context.Canceled, full), false},
		{full, false},
	} {
		if got := onlyStopped(c.err); got != c.want {
			t.Errorf("%q: %v, want %v", c.err, got, c.want)
		}
	}
}

func TestDisplayTellsChangesOnce(t *testing.T) {
	var out, errOut bytes.Buffer
	d := newDisplay(&out, &errOut)
	away := cluster.WorkerView{Run: "night", Generation: 3, Leases: 2, Games: 7, PositionsPerSecond: 12, Waiting: 1, WaitingBytes: 2e6, Away: time.Minute, Why: errors.New("not connected")}
	back := away
	back.Away, back.Why = 0, nil
	full := back
	full.Disk, full.Refused = errors.New("no space left"), []string{"game 1: ply 3"}
	for _, v := range []cluster.WorkerView{{Generation: -1}, away, away, back, back, full, back} {
		full.Refused = nil
		d.view(v)
	}
	want := []string{
		"plays for the run night", "the trainer does not answer: not connected; games are played as far as they may be, and kept", "the trainer is back",
		"warning: games were refused: game 1: ply 3", "games cannot be kept, and none are played until they can: no space left", "games can be kept again",
	}
	if got := strings.Split(strings.TrimSpace(out.String()), "\n"); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("said\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// The present gets a line in a log at once, and for a new generation.
	next := back
	next.Generation++
	d.view(next)
	d.view(next)
	if got := strings.Split(strings.TrimSpace(errOut.String()), "\n"); len(got) != 3 || !strings.HasPrefix(got[1], "generation 3, ") || !strings.HasPrefix(got[2], "generation 4, ") {
		t.Errorf("the log has\n%s\nwant a line before the games and one for each generation", errOut.String())
	}
	if got, want := line(&away), "generation 3, 2 leases, 12 positions/s; 7 games played, 1 parcel without a receipt (2.0 MB), the trainer has been away for 0:01:00"; got != want {
		t.Errorf("line %q, want %q", got, want)
	}
}
