package cli

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/internal/pty"
)

// TestMatchOnTerminal wants a bar while games are played and only the result in
// the end.
func TestMatchOnTerminal(t *testing.T) {
	tty, output := pty.Terminal(t, 100)
	args := []string{"match", "--game", "connect4", "mcts:sims=8000", "random", "--pairs", "8", "--workers", "1"}
	if err := execute(t.Context(), args, nil, tty, tty); err != nil {
		t.Fatal(err)
	}
	raw := output()
	lines, widest := pty.Screen(raw)
	if !strings.Contains(raw, "█") || !strings.Contains(raw, "/16) [") || widest >= 100 {
		t.Errorf("no bar was seen, or one %d columns wide:\n%q", widest, raw)
	}
	if plain := mustCall(t, args...); strings.Join(lines, "\n") != strings.ReplaceAll(plain, "\r", "") {
		t.Errorf("in the end one sees\n%s\nwant\n%s", strings.Join(lines, "\n"), plain)
	}
}
