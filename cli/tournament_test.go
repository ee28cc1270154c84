package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/stats/sprt"
)

// kept is a command with its games in dir.
func kept(dir string, args ...string) []string {
	return append(slices.Clone(args), "--game", "connect4", "--workers", "2", "--out", dir)
}

var (
	smallTournament = []string{"tournament", "random", "mcts:sims=10", "mcts:sims=40", "--pairs", "4", "--anchor", "mcts:sims=10"}
	smallTest       = []string{"sprt", "mcts:sims=60", "mcts:sims=10", "--elo1", "100", "--max-pairs", "200"}
)

// TestKilledSeriesGoOn kills tournaments and tests in the middle of their files,
// then demands the result of one that nobody touched.
func TestKilledSeriesGoOn(t *testing.T) {
	for _, args := range [][]string{smallTournament, smallTest} {
		root := t.TempDir()
		whole, torn := filepath.Join(root, "whole"), filepath.Join(root, "torn")
		want, err := command(nil, kept(whole, args...)...).Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, want)
		}
		for _, point := range []string{"mid-write@series.json", "mid-write@games.jsonl:3", "mid-write@games.jsonl:7", "before-rename@games.parquet", "mid-write@result.json"} {
			if out, err := command([]string{"LUDOZERO_FAULT=" + point}, kept(torn, args...)...).CombinedOutput(); err == nil {
				t.Errorf("%s: %s was not reached:\n%s", args[0], point, out)
			}
		}
		got, err := command(nil, kept(torn, args...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.ReplaceAll(string(got), torn, whole); text != string(want) {
			t.Errorf("%s: killed and gone on with:\n%s\nuninterrupted:\n%s", args[0], text, want)
		}
		for _, name := range []string{archive.AskedFile, archive.GamesFile, archive.TextFile, archive.ResultFile} {
			a, err := os.ReadFile(filepath.Join(whole, name))
			if err != nil {
				t.Fatal(err)
			}
			if b, err := os.ReadFile(filepath.Join(torn, name)); err != nil || !bytes.Equal(a, b) {
				t.Errorf("%s: %s differs (%v)", args[0], name, err)
			}
		}
	}
}

func TestTournamentCommand(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "t")
	out := mustCall(t, kept(dir, smallTournament...)...)
	for _, want := range []string{
		"played     round robin of 3 players, 4 pairs with seats exchanged of each two that meet, seed 1\n",
		"Elo relative to mcts:sims=10,cap=600 at +0\n", "points of games, by row", "probability in %", "kept in    " + dir,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the report lacks %q:\n%s", want, out)
		}
	}
	// Who is presented as the origin is no part of what is played.
	again := slices.Clone(smallTournament)
	again[len(again)-1] = "random"
	standing := decode[match.Standing](t, mustCall(t, kept(dir, append(again, "--anchor-elo", "500", "--json")...)...))
	if standing.Ratings.Anchor != "random" || standing.Ratings.AnchorElo != 500 || standing.Pairs != 12 || len(standing.Ratings.Pairings) != 3 {
		t.Errorf("standing %+v", standing)
	}
	mustFail(t, 1, kept(dir, append(slices.Clone(smallTournament), "--gauntlet")...), "gauntlet: not set there, true now", "pairs: 12 there, 8 now")

	gauntlet := decode[match.Standing](t, mustCall(t, append(slices.Clone(smallTournament), "--game", "connect4", "--gauntlet", "--json")...))
	if !gauntlet.Gauntlet || gauntlet.Pairs != 8 || len(gauntlet.Ratings.Pairings) != 2 || gauntlet.Ratings.Players[0].Games != 16 {
		t.Errorf("gauntlet %+v", gauntlet)
	}
}

// TestTournamentWithClocks lets a player that thinks by the clock of the game meet
// others, and refuses it where there is none.
func TestTournamentWithClocks(t *testing.T) {
	args := []string{"tournament", "--game", "tictactoe", "random", "mcts:time=clock", "mcts:sims=5", "--pairs", "1", "--max-turns", "20"}
	mustFail(t, 2, args, "want a clock, --clock 5+3")
	mustFail(t, 2, []string{"sprt", "random", "mcts:time=clock"}, "want a clock, --clock 5+3")
	out := mustCall(t, append(args, "--clock", "0.01+0.001")...)
	for _, want := range []string{"clock      0.01+0.001, minutes and seconds a turn", "           random: ", "limited by time: the same command plays other games"} {
		if !strings.Contains(out, want) {
			t.Errorf("the report lacks %q:\n%s", want, out)
		}
	}
}

func TestTournamentRefusesWhatItCannotTellApart(t *testing.T) {
	mustFail(t, 2, []string{"tournament", "random"}, "at least 2")
	mustFail(t, 2, []string{"tournament", "random", "mcts:sims=3", "random", "mcts:sims=3,cap=600"}, "players 1 and 3 are both random", "players 2 and 4 are both mcts:sims=3,cap=600")
	mustFail(t, 2, []string{"tournament", "random", "mcts:sims=3", "--anchor", "minimax:depth=1"}, `--anchor "minimax:depth=1": want one of the players: random, mcts:sims=3,cap=600`)
	mustFail(t, 2, []string{"tournament", "random", "mcts:sims=3", "--pairs", "0"}, "pairs=0")
	for _, elo := range []string{"NaN", "-Inf"} {
		mustFail(t, 2, []string{"tournament", "random", "mcts:sims=3", "--anchor-elo", elo}, "--anchor-elo "+elo+": want a finite number")
	}
}

