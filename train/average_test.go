package train

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/model"
)

// next hands out the batches of b in turn.
func next(b ...*Batch) func() (*Batch, error) {
	i := 0
	return func() (*Batch, error) {
		i++
		return b[(i-1)%len(b)], nil
	}
}

func mustAverage(t testing.TB, tr *Trainer, b ...*Batch) *model.Weights {
	t.Helper()
	w, err := tr.Average(next(b...))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestAverageIsTheDocumentedOne works the average out in float64.
func TestAverageIsTheDocumentedOne(t *testing.T) {
	cfg := testConfig()
	cfg.AverageDecay, cfg.AverageBatches = 0.8, 1
	tr, b := newTrainer(t, nil, cfg, 1), sampleBatch(t, cfg.Batch, 1)
	start := tr.Weights()
	want := make([]float64, len(start.All()))
	for i, x := range start.All() {
		want[i] = float64(x)
	}
	keeps := map[float64]int{}
	for step := range 60 {
		mustStep(t, tr, b)
		keep := min(0.8, float64(1+step)/float64(10+step)) // 0.1 at first, 0.8 from step 35
		keeps[keep]++
		for i, x := range tr.Weights().All() {
			want[i] = keep*want[i] + (1-keep)*float64(x)
		}
	}
	if keeps[0.8] != 25 {
		t.Errorf("the full decay applied %d times, want 25", keeps[0.8])
	}
	got, moved := mustAverage(t, tr, b), false
	at := 0
	for i, s := range got.Specs() {
		for j, x := range got.Data(i) {
			if y := want[at]; s.Role.Learned() && math.Abs(float64(x)-y) > 1e-6+1e-5*math.Abs(y) {
				t.Fatalf("%s[%d] = %g, want %g", s.Name, j, x, y)
			}
			moved = moved || s.Role.Learned() && x != start.All()[at]
			at++
		}
	}
	if !moved {
		t.Error("the average is the start")
	}
}

// TestAveragingChangesNoStep: the weights in training equal those in a trainer
// without an average, also after the average was asked for.
func TestAveragingChangesNoStep(t *testing.T) {
	cfg := testConfig()
	plain := newTrainer(t, nil, cfg, 1)
	cfg.AverageDecay, cfg.AverageBatches = 0.9, 2
	averaged := newTrainer(t, nil, cfg, 2)
	for i := range 5 {
		b := sampleBatch(t, cfg.Batch, uint64(i))
		if p, q := mustStep(t, plain, b), mustStep(t, averaged, b); p != q {
			t.Errorf("step %d is %+v, with an average %+v", i, p, q)
		}
		mustAverage(t, averaged, b)
	}
	if !averaged.Weights().Equal(plain.Weights()) {
		t.Error("the weights in training differ from those without an average")
	}
	p, _ := plain.MarshalBinary()
	q, _ := averaged.MarshalBinary()
	if string(p) != string(q) {
		t.Error("the state differs from that without an average")
	}
	if _, err := plain.Average(next()); err == nil || !strings.Contains(err.Error(), "average_decay is 0") {
		t.Errorf("Average without an average = %v", err)
	}
	if err := plain.SetAverage(averaged.Weights()); err == nil || !strings.Contains(err.Error(), "average_decay is 0") {
		t.Errorf("SetAverage without an average = %v", err)
	}
}

// TestAverageResumesToTheBit: what Average returned and the state are enough.
func TestAverageResumesToTheBit(t *testing.T) {
	const k = 4
	cfg := testConfig()
	cfg.AverageDecay, cfg.AverageBatches = 0.9, 2
	var batches []*Batch
	for i := range 2 * k {
		batches = append(batches, sampleBatch(t, cfg.Batch, uint64(i)))
	}
	whole, half := newTrainer(t, nil, cfg, 1), newTrainer(t, nil, cfg, 1)
	for i, b := range batches {
		mustStep(t, whole, b)
		if i < k {
			mustStep(t, half, b)
		}
	}
	state, err := half.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	rest := newTrainer(t, half.Weights(), cfg, 3)
	if err := errors.Join(rest.UnmarshalBinary(state), rest.SetAverage(mustAverage(t, half, batches[0]))); err != nil {
		t.Fatal(err)
	}
	for _, b := range batches[k:] {
		mustStep(t, rest, b)
	}
	if !rest.Weights().Equal(whole.Weights()) {
		t.Error("weights in training differ after saving and restoring")
	}
	if !mustAverage(t, rest, batches...).Equal(mustAverage(t, whole, batches...)) {
		t.Error("averaged weights differ after saving and restoring")
	}
	other := model.NewWeights(model.Network{Shape: rest.Weights().Network().Shape, Config: model.DefaultConfig()})
	if err := rest.SetAverage(other); err == nil || !strings.Contains(err.Error(), "another network") {
		t.Errorf("SetAverage with another network = %v", err)
	}
}

func TestAverageFailsWithoutChange(t *testing.T) {
	cfg := testConfig()
	cfg.AverageDecay, cfg.AverageBatches = 0.9, 2
	tr, b := newTrainer(t, nil, cfg, 1), sampleBatch(t, cfg.Batch, 1)
	mustStep(t, tr, b)
	before, average := tr.Weights(), mustAverage(t, tr, b)
	stop := errors.New("enough")
	if _, err := tr.Average(func() (*Batch, error) { return nil, stop }); !errors.Is(err, stop) {
		t.Errorf("Average = %v, want %v", err, stop)
	}
	short := sampleBatch(t, cfg.Batch, 1)
	short.Reset()
	if _, err := tr.Average(next(b, short)); err == nil || !strings.Contains(err.Error(), "batch of 0 rows, want 24") {
		t.Errorf("Average over an empty batch = %v", err)
	}
	if !tr.Weights().Equal(before) || !mustAverage(t, tr, b).Equal(average) {
		t.Error("a failure has changed the trainer")
	}
}

// TestAverageSettlesWhereStepsOscillate: batches of the same positions with
// contradicting results throw the weights about the best guess, which is each
// position's mean result. The average is nearer to it than the weights in
// training, with statistics from the same batches for both.
func TestAverageSettlesWhereStepsOscillate(t *testing.T) {
	const n = 8
	cfg := testConfig()
	cfg.PolicyLoss, cfg.TurnsLoss, cfg.WeightDecay = 0, 0, 0
	cfg.AverageDecay, cfg.AverageBatches = 0.98, n
	rng := rand.New(rand.NewPCG(1, 2))
	var batches []*Batch
	mean := make([]float64, 3*cfg.Batch)
	for range n {
		b := sampleBatch(t, cfg.Batch, 1)
		clear(b.Value)
		for row := range cfg.Batch {
			result := 3*row + rng.IntN(3)
			b.Value[result] = 1
			mean[result] += 1.0 / n
		}
		batches = append(batches, b)
	}
	floor := 0.0 // the entropy of the mean results
	for _, p := range mean {
		if p > 0 {
			floor -= p * math.Log(p) / float64(cfg.Batch)
		}
	}
	tr, judge := newTrainer(t, nil, cfg, 2), newTrainer(t, nil, cfg, 2)
	excess := func(w *model.Weights) (sum float64) {
		if err := judge.SetAverage(w); err != nil {
			t.Fatal(err)
		}
		if err := judge.graph.SetWeights(mustAverage(t, judge, batches...)); err != nil {
			t.Fatal(err)
		}
		for _, b := range batches {
			l, err := judge.Evaluate(b)
			if err != nil {
				t.Fatal(err)
			}
			sum += l.Value
		}
		return sum/n - floor
	}
	last, average := 0.0, 0.0
	for step := range 400 {
		mustStep(t, tr, batches[rng.IntN(n)])
		if step >= 200 && step%20 == 19 {
			last += excess(tr.Weights()) / 10
			average += excess(mustAverage(t, tr, batches...)) / 10
		}
	}
	t.Logf("loss above the least possible: %.4f of the weights in training, %.4f of the average", last, average)
	if !(average < 0.8*last) {
		t.Errorf("loss above the least possible: %.4f of the average, %.4f of the weights in training: want a fifth less", average, last)
	}
}

func TestFollowDoesNotAllocate(t *testing.T) {
	cfg := testConfig()
	cfg.AverageDecay = 0.9
	tr := newTrainer(t, nil, cfg, 1)
	mustStep(t, tr, sampleBatch(t, cfg.Batch, 1))
	if n := testing.AllocsPerRun(10, func() { tr.average.follow(3, tr.solver.values) }); n != 0 {
		t.Errorf("follow allocates %g times", n)
	}
}
