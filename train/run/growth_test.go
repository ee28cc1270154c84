package run

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// growing is tiny with a larger network from generation 1 on and a fresh, small
// one with another head from generation 3 on.
func growing(averageDecay float64) plan.Config {
	c := tiny()
	c.Generations = 4
	c.Train.AverageDecay, c.Train.AverageBatches = averageDecay, 2
	c.Growth = []plan.Growth{
		{Generation: 1, Blocks: 2, Channels: 16, PoolEvery: 2, ValueHidden: 16},
		{Generation: 3, Blocks: 1, Channels: 8, Reply: true, Passes: 1.5},
	}
	return c
}

// TestGrowingRunGoesOnToTheByte stops at every step and tries other numbers of
// workers, with averages and without.
func TestGrowingRunGoesOnToTheByte(t *testing.T) {
	for _, decay := range []float64{0, 0.9} {
		whole := newDir(t)
		mustWork(t, whole, growing(decay))
		dir := newDir(t)
		stops := 0
		for n := 1; ; n += 2 {
			if n > 200 {
				t.Fatal("the run does not end")
			}
			cfg := growing(decay)
			cfg.Workers = 1 + n%4
			err := work(cancelAtCall(n), dir, cfg)
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("Run = %v, want %v", err, context.Canceled)
			}
			stops++
		}
		if stops < 10 {
			t.Errorf("only %d stops", stops)
		}
		compareWith(t, whole, dir)
	}
}

