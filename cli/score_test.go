package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/score"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/study/yardstick"
	"github.com/ludozero/ludozero/train/rundir"
)

func TestScore(t *testing.T) {
	dir := t.TempDir()
	to := rundir.CheckpointDir(dir, 0)
	if err := os.MkdirAll(to, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(weightFile(t, "connect4"), filepath.Join(to, rundir.WeightsFile)); err != nil {
		t.Fatal(err)
	}
	args := []string{"score", "random", "mcts:sims=8", "net:" + dir + ",sims=1", "--seed", "3"}
	table := decode[yardstick.Table](t, mustCall(t, append(args, "--json", "--workers", "1")...))
	if table.Game != "connect4" || table.Seed != 3 || table.Positions < 2000 || len(table.Scores) != 3 {
		t.Fatalf("score --json: %+v", table)
	}
	for i, s := range table.Scores {
		if s.All.Positions != table.Positions || s.All.Value < 0.3 || s.All.Value > 0.9 {
			t.Errorf("%s: %+v", s.Player, s.All)
		}
		if i == 1 && s.All.Low <= table.Scores[0].All.High {
			t.Errorf("rollouts, %+v, are no better than random, %+v", s.All, table.Scores[0].All)
		}
	}
	// The number of workers changes no result, and the text says the same.
	out := mustCall(t, append(args, "--workers", "3")...)
	var b strings.Builder
	if err := table.WriteText(&b); err != nil || b.String() != out {
		t.Errorf("score prints\n%s%v, want\n%s", out, err, b.String())
	}
}

// TestScoreOfRaces: the engine sees more of a race the deeper it looks.
func TestScoreOfRaces(t *testing.T) {
	table := decode[yardstick.Table](t, mustCall(t, "score", "--game", "konreh", "random", "alphabeta:depth=1", "alphabeta:depth=3", "--json"))
	if table.Game != "konreh" || table.Rules != "standard" || table.Positions < 300 || len(table.Scores) != 3 {
		t.Fatalf("score --json: %+v", table)
	}
	for i, s := range table.Scores {
		if len(s.Kinds) != 3 || len(s.Stages) != 5 || i > 0 && s.All.Low <= table.Scores[i-1].All.High {
			t.Errorf("%s: %+v", s.Player, s)
		}
	}
}

// TestScoreOfTheFreshSet: connect4 has one, konreh none, and a misspelt set is refused.
func TestScoreOfTheFreshSet(t *testing.T) {
	usual := decode[yardstick.Table](t, mustCall(t, "score", "random", "--json"))
	fresh := decode[yardstick.Table](t, mustCall(t, "score", "random", "--set", "fresh", "--json"))
	if fresh.Set == usual.Set || fresh.Positions != usual.Positions || fresh.Game != "connect4" {
		t.Errorf("score --set fresh: %+v", fresh)
	}
	mustFail(t, 2, []string{"score", "random", "--set", "fresh", "--game", "konreh"}, "--set fresh: there is no second set for konreh: want connect4")
	mustFail(t, 2, []string{"score", "random", "--set", "new"}, "--set new: want usual or fresh")
}

// TestScoreOfARun adds the players that a run is compared with.
func TestScoreOfARun(t *testing.T) {
	want := []string{"random", "net:" + rundir.CheckpointDir("r", 0) + ",sims=64", "mcts:sims=64", "mcts:sims=1000", "net:r,sims=1", "net:r,sims=64"}
	if got := score.UsualPlayers("r"); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("players of a run: %q, want %q", got, want)
	}
	mustFail(t, 1, []string{"score", "--run", filepath.Join(t.TempDir(), "none")}, "none")
}

