package run

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/train/calibration"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestCheckpointsAreCalibrated: every network that plays, of whatever kind of
// run, has a calibration of its own; weights in training that do not play have
// none.
func TestCheckpointsAreCalibrated(t *testing.T) {
	grown := tiny()
	grown.Growth = []plan.Growth{{Generation: 1, Channels: 16}, {Generation: 2, Blocks: 2, Passes: 1}}
	concurrent := tiny()
	concurrent.Mode = plan.ModeConcurrent
	for name, cfg := range map[string]plan.Config{"plain": tiny(), "averaged": averaged(), "grown": grown, "concurrent": concurrent} {
		t.Run(name, func(t *testing.T) {
			dir := wholeDir
			if name != "plain" {
				dir = newDir(t)
				mustWork(t, dir, cfg)
			}
			var before *model.Calibration
			for g := range 3 {
				w, card := mustLoad(t, rundir.WeightsPath(dir, g))
				k := card.Calibration
				if k == nil {
					t.Fatalf("generation %d has no calibration", g)
				}
				if reflect.DeepEqual(k, before) {
					t.Errorf("generation %d has the calibration of the network before", g)
				}
				if want := calibration.Positions; g > 0 && k.Positions != want {
					t.Errorf("generation %d was calibrated on %d positions, want %d", g, k.Positions, want)
				}
				if _, err := infer.New(w.Network(), w, infer.Options{MaxBatch: 1, Precision: precision.Int8, Calibration: k}); err != nil {
					t.Errorf("generation %d: %v", g, err)
				}
				before = k
			}
			if name == "averaged" {
				if _, card := mustLoad(t, filepath.Join(rundir.CheckpointDir(dir, 2), rundir.TrainingFile)); card.Calibration != nil {
					t.Error("the weights in training have the calibration of those that play")
				}
			}
		})
	}
}

// TestInt8Run plays in int8: other games than in float32, the same with any
// number of workers and again from the record, and with no calibration none.
func TestInt8Run(t *testing.T) {
	cfg := tiny()
	cfg.SelfPlay.Precision = "int8"
	if h := tiny(); cfg.Hash() == h.Hash() {
		t.Error("the precision is no part of the hash of the configuration")
	}
	whole, other := newDir(t), newDir(t)
	mustWork(t, whole, cfg)
	cfg.Workers = 3
	mustWork(t, other, cfg)
	compareWith(t, whole, other)
	mustEqualAgain(t, whole, cfg)
	if !playsOtherwise(t, whole, wholeDir, cfg.Game) {
		t.Error("all games are those of the run in float32, with all their values")
	}
	strip(t, rundir.WeightsPath(whole, 1))
	err := play.Reproduce(t.Context(), whole, cfg, games.All(), nil, []int64{20}, func(play.Reproduction) {})
	if !errors.Is(err, infer.ErrCalibration) || !strings.Contains(err.Error(), "ludozero calibrate") {
		t.Errorf("playing in int8 without a calibration: %v, want an error that says how to get it", err)
	}
	cfg.SelfPlay.Precision = "int4"
	if err := cfg.Validate(games.All()); err == nil || !strings.Contains(err.Error(), `self_play.precision: "int4": want one of f32, int8, bf16`) {
		t.Errorf("Validate = %v", err)
	}
}

// strip makes a weight file what a program without calibrations writes.
func strip(t testing.TB, path string) {
	t.Helper()
	w, card := mustLoad(t, path)
	card.Calibration = nil
	if err := model.Save(path, w, *card); err != nil {
		t.Fatal(err)
	}
}

// TestOldRunGoesOn: a run without calibrations goes on and gets them.
func TestOldRunGoesOn(t *testing.T) {
	dir := copyRun(t)
	forget(t, dir, 1)
	strip(t, rundir.WeightsPath(dir, 1))
	mustWork(t, dir, tiny())
	want, got := digest(t, wholeDir), digest(t, dir)
	for name := range want {
		if strings.HasPrefix(name, rundir.CheckpointsDir+"/000002/") && want[name] != got[name] {
			t.Errorf("%s differs from that of the run that had calibrations", name)
		}
	}
}