// TestTestsComeToTheirVerdicts has a stronger player meet a weaker one, and a
// player itself.
func TestTestsComeToTheirVerdicts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "t")
	out := mustCall(t, kept(dir, smallTest...)...)
	before, after, ok := strings.Cut(out, "\nA          mcts:sims=60,cap=600\n")
	if !ok || !strings.HasPrefix(before, "test       H0: +0 Elo, H1: +100 Elo, ") || strings.Count(before, " pairs expected (") != 3 {
		t.Errorf("what comes before the games:\n%s", out)
	}
	for _, want := range []string{"verdict    H1, mcts:sims=60,cap=600 is more than 0 Elo above mcts:sims=10,cap=600: LLR ", "estimate   score and Elo are those of a test that stopped"} {
		if !strings.Contains(after, want) || strings.Contains(after, "stopped early") {
			t.Errorf("the report lacks %q:\n%s", want, after)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, archive.ResultFile))
	if err != nil {
		t.Fatal(err)
	}
	var result match.Tested
	if err := json.Unmarshal(text, &result); err != nil || result.State.Verdict != sprt.H1 || result.Elo1 != 100 || result.Match.Wins == 0 {
		t.Errorf("result file: %v\n%s", err, text)
	}
	mustFail(t, 1, kept(dir, append(slices.Clone(smallTest), "--alpha", "0.01")...), "alpha: 0.05 there, 0.01 now")

	// The forecast and what it supposes are no part of what is played.
	same := decode[match.Tested](t, mustCall(t, kept(dir, append(slices.Clone(smallTest), "--json", "--draws", "0.1")...)...))
	if same.State != result.State || same.Supposed.Draws != 0.1 || same.Forecast[0].Mean >= result.Forecast[0].Mean {
		t.Errorf("the same test with another forecast: %+v", same)
	}
	if _, said, err := call(t, "", kept(dir, smallTest...)...); err != nil || strings.Contains(said, "going on") || !strings.Contains(said, " played before\n") {
		t.Errorf("a test that has its verdict, again, %v: %q", err, said)
	}
	itself := decode[match.Tested](t, mustCall(t, "sprt", "--game", "connect4", "mcts:sims=10", "mcts:sims=10", "--elo1", "150", "--json"))
	if itself.State.Verdict != sprt.H0 {
		t.Errorf("a player against itself: %+v", itself.State)
	}
	open := mustCall(t, "sprt", "--game", "connect4", "random", "random", "--elo1", "2", "--max-pairs", "5")
	for _, want := range []string{"--max-pairs 5 may be too few for a verdict\n", "verdict    none: ", "5 pairs with seats exchanged"} {
		if !strings.Contains(open, want) || strings.Contains(open, "estimate") {
			t.Errorf("the report lacks %q:\n%s", want, open)
		}
	}
}

func TestForecastPlaysNothing(t *testing.T) {
	args := []string{"sprt", "mcts:sims=100000", "mcts:sims=100000", "--elo1", "5", "--forecast"}
	if out := mustCall(t, args...); strings.Count(out, "\n") != 6 || !strings.Contains(out, "H1 accepted in 95.0 %") {
		t.Errorf("forecast:\n%s", out)
	}
	r := decode[match.Tested](t, mustCall(t, append(args, "--json")...))
	if r.Match != nil || r.Forecast[2].Elo != 5 || r.State.Verdict != sprt.Continue {
		t.Errorf("forecast %+v", r)
	}
	mustFail(t, 2, []string{"sprt", "random", "random", "--elo0", "5", "--elo1", "5", "--alpha", "0", "--max-pairs", "0"}, "elo0=5, elo1=5", "alpha=0", "pairs=0")
	mustFail(t, 2, []string{"sprt", "random", "random", "--draws", "1.5"}, "draws=1.5")
}

// TestInterruptedSeriesSayWhatThereIs stops each after some games, the first pair of the
// schedule among them, from which on results count.
func TestInterruptedSeriesSayWhatThereIs(t *testing.T) {
	for _, args := range [][]string{
		{"tournament", "random", "mcts:sims=20000", "mcts:sims=10"},
		{"sprt", "mcts:sims=20000", "mcts:sims=19000", "--elo1", "1"},
	} {
		dir := filepath.Join(t.TempDir(), "x")
		ctx, cancel := context.WithCancel(t.Context())
		var out, errOut bytes.Buffer
		go func() {
			defer cancel()
			for ctx.Err() == nil {
				time.Sleep(2 * time.Millisecond)
				b, err := os.ReadFile(filepath.Join(dir, archive.JournalFile))
				if err == nil && bytes.Count(b, []byte("\n")) >= 6 && bytes.Contains(b, []byte(`{"number":1,`)) && bytes.Contains(b, []byte(`{"number":2,`)) {
					return
				}
			}
		}()
		err := execute(ctx, kept(dir, args...), nil, &out, &errOut)
		cancel()
		if shell.ExitCode(err) != 1 || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want context canceled", args[0], err)
		}
		if !strings.Contains(out.String(), "stopped early") || !strings.Contains(errOut.String(), "the same command goes on") {
			t.Errorf("%s says\n%s%s", args[0], out.String(), errOut.String())
		}
	}
}
