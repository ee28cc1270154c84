package cli

import (
	"bufio"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
)

func TestMatchWithClocks(t *testing.T) {
	out, errOut, err := call(t, "", "match", "--game", "tictactoe", "mcts:time=clock", "random", "--pairs", "2", "--opening-turns", "2", "--clock", "0.002+0.005")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\nclock      0.002+0.005", "\nA's clock  ", "\nB's clock  ", "searches by the clock", "plays other games"} {
		if !strings.Contains(out, want) {
			t.Errorf("the report lacks %q:\n%s", want, out)
		}
	}
	if strings.Contains(errOut, "warning") {
		t.Errorf("a warning: %s", errOut)
	}
	// A player that never looks at the clock cannot finish a search in time.
	workers := runtime.GOMAXPROCS(0) + 1
	out, errOut, err = call(t, "", "match", "--game", "connect4", "mcts:sims=1000000", "random", "--pairs", "1", "--clock", "0.02+0", "--workers", fmt.Sprint(workers), "--json")
	if err != nil {
		t.Fatal(err)
	}
	r := decode[match.Result](t, out)
	if r.Losses != 2 || r.Reasons[match.TimeForfeit] != 2 || r.Clock != "0.02+0" || r.AClock == nil || r.AClock.Forfeits != 2 {
		t.Errorf("a slow player: %s", out)
	}
	if want := fmt.Sprintf("warning: %d games with clocks at the same time on %s", workers, wording.Count(workers-1, "core")); !strings.Contains(errOut, want) {
		t.Errorf("%q, want %q", errOut, want)
	}
	// Threads count as workers do, and without a word about workers there are fewer.
	cores := runtime.GOMAXPROCS(0)
	threads := max(2, cores)
	for word, warns := range map[string]bool{"2": true, "0": threads > cores} {
		_, errOut, err = call(t, "", "match", "--game", "connect4", fmt.Sprintf("net:connect4,time=clock,threads=%d", threads), "random", "--pairs", "1", "--clock", "0.005+0.001", "--workers", word)
		if want := fmt.Sprintf(", of players with up to %d threads", threads); err != nil || strings.Contains(errOut, want) != warns || strings.Contains(errOut, "want --workers 1 at most") != warns {
			t.Errorf("--workers %s: %v, %q", word, err, errOut)
		}
	}
}

func TestClockIsRefused(t *testing.T) {
	mustFail(t, 2, []string{"match", "random", "random", "--clock", "5"}, `clock="5": want MINUTES+SECONDS, such as 5+3`)
	mustFail(t, 2, []string{"match", "random", "mcts:time=clock"}, "player mcts:time=clock,edges=2097152,cap=600: time=clock goes by the clock of the game: want a clock, --clock 5+3, or a fixed time=100ms")
	mustFail(t, 2, []string{"analyze", "--game", "konreh", "--player", "alphabeta:time=clock"}, "there are no clocks here, want a fixed time=100ms")
	mustFail(t, 2, []string{"analyze", "--player", "mcts:time=clock", "--jsonl"}, "there are no clocks here")
	mustFail(t, 2, []string{"score", "random", "mcts:time=clock"}, "there are no clocks here")
	mustFail(t, 2, []string{"train", "--run", t.TempDir(), "--config", "../configs/tictactoe/quick.yaml", "--set", "evaluation.opponents=[mcts:time=clock]"},
		"want a clock, evaluation.match.clock, or a fixed time=100ms")
}

func TestClocksAtTheTable(t *testing.T) {
	out := atTable(t, []string{"d1f1", "hint", "clock", "resign"},
		"--game", "konreh", "--against", "alphabeta:time=clock", "--clock", "0.2+0.05")
	contains(t, out, "Clocks of 0.2+0.05, minutes and seconds a turn.", "Time left: ", "Time left: ", "alphabeta:time=clock", "plays    ", "Time left: ", "by resignation")
	// The game goes on with the command that is printed.
	out = atTable(t, []string{"4"}, "--game", "connect4", "--against", "random", "--clock", "5+3")
	contains(t, out, "Time left: x 5m0s, o 5m0s.", "Time left: x 5m2s, o 5m2s.", "This goes on:", "--clock 5+3 ")
	// Two players: the flag of the slow one falls.
	out = atTable(t, nil, "--game", "connect4", "--first", "random", "--second", "mcts:sims=1000000", "--clock", "0.01+0")
	contains(t, out, "The game is over: x wins (first player, random), by time-forfeit")
	// Without clocks there is nothing to say of them.
	out = atTable(t, []string{"clock", "hint mcts:time=clock"}, "--game", "connect4", "--against", "random")
	contains(t, out, "there are no clocks: `play --clock 5+3` has some", "want a clock, play --clock 5+3, or a fixed time=100ms")
	if strings.Contains(out, "Time left") {
		t.Errorf("times without clocks:\n%s", out)
	}
	mustFail(t, 2, []string{"play", "--against", "mcts:time=clock"}, "want a clock, --clock 5+3, or a fixed time=100ms")
	mustFail(t, 2, []string{"play", "--clock", "five"}, `clock="five": want MINUTES+SECONDS`)
}

// TestFlagFallsAtTheTable of a person who says nothing, while the input is open.
func TestFlagFallsAtTheTable(t *testing.T) {
	in, typing := io.Pipe()
	said, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- execute(t.Context(), []string{"play", "--game", "connect4", "--first", "you", "--second", "you", "--clock", "0.03+0"}, in, out, io.Discard)
		out.Close()
	}()
	lines := bufio.NewReader(said)
	listen := func(want string) {
		t.Helper()
		for text := ""; !strings.Contains(text, want); {
			line, err := lines.ReadString('\n')
			if text += line; err != nil {
				t.Fatalf("%v after\n%s\nwant %q", err, text, want)
			}
		}
	}
	typed := make(chan struct{})
	go func() {
		fmt.Fprintln(typing, "4")
		<-typed
		fmt.Fprintln(typing, "4")
		typing.Close()
	}()
	listen("The game is over: x wins (first player, you), by time-forfeit, after 1 turn")
	close(typed)
	listen(`"4": the game is over`)
	if _, err := io.Copy(io.Discard, lines); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
