package run

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestSamplesOfAFillingWindow: positions earn the passes times the share that was
// seen, however they are divided, and all of them from there on.
func TestSamplesOfAFillingWindow(t *testing.T) {
	c := plan.Config{PassesPerPosition: 4, FullPassesAt: 1000}
	for _, x := range []struct {
		from, to int64
		want     float64
	}{
		{0, 1000, 2000}, {0, 100, 20}, {900, 1000, 380}, {0, 2000, 6000}, {500, 1500, 3500}, {1000, 1100, 400}, {5000, 5001, 4}, {7, 7, 0},
	} {
		got := c.Samples(x.from, x.to)
		if math.Abs(got-x.want) > 1e-9 {
			t.Errorf("samples(%d, %d) = %g, want %g", x.from, x.to, got, x.want)
		}
		mid := (x.from + x.to) / 2
		if parts := c.Samples(x.from, mid) + c.Samples(mid, x.to); math.Abs(parts-got) > 1e-9 {
			t.Errorf("in two parts samples(%d, %d) = %g, in one %g", x.from, x.to, parts, got)
		}
	}
	c = plan.Config{PassesPerPosition: 2.3}
	if got := c.Samples(0, 14); got != 14*c.PassesPerPosition {
		t.Errorf("without a limit samples(0, 14) = %g, want %g", got, 14*c.PassesPerPosition)
	}
}

// drawsOfFirst is how often a position of the first of n generations, of 100
// positions each, is drawn in them, if every draw is from all that was seen.
func drawsOfFirst(c *plan.Config, n int64) float64 {
	draws := 0.0
	for g := int64(1); g <= n; g++ {
		draws += c.Samples(100*(g-1), 100*g) / float64(100*g)
	}
	return draws
}

// TestFirstPositionsAreNotLearnedByHeart: what the rule is for. With all passes at
// once the first positions are drawn 2.9 times as often as others by the time the
// window is full; by the rule no more often than others.
func TestFirstPositionsAreNotLearnedByHeart(t *testing.T) {
	at, rule := &plan.Config{PassesPerPosition: 4}, &plan.Config{PassesPerPosition: 4, FullPassesAt: 1000}
	if d := drawsOfFirst(at, 10); math.Abs(d-4*2.929) > 0.01 {
		t.Errorf("without the rule the first positions are drawn %g times, want 4 times the tenth harmonic number", d)
	}
	if d := drawsOfFirst(rule, 10); d < 3 || d > 4 {
		t.Errorf("by the rule they are drawn %g times, want at most 4", d)
	}
}

// TestFullPassesAtChangesTheSteps of a run, and resumes as every other.
func TestFullPassesAtChangesTheSteps(t *testing.T) {
	cfg := tiny()
	cfg.FullPassesAt = 10_000
	whole, torn := newDir(t), newDir(t)
	mustWork(t, whole, cfg)
	rows, err := rundir.ReadMetrics(whole)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := rundir.ReadMetrics(wholeDir)
	if err != nil {
		t.Fatal(err)
	}
	owed := 0.0
	for i, m := range rows {
		owed += cfg.Samples(m.Positions-m.NewPositions, m.Positions)
		steps := int64(owed) / int64(cfg.Train.Batch)
		owed -= float64(steps * int64(cfg.Train.Batch))
		if m.Steps != steps || m.Steps >= plain[i].Steps {
			t.Errorf("generation %d took %d steps, want %d, fewer than %d", i+1, m.Steps, steps, plain[i].Steps)
		}
	}
	for n := 1; n <= 200; n++ {
		if work(cancelAtCall(n), torn, cfg) == nil {
			break
		}
	}
	compareWith(t, whole, torn)
}

// TestCheapRowsEarnLess: with cheap_skip the first generation, which is the whole window,
// takes the steps of its positions with a policy target and of a part of the others.
func TestCheapRowsEarnLess(t *testing.T) {
	cfg := tiny()
	cfg.Generations, cfg.Window.CheapSkip = 1, 0.75
	cfg.SelfPlay.FullShare, cfg.SelfPlay.FastSimulations = 0.4, 4
	dir := newDir(t)
	mustWork(t, dir, cfg)
	metrics, err := rundir.ReadMetrics(dir)
	if err != nil {
		t.Fatal(err)
	}
	game, err := tictactoe.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	shards, err := rundir.ListShards(filepath.Join(dir, rundir.ShardsDir))
	if err != nil {
		t.Fatal(err)
	}
	weight, positions := 0.0, 0.0
	for _, file := range shards {
		shard, err := record.Open(file.Path, game.Info())
		if err != nil {
			t.Fatal(err)
		}
		rows, err := shard.Rows()
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			positions++
			if len(rows[i].Policy) > 0 {
				weight++
			} else {
				weight += 0.25
			}
		}
	}
	steps := func(weight float64) int64 { return int64(weight*cfg.PassesPerPosition) / int64(cfg.Train.Batch) }
	if got, want := metrics[0].Steps, steps(weight); got != want || got >= steps(positions) {
		t.Errorf("%d steps, want %d, fewer than the %d of all positions", got, want, steps(positions))
	}
}

// TestForkGoesOnWithItsPasses: a fork that keeps the window counts on from what the
// source had seen, with the source's passes.
func TestForkGoesOnWithItsPasses(t *testing.T) {
	cfg := tiny()
	cfg.FullPassesAt = 400
	s, err := rundir.ReadState(wholeDir, 2)
	if err != nil {
		t.Fatal(err)
	}
	kept, empty := forkDir(t), forkDir(t)
	mustFork(t, kept, cfg, forkOf(wholeDir, -1))
	mustFork(t, empty, cfg, fresh(wholeDir))
	for dir, seen := range map[string]int64{kept: int64(s.Rows), empty: 0} {
		rows, err := rundir.ReadMetrics(dir)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := rundir.Seen(dir, 1); err != nil || n != seen+rows[0].Positions {
			t.Errorf("%d positions were seen, %v, want %d and its own %d", n, err, seen, rows[0].Positions)
		}
		if want := int64(cfg.Samples(seen, seen+rows[0].NewPositions)) / int64(cfg.Train.Batch); rows[0].Steps != want {
			t.Errorf("after %d positions the first generation took %d steps, want %d", seen, rows[0].Steps, want)
		}
	}
}
