package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/study/even"
	"github.com/ludozero/ludozero/study/lab"
	"github.com/ludozero/ludozero/study/restricted"
)

// quickLab is a sheet of seconds: Kon'reh's smallest board with and without the pie rule.
func quickLab(more ...string) []string {
	return append([]string{"lab", "--game", "konreh", "--rules", "micro,balance=single", "--against", "micro,balance=pie",
		"--players", "random", "--players", quickPlayer, "--games", "20", "--max-turns", "60",
		"--judge", "minimax:depth=1", "--judged", "10", "--effort", "mcts:sims=2,cap=20", "--doublings", "2", "--depth-pairs", "6"}, more...)
}

func TestLabPlansPlaysAndResumes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sheet")
	plan := mustCall(t, quickLab("--plan")...)
	for _, want := range []string{"plan       konreh: micro,balance=single against micro,balance=pie", "80, 20 of each player under each ruleset; 48 of rising effort", "finds ", "a decision", "about"} {
		if !strings.Contains(plan, want) {
			t.Errorf("the plan lacks %q:\n%s", want, plan)
		}
	}
	out := mustCall(t, quickLab("--out", dir)...)
	files := map[string][]byte{}
	for _, name := range []string{"report.txt", "report.html", "lab.json", "figures.csv", "differences.csv"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	if !strings.Contains(out, strings.TrimSpace(string(files["report.txt"]))) {
		t.Errorf("what is printed is not report.txt:\n%s", out)
	}
	r := decode[lab.Result](t, mustCall(t, quickLab("--out", dir, "--json")...))
	if len(r.Strengths) != 3 || r.Strengths[1].Sides[0].Games != 20 || len(r.Strengths[1].Differences) < 20 || len(r.Strengths[2].Differences) != 2 {
		t.Errorf("%d strengths, %+v", len(r.Strengths), r.Strengths)
	}
	// Without its result, half of a journal and a judgement it ends with the same files.
	journals, err := filepath.Glob(filepath.Join(dir, "*", quickPlayer, "games.jsonl"))
	if err != nil || len(journals) != 2 {
		t.Fatalf("journals %v, %v", journals, err)
	}
	judged, err := filepath.Glob(filepath.Join(dir, "judged", "*", "*.jsonl"))
	if err != nil || len(judged) != 4 {
		t.Fatalf("judgements %v, %v", judged, err)
	}
	for _, path := range []string{journals[0], judged[0]} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := bytes.SplitAfter(data, []byte("\n"))
		if err := os.WriteFile(path, bytes.Join(lines[:len(lines)/2], nil), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "lab.json")); err != nil {
		t.Fatal(err)
	}
	contains(t, mustCall(t, quickLab("--out", dir, "--plan")...), "of them played before", "a turn, in games of these players")
	mustCall(t, quickLab("--out", dir)...)
	// What is left to judge is in the plan, though all games are played.
	if err := errors.Join(os.RemoveAll(filepath.Join(dir, "judged")), os.Remove(filepath.Join(dir, "lab.json"))); err != nil {
		t.Fatal(err)
	}
	if plan := mustCall(t, quickLab("--out", dir, "--plan")...); strings.Contains(plan, "nothing is left") || !strings.Contains(plan, "128 of them played before") {
		t.Errorf("with nothing judged:\n%s", plan)
	}
	mustCall(t, quickLab("--out", dir)...)
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs after resuming: %v", name, err)
		}
	}
	mustFail(t, 1, quickLab("--out", dir, "--seed", "2"), "--seed 2: its games are of 1")
	mustFail(t, 1, quickLab("--out", dir, "--judged", "0", "--depth-pairs", "0"), "--judge none: its games are of minimax:depth=1", "--judged 0", "--effort none: its games are of mcts:sims=2", "--depth-pairs 0")
}

func TestLabRefuses(t *testing.T) {
	mustFail(t, 2, quickLab("--against", "micro,balance=single"), "the same rules as --rules")
	mustFail(t, 2, quickLab("--against", "nonsense"), "--against: ", "nonsense")
	mustFail(t, 2, quickLab("--games", "3"), "--games 3: want an even number")
	mustFail(t, 2, quickLab("--players", "minimax:depth=1", "--players", "minimax:depth=2", "--players", "minimax:depth=3"), "--players: 5: want 1 to 4")
	mustFail(t, 2, quickLab("--players", "random"), "it is there twice")
	mustFail(t, 1, quickLab("--players", "mcts:time=10ms"), "limited by time")
	mustFail(t, 1, quickLab("--players", "net:nothere"), "--players: ", "nothere")
	mustFail(t, 2, quickLab("--judge", "random"), "--judge random: it says no value")
	mustFail(t, 2, quickLab("--effort", "alphabeta:depth=2"), "--effort alphabeta:depth=2: want a player with sims= or nodes=")
}

