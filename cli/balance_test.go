package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/clitest"
	"github.com/ludozero/ludozero/study"
	"github.com/ludozero/ludozero/study/balance"
)

// quickPlayer plays in it.
const quickPlayer = "mcts:sims=4,cap=20"

// quickBalance are the words of a comparison that takes a moment.
func quickBalance(words ...string) []string {
	return append([]string{"balance", "--game", "konreh", "--rules", "micro", "--vary", "balance=single,pie", "--players", quickPlayer,
		"--games", "4", "--max-turns", "60", "--temperatures", "1", "--workers", "2"}, words...)
}

func TestBalanceGoesOnAndShowsItsResultAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "compared")
	whole := mustCall(t, quickBalance("--out", dir)...)
	_, report, cut := strings.Cut(whole, "\n\n")
	if !cut || !strings.HasPrefix(whole, "plan ") || !strings.Contains(report, "balance=pie against balance=single") {
		t.Fatalf("the output does not begin with a plan and go on with a report:\n%s", whole)
	}
	files := map[string][]byte{}
	for _, name := range []string{"report.txt", "report.html", "balance.json", "games.csv", "measures.csv", "cells.csv", "verdicts.csv", "starts.csv", "balance=pie/mcts:sims=4,cap=20/games.parquet"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	if !strings.HasPrefix(report, string(files["report.txt"])) {
		t.Errorf("report.txt is not what was printed")
	}
	if again := mustCall(t, quickBalance("--out", dir)...); again != report {
		t.Errorf("the finished folder prints\n%s", again)
	}
	_, command, _ := strings.Cut(report, "The same again: ludozero ")
	command, _, _ = strings.Cut(command, "\n")
	if _, again, _ := strings.Cut(mustCall(t, strings.Fields(command)...), "\n\n"); again != string(files["report.txt"]) {
		t.Errorf("%s prints\n%s", command, again)
	}

	// Half of the games of a variant and the result are gone, as if it had been
	// killed.
	journal := filepath.Join(dir, "balance=pie", quickPlayer, "games.jsonl")
	data, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	if err := errors.Join(os.WriteFile(journal, bytes.Join(lines[:len(lines)/2], nil), 0o666), os.Remove(filepath.Join(dir, "balance.json"))); err != nil {
		t.Fatal(err)
	}
	out, errOut, err := call(t, "", quickBalance("--out", dir, "--workers", "1")...)
	if err != nil || !strings.Contains(out, "; 16 of them played before") {
		t.Fatalf("it does not go on: %v, %s%s", err, errOut, out)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not as it was (%v)", name, err)
		}
	}

	// Another variant plays its games and keeps those of the others.
	mustFail(t, 2, append(quickBalance(), "--vary", "pie"), `--vary: "pie": want OPTION=VALUE with | between`)
	out, errOut, err = call(t, "", append(quickBalance("--out", dir), "--vary", "balance=single,pie,double-move")...)
	if err == nil || !strings.Contains(err.Error(), "set twice") {
		t.Errorf("a variation that is given twice: %v, %s%s", err, out, errOut)
	}
	more := quickBalance("--out", dir)
	more[6] = "balance=single,pie,double-move"
	more = append(more, "--baseline", "pie", "--json")
	r := decode[balance.Result](t, mustCall(t, more...))
	if r.Precision != "" {
		t.Errorf("precision %q without a network", r.Precision)
	}
	if len(r.Variants) != 3 || r.Baseline != "balance=pie" || r.Variants[0].Groups[0].Games != 4 {
		t.Errorf("with another variant and baseline: %d variants, baseline %s", len(r.Variants), r.Baseline)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "balance=pie", quickPlayer, "games.parquet")); err != nil || !bytes.Equal(got, files["balance=pie/mcts:sims=4,cap=20/games.parquet"]) {
		t.Errorf("the games of a variant are not as they were (%v)", err)
	}
	mustFail(t, 1, append(more, "--games", "6", "--seed", "2"), "--games 6: its games are of 4", "--seed 2: its games are of 1")
	mustFail(t, 1, append(more, "--matters", "0.05"), "--matters 0.05: a difference of 0.02 was declared before its games")
}

// Whoever stops a comparison half-way has about as many games of each variant.
func TestBalancePlaysVariantsInRounds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rounds")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errOut bytes.Buffer
	args := quickBalance("--games", "40", "--out", dir)
	if err := execute(ctx, args, strings.NewReader(""), &out, &errOut); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v, want the folder to be begun and left", err)
	}
	// The first round comes to its end where the second variant cannot be kept.
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "balance=pie", quickPlayer), 0o777), os.WriteFile(filepath.Join(dir, "balance=pie", quickPlayer, "letter.txt"), nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := call(t, "", args...); err == nil || !strings.Contains(err.Error(), "letter.txt") {
		t.Fatalf("%v, want it to refuse the folder of a variant", err)
	}
	journal, err := os.ReadFile(filepath.Join(dir, "balance=single", quickPlayer, "games.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if games := bytes.Count(journal, []byte("\n")); games != 40/study.Rounds {
		t.Errorf("%d games of 40 of a variant before there is any of the next, want a round of %d", games, 40/study.Rounds)
	}
}

func TestBalancePlanPlaysNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	out := mustCall(t, quickBalance("--plan", "--out", dir)...)
	for _, want := range []string{"2 variants: single, pie; baseline balance=single", "pie: 12 different ones, by 12 lines; 2 games of each by each player", "28 from all starts alike", "a decision", "about", "single: the first player's score to about ±50.0 points\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("the plan does not say %q:\n%s", want, out)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a plan made its folder: %v", err)
	}
}

