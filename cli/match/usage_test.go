package match

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/clitest"
	"github.com/ludozero/ludozero/model/zoo"
)

// TestMatchSaysAllThatIsWrong wants both players' faults at once, before a game.
func TestMatchSaysAllThatIsWrong(t *testing.T) {
	dir := t.TempDir()
	damaged, cut, foreign := filepath.Join(dir, "damaged.safetensors"), filepath.Join(dir, "cut.safetensors"), filepath.Join(dir, "foreign.safetensors")
	clitest.WriteWeights(t, damaged, "tictactoe", 1)
	clitest.WriteWeights(t, foreign, "connect4", 1)
	b, err := os.ReadFile(damaged)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(damaged, b, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cut, b[:len(b)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	net := func(path string) string { return "net:" + path + ",sims=2" }
	for _, c := range []struct {
		code int
		a, b string
		want []string
	}{
		{2, "nonsense", "other", []string{`no kind "nonsense"`, `no kind "other"`, "exact, mcts, minimax, net, nnue, random, school, solver"}},
		{2, "mcts:sims=0", "random:x=1", []string{"sims=0: want 1 to", `no option "x"`}},
		{2, "net:", net("missing"), []string{"needs its PATH", "no file or folder missing"}},
		{1, net("missing"), net("missing-too"), []string{"no file or folder missing,", "no file or folder missing-too,", "no shipped network of that name: want a path, or " + strings.Join(zoo.Names(), " or ")}},
		{1, net(damaged), net(cut), []string{damaged, cut, "not a whole and unaltered tensor file"}},
		{1, "random", net(foreign), []string{foreign, "network plays connect4, not tictactoe"}},
	} {
		clitest.Refuse(t, NewMatch, c.code, "--game tictactoe "+c.a+" "+c.b+" --pairs 1", c.want...)
	}
}

func TestMatchRefusesImpossibleNumbers(t *testing.T) {
	clitest.Refuse(t, NewMatch, 2, "random random --pairs 0 --workers -1 --opening-turns -2", "pairs=0", "workers=-1", "opening_turns=-2")
	clitest.Refuse(t, NewMatch, 2, "random random --games", "--games: it belongs to --json")
}

func TestOpeningFlagsThatAreWrong(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.txt")
	for _, c := range []struct {
		code int
		args string
		want string
	}{
		{2, "--openings book:x", `no kind "book"`},
		{2, "--openings first --opening-turns 2", "want one of them"},
		{2, "--margin 0.1", "it belongs to --balance"},
		{2, "--balance mcts:sims=3 --margin 2", "want 0 to 1"},
		{2, "--balance mcts:time=3ms", "limited by time"},
		{2, "--balance nobody", `no kind "nobody"`},
		{1, "--balance net:" + missing + ",sims=2", missing},
		{1, "--openings file:" + missing, missing},
		{1, "--openings first:turns=9", "more than 10000"},
		{2, "--openings random:turns=4 --max-turns 3", "max_turns=3"},
	} {
		clitest.Refuse(t, NewMatch, c.code, "--game connect4 random random --pairs 1 "+c.args, c.want)
	}
	clitest.Refuse(t, NewOpenings, 2, "--count 0", "--count 0")
}
