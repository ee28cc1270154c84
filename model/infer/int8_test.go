package infer

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/model/precision"
)

// calibrationOf measures w on random positions.
func calibrationOf(t testing.TB, w *model.Weights, rng *rand.Rand) *model.Calibration {
	t.Helper()
	c, err := NewCalibrator(w.Network(), w)
	if err != nil {
		t.Fatal(err)
	}
	b := randomBatch(w.Network().Shape, 100, rng)
	if err := c.Add(b.planes, b.globals, 100); err != nil {
		t.Fatal(err)
	}
	k, err := c.Calibration()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func int8For(t testing.TB, w *model.Weights, maxBatch int, rng *rand.Rand) *Net {
	t.Helper()
	n, err := New(w.Network(), w, Options{MaxBatch: maxBatch, Precision: precision.Int8, Calibration: calibrationOf(t, w, rng)})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The errors of single roundings, 1/500 of the range for activations and 1/254 of
// the largest for weights, add up over the layers. Random weights are harder than
// trained ones: their activations spread over all channels alike.
func TestInt8IsNearFloat32(t *testing.T) {
	for name, net := range networks {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(11, 0))
			w := randomWeights(net, rng)
			b := randomBatch(net.Shape, 40, rng)
			same := *b
			same.logits, same.wdl, same.turns = make([]float32, len(b.logits)), make([]float32, len(b.wdl)), make([]float32, len(b.turns))
			b.forward(t, newNetFor(t, w, 40))
			same.forward(t, int8For(t, w, 40, rng))
			for what, v := range map[string][2][]float32{"logits": {b.logits, same.logits}, "wdl": {b.wdl, same.wdl}, "turns": {b.turns, same.turns}} {
				if off := relativeError(v[0], v[1]); !(off <= 0.1) {
					t.Errorf("%s: the error in 8 bits is %.3f of the deviation, want at most 0.1", what, off)
				}
			}
		})
	}
}

// relativeError is the root mean square of y - x over the standard deviation of x.
func relativeError(x, y []float32) float64 {
	var mean, spread, off float64
	for _, v := range x {
		mean += float64(v) / float64(len(x))
	}
	for i, v := range x {
		spread += (float64(v) - mean) * (float64(v) - mean)
		off += (float64(y[i]) - float64(v)) * (float64(y[i]) - float64(v))
	}
	return math.Sqrt(off / spread)
}

func TestInt8RowsDoNotDependOnTheBatch(t *testing.T) {
	for name, net := range networks {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(12, 0))
			n := int8For(t, randomWeights(net, rng), 100, rng)
			for _, size := range []int{2, 7, n.chunk() + 1, 2*n.chunk() + 3} {
				b := randomBatch(net.Shape, min(size, 100), rng)
				b.forward(t, n)
				for i := range b.turns {
					if len(b.turns) > 8 && i%9 != 0 && i != len(b.turns)-1 {
						continue
					}
					one := b.row(net.Shape, i)
					one.forward(t, n.Fork())
					if !slices.Equal(bits(one.logits), bits(b.logits[b.offsets[i]:b.offsets[i+1]])) ||
						!slices.Equal(bits(one.wdl), bits(b.wdl[3*i:3*i+3])) || bits(one.turns)[0] != bits(b.turns)[i] {
						t.Fatalf("batch of %d: row %d differs from the same row alone in a fork", len(b.turns), i)
					}
				}
			}
		})
	}
}

// TestInt8DoesNotAllocate does nothing with AMX under the race detector, which
// has sync.Pool forget at times the memory that those kernels work in.
func TestInt8DoesNotAllocate(t *testing.T) {
	if raceDetector && kernel.Level() == "amx" {
		return
	}
	for name, net := range networks {
		rng := rand.New(rand.NewPCG(13, 0))
		n := int8For(t, randomWeights(net, rng), 9, rng)
		b := randomBatch(net.Shape, 9, rng)
		if got := testing.AllocsPerRun(3, func() { b.forward(t, n) }); got != 0 {
			t.Errorf("%s: Forward allocates %g times", name, got)
		}
	}
}

