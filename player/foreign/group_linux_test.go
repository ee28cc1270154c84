package foreign

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/match"
)

// runs tells whether a process runs; one that has ended and that nobody asked about
// does not.
func runs(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(stat), ") ")
	return err == nil && !strings.HasPrefix(state, "Z")
}

// TestChildrenOfProgramsEnd: what a program has started ends with it, be it told to
// quit or killed.
func TestChildrenOfProgramsEnd(t *testing.T) {
	for name, end := range map[string]func(f *foreign){
		"dismissed": func(f *foreign) { match.Dismiss(f) },
		"killed":    (*foreign).end,
	} {
		spec, g := engineOf(t, "parent", "nodes=5")
		p, err := spec.New(g)
		if err != nil {
			t.Fatal(err)
		}
		f := p.(*foreign)
		child := 0
		for wait := time.Millisecond; child == 0 && wait < 10*time.Second; wait *= 2 {
			_, _ = fmt.Sscanf(f.program.errs.String(), "child %d\n", &child)
			time.Sleep(wait)
		}
		if child == 0 || !runs(child) {
			t.Fatalf("%s: child %d does not run", name, child)
		}
		end(f)
		for wait := time.Millisecond; runs(child); wait *= 2 {
			if wait > 10*time.Second {
				t.Fatalf("%s: its child still runs", name)
			}
			time.Sleep(wait)
		}
	}
}
