package run

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/train/rundir"
)

func TestFlippedValues(t *testing.T) {
	wdl := []float32{1, 0, 0, 0, 1, 0, 0.25, 0.5, 0.25, 0.5, 0.375, 0.125}
	flipValues(wdl)
	if want := []float32{0, 0, 1, 0, 1, 0, 0.25, 0.5, 0.25, 0.125, 0.375, 0.5}; !slices.Equal(wdl, want) {
		t.Errorf("flipped %v, want %v", wdl, want)
	}
}

// TestFlippedRunLearnsOtherwise: the fault reaches the training, and nothing but
// that.
func TestFlippedRunLearnsOtherwise(t *testing.T) {
	cfg := tiny()
	cfg.Generations = 1
	dir := newDir(t)
	err := workOn(t.Context(), dir, cfg, Options{Games: games.All(), Resolved: []byte(resolved)}, func(r *runner, ctx context.Context) error {
		if r.flipped {
			t.Error("values are flipped without a fault")
		}
		r.flipped = true
		return r.loop(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
	want := digest(t, wholeDir)
	for name, b := range digest(t, dir) {
		played := strings.HasPrefix(name, rundir.ShardsDir) || strings.HasPrefix(name, rundir.CheckpointsDir+"/000000")
		if same := b == want[name]; same != played && !strings.HasSuffix(name, "card.json") {
			t.Errorf("%s is the same as without the fault: %v", name, same)
		}
	}
}