// TestScoreOverCoreHours: the networks of a run from the first that has learned to
// the newest, with what they took.
func TestScoreOverCoreHours(t *testing.T) {
	root := t.TempDir()
	dir, second := filepath.Join(root, "first"), filepath.Join(root, "second")
	mustCall(t, "train", "--config", "../configs/connect4/tiny.yaml", "--run", dir, "--no-rating", "--set", "generations=5", "--set", "games_per_generation=8")
	score := func(dir, points string, more ...string) (yardstick.Table, string) {
		t.Helper()
		out, errOut, err := call(t, "", append([]string{"score", "--run", dir, "--points", points, "--sims", "1"}, more...)...)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(more, "--json") {
			return yardstick.Table{}, out
		}
		return decode[yardstick.Table](t, out), errOut
	}
	generations := func(table *yardstick.Table) (list []int) {
		for i, s := range table.Scores {
			n := s.Network
			list = append(list, n.Generation)
			if want := hashedPlayer("net:" + rundir.CheckpointDir(dir, n.Generation) + ",sims=1"); s.Player != want {
				t.Errorf("generation %d is %s, want %s", n.Generation, s.Player, want)
			}
			if i > 0 && !(*n.CoreSeconds > *table.Scores[i-1].Network.CoreSeconds) {
				t.Errorf("generation %d took %g core-seconds, the one before %g", n.Generation, *n.CoreSeconds, *table.Scores[i-1].Network.CoreSeconds)
			}
		}
		return list
	}
	table, note := score(dir, "3", "--json")
	if got := generations(&table); len(got) != 3 || got[0] != 1 || got[2] != 5 || strings.Contains(note, "points") {
		t.Errorf("generations %v, note %q, want 1 to 5", got, note)
	}
	alone := decode[yardstick.Table](t, mustCall(t, "score", table.Scores[2].Player, "--json"))
	if alone.Scores[0].Network != nil || alone.Scores[0].All != table.Scores[2].All {
		t.Errorf("alone the last network has %+v, among the points %+v", alone.Scores[0], table.Scores[2])
	}
	_, text := score(dir, "3")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) != 8 || !strings.HasSuffix(lines[1], "; networks of "+dir+" with sims=1.") || !strings.HasPrefix(strings.Join(strings.Fields(lines[3]), ""), "|core-hours|generation|all|won|drawn|8-11|") {
		t.Errorf("score --points prints\n%s", text)
	}
	for i, line := range lines[5:] {
		n := table.Scores[i].Network
		cells := strings.Split(line, "|")
		if strings.Count(line, "|") != strings.Count(lines[3], "|") || strings.Count(lines[4], "|") != strings.Count(lines[3], "|") ||
			strings.TrimSpace(cells[1]) != model.CoreHours(*n.CoreSeconds) || strings.TrimSpace(cells[2]) != strconv.Itoa(n.Generation) {
			t.Errorf("line %q, want %+v", line, n)
		}
	}

	// A fork begins with a network that has learned, and goes on counting.
	mustCall(t, "train", "--from", dir, "--run", second, "--no-rating", "--set", "generations=1", "--set", "retention.checkpoints=1")
	fork, _ := score(second, "9", "--json")
	if len(fork.Scores) != 2 || fork.Scores[0].Network.Generation != 0 || *fork.Scores[0].Network.OwnCoreSeconds != 0 ||
		*fork.Scores[0].Network.CoreSeconds < *table.Scores[2].Network.CoreSeconds || !(*fork.Scores[1].Network.CoreSeconds > *fork.Scores[0].Network.CoreSeconds) ||
		fork.Scores[0].All != table.Scores[2].All {
		t.Errorf("a fork has %+v and %+v", fork.Scores[0].Network, fork.Scores[1].Network)
	}

	// What retention has left is taken.
	for _, g := range []int{1, 3, 4} {
		if err := os.RemoveAll(rundir.CheckpointDir(dir, g)); err != nil {
			t.Fatal(err)
		}
	}
	table, note = score(dir, "3", "--json")
	if got, want := generations(&table), []int{2, 5}; !slices.Equal(got, want) || !strings.Contains(note, dir+" has 2 of its 5 networks, retention has dropped the others: 2 points") {
		t.Errorf("generations %v, note %q, want %v", got, note, want)
	}

	// Earlier programs did not count core time.
	path := filepath.Join(rundir.CheckpointDir(dir, 5), "state.json")
	writeFile(t, path, regexp.MustCompile(`(?m)^\s*"core_ns": \d+,\n`).ReplaceAllString(string(mustRead(t, path)), ""))
	table, _ = score(dir, "3", "--json")
	if n := table.Scores[1].Network; n.CoreSeconds != nil || n.OwnCoreSeconds != nil || !(n.LearnedSeconds > 0) {
		t.Errorf("core time that nobody counted is %+v", n)
	}
	if _, text := score(dir, "3"); !strings.Contains(text, "learning time stands in their place") || !strings.Contains(text, "| learned | generation |") {
		t.Errorf("score --points of an old run prints\n%s", text)
	}
	for _, g := range []int{2, 5} {
		if err := os.RemoveAll(rundir.CheckpointDir(dir, g)); err != nil {
			t.Fatal(err)
		}
	}
	mustFail(t, 1, []string{"score", "--run", dir, "--points", "3"}, dir, "no network of it has learned anything yet")
}

func TestScoreSaysWhatIsWrong(t *testing.T) {
	mustFail(t, 2, []string{"score"}, "no players")
	mustFail(t, 2, []string{"score", "--points", "3"}, "--points: want a run with --run")
	mustFail(t, 2, []string{"score", "--points", "0", "--run", "r"}, "--points 0: want 1 or more")
	mustFail(t, 2, []string{"score", "--points", "3", "--run", "r", "--sims", "0"}, "--sims 0: want 1 or more")
	mustFail(t, 2, []string{"score", "--points", "3", "--run", "r", "random"}, "no other players, such as random")
	mustFail(t, 2, []string{"score", "--points", "3", "--run", t.TempDir()}, "it is no run")
	mustFail(t, 2, []string{"score", "--run", "r", "--sims", "8"}, "--sims: it is for the networks of --points")
	mustFail(t, 2, []string{"score", "random", "--workers", "-1"}, "--workers -1")
	mustFail(t, 2, []string{"score", "random", "--game", "tictactoe"}, "tictactoe: want connect4 or konreh")
	mustFail(t, 2, []string{"score", "random", "--game", "konreh", "--rules", "letter"}, "--rules letter: the positions of konreh are of rules standard")
	mustFail(t, 2, []string{"score", "random", "nonsense"}, `no kind "nonsense"`)
}