// TestNetworkChangesAtItsGeneration compares with the run that does not grow,
// which is the same until then.
func TestNetworkChangesAtItsGeneration(t *testing.T) {
	dir := newDir(t)
	cfg := growing(0)
	var grown []rundir.GrowthEvent
	var losses []float64
	err := Run(context.Background(), dir, cfg, Options{Games: games.All(), Resolved: []byte(resolved), Report: func(e rundir.Event) {
		if e.Growth != nil {
			grown = append(grown, *e.Growth)
		}
		if e.Training != nil && e.Training.Done {
			losses = append(losses, e.Training.ReplyLoss)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	var sizes []rundir.GrowthEvent
	var states []rundir.State
	for g := range 5 {
		w, card := mustLoad(t, rundir.WeightsPath(dir, g))
		if card.Network.Config != cfg.ModelAt(g) {
			t.Errorf("generation %d is a network of %+v, want %+v", g, card.Network.Config, cfg.ModelAt(g))
		}
		s, err := rundir.ReadState(dir, g)
		if err != nil {
			t.Fatal(err)
		}
		states = append(states, s)
		if g == 1 || g == 3 {
			c := w.Network().Config
			sizes = append(sizes, rundir.GrowthEvent{Generation: g, Blocks: c.Blocks, Channels: c.Channels, Parameters: w.Count(), Fresh: g == 3})
		}
	}
	if !slices.Equal(grown, sizes) {
		t.Errorf("events %+v, want %+v", grown, sizes)
	}
	first, _ := mustLoad(t, rundir.WeightsPath(dir, 1))
	small, _ := mustLoad(t, rundir.WeightsPath(wholeDir, 1))
	want, err := model.Grow(small, first.Network(), rand.New(seed.Stream(cfg.Seed, "growth", 1)))
	if err != nil || !first.Equal(want) {
		t.Errorf("the first network is not that of the run without growth, grown: %v", err)
	}
	// The fresh network has taken the steps earned and, beside them, 1.5 times
	// the window. What is owed stays below a batch.
	window := float64(cfg.Window.Positions(int64(states[3].Rows)))
	extra := int(1.5*window) / cfg.Train.Batch
	earned := int(states[2].Owed+float64(states[3].Rows-states[2].Rows)*cfg.PassesPerPosition) / cfg.Train.Batch
	if got := states[3].Step - states[2].Step; got != extra+earned || extra < 3 {
		t.Errorf("generation 3 took %d steps, want %d earned and %d more", got, earned, extra)
	}
	if o := states[3].Owed; o < 0 || o >= float64(cfg.Train.Batch) {
		t.Errorf("generation 3 owes %g samples", o)
	}
	if losses[1] != 0 || losses[2] == 0 || losses[3] == 0 {
		t.Errorf("reply losses %g, want them from the third training on", losses)
	}
}

func TestGrowthRefusals(t *testing.T) {
	dir := newDir(t)
	mustWork(t, dir, growing(0))
	for _, c := range []struct {
		change func(*plan.Config)
		want   string
	}{
		{func(c *plan.Config) { c.Growth = nil }, "Channels:8"},
		{func(c *plan.Config) { c.Growth[1].Channels = 24 }, "Channels:24"},
		{func(c *plan.Config) { c.Growth[1].Generation = 5 }, "Channels:16"},
		{func(c *plan.Config) { c.Growth[1].Passes = 2 }, "configuration"},
	} {
		cfg := growing(0)
		cfg.Generations = 5
		c.change(&cfg)
		checkRefused(t, dir, cfg, []string{"checkpoint 4", c.want})
	}
}

func TestGrowthIsValidated(t *testing.T) {
	good := growing(0)
	if err := good.Validate(games.All()); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		growth []plan.Growth
		want   []string
	}{
		{[]plan.Growth{{Generation: 0, Blocks: 2}}, []string{"growth: entry 1: generation: 0: want above 0"}},
		{[]plan.Growth{{Generation: 2, Blocks: 2}, {Generation: 2, Blocks: 3}}, []string{"growth: entry 2: generation: 2: want above 2"}},
		{[]plan.Growth{{Generation: 2}}, []string{"growth: entry 1: it changes nothing"}},
		{[]plan.Growth{{Generation: 2, Blocks: 1}}, []string{"growth: entry 1: it changes nothing"}},
		{[]plan.Growth{{Generation: 2, Passes: -1}}, []string{"growth: entry 1: passes: -1: want 0 to 1000"}},
		{[]plan.Growth{{Generation: 2, Passes: math.NaN()}}, []string{"growth: entry 1: passes: NaN"}},
		{[]plan.Growth{{Generation: 1, Channels: 12, ValueHidden: 5, Passes: 1}}, []string{"entry 1: channels = 12: want a multiple of 8", "entry 1: value_hidden = 5"}},
		{[]plan.Growth{{Generation: 1, Channels: 16}, {Generation: 2, Channels: 8}}, []string{"growth: entry 2: channels = 8: want at least 16"}},
	} {
		cfg := tiny()
		cfg.Growth = c.growth
		err := cfg.Validate(games.All())
		for _, w := range c.want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("Validate of %+v = %v, want %q", c.growth, err, w)
			}
		}
	}
	for _, ok := range [][]plan.Growth{
		{{Generation: 2, Passes: 1}}, // fresh weights of the same size
		{{Generation: 1, Channels: 16}, {Generation: 2, Channels: 8, Passes: 1}},
	} {
		cfg := tiny()
		cfg.Growth = ok
		if err := cfg.Validate(games.All()); err != nil {
			t.Errorf("Validate of %+v = %v", ok, err)
		}
	}
}

// TestConcurrentRunGrows: games go on with the old network while the new one is
// made, and then with the new one.
func TestConcurrentRunGrows(t *testing.T) {
	dir := newDir(t)
	cfg := growing(0.9)
	cfg.Mode, cfg.Workers = plan.ModeConcurrent, 2
	mustWork(t, dir, cfg)
	for g := range 5 {
		w, _ := mustLoad(t, rundir.WeightsPath(dir, g))
		if c := w.Network().Config; c != cfg.ModelAt(g) {
			t.Errorf("generation %d is a network of %+v, want %+v", g, c, cfg.ModelAt(g))
		}
	}
	cfg.Generations = 6
	mustWork(t, dir, cfg) // goes on with what was written
}
