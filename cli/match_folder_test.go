package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/cli/clitest"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
)

// TestMatchLeavesTheWorkingDirectoryAlone: a match that keeps nothing is not of the folder
// that it is run in, whose players may be named otherwise.
func TestMatchLeavesTheWorkingDirectoryAlone(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "kept")
	args := []string{"match", "--game", "connect4", "net:connect4,sims=1,temperature=1", "random", "--pairs", "4", "--workers", "1", "--json"}
	mustCall(t, "match", "--game", "connect4", "mcts:sims=5", "random", "--pairs", "1", "--workers", "1", "--out", kept)
	t.Chdir(t.TempDir())
	want := decode[match.Result](t, mustCall(t, args...))
	t.Chdir(kept)
	if got := decode[match.Result](t, mustCall(t, args...)); got.A != want.A || got.Tally != want.Tally || !strings.Contains(got.A, "connect4@") {
		t.Errorf("in the folder of another match %s has %+v, elsewhere %s has %+v", got.A, got.Tally, want.A, want.Tally)
	}
}

func keptMatch(dir string, more ...string) []string {
	return append([]string{"match", "--game", "connect4", "mcts:sims=40", "minimax:depth=2", "--pairs", "12", "--workers", "2", "--out", dir}, more...)
}

// matchFiles are the files of a folder but for the lock; the lines of the journal
// are sorted, since games end in any order.
func matchFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, name := range []string{archive.AskedFile, archive.JournalFile, archive.GamesFile, archive.TextFile, archive.ResultFile} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(string(b), "\n")
		if name == archive.JournalFile {
			slices.Sort(lines)
		}
		files[name] = strings.Join(lines, "")
	}
	return files
}

func compareMatches(t *testing.T, whole, torn string) {
	t.Helper()
	want, got := matchFiles(t, whole), matchFiles(t, torn)
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s of the killed match differs from that of the whole one", name)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(torn, "*.tmp-*")); len(left) > 0 {
		t.Errorf("the finished match has left %v", left)
	}
}

// TestKilledMatchGoesOn kills matches in the middle of each of their files and
// whenever it happens, and demands the files of a match that nobody touched.
func TestKilledMatchGoesOn(t *testing.T) {
	root := t.TempDir()
	whole := filepath.Join(root, "whole")
	began := time.Now()
	if out, err := command(nil, keptMatch(whole)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	length := time.Since(began)

	rng := rand.New(rand.NewPCG(3, 4))
	attempts := [][]string{
		{"mid-write@series.json", "mid-write@games.jsonl", "mid-write@games.jsonl:5", "after-rename@games.txt"},
		{"before-rename@series.json", "after-rename@games.jsonl", "mid-write@games.jsonl:20", "before-rename@games.parquet"},
		{"after-rename@series.json", "mid-write@games.jsonl:23", "mid-write@games.parquet", "mid-write@result.json"},
		{"", "", "", ""},
	}
	for _, points := range attempts {
		torn := filepath.Join(root, fmt.Sprintf("torn-%s", points[0]))
		for i, point := range points {
			var env []string
			if point != "" {
				env = append(env, "LUDOZERO_FAULT="+point)
			}
			c := command(env, keptMatch(torn)...)
			var output bytes.Buffer
			c.Stdout, c.Stderr = &output, &output
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			if point == "" {
				timer := time.AfterFunc(time.Duration(rng.Int64N(int64(length)/2)), func() { _ = c.Process.Kill() })
				defer timer.Stop()
			}
			if !killed(t, c, c.Wait(), &output) && point != "" {
				t.Errorf("%s did not meet attempt %d:\n%s", point, i+1, &output)
			}
		}
		if out, err := command(nil, keptMatch(torn)...).CombinedOutput(); err != nil {
			t.Fatalf("after %v: %v\n%s", points, err, out)
		}
		compareMatches(t, whole, torn)
	}
}

func TestMatchFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	without := decode[match.Result](t, mustCall(t, keptMatch("", "--json")...))
	first := mustCall(t, keptMatch(dir, "--json")...)
	if again := mustCall(t, keptMatch(dir, "--json", "--workers", "1")...); again != first {
		t.Errorf("the finished match prints\n%s, at first\n%s", again, first)
	}
	if kept := decode[match.Result](t, first); kept.Tally != without.Tally || kept.Score != without.Score {
		t.Errorf("a match that is kept ends %v, without --out %v", kept.Tally, without.Tally)
	}
	b, err := os.ReadFile(filepath.Join(dir, archive.ResultFile))
	if err != nil {
		t.Fatal(err)
	}
	var inFile match.Result
	if err := json.Unmarshal(b, &inFile); err != nil || inFile.Tally != without.Tally {
		t.Errorf("%s says %v, %v, want %v", archive.ResultFile, inFile.Tally, err, without.Tally)
	}
	if text := mustCall(t, keptMatch(dir)...); !strings.Contains(text, "kept in    "+filepath.Join(dir, archive.GamesFile)) {
		t.Errorf("the text does not say where the games are:\n%s", text)
	}
	mustFail(t, 1, keptMatch(dir, "--seed", "9"), "folder "+dir, "begun with other settings", "seed: 1 there, 9 now")
}

// TestMatchFolderKnowsItsNetworks exchanges the weights behind a description.
func TestMatchFolderKnowsItsNetworks(t *testing.T) {
	net, dir := weightFile(t, "tictactoe"), filepath.Join(t.TempDir(), "m")
	args := []string{"match", "--game", "tictactoe", "net:" + net + ",sims=4", "random", "--pairs", "3", "--out", dir}
	mustCall(t, args...)
	asked, err := archive.ReadAsked(dir)
	if err != nil || !strings.HasPrefix(asked.Players[0].Identity, "weights ") || asked.Players[1].Identity != "" || asked.Kernel == "" {
		t.Errorf("asked %+v, %v, want the first player's weights and the kernel", asked, err)
	}
	mustCall(t, args...)
	clitest.WriteWeights(t, net, "tictactoe", 9)
	mustFail(t, 1, args, "player 1 depends on: "+asked.Players[0].Identity+" there, weights ")
}
