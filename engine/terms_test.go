package engine

import (
	"slices"
	"strings"
	"testing"
)

// TestWeightsSurviveTheirFile: what FormatWeights writes ParseWeights reads, a line for
// names that agree up to a colon.
func TestWeightsSurviveTheirFile(t *testing.T) {
	names := []string{"stone", "wall.0:0", "wall.0:1", "wall.1:0", "wall.1:1", "tempo"}
	weights := []int32{100, 1, -20, MaxWeight, -MaxWeight, 7}
	text := FormatWeights(names, weights)
	const want = "stone     100\nwall.0      1    -20\nwall.1  10000 -10000\ntempo       7\n"
	if text != want {
		t.Errorf("FormatWeights = %q, want %q", text, want)
	}
	got, err := ParseWeights(names, "# comment\n\n"+text)
	if err != nil || !slices.Equal(got, weights) {
		t.Errorf("ParseWeights = %v, %v, want %v", got, err, weights)
	}
	for text, want := range map[string]string{
		"":                                  "the weights of stone are missing",
		"wall.0 1 2":                        `line 1: "wall.0 1 2": want stone and 1 of its weights`,
		"stone 1\n#\nwall.0 1\n":            `line 3: "wall.0 1": want wall.0 and 2`,
		"stone x":                           "stone x: want a whole number from -10000 to 10000",
		"stone 10001":                       "want a whole number from -10000",
		"stone 1\nwall.0 1 2\nwall.1 1 2\n": "the weights of tempo are missing",
		want + "tempo 1":                    "line 5: nothing may follow the weights of tempo",
	} {
		if _, err := ParseWeights(names, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseWeights(%q): %v, want %q", text, err, want)
		}
	}
}
