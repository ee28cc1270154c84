package fault

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		value, point string
		n            int64
		bad          bool
	}{
		{"", "", 0, false},
		{"before-rename", "before-rename", 1, false},
		{"mid-write:7", "mid-write", 7, false},
		{"mid-write:0", "", 0, true},
		{"mid-write:x", "", 0, true},
		{":3", "", 0, true},
	} {
		point, n, err := parse(c.value)
		if point != c.point || n != c.n || (err != nil) != c.bad {
			t.Errorf("parse(%q) = %q, %d, %v", c.value, point, n, err)
		}
	}
}

// TestPointKills runs this test binary again as the process that dies.
func TestPointKills(t *testing.T) {
	if os.Getenv("FAULT_TEST_CHILD") != "" {
		for i := range 5 {
			Point("other")
			Point("here")
			os.Stdout.WriteString(string(rune('a' + i)))
		}
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=TestPointKills")
	cmd.Env = append(os.Environ(), "FAULT_TEST_CHILD=1", Env+"=here:3")
	out, err := cmd.Output()
	if err == nil {
		t.Fatalf("the child lived on: %q", out)
	}
	if !strings.HasPrefix(string(out), "ab") || len(out) != 2 {
		t.Errorf("child printed %q before it died, want \"ab\"", out)
	}
}

func TestPointCostsNoAllocation(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { Point("here") }); n != 0 {
		t.Errorf("Point allocates %v times", n)
	}
}