// TestPlanesLargerThanOneAreScaled: planes of any range are held in eight bits,
// each by its own scale, and one that was 0 in all positions is taken for 0 or 1.
func TestPlanesLargerThanOneAreScaled(t *testing.T) {
	net := networks["6x7"]
	rng := rand.New(rand.NewPCG(14, 0))
	w := randomWeights(net, rng)
	c, err := NewCalibrator(net, w)
	if err != nil {
		t.Fatal(err)
	}
	b := randomBatch(net.Shape, 30, rng)
	size := net.Shape.Cells()
	for i := range b.planes {
		switch i / size % net.Shape.Planes {
		case 0:
			b.planes[i] *= 40
		case 1:
			b.planes[i] = 0
		}
	}
	if err := c.Add(b.planes, b.globals, 30); err != nil {
		t.Fatal(err)
	}
	k, err := c.Calibration()
	if err != nil {
		t.Fatal(err)
	}
	if k.Planes[0] != 40 || k.Planes[1] != 1 || k.Planes[2] != 1 {
		t.Errorf("ranges of planes %v, want 40, 1, 1", k.Planes)
	}
	// Half of the cells of a plane are 1.
	if m := k.Means; !(m[0] > 15 && m[0] < 25) || m[1] != 0 || !(m[2] > 0.4 && m[2] < 0.6) {
		t.Errorf("means of planes %v, want about 20, 0 and a half", m)
	}
	n, err := New(net, w, Options{MaxBatch: 30, Precision: precision.Int8, Calibration: k})
	if err != nil {
		t.Fatal(err)
	}
	b.forward(t, newNetFor(t, w, 30))
	want := slices.Clone(b.wdl)
	b.forward(t, n)
	if off := relativeError(want, b.wdl); !(off <= 0.05) {
		t.Errorf("the error in 8 bits is %.3f of the deviation, want at most 0.05", off)
	}
}

// TestRoundingAddsNoBias: inputs of the means that a layer's bias was corrected
// for give it the outputs of its weights as they were.
func TestRoundingAddsNoBias(t *testing.T) {
	const taps, in, out = 9, 7, 16
	rng := rand.New(rand.NewPCG(19, 0))
	w, bias, means := make([]float32, taps*in*out), make([]float32, out), make([]float64, in)
	for i := range w {
		w[i] = float32(rng.NormFloat64())
	}
	for j := range bias {
		bias[j] = float32(rng.NormFloat64())
	}
	for p := range means {
		means[p] = 255 * rng.Float64()
	}
	q, scale := make([]int8, len(w)), make([]float32, out)
	kernel.QuantizeWeights8(q, scale, w, out)
	corrected := unbiased(w, bias, means)
	moved := 0.0
	for j := range out {
		want, got := float64(bias[j]), float64(corrected[j])
		for i := j; i < len(w); i += out {
			m := means[i/out%in]
			want += float64(w[i]) * m
			got += float64(q[i]) * float64(scale[j]) * m
		}
		if d := math.Abs(got - want); !(d <= 1e-5*255*taps) {
			t.Errorf("output %d: %g with rounded weights, want %g", j, got, want)
		}
		moved = max(moved, math.Abs(float64(corrected[j]-bias[j])))
	}
	if moved < 1 { // or there was nothing to correct
		t.Errorf("the bias moved by %g at most", moved)
	}
}

// TestCalibrationDependsOnThePositionsAlone shows them in other batches and in
// another order.
func TestCalibrationDependsOnThePositionsAlone(t *testing.T) {
	for name, net := range networks {
		rng := rand.New(rand.NewPCG(15, 0))
		w := randomWeights(net, rng)
		s := net.Shape
		b := randomBatch(s, 70, rng)
		var all [2]*model.Calibration
		for k := range all {
			c, err := NewCalibrator(net, w)
			if err != nil {
				t.Fatal(err)
			}
			if k == 0 {
				err = c.Add(b.planes, b.globals, 70)
			}
			for i := 69; k == 1 && i >= 0 && err == nil; i-- {
				one := b.row(s, i)
				err = c.Add(one.planes, one.globals, 1)
			}
			if err != nil {
				t.Fatal(err)
			}
			if all[k], err = c.Calibration(); err != nil {
				t.Fatal(err)
			}
		}
		if all[0].Positions != 70 || all[1].Positions != 70 {
			t.Errorf("%s: %d and %d positions, want 70", name, all[0].Positions, all[1].Positions)
		}
		if !slices.Equal(bits(all[0].Means), bits(all[1].Means)) || !slices.Equal(bits(all[0].Planes), bits(all[1].Planes)) {
			t.Errorf("%s: planes %v and %v", name, all[0], all[1])
		}
		for a, r := range all[0].Ranges {
			if all[1].Ranges[a] != r {
				t.Errorf("%s: range of %s is %g in one batch, %g one by one", name, a, r, all[1].Ranges[a])
			}
		}
	}
}

