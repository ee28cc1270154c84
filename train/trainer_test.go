package train

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/plan"
)

var smallNet = model.Config{Blocks: 1, Channels: 16, PoolEvery: 1, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 16}

func smallNetwork(t testing.TB) model.Network {
	t.Helper()
	return model.Network{Shape: plan.Shape(newGame(t, &connect4.Family, "").Info()), Config: smallNet}
}

func firstWeights(net model.Network) *model.Weights {
	w := model.NewWeights(net)
	w.Init(rand.New(rand.NewPCG(1, 1)))
	return w
}

// newTrainer trains a small network on Connect Four.
func newTrainer(t testing.TB, w *model.Weights, cfg plan.TrainConfig, threads int) *Trainer {
	t.Helper()
	if w == nil {
		w = firstWeights(smallNetwork(t))
	}
	tr, err := NewTrainer(w, cfg, threads)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tr.Close() })
	return tr
}

// sampleBatch has no position twice, so that no two targets contradict.
func sampleBatch(t testing.TB, rows int, seed uint64) *Batch {
	t.Helper()
	g := newGame(t, &connect4.Family, "")
	b := NewBatch(g.Info(), rows)
	seen := map[string]bool{}
	for _, s := range randomSamples(g, 4*rows, seed) {
		if b.Full() || seen[string(s.Packed)] {
			continue
		}
		seen[string(s.Packed)] = true
		if err := b.Append(&s, len(seen)%2); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func testConfig() plan.TrainConfig {
	c := plan.DefaultTrainConfig()
	c.Batch, c.WarmupSteps, c.LearningRate = 24, 4, 5e-3
	return c
}

func mustStep(t testing.TB, tr *Trainer, b *Batch) Progress {
	t.Helper()
	p, err := tr.Step(b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestOneBatchOverfits: random targets cannot be understood, only learned by
// heart; loss and target meet if every head learns.
func TestOneBatchOverfits(t *testing.T) {
	for _, precision := range []string{plan.PrecisionF32, plan.PrecisionBF16} {
		t.Run(precision, func(t *testing.T) {
			cfg := testConfig()
			cfg.Precision = precision
			if err := graphOptions(cfg, 1).Validate(); err != nil {
				t.Skip("this machine: ", err) // of this level's kernels
			}
			overfit(t, cfg)
		})
	}
}

func overfit(t *testing.T, cfg plan.TrainConfig) {
	cfg.TurnsLoss, cfg.WeightDecay = 1, 0
	tr, b := newTrainer(t, nil, cfg, 2), sampleBatch(t, cfg.Batch, 1)
	first := mustStep(t, tr, b)
	var last Progress
	for range 300 {
		last = mustStep(t, tr, b)
	}
	if gap := last.Policy - last.PolicyFloor; !(gap < 0.02) {
		t.Errorf("policy loss %.4f stays %.4f above the entropy of its target; it was %.4f", last.Policy, gap, first.Policy)
	}
	if !(last.Value < 0.02) || !(last.Turns < 0.002) {
		t.Errorf("value loss %.4f, turns loss %.5f; they were %.4f and %.5f", last.Value, last.Turns, first.Value, first.Turns)
	}
	if math.Abs(first.Value-math.Log(3)) > 0.1 {
		t.Errorf("value loss of a fresh network %.4f, want about log 3", first.Value)
	}
	// Play uses the running statistics, which have followed by now.
	if l, err := tr.Evaluate(b); err != nil || !(l.Value < 0.05) || !(l.Policy-l.PolicyFloor < 0.05) {
		t.Errorf("losses in evaluation %+v, %v", l, err)
	}
}

// TestResumesToTheBit: 2k steps, and k steps, save, restore in a new trainer on
// another number of threads, k steps, give the same weights and state.
func TestResumesToTheBit(t *testing.T) {
	const k = 6
	cfg := testConfig()
	cfg.DecaySteps = 20
	batches := make([]*Batch, 2*k)
	for i := range batches {
		batches[i] = sampleBatch(t, cfg.Batch, uint64(i))
	}
	whole := newTrainer(t, nil, cfg, 1)
	half := newTrainer(t, nil, cfg, 1)
	for i, b := range batches {
		if i == 3 {
			for _, tr := range []*Trainer{whole, half} {
				if err := tr.SetLearningRate(2e-3); err != nil {
					t.Fatal(err)
				}
			}
		}
		mustStep(t, whole, b)
		if i < k {
			mustStep(t, half, b)
		}
	}
	state, err := half.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	rest := newTrainer(t, half.Weights(), cfg, 2)
	if err := rest.UnmarshalBinary(state); err != nil {
		t.Fatal(err)
	}
	for i, batch := range batches[k:] {
		rest.SetThreads(i) // 0 is taken for 1
		mustStep(t, rest, batch)
	}
	if !rest.Weights().Equal(whole.Weights()) {
		t.Error("weights after saving and restoring differ")
	}
	sa, _ := whole.MarshalBinary()
	sb, _ := rest.MarshalBinary()
	if string(sa) != string(sb) {
		t.Error("state after saving and restoring differs")
	}
	if rest.Steps() != 2*k {
		t.Errorf("%d steps, want %d", rest.Steps(), 2*k)
	}
}

func TestTrainerRefusesDamagedState(t *testing.T) {
	tr := newTrainer(t, nil, testConfig(), 1)
	state, _ := tr.MarshalBinary()
	for _, bad := range [][]byte{nil, state[:10], state[:len(state)-1], append([]byte("x"), state...)} {
		if err := tr.UnmarshalBinary(bad); err == nil {
			t.Errorf("%d bytes pass for a state of %d", len(bad), len(state))
		}
	}
	for i := range 20 {
		state[i] ^= 0xff
		if err := tr.UnmarshalBinary(state); err == nil {
			t.Errorf("byte %d of the state may be anything", i)
		}
		state[i] ^= 0xff
	}
}

// TestStepWithoutNumbersIsNoStep: after an input that is not a number, weights
// and moments are as before.
func TestStepWithoutNumbersIsNoStep(t *testing.T) {
	cfg := testConfig()
	tr, b := newTrainer(t, nil, cfg, 1), sampleBatch(t, cfg.Batch, 1)
	before := tr.Weights()
	for _, spoil := range []*float32{&b.Turns[0], &b.Planes[0]} {
		old := *spoil
		*spoil = float32(math.NaN())
		if _, err := tr.Step(b); !errors.Is(err, ErrNotFinite) {
			t.Errorf("Step = %v, want ErrNotFinite", err)
		}
		*spoil = old
	}
	if !tr.Weights().Equal(before) {
		t.Error("the weights have moved")
	}
	if tr.Steps() != 0 {
		t.Errorf("%d steps, want 0", tr.Steps())
	}
	b.Reset()
	if _, err := tr.Step(b); err == nil || !strings.Contains(err.Error(), "0 rows, want 24") {
		t.Errorf("Step on an empty batch = %v", err)
	}
}

func TestWeightDecayIsForWeightsOnly(t *testing.T) {
	cfg := testConfig()
	cfg.WarmupSteps, cfg.WeightDecay, cfg.LearningRate = 0, 100, 5e-3
	tr, b := newTrainer(t, nil, cfg, 1), sampleBatch(t, cfg.Batch, 1)
	clear(b.PolicyWeight)
	clear(b.ValueWeight)
	clear(b.TurnsWeight)
	before := tr.Weights()
	mustStep(t, tr, b)
	after := tr.Weights()
	for i, s := range before.Specs() {
		if !s.Role.Learned() {
			continue
		}
		keep := float32(1)
		if s.Decay {
			keep = 0.5
		}
		for j, x := range before.Data(i) {
			if after.Data(i)[j] != keep*x {
				t.Fatalf("%s[%d] = %g after %g, want %g of it", s.Name, j, after.Data(i)[j], x, keep)
			}
		}
	}
}

func TestSchedule(t *testing.T) {
	c := plan.TrainConfig{WarmupSteps: 4, DecaySteps: 10, FinalLearningRate: 0.1}
	for step, want := range map[uint64]float64{0: 0.25, 1: 0.5, 3: 1, 4: 1, 9: 0.55, 14: 0.1, 1000: 0.1} {
		if got := c.Rate(1, step); math.Abs(got-want) > 1e-12 {
			t.Errorf("rate of step %d = %g, want %g", step, got, want)
		}
	}
	if got := (plan.TrainConfig{}).Rate(1, 0); got != 1 {
		t.Errorf("rate without warm-up = %g, want 1", got)
	}
}

// TestScheduleOfABudget: the rate is as it was at first and falls over the last
// share of the budget.
func TestScheduleOfABudget(t *testing.T) {
	c := plan.TrainConfig{LearningRate: 1, DecayShare: 0.4, FinalLearningRate: 0.1}
	for used, want := range map[float64]float64{0: 1, 0.3: 1, 0.6: 1, 0.7: 0.1 + 0.9*(1+math.Sqrt2/2)/2, 0.8: 0.55, 1: 0.1, 1.5: 0.1} {
		if got := c.PeakAt(used); math.Abs(got-want) > 1e-12 {
			t.Errorf("rate with %g of the budget used = %g, want %g", used, got, want)
		}
	}
	c.DecayShare = 1
	if got := c.PeakAt(0.5); math.Abs(got-0.55) > 1e-12 {
		t.Errorf("rate in the middle of a budget over which it falls = %g, want 0.55", got)
	}
	if got := (plan.TrainConfig{LearningRate: 1, DecaySteps: 3}).PeakAt(0.9); got != 1 {
		t.Errorf("rate without a share of the budget = %g, want 1", got)
	}
}

func TestDecayIsOfStepsOrOfABudget(t *testing.T) {
	for _, c := range []struct {
		share, final float64
		steps        int64
		key          string // of the problem; empty: there is none
	}{
		{0, 0, 10, ""}, {0.3, 1e-4, 0, ""}, {1, 1e-4, 0, ""},
		{0.3, 1e-4, 10, "decay_steps: 10"}, {0.3, 0, 0, "final_learning_rate: 0"}, {-0.1, 1e-4, 0, "decay_share: -0.1"}, {1.1, 1e-4, 0, "decay_share: 1.1"},
		{math.NaN(), 1e-4, 0, "decay_share: NaN"},
	} {
		cfg := plan.DefaultTrainConfig()
		cfg.DecayShare, cfg.FinalLearningRate, cfg.DecaySteps = c.share, c.final, c.steps
		switch err := cfg.Validate(); {
		case c.key == "" && err != nil:
			t.Errorf("%+v: %v", c, err)
		case c.key != "" && (err == nil || !strings.HasPrefix(err.Error(), c.key) || strings.Contains(err.Error(), "\n")):
			t.Errorf("%+v: %v, want one problem, of %q", c, err, c.key)
		}
	}
}

func TestConfigNamesEveryProblem(t *testing.T) {
	if err := plan.DefaultTrainConfig().Validate(); err != nil {
		t.Error(err)
	}
	for share, ok := range map[float64]bool{0: true, 1: true, -1e-9: false, 1.000001: false, math.Inf(1): false} {
		c := plan.DefaultTrainConfig()
		c.RootValueShare = share
		if err := c.Validate(); (err == nil) != ok {
			t.Errorf("root_value_share %g: %v", share, err)
		}
	}
	unsettled := plan.DefaultTrainConfig()
	unsettled.Precision = plan.PrecisionAuto
	if err := unsettled.Validate(); err != nil {
		t.Error(err)
	}
	if _, err := NewTrainer(firstWeights(smallNetwork(t)), unsettled, 1); err == nil || !strings.Contains(err.Error(), "precision: auto: want f32 or bf16") {
		t.Errorf("NewTrainer = %v, want it to ask for a number format", err)
	}
	nan := math.NaN()
	err := plan.TrainConfig{Batch: 0, LearningRate: nan, WarmupSteps: -1, DecaySteps: -1, FinalLearningRate: nan, WeightDecay: -1,
		Beta1: 1, Beta2: nan, ClipNorm: -1, PolicyLoss: nan, ValueLoss: -1, TurnsLoss: -1, ReplyLoss: math.Inf(1), AverageDecay: 1, RootValueShare: 1.5, RootValueDecay: 1, MarginShare: nan}.Validate()
	for _, key := range []string{"batch: 0", "learning_rate: NaN", "warmup_steps: -1", "decay_steps: -1", "final_learning_rate: NaN", "weight_decay: -1",
		"beta1: 1", "beta2: NaN", "epsilon: 0", "clip_norm: -1", "policy_loss: NaN", "value_loss: -1", "turns_loss: -1", "reply_loss: +Inf", "norm_momentum: 0",
		"average_decay: 1", "average_batches: 0", "root_value_share: 1.5", "root_value_decay: 1", "margin_share: NaN", `precision: : want f32, bf16 or auto`} {
		if err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("Validate = %v, want it to name %q", err, key)
		}
	}
}
