package fit

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/selfplay/record/recordtest"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// config is a tiny network that averages its weights and whose rate falls.
func config() *plan.Config {
	c := plan.DefaultConfig()
	c.Game, c.Rules = "connect4", "standard"
	c.Model.Blocks, c.Model.Channels, c.Model.PolicyChannels, c.Model.ValueChannels, c.Model.ValueHidden = 1, 8, 8, 8, 8
	c.Train.Batch, c.Train.LearningRate, c.Train.WarmupSteps = 32, 0.01, 5
	c.Train.AverageDecay, c.Train.AverageBatches, c.Train.DecayShare, c.Train.FinalLearningRate = 0.9, 2, 0.5, 1e-4
	return &c
}

// freeze writes shards of 8 random games each, the numbers of the first games given, and
// holds out the last two.
func freeze(t *testing.T, first ...int64) *Frozen {
	t.Helper()
	rules, err := config().NewRules(engine.Families{&connect4.Family})
	if err != nil {
		t.Fatal(err)
	}
	run := t.TempDir()
	if err := os.Mkdir(run+"/"+rundir.ShardsDir, 0o777); err != nil {
		t.Fatal(err)
	}
	for i, n := range first {
		recordtest.Write(t, run+"/"+rundir.ShardsDir, int64(i), rules.Game.Info(), recordtest.RandomGames(rules.Game, n, 8))
	}
	f, err := Freeze(rules, run, 0, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func learned(t *testing.T, f *Frozen) []float32 {
	t.Helper()
	c := config()
	w := model.NewWeights(model.Network{Shape: plan.Shape(f.info), Config: c.Model})
	w.Init(rand.New(rand.NewPCG(1, 2)))
	window, err := f.window(c, f.Positions, f.shards[len(f.shards)-f.HeldOut].Number)
	if err == nil {
		w, err = f.learn(context.Background(), &Job{Config: c, Seed: 3, Steps: 4, Threads: 1}, w, window)
	}
	if err != nil {
		t.Fatal(err)
	}
	return w.All()
}

// TestHeldOutGamesAreNotLearnedFrom: other games held out give the same network, other
// games to learn from another one; the exam is the other way round.
func TestHeldOutGamesAreNotLearnedFrom(t *testing.T) {
	base, held, before := freeze(t, 0, 8, 16, 24), freeze(t, 0, 8, 96, 104), freeze(t, 0, 9, 17, 25)
	if !slices.Equal(learned(t, base), learned(t, held)) {
		t.Error("the network depends on games held out")
	}
	if slices.Equal(learned(t, base), learned(t, before)) {
		t.Error("the network does not depend on the games that it learns from")
	}
	planes := func(f *Frozen) []float32 {
		e, err := f.NewExam(2, 5)
		if err != nil {
			t.Fatal(err)
		}
		return e.recorded[1].Planes
	}
	same := freeze(t, 40, 48, 56, 64)
	other := freeze(t, 0, 8, 56, 64)
	if slices.Equal(planes(base), planes(held)) {
		t.Error("the exam does not depend on the games held out")
	}
	if !slices.Equal(planes(same), planes(other)) {
		t.Error("the exam depends on games that are learned from")
	}
}

// TestUntilFreezes: shards that come later change nothing, and fewer positions are the
// newest.
func TestUntilFreezes(t *testing.T) {
	f := freeze(t, 0, 8, 16, 24, 32)
	run := f.dir[:len(f.dir)-len(rundir.ShardsDir)]
	rules, err := config().NewRules(engine.Families{&connect4.Family})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Freeze(rules, run, 4, 2, 50)
	if err != nil {
		t.Fatal(err)
	}
	if f.Until() != 5 || again.Until() != 4 || again.Positions != 50 || len(again.shards) != 4 {
		t.Errorf("until %d, then %d with %d positions of %d shards: want 5, then 4 with 50 of 4", f.Until(), again.Until(), again.Positions, len(again.shards))
	}
	for _, held := range []int{0, 5, 9} {
		if _, err := Freeze(rules, run, 0, held, 0); err == nil {
			t.Errorf("%d of 5 shards held out: want an error", held)
		}
	}
}

// TestFitsLearn: with steps the losses are lower than without, twice the same, and the
// reference asks as many positions as it is told to, with the targets of a search.
func TestFitsLearn(t *testing.T) {
	f := freeze(t, 0, 8, 16, 24, 32, 40)
	exam, err := f.NewExam(1, 5)
	if err != nil {
		t.Fatal(err)
	}
	ref := model.NewWeights(model.Network{Shape: plan.Shape(f.info), Config: config().Model})
	ref.Init(rand.New(rand.NewPCG(7, 8)))
	if err := exam.AddReference(context.Background(), f, &Reference{Weights: ref, Simulations: 32, CPuct: 1.25, Positions: 200}, nil); err != nil {
		t.Fatal(err)
	}
	if len(exam.searched) != 1 || !exam.searched[0].Full() {
		t.Fatalf("%d batches of searched positions, want one that is full", len(exam.searched))
	}
	for i := 0; i < 3*examRows; i += 3 {
		v := exam.searched[0].Value[i : i+3]
		if v[0] < 0 || v[1] < 0 || v[2] < 0 || math.Abs(float64(v[0]+v[1]+v[2])-1) > 1e-5 {
			t.Fatalf("searched position %d: win, draw and loss %v", i/3, v)
		}
	}
	if err := exam.AddReference(context.Background(), f, &Reference{Weights: ref, Simulations: 2, CPuct: 1, Positions: 1 << 20}, nil); err == nil {
		t.Error("more positions than are held out: want an error")
	}
	fit := func(steps int) *Measures {
		m, err := f.Fit(context.Background(), &Job{Config: config(), Seed: 3, Steps: steps, Threads: 1}, exam)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	few, many, again := fit(1), fit(60), fit(60)
	if *many != *again {
		t.Errorf("%+v, the second time %+v", many, again)
	}
	if !(many.Policy < few.Policy-0.05) || !(many.Value < few.Value-0.02) || few.SearchPolicy <= 0 || few.SearchValue <= 0 {
		t.Errorf("losses after 60 steps %+v, after one %+v: want less in the recorded games", many, few)
	}
}