func TestCalibratorRefuses(t *testing.T) {
	net := networks["6x7"]
	rng := rand.New(rand.NewPCG(16, 0))
	w := randomWeights(net, rng)
	c, err := NewCalibrator(net, w)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Calibration(); err == nil || !strings.Contains(err.Error(), "no positions") {
		t.Errorf("Calibration of nothing = %v", err)
	}
	b := randomBatch(net.Shape, 2, rng)
	if err := c.Add(b.planes[1:], b.globals, 2); !errors.Is(err, ErrShape) {
		t.Errorf("Add = %v, want ErrShape", err)
	}
	for _, bad := range []float32{-0.5, float32(math.NaN()), float32(math.Inf(1))} {
		at := (net.Shape.Planes + 1) * net.Shape.Cells() // plane 1 of the second position
		was := b.planes[at]
		b.planes[at] = bad
		if err := c.Add(b.planes, b.globals, 2); err == nil || !strings.Contains(err.Error(), "plane 1 has the value") {
			t.Errorf("Add of a plane with %g = %v, want an error that names the plane", bad, err)
		}
		b.planes[at] = was
	}
	// Weights that overflow with some input give no range.
	huge := w.Clone()
	for i := range huge.Tensor("stem.bn.shift") {
		huge.Tensor("stem.bn.shift")[i] = math.MaxFloat32 / 2
	}
	if c, err = NewCalibrator(net, huge); err != nil {
		t.Fatal(err)
	}
	if err := c.Add(b.planes, b.globals, 2); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Calibration(); err == nil || !strings.Contains(err.Error(), "want a finite number") {
		t.Errorf("Calibration of activations that overflow = %v", err)
	}
}

func TestCalibratorDoesNotAllocate(t *testing.T) {
	net := networks["masked"]
	rng := rand.New(rand.NewPCG(17, 0))
	c, err := NewCalibrator(net, randomWeights(net, rng))
	if err != nil {
		t.Fatal(err)
	}
	b := randomBatch(net.Shape, 3, rng)
	if got := testing.AllocsPerRun(3, func() {
		if err := c.Add(b.planes, b.globals, 3); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("Add allocates %g times", got)
	}
}

func TestInt8WantsACalibrationThatFits(t *testing.T) {
	net := networks["6x7"]
	rng := rand.New(rand.NewPCG(18, 0))
	w := randomWeights(net, rng)
	if _, err := New(net, w, Options{MaxBatch: 1, Precision: precision.Int8}); !errors.Is(err, ErrCalibration) || !strings.Contains(err.Error(), "int8") {
		t.Errorf("without a calibration: %v, want ErrCalibration for int8", err)
	}
	k := calibrationOf(t, w, rng)
	k.Ranges["stem"] = -1
	if _, err := New(net, w, Options{MaxBatch: 1, Precision: precision.Int8, Calibration: k}); err == nil || !strings.Contains(err.Error(), "range of stem") {
		t.Errorf("with a range below 0: %v, want an error that names it", err)
	}
	other := networks["3x3"]
	k = calibrationOf(t, randomWeights(other, rng), rng)
	if _, err := New(net, w, Options{MaxBatch: 1, Precision: precision.Int8, Calibration: k}); err == nil || !strings.Contains(err.Error(), "calibration: ") {
		t.Errorf("with that of another network: %v", err)
	}
	if _, err := New(net, w, Options{MaxBatch: 1, Precision: 99}); err == nil || !strings.Contains(err.Error(), "precision") {
		t.Errorf("with no known precision: %v", err)
	}
}