// TestForksKeepTheCalibration unless their network is another.
func TestForksKeepTheCalibration(t *testing.T) {
	_, source := mustLoad(t, rundir.WeightsPath(wholeDir, 2))
	for _, blocks := range []int{1, 2} {
		dir, cfg := filepath.Join(t.TempDir(), "fork"), tiny()
		cfg.Model.Blocks, cfg.Generations = blocks, 1
		err := Run(t.Context(), dir, cfg, Options{Games: games.All(), Resolved: []byte(resolved), Fork: &Fork{Dir: wholeDir, Generation: 2}})
		if err != nil {
			t.Fatal(err)
		}
		_, card := mustLoad(t, rundir.WeightsPath(dir, 0))
		if card.Calibration == nil || reflect.DeepEqual(card.Calibration, source.Calibration) != (blocks == 1) {
			t.Errorf("with %d blocks: calibration %+v, of the source %+v", blocks, card.Calibration, source.Calibration)
		}
	}
}

// TestForkOfACalibratedSource: a source that was calibrated since is still the
// one that the fork began with; one with other weights is not.
func TestForkOfACalibratedSource(t *testing.T) {
	source, dir, cfg := copyRun(t), filepath.Join(t.TempDir(), "fork"), tiny()
	path := rundir.WeightsPath(source, 2)
	strip(t, path)
	cfg.Generations = 1
	fork := func() error {
		return Run(t.Context(), dir, cfg, Options{Games: games.All(), Resolved: []byte(resolved), Fork: &Fork{Dir: source, Generation: 2}})
	}
	if err := fork(); err != nil {
		t.Fatal(err)
	}
	if _, err := calibration.Calibrate(t.Context(), games.All(), path, filepath.Join(source, rundir.ShardsDir), false); err != nil {
		t.Fatal(err)
	}
	if err := fork(); err != nil {
		t.Errorf("after its source was calibrated: %v", err)
	}
	w, card := mustLoad(t, path)
	w.Tensor("value.wdl.bias")[0]++
	if err := model.Save(path, w, *card); err != nil {
		t.Fatal(err)
	}
	if err := fork(); err == nil || !strings.Contains(err.Error(), "is not the one it began with") {
		t.Errorf("after its source got other weights: %v", err)
	}
}

// TestCalibrate adds a calibration to a file of an earlier program, the same each
// time, and finds int8 near float32 on positions of the run.
func TestCalibrate(t *testing.T) {
	dir := copyRun(t)
	path, shards := rundir.WeightsPath(dir, 2), filepath.Join(dir, rundir.ShardsDir)
	before, had := mustLoad(t, path)
	kept, err := calibration.Calibrate(t.Context(), games.All(), path, shards, false)
	if err != nil || kept.Fresh || !reflect.DeepEqual(&kept.Calibration, had.Calibration) {
		t.Errorf("of a calibrated network: %+v, %v, want what it has", kept, err)
	}
	strip(t, path)
	var files [2]string
	for i := range files {
		c, err := calibration.Calibrate(t.Context(), games.All(), path, shards, i == 1)
		if err != nil || !c.Fresh {
			t.Fatalf("Calibrate = %+v, %v", c, err)
		}
		// The policy of so young a network is nearly even, so that first moves
		// differ where there is nothing to choose.
		if a := c.Agreement; a.Positions != 2048 || a.ValueError == 0 || a.ValueError > 0.002 || a.LargestValueError > 0.01 || a.Divergence > 1e-5 || a.SameFirst < 0.7 {
			t.Errorf("int8 agrees with float32: %+v", a)
		}
		w, card := mustLoad(t, path)
		if !w.Equal(before) || card.Step != had.Step || card.Calibration == nil {
			t.Errorf("the file has changed beyond its calibration: card %+v", card)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[i] = string(b)
	}
	if files[0] != files[1] {
		t.Error("the same shards give another calibration")
	}
	if _, err := calibration.Calibrate(t.Context(), games.All(), path, t.TempDir(), true); err == nil || !strings.Contains(err.Error(), "no games up to generation 2") {
		t.Errorf("without shards: %v", err)
	}
	if _, err := calibration.Calibrate(cancelAtCall(3), games.All(), path, shards, true); err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("interrupted: %v", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != files[1] {
		t.Errorf("a refusal changed the file, %v", err)
	}
}
