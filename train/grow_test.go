package train

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/plan"
)

// largerNet is what smallNet grows into.
var largerNet = model.Config{Blocks: 3, Channels: 24, PoolEvery: 1, PolicyChannels: 16, ValueChannels: 16, ValueHidden: 24}

func largerThan(w *model.Weights) model.Network {
	return model.Network{Shape: w.Network().Shape, Config: largerNet}
}

func stream() *rand.Rand { return rand.New(rand.NewPCG(5, 6)) }

// fresh are first weights for Connect Four.
func fresh(like *model.Weights, c model.Config) *model.Weights {
	w := model.NewWeights(model.Network{Shape: like.Network().Shape, Config: c})
	w.Init(stream())
	return w
}

func changing() plan.TrainConfig {
	cfg := testConfig()
	cfg.DecaySteps, cfg.FinalLearningRate = 40, 1e-3
	cfg.AverageDecay, cfg.AverageBatches = 0.9, 2
	return cfg
}

// TestGrowGoesOn: losses stay, in play and of the average too; steps and the
// decay of the rate go on, the warm-up begins again; then the new parts learn.
func TestGrowGoesOn(t *testing.T) {
	cfg := changing()
	tr, b := newTrainer(t, nil, cfg, 1), sampleBatch(t, cfg.Batch, 1)
	for range 10 {
		mustStep(t, tr, b)
	}
	evaluate := func(tr *Trainer) float64 {
		l, err := tr.Evaluate(b)
		if err != nil {
			t.Fatal(err)
		}
		return l.Total
	}
	played := func(w *model.Weights) float64 { return evaluate(newTrainer(t, w, cfg, 1)) }
	loss, average := evaluate(tr), played(mustAverage(t, tr, b))
	to := largerThan(tr.Weights())
	if err := tr.Grow(to, stream); err != nil {
		t.Fatal(err)
	}
	start := tr.Weights()
	if start.Network() != to {
		t.Errorf("grown to %+v, want %+v", start.Network(), to)
	}
	if d := evaluate(tr) - loss; !(math.Abs(d) < 1e-5) {
		t.Errorf("the loss has changed by %g", d)
	}
	if d := played(mustAverage(t, tr, b)) - average; !(math.Abs(d) < 1e-5) {
		t.Errorf("the loss of the average has changed by %g", d)
	}
	for k := range uint64(6) {
		want := cfg.Rate(cfg.LearningRate, 10+k) * min(1, float64(k+1)/4)
		if p := mustStep(t, tr, b); p.Step != 11+k || math.Abs(p.LearningRate-want) > 1e-12 {
			t.Errorf("step %d at rate %g, want %d at %g", p.Step, p.LearningRate, 11+k, want)
		}
	}
	after := tr.Weights()
	for i, s := range after.Specs() {
		moved := 0
		for j, x := range after.Data(i) {
			if x != start.Data(i)[j] {
				moved++
			}
		}
		if s.Role == model.Weight && moved < len(after.Data(i))*3/4 {
			t.Errorf("%s: %d of %d values have moved", s.Name, moved, len(after.Data(i)))
		}
	}
	if l := evaluate(tr); !(l < loss) {
		t.Errorf("loss %g after growing, %g before", l, loss)
	}
	small := model.Network{Shape: to.Shape, Config: smallNet}
	if err := tr.Grow(small, stream); err == nil || !strings.Contains(err.Error(), "channels = 16: want at least 24") {
		t.Errorf("Grow to a smaller network = %v", err)
	}
	if !tr.Weights().Equal(after) {
		t.Error("a refusal has changed the trainer")
	}
}

