package knaw

import (
	"strings"
	"testing"
)

// TestResolution: the least moves and jumps until three types are connected on three tiers.
func TestResolution(t *testing.T) {
	for pieces, want := range map[string]plan{
		"F20,F4,S19,S3,F0,F16":  {0, 0},
		"F20,F4,S19,S3,F0,F15":  {1, 1},
		"F21,F5,S19,S3,F0,F16":  {2, 2}, // the bards go to the triangles
		"F20,F5,S19,S3,F0,F15":  {2, 2},
		"C0,C8,S19,S3,F0,F16":   {2, 6}, // the Center is no tier: to the Rim, three jumps each
		"F20,F4,F28,F12,F0,F16": {2, 2}, // the heralds go to S0 and S16, the triangles are both others
	} {
		var at [6]uint8
		for i, name := range strings.Split(pieces, ",") {
			at[i] = uint8(mustNamed(name))
		}
		if got := allPlans().resolution(&at); got != want {
			t.Errorf("%s: %+v, want %+v", pieces, got, want)
		}
	}
}
