package cli

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/report/ratings"
)

// TestTrainingLearnsTicTacToe runs the command of the README on the smallest
// game, a few generations of its two-minute configuration, and demands that the
// network stops losing to a player that knows everything.
func TestTrainingLearnsTicTacToe(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	var out, errOut bytes.Buffer
	err := execute(context.Background(), []string{
		"train", "--config", "../configs/tictactoe/quick.yaml", "--run", dir,
		"--set", "generations=4", "--set", "evaluation.opponents=[exact]", "--set", "evaluation.match.pairs=100",
	}, strings.NewReader(""), &out, &errOut)
	if err != nil {
		t.Fatalf("%v\n%s", err, errOut.String())
	}
	results, err := ratings.Read(builtinEnv().Families, dir)
	if err != nil {
		t.Fatal(err)
	}
	results = slices.DeleteFunc(results, func(m ratings.Match) bool { return !m.Final || m.Opponent == "" })
	if len(results) != 2 {
		t.Fatalf("%d matches at the end, want the trained and the untrained network against one opponent", len(results))
	}
	trained, untrained := results[0].Result, results[1].Result
	if trained.Losses > 0 {
		t.Errorf("the trained network lost %d of %d games against perfect play", trained.Losses, len(trained.Games))
	}
	if untrained.Losses < 20 {
		t.Errorf("the untrained network lost only %d of 200 games: the opponent proves nothing", untrained.Losses)
	}
	if !strings.Contains(out.String(), "untrained") {
		t.Errorf("the report does not show the untrained network:\n%s", out.String())
	}
}