// TestRenewBeginsAgain: after Renew the steps equal a new trainer's, but for
// their number and the decay of the rate.
func TestRenewBeginsAgain(t *testing.T) {
	cfg := changing()
	cfg.DecaySteps = 0
	b := sampleBatch(t, cfg.Batch, 1)
	old := newTrainer(t, nil, cfg, 1)
	for range 10 {
		mustStep(t, old, b)
	}
	first := fresh(old.Weights(), model.Config{Blocks: 0, Channels: 8, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 8})
	if err := old.Renew(first); err != nil {
		t.Fatal(err)
	}
	begun := newTrainer(t, first, cfg, 2)
	for i := range 8 {
		b := sampleBatch(t, cfg.Batch, uint64(i))
		p, q := mustStep(t, old, b), mustStep(t, begun, b)
		if p.Step != q.Step+10 {
			t.Errorf("step %d, want %d", p.Step, q.Step+10)
		}
	}
	if !old.Weights().Equal(begun.Weights()) || !mustAverage(t, old, b).Equal(mustAverage(t, begun, b)) {
		t.Error("renewed training differs from new training")
	}
	other := model.Network{Shape: first.Network().Shape, Config: smallNet}
	other.Shape.Planes++
	if err := old.Renew(model.NewWeights(other)); err == nil || !strings.Contains(err.Error(), "another game") {
		t.Errorf("Renew for another game = %v", err)
	}
}

// TestChangedTrainerResumesToTheBit saves between a renewal, a growth and the
// steps after it.
func TestChangedTrainerResumesToTheBit(t *testing.T) {
	cfg := changing()
	b := sampleBatch(t, cfg.Batch, 1)
	whole, parts := newTrainer(t, nil, cfg, 1), newTrainer(t, nil, cfg, 2)
	reopen := func() {
		t.Helper()
		state, err := parts.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		w, average := parts.Weights(), mustAverage(t, parts, b)
		parts = newTrainer(t, w, cfg, 2)
		if err := errors.Join(parts.UnmarshalBinary(state), parts.SetAverage(average)); err != nil {
			t.Fatal(err)
		}
	}
	for i, change := range []func(tr *Trainer) error{
		func(tr *Trainer) error { return nil },
		func(tr *Trainer) error { return tr.Renew(fresh(tr.Weights(), smallNet)) },
		func(tr *Trainer) error { return tr.Grow(largerThan(tr.Weights()), stream) },
	} {
		if err := errors.Join(change(whole), change(parts)); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			reopen()
			mustStep(t, whole, b)
			mustStep(t, parts, b)
			if !whole.Weights().Equal(parts.Weights()) || !mustAverage(t, whole, b).Equal(mustAverage(t, parts, b)) {
				t.Fatalf("after change %d and saving, weights or average differ", i)
			}
		}
	}
	p, _ := whole.MarshalBinary()
	q, _ := parts.MarshalBinary()
	if string(p) != string(q) {
		t.Error("the states differ")
	}
	if whole.past != (past{moments: 6, average: 3}) {
		t.Errorf("the past is %+v, want 6 steps before the moments and 3 before the average", whole.past)
	}
	for i := range 36 {
		p[i] ^= 0xff
		if err := parts.UnmarshalBinary(p); err == nil {
			t.Errorf("byte %d of the state may be anything", i)
		}
		p[i] ^= 0xff
	}
	for n := range 40 {
		if err := parts.UnmarshalBinary(p[:n]); err == nil {
			t.Errorf("%d bytes pass for a state", n)
		}
	}
}

// TestContinueCountsOn: the decay goes on behind the steps of others, with a
// warm-up of its own, and that is part of the state.
func TestContinueCountsOn(t *testing.T) {
	cfg := changing()
	cfg.WarmupSteps = 4
	tr := newTrainer(t, nil, cfg, 1)
	if err := tr.Continue(20); err != nil {
		t.Fatal(err)
	}
	for age := range 6 {
		want := cfg.Rate(cfg.LearningRate, uint64(20+age)) * min(1, float64(age+1)/4)
		if p := mustStep(t, tr, sampleBatch(t, cfg.Batch, 1)); p.Step != uint64(21+age) || p.LearningRate != want {
			t.Errorf("step %d at rate %g, want %d at %g", p.Step, p.LearningRate, 21+age, want)
		}
	}
	state, err := tr.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	again := newTrainer(t, tr.Weights(), cfg, 1)
	if err := again.UnmarshalBinary(state); err != nil || again.Steps() != 26 {
		t.Errorf("restored at step %d, %v, want 26", again.Steps(), err)
	}
	if err := tr.Continue(1); err == nil {
		t.Error("a trainer that has taken steps was made to count anew")
	}
}