// TestLabWithout: what a kind of action is worth, for any game whose actions have kinds;
// the same command resumes.
func TestLabWithout(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "without")
	args := func(more ...string) []string {
		return append([]string{"lab", "--game", "konreh", "--rules", "blitz", "--players", quickPlayer, "--games", "4", "--max-turns", "40"}, more...)
	}
	contains(t, mustCall(t, args("--without", "capture", "--plan")...), "1 player without capture", "a loss to about ±49.0 points")
	first := mustCall(t, args("--without", "all", "--out", dir, "--json")...)
	r := decode[restricted.Result](t, first)
	if len(r.Rows) < 10 || r.Rows[0].Games() != 4 || r.Rows[1].Kind != "capture" || r.Rows[1].Denied == 0 {
		t.Errorf("%+v", r)
	}
	if err := os.Remove(filepath.Join(dir, "restricted.json")); err != nil {
		t.Fatal(err)
	}
	if again := mustCall(t, args("--without", "all", "--out", dir, "--json")...); again != first {
		t.Errorf("resumed:\n%s\nfirst:\n%s", again, first)
	}
	mustFail(t, 2, args("--without", "castling"), `--without: kind "castling": want one of slide, capture`)
	mustFail(t, 2, args("--without", "capture", "--players", "alphabeta:depth=1"), "cannot be restricted")
	mustFail(t, 2, args("--without", "capture", "--against", "standard"), "--against has no use with --without")
	mustFail(t, 2, []string{"lab", "--game", "tictactoe", "--players", "random", "--without", "capture"}, "its actions have no kinds")
	// Rules of two games may have the same words.
	free := []string{"lab", "--rules", "free", "--players", "random", "--games", "4", "--max-turns", "20", "--without", "capture", "--out", dir + "2", "--game"}
	mustCall(t, append(free, "konkvest")...)
	mustFail(t, 1, append(free, "diamondchess"), "game: konkvest there, diamondchess now")
	mustFail(t, 1, append(free, "diamondchess", "--plan"), "game: konkvest there, diamondchess now")
	contains(t, mustCall(t, append(free, "konkvest")...), "konkvest, free")
}

// TestLabOver ranks settings; the same command resumes, also where a stage was cut off.
func TestLabOver(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "over")
	args := func(more ...string) []string {
		return append([]string{"lab", "--game", "konreh", "--rules", "micro", "--players", quickPlayer, "--games", "16", "--max-turns", "40",
			"--over", "balance=single|pie,cross_stay=2|3"}, more...)
	}
	contains(t, mustCall(t, args("--plan")...), "konreh: 4 settings by 1 player", "stage 2: 2 settings, 24 games or more", "96 games, by which settings go on")
	first := mustCall(t, args("--out", dir, "--json")...)
	r := decode[even.Result](t, first)
	if len(r.Rows) != 4 || r.Played != 2 || r.Rows[1].Stage != 2 || r.Rows[2].Stage != 1 || r.Rows[1].Games != 24 || r.Rows[2].Games != 8 {
		t.Errorf("%+v", r.Rows)
	}
	journal := filepath.Join(dir, r.Rows[0].Setting, r.Players[0], "games.jsonl")
	lines, err := os.ReadFile(journal)
	if err == nil {
		err = os.WriteFile(journal, lines[:len(lines)/2], 0o666)
	}
	if err == nil {
		err = os.Remove(filepath.Join(dir, "even.json"))
	}
	if err != nil {
		t.Fatal(err)
	}
	if again := mustCall(t, args("--out", dir, "--json")...); again != first {
		t.Errorf("resumed:\n%s\nfirst:\n%s", again, first)
	}
	if kept := decode[even.Result](t, mustCall(t, args("--json")...)); len(kept.Rows) != 4 || kept.Rows[0] != r.Rows[0] {
		t.Errorf("without a folder: %+v", kept.Rows)
	}
	mustFail(t, 2, args("--over", "balance=single"), "one setting: want alternatives")
	mustFail(t, 2, args("--over", "balance"), `--over: "balance": want OPTION=VALUE with | between`)
	mustFail(t, 2, args("--over", "balance=single,pie"), `--over: "pie": want OPTION=VALUE with | between alternatives of the value, such as balance=pie|single`)
	mustFail(t, 2, args("--slips", "0.1"), "--slips has no use with --over")
	mustFail(t, 2, args("--without", "capture"), "--without has no use with --over")
	mustFail(t, 2, args("--players", "random"), "want one player, or several of which each has a network of its own")
	mustFail(t, 2, []string{"lab", "--game", "konreh", "--players", "net:konreh,sims=1", "--players", "net:konreh,sims=2", "--over", "balance=single|pie"}, "are the same", "want different ones")
	limited := mustCall(t, "lab", "--game", "konreh", "--rules", "micro", "--players", "random", "--games", "16", "--over", "cross_stay=2|3|4", "--core-time", "1ns", "--out", dir+"2")
	contains(t, limited, "the last of 2 rounds that fits", "Ended after round 1 of 2", "The command at the end plays all stages.")
}
