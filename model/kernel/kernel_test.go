package kernel

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// variants lists the float32 kernels that this machine runs, plain Go first.
func variants() []*variant {
	var vs []*variant
	for _, l := range levels() {
		if !slices.Contains(vs, l.float) {
			vs = append(vs, l.float)
		}
	}
	return vs
}

func TestLevelByName(t *testing.T) {
	ls := levels()
	for i, name := range Levels() {
		if l, err := choose(name, ls); l != ls[i] || err != nil {
			t.Errorf("choose(%q) = %s, %v", name, l.name, err)
		}
	}
	if l, err := choose("", ls); l != ls[len(ls)-1] || err != nil {
		t.Errorf("the default is %s, %v", l.name, err)
	}
	for _, name := range []string{"AVX2", "neon"} {
		if l, err := choose(name, ls); l.float != generic || l.int8 != generic8 || err == nil {
			t.Errorf("choose(%q) = %s, %v", name, l.name, err)
		}
	}
}

// TestVariantIsALevel holds what records of a run rely on: the arithmetic they
// name can be asked for.
func TestVariantIsALevel(t *testing.T) {
	for _, l := range levels() {
		if same, err := choose(l.float.name, levels()); err != nil || same.float != l.float {
			t.Errorf("level %s has the variant %s, which is level %s: %v", l.name, l.float.name, same.name, err)
		}
	}
}

// TestEnvironmentForcesVariant starts this test again in processes of its own,
// since the choice is made once, at start-up.
func TestEnvironmentForcesVariant(t *testing.T) {
	if os.Getenv("KERNEL_TEST_CHILD") != "" {
		fmt.Printf("level %s of %s, check %v\n", Level(), Variant(), Check())
		return
	}
	want := map[string]string{"neon": "level generic of generic, check LUDOZERO_KERNEL=neon: this build and processor have generic"}
	for _, l := range levels() {
		want[l.name] = "level " + l.name + " of " + l.float.name + ", check <nil>"
	}
	for name, line := range want {
		cmd := exec.Command(os.Args[0], "-test.run=^TestEnvironmentForcesVariant$")
		cmd.Env = append(os.Environ(), "KERNEL_TEST_CHILD=1", EnvVariant+"="+name)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), line) {
			t.Errorf("%s=%s: %v, printed %q, want %q", EnvVariant, name, err, out, line)
		}
	}
}

func TestPeakFMACountsItsWork(t *testing.T) {
	with(t, func(t *testing.T) {
		if n := PeakFMA(1 << 12); n < 1<<12 {
			t.Errorf("PeakFMA(4096) = %d operations", n)
		}
	})
}
