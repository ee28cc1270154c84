package shell

import (
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
)

// TestMoveWords: only between columns may spaces be left out; a game that begins with
// dice, where nobody has a legal action yet, has words like any other.
func TestMoveWords(t *testing.T) {
	for _, c := range []struct {
		game, moves string
		want        []string
	}{
		{"connect4", "4453 1", []string{"4", "4", "5", "3", "1"}},
		{"konreh", "d1f1 d8^b8", []string{"d1f1", "d8^b8"}},
		{"knaw", "3 bard-a>S18", []string{"3", "bard-a>S18"}},
	} {
		f, err := games.All().ByName(c.game)
		if err != nil {
			t.Fatal(err)
		}
		g, err := f.Parse("")
		if err != nil {
			t.Fatal(err)
		}
		if got := MoveWords(g, c.moves); !slices.Equal(got, c.want) {
			t.Errorf("MoveWords(%s, %q) = %q, want %q", c.game, c.moves, got, c.want)
		}
	}
}
