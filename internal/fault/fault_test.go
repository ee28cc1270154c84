package fault

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		value, point, place string
		n                   int64
		bad                 bool
	}{
		{"", "", "", 0, false},
		{"before-rename", "before-rename", "", 1, false},
		{"mid-write:7", "mid-write", "", 7, false},
		{"mid-write@a.json", "mid-write", "a.json", 1, false},
		{"mid-write@shards:7", "mid-write", "shards", 7, false},
		{"mid-write:0", "", "", 0, true},
		{"mid-write:x", "", "", 0, true},
		{"mid-write@:3", "", "", 0, true},
		{"@shards:3", "", "", 0, true},
		{":3", "", "", 0, true},
	} {
		point, place, n, err := parse(c.value)
		if point != c.point || place != c.place || n != c.n || (err != nil) != c.bad {
			t.Errorf("parse(%q) = %q, %q, %d, %v", c.value, point, place, n, err)
		}
	}
}

// TestPointKills runs this test binary again as the process that dies.
func TestPointKills(t *testing.T) {
	if os.Getenv("FAULT_TEST_CHILD") != "" {
		for i := range 5 {
			PointAt("other", "")
			PointAt("here", "")
			PointAt("there", fmt.Sprintf("dir%d/file%d", i/2, i))
			os.Stdout.WriteString(string(rune('a' + i)))
		}
		return
	}
	for value, want := range map[string]string{
		"here:3": "ab", "there:3": "ab", "there@file3": "abc", "there@dir1:2": "abc", "there@dir2": "abcd",
		"here@file3": "abcde", "there@file3:2": "abcde", "there@file": "abcde", // never
	} {
		cmd := exec.Command(os.Args[0], "-test.run=TestPointKills")
		cmd.Env = append(os.Environ(), "FAULT_TEST_CHILD=1", Env+"="+value)
		out, err := cmd.Output()
		if got := strings.TrimSuffix(string(out), "PASS\n"); got != want || (err == nil) != (len(want) == 5) {
			t.Errorf("%s: the child printed %q and ended with %v, want %q", value, got, err, want)
		}
	}
}

func TestPointCostsNoAllocation(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { PointAt("here", ""); PointAt("there", "some/file") }); n != 0 {
		t.Errorf("Point allocates %v times", n)
	}
}