// TestBalancePlanSaysWhatVerdictsLack: before any game.
func TestBalancePlanSaysWhatVerdictsLack(t *testing.T) {
	tuned := filepath.Join(t.TempDir(), "tuned.safetensors")
	clitest.WriteWeights(t, tuned, "konreh", 1, "standard,balance=pie")
	plan := func(words ...string) string {
		return mustCall(t, append([]string{"balance", "--plan", "--networks", "konreh", "--sims", "1", "--max-turns", "4"}, words...)...)
	}
	for _, c := range []struct {
		out  string
		want []string
	}{
		{mustCall(t, quickBalance("--plan")...), []string{"verdict    can come out for every variant\n", "clearly the best, by its 2 games\n", "takes --games "}},
		{plan("--vary", "balance=single,pie"), []string{"verdict    none can come out", "missing: --tuned networks, trained further on balance=single, balance=pie\n",
			"points if all starts are alike, ±18.7 points if one start is clearly the best, by its 28 games", "pie against single: differences of |δ| to about ±20.0 points if one", "takes --games 10806: 43244 games in all\n"}},
		{plan("--vary", "balance=pie,single", "--tuned", "pie="+tuned), []string{"verdict    none can come out", "trained further on balance=single\n"}},
		{plan("--vary", "balance=single,pie", "--networks", tuned), []string{"never trained: " + hashed(t, tuned) + " on balance=single\n"}},
	} {
		for _, want := range c.want {
			if !strings.Contains(c.out, want) {
				t.Errorf("the plan does not say %q:\n%s", want, c.out)
			}
		}
	}
}

// A folder of the earlier design says what it was judged by and is left as it is.
func TestBalanceRefusesFoldersOfTheEarlierDesign(t *testing.T) {
	dir := t.TempDir()
	old, err := os.ReadFile("../study/balance/testdata/format1.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"asked.json": old, "balance.json": []byte("{}\n"), "report.txt": []byte("as it was\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, words := range [][]string{{"--out", dir}, {"--out", dir, "--plan"}} {
		mustFail(t, 1, quickBalance(words...), dir, "format 1, of an earlier design", "by its best play", "report.txt")
	}
	for name, want := range map[string]string{"asked.json": string(old), "balance.json": "{}\n", "report.txt": "as it was\n"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v: want it as it was", name, got, err)
		}
	}
}

func TestBalanceLeavesFoldersOfOthersAlone(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "letter.txt"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	mustFail(t, 1, quickBalance("--out", dir), "letter.txt", "want a new or empty folder")
}

func TestBalanceStopsAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errOut bytes.Buffer
	dir := filepath.Join(t.TempDir(), "stopped")
	err := execute(ctx, quickBalance("--out", dir), strings.NewReader(""), &out, &errOut)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want it to be interrupted; it said %s", err, out.String())
	}
}

func TestBalanceByNetworksThatAreChecked(t *testing.T) {
	dir := t.TempDir()
	tuned := filepath.Join(dir, "tuned.safetensors")
	clitest.WriteWeights(t, tuned, "konreh", 1, "standard,balance=double-pie")
	mustFail(t, 1, []string{"balance", "--networks", "konreh", "--tuned", "pie=" + tuned}, "--tuned balance=pie="+tuned, "not trained on standard,balance=pie")
	clitest.WriteWeights(t, tuned, "konreh", 1, "standard,balance=pie,max_turns=300")
	r := decode[balance.Result](t, mustCall(t, "balance", "--networks", "konreh", "--sims", "2,4", "--vary", "balance=single,pie", "--games", "2",
		"--temperatures", "1", "--tuned", "pie="+tuned, "--tuned-pairs", "2", "--max-turns", "40", "--json", "--out", filepath.Join(dir, "out")))
	main := r.Variants[1].Groups[1]
	if main.Label != "networks, sims=4" || main.Networks != 1 || main.Basis != "games" || len(r.Simulations) != 2 {
		t.Errorf("group %s of %d networks about %s, strengths %v", main.Label, main.Networks, main.Basis, r.Simulations)
	}
	if !strings.HasPrefix(r.Precision, "f32 on ") || !strings.Contains(r.Command, "--precision f32") {
		t.Errorf("precision %q, command %s", r.Precision, r.Command)
	}
	if len(r.Checks) != 1 || r.Checks[0].Variant != "balance=pie" || r.Checks[0].Match.Tally.Games() != 4 {
		t.Fatalf("checks %+v", r.Checks)
	}
	if v := r.Variants[1]; len(v.Starts) != 8 || v.Chosen == "" || v.Lines != 16 || len(v.Starts[0].Players) != 1 || r.Variants[0].Starts != nil {
		t.Errorf("starts %+v, chosen %q of %d lines", v.Starts, v.Chosen, v.Lines)
	}
	for _, c := range r.Comparisons {
		if !strings.Contains(c.Condition, "not shown") || c.Main && c.Verdict != balance.NoVerdict {
			t.Errorf("two pairs of games show the condition: %+v", c)
		}
	}
}
