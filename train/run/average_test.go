package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// averaged is tiny with averaged weights.
func averaged() plan.Config {
	c := tiny()
	c.Train.AverageDecay, c.Train.AverageBatches = 0.9, 3
	return c
}

func mustLoad(t testing.TB, path string) (*model.Weights, *model.Card) {
	t.Helper()
	w, card, err := model.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return w, card
}

// TestAveragedRunGoesOnToTheByte stops at every step and every batch of
// statistics, and tries other numbers of workers.
func TestAveragedRunGoesOnToTheByte(t *testing.T) {
	whole := newDir(t)
	mustWork(t, whole, averaged())

	dir := newDir(t)
	stops := 0
	for n := 1; ; n++ {
		if n > 200 {
			t.Fatal("the run does not end")
		}
		cfg := averaged()
		cfg.Workers = 1 + 2*(n%2) // 3 and 1
		err := work(cancelAtCall(n), dir, cfg)
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("Run = %v, want %v", err, context.Canceled)
		}
		stops++
	}
	if stops < 16 {
		t.Errorf("only %d stops", stops)
	}
	compareWith(t, whole, dir)

	dir = newDir(t)
	cfg := averaged()
	cfg.Workers = 3
	mustWork(t, dir, cfg)
	compareWith(t, whole, dir)
}

// TestAverageIsWhatPlays: the first training equals that in a run without averages,
// since its games are; the network written for play is another one.
func TestAverageIsWhatPlays(t *testing.T) {
	dir := newDir(t)
	cfg := averaged()
	mustWork(t, dir, cfg)
	for g := range 3 {
		plays, card := mustLoad(t, rundir.WeightsPath(dir, g))
		training, beside := mustLoad(t, filepath.Join(rundir.CheckpointDir(dir, g), rundir.TrainingFile))
		if card.Step != beside.Step || card.Generation != beside.Generation || card.Samples != beside.Samples {
			t.Errorf("generation %d: cards %+v and %+v", g, card, beside)
		}
		if same := plays.Equal(training); same != (g == 0) {
			t.Errorf("generation %d: weights for play and in training are the same: %t", g, same)
		}
		if without, _ := mustLoad(t, rundir.WeightsPath(wholeDir, g)); g < 2 && !training.Equal(without) {
			t.Errorf("generation %d: weights in training differ from those of a run without averages", g)
		}
		if s, err := rundir.ReadState(dir, g); err != nil || !s.Averaged {
			t.Errorf("ReadState(%d) = %+v, %v, want it averaged", g, s, err)
		}
	}
	// A process that takes up generation 1 plays with the average.
	r, err := openRun(dir, cfg, Options{Games: games.All(), Resolved: []byte(resolved)})
	if err != nil {
		t.Fatal(err)
	}
	defer r.trainer.Close()
	defer r.events.Close()
	if plays, _ := mustLoad(t, rundir.WeightsPath(dir, 2)); !r.plays.Equal(plays) {
		t.Error("the network that plays is not that of weights.safetensors")
	}
}

func TestAverageRefusals(t *testing.T) {
	whole := newDir(t)
	mustWork(t, whole, averaged())
	off := func(_ *testing.T, _ string, cfg *plan.Config) { cfg.Train.AverageDecay = 0 }
	for _, d := range []damage{
		{"averages switched off", off, []string{"checkpoint 2", "averaged weights: true", "average_decay: 0"}},
		{"state without averages", inState("averaged", nil), []string{"checkpoint 2", "averaged weights: false", "average_decay: 0.9"}},
		{"averages neither wanted nor told of, but there", func(t *testing.T, dir string, cfg *plan.Config) {
			inState("averaged", nil)(t, dir, cfg)
			off(t, dir, cfg)
		}, []string{"checkpoint 2", rundir.TrainingFile, "no such file"}},
		{"missing", func(t *testing.T, dir string, _ *plan.Config) {
			remove(t, filepath.Join(rundir.CheckpointDir(dir, 2), rundir.TrainingFile))
		}, []string{"checkpoint 2", rundir.TrainingFile}},
		{"truncated", inCheckpoint(rundir.TrainingFile, truncate), []string{"checkpoint 2", rundir.TrainingFile}},
		{"flipped", inCheckpoint(rundir.TrainingFile, flip), []string{"checkpoint 2", rundir.TrainingFile}},
		{"of another step", fromGeneration1(rundir.TrainingFile), []string{"checkpoint 2", rundir.TrainingFile, "generation 1", "belong"}},
	} {
		t.Run(d.name, func(t *testing.T) {
			dir := newDir(t)
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			cfg := averaged()
			cfg.Generations = 3
			d.do(t, dir, &cfg)
			checkRefused(t, dir, cfg, d.want)
		})
	}
}
