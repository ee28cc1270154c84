package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/player/open"
)

// transcriptOf is the block of a page between ```KIND and ```.
func transcriptOf(t *testing.T, file, kind string) string {
	t.Helper()
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(page), "\n```"+kind+"\n")
	text, _, end := strings.Cut(text, "```")
	if !ok || !end {
		t.Fatalf("%s has no block %q", file, kind)
	}
	return text
}

// TestEngineConversation has the conversations of docs/ugi.md.
func TestEngineConversation(t *testing.T) {
	for kind, args := range map[string][]string{
		"ugi":      {"engine", "--game", "konreh", "--rules", "blitz,balance=double-pie", "--player", "alphabeta:depth=1"},
		"ugi dice": {"engine", "--game", "knaw", "--player", "alphabeta:depth=1"},
	} {
		t.Run(kind, func(t *testing.T) { converse(t, transcriptOf(t, "../docs/ugi.md", kind), args) })
	}
}

// converse says the lines of a conversation to a command and compares its answers.
func converse(t *testing.T, want string, args []string) {
	in, w := io.Pipe()
	r, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := execute(t.Context(), args, in, out, io.Discard)
		out.Close()
		ended <- err
	}()
	answers := lineReader(r)
	times := regexp.MustCompile(`time \d+ (nodes \d+) nps \d+`)
	var got strings.Builder
	for _, line := range strings.Split(want, "\n") {
		command, ok := strings.CutPrefix(line, "> ")
		if !ok {
			continue
		}
		got.WriteString(line + "\n")
		last := "readyok"
		if strings.HasPrefix(command, "go") {
			last = "bestmove"
		}
		io.WriteString(w, command+"\n")
		if last == "readyok" && command != "isready" && command != "quit" {
			io.WriteString(w, "isready\n") // whose answer is not in the page
		}
		for answer := range answers {
			end := strings.HasPrefix(answer, last)
			if !end || last == "bestmove" || command == "isready" {
				got.WriteString(times.ReplaceAllString(answer, "time T $1 nps N") + "\n")
			}
			if end {
				break
			}
		}
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if got.String() != want {
		t.Errorf("the conversation is now\n%s", got.String())
	}
}

func lineReader(r io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(r); s.Scan(); {
			lines <- s.Text()
		}
	}()
	return lines
}

func TestEngineSaysWhoPlays(t *testing.T) {
	// Rules that the shipped network was not trained on are played by another
	// player, which is said; those that it knows by the network.
	out, _, err := call(t, "setoption name Rules value micro\ngo nodes 3\n", "engine")
	if err != nil || !strings.Contains(out, "was not trained on these rules: mcts:time=clock") || !strings.Contains(out, "bestmove ") {
		t.Errorf("%v, %q", err, out)
	}
	if out := mustCallWith(t, "go nodes 3\n", "engine"); strings.Contains(out, "trained") || !strings.Contains(out, " nodes 3 ") {
		t.Errorf("%q", out)
	}
}

func mustCallWith(t *testing.T, in string, args ...string) string {
	t.Helper()
	out, _, err := call(t, in, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestShippedRatings: a network with a table plays at a rating, as an engine and as a
// player of any command; others, and other rules, are refused with the reason.
func TestShippedRatings(t *testing.T) {
	table, err := open.Network{Shipped: "konreh"}.Ratings()
	if err != nil || table == nil {
		t.Fatal(table, err)
	}
	least, most := table.Range()
	out := mustCallWith(t, fmt.Sprintf("ugi\nsetoption name LimitStrength value true\nsetoption name Rating value %d\ngo\n", least), "engine")
	contains(t, out, fmt.Sprintf("option name Rating type spin default %d min %d max %d\n", most, least, most), " nodes 1 ", "bestmove ")
	out = mustCallWith(t, "setoption name Rules value standard,max_turns=80\nsetoption name LimitStrength value true\n"+
		"setoption name Rules value micro\nsetoption name LimitStrength value false\nsetoption name Rules value micro\nsetoption name LimitStrength value true\n", "engine")
	if strings.Count(out, "no ratings were measured of this player") != 2 {
		t.Errorf("by rules without ratings: %s", out)
	}
	weak := fmt.Sprintf("net:konreh,rating=%d", least)
	out = mustCall(t, "match", "--game", "konreh", "--rules", "standard,max_turns=20", "--pairs", "1", weak, "random")
	contains(t, out, "A          "+hashedPlayer(weak))
	spec, err := builtinEnv().Players.Parse(weak)
	if err != nil {
		t.Fatal(err)
	}
	if id, err := spec.Identity(); err != nil || !strings.HasPrefix(id, "weights "+table.Weights+", ratings ") {
		t.Errorf("identity %q, %v", id, err)
	}
	contains(t, mustCall(t, "networks", "konreh"), fmt.Sprintf("ratings    rating=%d to rating=%d under %s, random at 0", least, most, table.Rules))
	path := weightFile(t, "tictactoe")
	for want, args := range map[string][]string{
		fmt.Sprintf("rating %d: want %d to %d", most+1, least, most): {fmt.Sprintf("net:konreh,rating=%d", most+1)},
		"were measured under standard, not micro":                    {weak, "--rules", "micro"},
		"only shipped networks have some":                            {"net:" + path + ",rating=500", "--game", "tictactoe"},
	} {
		mustFail(t, 1, append([]string{"analyze", "--player"}, args...), want)
	}
}
