package main

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/evaluation"
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
	out, errOut, err = call(t, "", "match", "--game", "connect4", "mcts:sims=1000000", "random", "--pairs", "1", "--clock", "0.005+0", "--workers", fmt.Sprint(workers), "--json")
	if err != nil {
		t.Fatal(err)
	}
	r := decode[evaluation.Result](t, out)
	if r.Losses != 2 || r.Reasons[evaluation.TimeForfeit] != 2 || r.Clock != "0.005+0" || r.AClock == nil || r.AClock.Forfeits != 2 {
		t.Errorf("a slow player: %s", out)
	}
	if want := fmt.Sprintf("warning: %d games with clocks at the same time on %s", workers, count(workers-1, "core")); !strings.Contains(errOut, want) {
		t.Errorf("%q, want %q", errOut, want)
	}
}

func TestClockIsRefused(t *testing.T) {
	mustFail(t, 2, []string{"match", "random", "random", "--clock", "5"}, `clock="5": want MINUTES+SECONDS, such as 5+3`)
	mustFail(t, 2, []string{"match", "random", "mcts:time=clock"}, "player mcts:time=clock,edges=2097152,cap=600: time=clock goes by the clock of the game: want a clock, --clock 5+3, or a fixed time=100ms")
	mustFail(t, 2, []string{"analyze", "--game", "konreh", "--player", "alphabeta:time=clock"}, "there are no clocks here, want a fixed time=100ms")
	mustFail(t, 2, []string{"analyze", "--player", "mcts:time=clock", "--jsonl"}, "there are no clocks here")
	mustFail(t, 2, []string{"score", "random", "mcts:time=clock"}, "there are no clocks here")
	mustFail(t, 2, []string{"train", "--run", t.TempDir(), "--config", "../../configs/tictactoe/quick.yaml", "--set", "evaluation.opponents=[mcts:time=clock]"},
		"want a clock, evaluation.match.clock, or a fixed time=100ms")
}
