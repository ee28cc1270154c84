package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTeacher: players that cannot teach are refused by the key, before there is a run;
// with one that can, a run says what share it plays, resumes with the same words and is
// played again bit for bit.
func TestTeacher(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	const key = "self_play.teacher.player"
	train := func(player, share, generations string) []string {
		return tiny(dir, "--no-rating", "--set", key+"="+player, "--set", "self_play.teacher.share="+share,
			"--set", "self_play.teacher.generations=2", "--set", "generations="+generations)
	}
	for player, want := range map[string]string{
		"mcts:time=1s":     "limited by time",
		"mcts:time=clock":  "limited by time",
		"ugi:sh,nodes=1":   "another program",
		"alphabeta:deep=2": "option",
		"nobody":           "nobody",
		"net:nowhere.st":   "nowhere.st",
	} {
		mustFail(t, 2, train(player, "1", "2"), key, want)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a refused teacher leaves a folder")
	}
	mustFail(t, 2, train("exact", "1.5", "2"), "self_play.teacher.share: 1.5", "want above 0, at most 1")

	out := mustCall(t, train("exact", "1", "2")...)
	if !strings.Contains(out, "generation 0 plays: 8 games") || !strings.Contains(out, ", teacher's 8 games ") {
		t.Errorf("train does not say what the teacher plays:\n%s", out)
	}
	mustCall(t, train("exact", "1", "3")...)
	mustFail(t, 2, train("random", "1", "3"), key, "a run cannot change it")
	if out := mustCall(t, "data", "reproduce", dir, "--all"); !strings.Contains(out, "24 games") || !strings.HasSuffix(out, "the same when played again\n") {
		t.Errorf("data reproduce says %s", out)
	}
	if out := mustCall(t, "data", "stat", dir); !strings.Contains(out, "teacher ") {
		t.Errorf("data stat does not tell the teacher's decisions:\n%s", out)
	}
	mustCall(t, "data", "check", dir)
	mustCall(t, "data", "show", dir, "--game", "0")
	mustCall(t, "report", dir)
}
