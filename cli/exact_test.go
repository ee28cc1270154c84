package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExactIsRefusedForLargeGames as teacher and as opponent, before anything is written;
// late in such a game it plays.
func TestExactIsRefusedForLargeGames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	for _, args := range []string{
		"match --game connect4 exact random --out " + dir,
		"play --game connect4 --against exact",
		"train --config connect4/tiny --no-rating --set self_play.teacher.player=exact --run " + dir,
		"train --config connect4/tiny --set evaluation.opponents=[exact] --run " + dir,
	} {
		mustFail(t, 2, strings.Fields(args), "player exact: the game is too large to solve: from ", "of connect4, standard, more than 1000000 positions")
		if _, err := os.Stat(dir); err == nil {
			t.Fatalf("%s leaves a folder", args)
		}
	}
	late := []string{"play", "--game", "connect4", "--first", "random", "--second", "exact", "--moves", "457741777716143262634536344211"}
	if out := mustCall(t, late...); !strings.Contains(out, "The game is over") {
		t.Error(out)
	}
}
