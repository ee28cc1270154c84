package cli

import (
	"os"
	"strings"
	"testing"
)

// TestSignatureIsOneNumber, the golden one of the search, however it is asked
// for and whatever kernels are in use.
func TestSignatureIsOneNumber(t *testing.T) {
	b, err := os.ReadFile("../mcts/signature/testdata/signature.txt")
	if err != nil {
		t.Fatal(err)
	}
	golden := strings.Split(strings.TrimSpace(string(b)), "\n")
	want := golden[len(golden)-1]
	if got := mustCall(t, "signature"); got != want+"\n" {
		t.Errorf("signature prints %q, want %s alone", got, want)
	}
	lines := strings.Split(strings.TrimSpace(mustCall(t, "signature", "--verbose")), "\n")
	if len(lines) != len(golden) || lines[len(lines)-1] != want {
		t.Errorf("signature --verbose prints %d lines, the last %q, want %d and %s", len(lines), lines[len(lines)-1], len(golden), want)
	}
	for i, l := range lines {
		if !strings.HasPrefix(l, golden[i][:16]) {
			t.Errorf("line %d is %q, want the number of %q", i+1, l, golden[i])
		}
	}
	if s := decode[map[string]any](t, mustCall(t, "signature", "--json")); s["sum"] != want {
		t.Errorf("signature --json: sum %v, want %s", s["sum"], want)
	}
}
