package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/match"
)

// TestOpeningsAreWrittenAndReadBack makes a book, and a match from it begins with
// the same openings as one that makes them itself.
func TestOpeningsAreWrittenAndReadBack(t *testing.T) {
	made := []string{"--openings", "random:turns=3,unique=symmetry", "--balance", "mcts:sims=20", "--margin", "0.3", "--seed", "4"}
	book := mustCall(t, append([]string{"openings", "--game", "connect4", "--count", "6"}, made...)...)
	lines := strings.Split(strings.TrimSpace(book), "\n")
	if len(lines) != 7 || !strings.HasPrefix(lines[0], "# connect4 standard, seed 4, random:turns=3,unique=symmetry, within 0.3 by mcts:sims=20,cap=600: 6 different, list ") {
		t.Fatalf("book:\n%s", book)
	}
	path := filepath.Join(t.TempDir(), "book.txt")
	if err := os.WriteFile(path, []byte(book), 0o600); err != nil {
		t.Fatal(err)
	}
	play := []string{"match", "--game", "connect4", "random", "mcts:sims=3", "--json", "--games", "--pairs", "6", "--seed", "4"}
	direct := decode[match.Result](t, mustCall(t, append(slices.Clone(play), made[:6]...)...))
	read := decode[match.Result](t, mustCall(t, append(slices.Clone(play), "--openings", "file:"+path)...))
	if direct.OpeningList != read.OpeningList || direct.Openings == read.Openings || direct.OpeningTurns != 3 || read.OpeningTurns != 0 {
		t.Errorf("openings %q list %s, and %q list %s", direct.Openings, direct.OpeningList, read.Openings, read.OpeningList)
	}
	for i, g := range direct.Games {
		words := strings.Fields(g.Moves)
		if got := strings.Join(words[:g.Opening], " "); got != lines[1+i/2] || g.Moves != read.Games[i].Moves {
			t.Errorf("game %d begins %s, want %s; from the book %s", i+1, got, lines[1+i/2], read.Games[i].Moves)
		}
	}
	if start := mustCall(t, "openings", "--game", "tictactoe", "--openings", "random:turns=0"); !strings.HasSuffix(start, "\npos .../.../... x\n") {
		t.Errorf("the start as an opening: %q", start)
	}
}

func TestMatchFromAFewOpeningsSaysSo(t *testing.T) {
	out := mustCall(t, "match", "--game", "connect4", "random", "random", "--pairs", "8", "--openings", "first", "--seed", "2")
	for _, want := range []string{"8 pairs with seats exchanged, openings first:turns=1 (4 distinct), seed 2\n", "; used again in order, 4 for 8 pairs\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("the report lacks %q:\n%s", want, out)
		}
	}
}
