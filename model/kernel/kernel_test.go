package kernel

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestVariantByName(t *testing.T) {
	vs := variants()
	for i, name := range Variants() {
		if v, err := choose(name, vs); v != vs[i] || err != nil {
			t.Errorf("choose(%q) = %s, %v", name, v.name, err)
		}
	}
	if v, err := choose("", vs); v != vs[len(vs)-1] || err != nil {
		t.Errorf("the default is %s, %v", v.name, err)
	}
	for _, name := range []string{"AVX2", "neon"} {
		if v, err := choose(name, vs); v != generic || err == nil {
			t.Errorf("choose(%q) = %s, %v", name, v.name, err)
		}
	}
}

// TestEnvironmentForcesVariant starts this test again in processes of its own,
// since the choice is made once, at start-up.
func TestEnvironmentForcesVariant(t *testing.T) {
	if os.Getenv("KERNEL_TEST_CHILD") != "" {
		fmt.Printf("variant %s, check %v\n", Variant(), Check())
		return
	}
	want := map[string]string{"neon": "variant generic, check LUDOZERO_KERNEL=neon: this build and processor have generic"}
	for _, name := range Variants() {
		want[name] = "variant " + name + ", check <nil>"
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
