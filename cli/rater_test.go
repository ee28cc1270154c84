package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestUnreadableRatingIsSaidFirst: nothing is played that could not be put beside
// the matches of a later program.
func TestUnreadableRatingIsSaidFirst(t *testing.T) {
	dir := tinyRun(t, filepath.Join(t.TempDir(), "run"))
	for _, name := range []string{ratings.File, ratings.OldFile} {
		path := filepath.Join(dir, name)
		const later = `{"version":2,"matches":{}}` + "\n"
		writeFile(t, path, later)
		mustFail(t, 1, []string{"train", "--run", dir, "--set", "generations=2"}, path+": ", "version 2: this program reads version 1", "--no-rating")
		if b, err := os.ReadFile(path); err != nil || string(b) != later {
			t.Errorf("%s is %q (%v), want %q", path, b, err, later)
		}
		if _, _, err := call(t, "", tiny(path)...); err == nil || strings.Contains(err.Error(), name+"/") {
			t.Errorf("train in a file = %v, want nothing of matches", err)
		}
		if out := mustCall(t, "train", "--run", dir, "--set", "generations=2", "--no-rating"); !strings.Contains(out, "goes on at generation") {
			t.Errorf("train --no-rating says\n%s", out)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// rated is a tiny run that is measured after each generation but the last.
func rated(dir string, more ...string) []string {
	return append([]string{"train", "--config", "../configs/tictactoe/tiny.yaml", "--run", dir,
		"--set", "evaluation.match.pairs=2", "--set", "generations=4",
		"--set", "evaluation.during.ratings=0", "--set", "evaluation.during.pairs=1",
	}, more...)
}

// TestNetworksAreMeasuredOnTheWay: each is measured against the fixed opponent and
// the one before it, what is learned stays the same, and the next process finds
// every match.
func TestNetworksAreMeasuredOnTheWay(t *testing.T) {
	root := t.TempDir()
	with, without := filepath.Join(root, "a", "run"), filepath.Join(root, "b", "run")
	out := mustCall(t, rated(with, "--set", "evaluation.during.share=1")...)
	mustCall(t, rated(without, "--set", "evaluation.during.share=0")...)
	matches, err := ratings.Read(builtinEnv().Families, with)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	onTheWay := 0
	for _, m := range matches {
		got = append(got, fmt.Sprintf("%d %s %v %d", m.Generation, m.OpponentName(), m.Final, len(m.Result.Games)))
		if !m.Final {
			onTheWay++
		}
		if m.Learned <= 0 && m.Generation > 0 || m.Took <= 0 || strings.Contains(m.Result.A+m.Result.B, root) {
			t.Errorf("match %s: learned for %v, took %v, %s and %s", got[len(got)-1], m.Learned, m.Took, m.Result.A, m.Result.B)
		}
	}
	want := []string{"1 random false 2", "1 generation 0 false 2"}
	if len(got) < 5 || !slices.Equal(got[:2], want) || !slices.Contains(got, "4 random true 4") || !slices.Contains(got, "0 random true 2") || onTheWay < 3 {
		t.Errorf("matches %q, want first %q and of the last network those at the end", got, want)
	}
	if !strings.Contains(out, "generation 1 is rated: random ") || !strings.Contains(out, "Elo ") {
		t.Errorf("train says\n%s", out)
	}
	for g := range 5 {
		a, err := os.ReadFile(rundir.WeightsPath(with, g))
		b, lost := os.ReadFile(rundir.WeightsPath(without, g))
		if err != nil || lost != nil || !bytes.Equal(a, b) {
			t.Errorf("generation %d: %v, %v, or other weights than without ratings", g, err, lost)
		}
	}
	events, err := rundir.ReadEvents(with)
	if err != nil {
		t.Fatal(err)
	}
	rated := 0
	for _, e := range events {
		if r := e.Rating; r != nil {
			rated++
			if !r.Done || r.Games != 4 || r.GamesWant != 4 || len(r.Matches) != 2 || r.Matches[0].Opponent != "random" || r.Matches[0].Network || !r.Matches[1].Network || r.Took <= 0 || r.Elo == nil {
				t.Errorf("rating %+v, want two matches of a pair that are done", r)
			}
		}
	}
	if rated != (onTheWay+1)/2 {
		t.Errorf("%d events of ratings, %d matches on the way", rated, onTheWay)
	}
	if list, err := ratings.Read(builtinEnv().Families, without); err != nil || len(list) != 2 {
		t.Errorf("without ratings there are %d matches, %v, want those of the end", len(list), err)
	}
	if out := mustCall(t, "train", "--run", with); !strings.Contains(out, "untrained       against random") {
		t.Errorf("the same command says\n%s", out)
	}
	if again, err := ratings.Read(builtinEnv().Families, with); err != nil || len(again) != len(matches) {
		t.Errorf("the same command left %d matches, %v, want %d", len(again), err, len(matches))
	}
}

// TestMatchesDoNotDependOnThePlace: a run that is moved or copied plays the same.
func TestMatchesDoNotDependOnThePlace(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "run")
	mustCall(t, tiny(dir, "--set", "generations=1", "--no-rating")...)
	// A comma would end the path in a description of a player.
	other := copyOf(t, dir, filepath.Join(root, "else,sims=7", "run"))
	games := func(dir string) (list [][]match.Game) {
		mustCall(t, "train", "--run", dir, "--set", `evaluation.opponents=["mcts:sims=5"]`)
		matches, err := ratings.Read(builtinEnv().Families, dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range matches {
			list = append(list, m.Result.Games)
		}
		return list
	}
	if a, b := games(dir), games(other); len(a) != 2 || !reflect.DeepEqual(a, b) {
		t.Errorf("games\n%v\nand elsewhere\n%v", a, b)
	}
}

// TestRatingByTheClockSaysSo: such matches cannot be repeated.
func TestRatingByTheClockSaysSo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	out := mustCall(t, tiny(dir, "--set", "generations=1", "--set", `evaluation.opponents=["mcts:time=1ms", random]`)...)
	if strings.Count(out, "limited by time") != 2 || !strings.Contains(out, "searches of 1ms") || !strings.Contains(out, "2 pairs of games, openings of 0 random turns") {
		t.Errorf("the rating says\n%s\nwant what the searches of mcts took, twice", out)
	}
	contains(t, out, "  measuring comes on top: at the end 12 games or more, about 5 % of the learning time on the way\n",
		"\n12 games to play; the untrained network plays a quarter of the pairs\n", " learned, 0:00:00 measured on the way, ")
	// A budget that ends within a generation is later than the last checkpoint.
	events, err := os.OpenFile(filepath.Join(dir, rundir.EventsFile), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = events.WriteString(`{"time":"2026-11-29T12:00:00Z","elapsed_ns":3600000000000,"core_ns":1,"stop":{"reason":"budget"}}` + "\n")
		err = errors.Join(err, events.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	if again := mustCall(t, "train", "--run", dir); strings.Contains(again, "games to play") || !strings.Contains(again, "\ntime: 1:00:00 learned") {
		t.Errorf("again\n%s\nwant nothing to play, and an hour learned", again)
	}
}

// TestRatingWithClocksSaysSo wherever it says the other conditions.
func TestRatingWithClocksSaysSo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	out := mustCall(t, tiny(dir, "--set", "generations=1", "--set", "evaluation.match.clock=1+0")...)
	contains(t, out, ", clock 1+0, seed 1\n")
	contains(t, mustCall(t, "runs", "compare", dir, dir), ", clock 1+0, seed 1\n")
	contains(t, mustCall(t, "runs", dir, "--json"), `"clock": "1+0"`)
}

// TestRunInAnyFolderIsMeasured on the way and at its end.
func TestRunInAnyFolderIsMeasured(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "first, of two = 2")
	out := mustCall(t, rated(dir, "--set", "evaluation.during.share=1")...)
	contains(t, out, "generation 1 is rated: random ", "generation 4    against random", "the report is ")
	contains(t, mustCall(t, "runs", "compare", dir, dir, "--match", "1"), "2 in 1 pair with")
}

// TestWhatCannotBeMeasuredIsSaidFirst, before hours of learning.
func TestWhatCannotBeMeasuredIsSaidFirst(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	wrong := []string{"--set", "evaluation.simulations=100000000", "--set", "evaluation.match.opening_turns=50"}
	mustFail(t, 2, tiny(dir, wrong...), "evaluation.simulations: ", "want 1 to 1000000", "evaluation.match.opening_turns: ", "none leaves a game to play")
	if _, err := os.Stat(dir); err == nil {
		t.Error("the run was begun")
	}
	mustCall(t, tiny(dir, append(wrong, "--set", "evaluation.opponents=[]")...)...) // there are no matches
}
