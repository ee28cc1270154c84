package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/clitest"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/calibration"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestCalibrate lets a network without calibration play in eight bits: first it
// is refused, then it is calibrated on games that are there.
func TestCalibrate(t *testing.T) {
	net := weightFile(t, "konreh")
	games := []string{"match", "net:" + net + ",sims=4,precision=int8", "random", "--pairs", "1", "--max-turns", "40", "--json"}
	mustFail(t, 1, games, "precision int8", "no calibration", "ludozero calibrate")
	mustFail(t, 2, []string{"calibrate", net}, "--shards")
	mustFail(t, 1, []string{"calibrate", net + ".no"}, net+".no", "no such file")
	mustFail(t, 2, []string{"calibrate"}, "arg")
	mustFail(t, 1, []string{"calibrate", net, "--shards", t.TempDir()}, net, "no games")

	shards := filepath.Join(recordedRun(t, 1), "shards")
	done := decode[calibration.Calibrated](t, mustCall(t, "calibrate", net, "--shards", shards, "--json"))
	_, card, err := model.Load(net)
	if err != nil || card.Calibration == nil || !done.Fresh || done.Path != net || done.Positions != card.Calibration.Positions || done.Agreement.Positions == 0 {
		t.Fatalf("calibrate --json: %+v, card %+v, %v", done, card, err)
	}
	if out := mustCall(t, "calibrate", net, "--shards", shards); !strings.Contains(out, "is calibrated on") || !strings.Contains(out, "the same first move in") {
		t.Errorf("calibrate of a calibrated network says %q", out)
	}
	result := decode[match.Result](t, mustCall(t, games...))
	if result.A != hashedPlayer(games[1]) || result.Games != nil || result.Wins+result.Draws+result.Losses != 2 {
		t.Errorf("match in eight bits: %+v", result)
	}
	if out := mustCall(t, "analyze", "--player", games[1]); !strings.Contains(out, "precision=int8") {
		t.Errorf("analyze in eight bits says %q", out)
	}
}

// TestCalibrateAgain: the games of a run in int8 depend on the calibrations that
// its networks have.
func TestCalibrateAgain(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "config.yaml")
	net := filepath.Join(dir, "checkpoints", "000000", rundir.WeightsFile)
	for _, d := range []string{filepath.Dir(net), filepath.Join(dir, "shards")} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	clitest.WriteWeights(t, net, "konreh", 1)
	for text, want := range map[string]string{"int8": "self_play.precision: int8", "f32": "no games"} {
		if err := os.WriteFile(config, []byte("generations: 1\nself_play: {precision: "+text+"}\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		mustFail(t, 1, []string{"calibrate", net, "--again"}, net, want)
	}
}
