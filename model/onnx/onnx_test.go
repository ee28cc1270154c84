package onnx

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
)

// networks have every part that a network may have or lack.
var networks = map[string]model.Network{
	"plain": {
		Shape:  model.Shape{Planes: 3, Height: 6, Width: 7, MaskPlane: -1, PolicyPlanes: 1},
		Config: model.Config{Blocks: 2, Channels: 16, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 16}},
	"globals": {
		Shape:  model.Shape{Planes: 5, Height: 5, Width: 4, Globals: 3, MaskPlane: -1, PolicyPlanes: 2, PolicyGlobals: 3},
		Config: model.Config{Blocks: 2, Channels: 16, PoolEvery: 2, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 8}},
	"masked": {
		Shape:  model.Shape{Planes: 4, Height: 5, Width: 6, Globals: 2, MaskPlane: 1, PolicyPlanes: 3, PolicyGlobals: 1},
		Config: model.Config{Blocks: 2, Channels: 8, PoolEvery: 1, PolicyChannels: 16, ValueChannels: 8, ValueHidden: 24}},
	"largest": {
		Shape:  model.Shape{Planes: 4, Height: model.MaxHeight, Width: model.MaxWidth, Globals: 2, MaskPlane: 1, PolicyPlanes: 3, PolicyGlobals: 1},
		Config: model.Config{Blocks: 1, Channels: 8, PoolEvery: 1, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 8}},
	"stem": {
		Shape:  model.Shape{Planes: 2, Height: 3, Width: 3, MaskPlane: 0, PolicyPlanes: 1, PolicyGlobals: 1},
		Config: model.Config{Channels: 8, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 8, Reply: true}},
}

// randomWeights leaves nothing at the 0 or 1 that Init gives it.
func randomWeights(net model.Network, rng *rand.Rand) *model.Weights {
	w := model.NewWeights(net)
	w.Init(rng)
	for i, s := range w.Specs() {
		for j := range w.Data(i) {
			v := &w.Data(i)[j]
			switch s.Role {
			case model.Weight:
				if s.Init.Std == 0 {
					*v = float32(rng.NormFloat64() / math.Sqrt(float64(s.Shape[0])))
				}
			case model.Scale, model.RunningVar:
				*v = 0.5 + rng.Float32()
			default:
				*v = 0.3 * float32(rng.NormFloat64())
			}
		}
	}
	return w
}

// positions are random inputs, on boards of random size if there is a mask.
func positions(s model.Shape, rows int, rng *rand.Rand) (planes, globals []float32) {
	for range rows {
		height, width := s.Height, s.Width
		if s.MaskPlane >= 0 {
			height, width = 1+rng.IntN(height), 1+rng.IntN(width)
		}
		for p := range s.Planes {
			for cell := range s.Cells() {
				v := float32(rng.IntN(2))
				if p == s.MaskPlane {
					v = 1
				}
				if cell/s.Width >= height || cell%s.Width >= width {
					v = 0
				}
				planes = append(planes, v)
			}
		}
		for range s.Globals {
			globals = append(globals, rng.Float32()*2-1)
		}
	}
	return planes, globals
}

func arrayOf(v []float32, shape ...int) array {
	a := array{shape: shape}
	for _, x := range v {
		a.v = append(a.v, float64(x))
	}
	return a
}

func inputsOf(s model.Shape, planes, globals []float32) map[string]array {
	rows := len(planes) / (s.Planes * s.Cells())
	in := map[string]array{Planes: arrayOf(planes, rows, s.Planes, s.Height, s.Width)}
	if s.Globals > 0 {
		in[Globals] = arrayOf(globals, rows, s.Globals)
	}
	return in
}

// answers are the outputs of model/infer by name.
func answers(t *testing.T, w *model.Weights, planes, globals []float32) map[string][]float32 {
	t.Helper()
	s := w.Network().Shape
	rows := len(planes) / (s.Planes * s.Cells())
	n, err := infer.New(w.Network(), w, infer.Options{MaxBatch: rows})
	if err != nil {
		t.Fatal(err)
	}
	offsets, cells := []int32{0}, []int32(nil)
	for range rows {
		for c := range s.HeadCells() {
			cells = append(cells, int32(c))
		}
		offsets = append(offsets, int32(len(cells)))
	}
	policy, wdl, turns := make([]float32, len(cells)), make([]float32, 3*rows), make([]float32, rows)
	if err := n.Forward(planes, globals, offsets, cells, policy, wdl, turns); err != nil {
		t.Fatal(err)
	}
	return map[string][]float32{Policy: policy, WDL: wdl, Turns: turns}
}

func write(t testing.TB, w *model.Weights, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, w, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func forAll(t *testing.T, test func(t *testing.T, w *model.Weights, rng *rand.Rand)) {
	for name, net := range networks {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 1))
			test(t, randomWeights(net, rng), rng)
		})
	}
}

// TestModelComputesTheNetwork: the model, computed by the specification of ONNX,
// says what model/infer says. Off the board nobody asks for the policy.
func TestModelComputesTheNetwork(t *testing.T) {
	forAll(t, func(t *testing.T, w *model.Weights, rng *rand.Rand) {
		const rows = 3
		s := w.Network().Shape
		planes, globals := positions(s, rows, rng)
		want := answers(t, w, planes, globals)
		for _, o := range []Options{{}, {Norms: true}, {Inner: true}} {
			p := parse(t, write(t, w, o))
			got := p.run(t, inputsOf(s, planes, globals))
			for name, v := range want {
				if !slices.Equal(got[name].shape, append([]int{rows}, p.outputs[name][1:]...)) || p.outputs[name][0] != batchDim {
					t.Fatalf("%+v: %s has shape %v, declared %v", o, name, got[name].shape, p.outputs[name])
				}
				scale := 1.0
				for _, x := range v {
					scale = max(scale, math.Abs(float64(x)))
				}
				for i, x := range v {
					if cell := i % s.HeadCells() % s.Cells(); name == Policy && i%s.HeadCells() < s.PolicyPlanes*s.Cells() && s.MaskPlane >= 0 &&
						planes[(i/s.HeadCells()*s.Planes+s.MaskPlane)*s.Cells()+cell] == 0 {
						continue
					}
					if d := math.Abs(got[name].v[i] - float64(x)); !(d <= 1e-4*scale) {
						t.Fatalf("%+v: %s[%d] = %g, model/infer has %g", o, name, i, got[name].v[i], x)
					}
				}
			}
		}
	})
}

// TestActivationsAreInnerOutputs: with Inner a model tells what int8 asks for,
// and nothing that is 0 at least is told to be less.
func TestActivationsAreInnerOutputs(t *testing.T) {
	forAll(t, func(t *testing.T, w *model.Weights, _ *rand.Rand) {
		want := append(Activations(w.Network()), Policy, WDL, Turns)
		got := parse(t, write(t, w, Options{Inner: true})).order
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("outputs %v, want %v", got, want)
		}
	})
}

// measured are the ranges of all activations on some positions.
func measured(t *testing.T, w *model.Weights, in map[string]array) map[string]Range {
	all := parse(t, write(t, w, Options{Inner: true})).run(t, in)
	ranges := map[string]Range{}
	for _, name := range Activations(w.Network()) {
		v := all[name].v
		ranges[name] = Range{float32(slices.Min(v)), float32(slices.Max(v))}
	}
	return ranges
}

// TestInt8IsCloseToFloat: on the positions that the ranges are of, where nothing
// is cut off, what is lost is the rounding of every step.
func TestInt8IsCloseToFloat(t *testing.T) {
	forAll(t, func(t *testing.T, w *model.Weights, rng *rand.Rand) {
		const rows = 4
		s := w.Network().Shape
		planes, globals := positions(s, rows, rng)
		in := inputsOf(s, planes, globals)
		ranges := measured(t, w, in)
		exact := parse(t, write(t, w, Options{})).run(t, in)
		p := parse(t, write(t, w, Options{Int8: ranges}))
		rounded := p.run(t, in)
		for _, name := range []string{Policy, WDL} {
			scale, squares, moved := 0.0, 0.0, false
			for i, x := range exact[name].v {
				d := rounded[name].v[i] - x
				scale, squares, moved = max(scale, math.Abs(x)), squares+d*d, moved || d != 0
			}
			if rms := math.Sqrt(squares / float64(len(exact[name].v))); !(rms <= 0.05*scale) {
				t.Errorf("%s: int8 is off by %g, the largest value is %g", name, rms, scale)
			}
			if !moved {
				t.Errorf("%s: nothing was rounded", name)
			}
		}
		for name, kind := range p.kinds {
			if strings.HasSuffix(name, ".s8") && kind != int8Type {
				t.Errorf("%s has type %d", name, kind)
			}
		}
		for name, r := range ranges {
			if zero := p.constants[name+".zero"]; r.Min == 0 && zero.v[0] != 0 {
				t.Errorf("%s is never below 0, its zero is %g", name, zero.v[0])
			}
		}
	})
}

// TestRangesAreOfAllActivations: what infer.Calibrator measures is enough for an int8 model,
// and what it says of each activation covers what the model computes, where that goes on.
func TestRangesAreOfAllActivations(t *testing.T) {
	forAll(t, func(t *testing.T, w *model.Weights, rng *rand.Rand) {
		const rows = 4
		s := w.Network().Shape
		planes, globals := positions(s, rows, rng)
		c, err := infer.NewCalibrator(w.Network(), w)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Add(planes, globals, rows); err != nil {
			t.Fatal(err)
		}
		k, err := c.Calibration()
		if err != nil {
			t.Fatal(err)
		}
		further := map[string]Range{}
		for name, r := range c.Further() {
			further[name] = Range(r)
		}
		ranges, want := Ranges(w.Network(), k, further), measured(t, w, inputsOf(s, planes, globals))
		all := parse(t, write(t, w, Options{Inner: true})).run(t, inputsOf(s, planes, globals))
		for _, name := range Activations(w.Network()) {
			got, ok := ranges[name]
			if !ok {
				t.Errorf("%s has no range", name)
				continue
			}
			if sum := map[bool]string{true: "stem", false: strings.TrimSuffix(name, ".sum2")}[name == "stem.board"]; sum != name { // a term
				lo, hi := 0.0, 0.0
				for i, x := range all[name].v {
					if all[sum].v[i] > 0 {
						lo, hi = min(lo, x), max(hi, x)
					}
				}
				want[name] = Range{float32(lo), float32(hi)}
			}
			if strings.HasSuffix(name, ".relu") { // off the board it may be more
				want[name] = want[strings.TrimSuffix(name, ".relu")]
			}
			if name == Planes || name == "mask" { // at least 1, whatever is in the sample
				want[name] = Range{0, 1}
			}
			if math.Abs(float64(got.Min-want[name].Min)) > 1e-3 || math.Abs(float64(got.Max-want[name].Max)) > 1e-3 {
				t.Errorf("range of %s is %+v, want %+v", name, got, want[name])
			}
		}
		write(t, w, Options{Int8: ranges, Means: k.Means})
	})
}

// TestMeansMakeUpForRounding: with the means of the planes, the stem's outputs are the same on
// average as in float32, as far as its bias has steps for it.
func TestMeansMakeUpForRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	w := randomWeights(networks["plain"], rng)
	ranges := map[string]Range{}
	for _, name := range Activations(w.Network()) {
		ranges[name] = Range{0, 8}
	}
	ranges[Planes] = Range{0, 1}
	means := []float32{1, 0.25, 0}
	b, err := build(w, Options{Int8: ranges})
	if err != nil {
		t.Fatal(err)
	}
	weight := byOutput(b.scaled(stemWeight, b.fold("stem.bn").factor), 3, 3, 16)
	offset := b.fold("stem.bn").offset
	off := func(o Options) (total float64) {
		p := parse(t, write(t, w, o))
		for c := range offset {
			step := p.constants[stemWeight+".step"].v[c]
			is := p.constants[stemWeight+".offset.s32"].v[c] * p.constants[stemWeight+".offset.step"].v[c]
			want := float64(offset[c])
			for i, x := range weight[c*27:][:27] {
				is += p.constants[stemWeight+".s8"].v[c*27+i] * step * float64(means[i/9])
				want += float64(x) * float64(means[i/9])
			}
			total += math.Abs(is - want)
		}
		return total / float64(len(offset))
	}
	plain, corrected := off(Options{Int8: ranges}), off(Options{Int8: ranges, Means: means})
	if !(corrected < plain/10) {
		t.Errorf("the stem is off by %g on average with means, %g without", corrected, plain)
	}
}

// TestInt8RoundsEveryConvolution but the one that ends the policy head.
func TestInt8RoundsEveryConvolution(t *testing.T) {
	forAll(t, func(t *testing.T, w *model.Weights, _ *rand.Rand) {
		ranges := map[string]Range{}
		for _, name := range Activations(w.Network()) {
			ranges[name] = Range{-1, 3}
		}
		p := parse(t, write(t, w, Options{Int8: ranges}))
		made := map[string]string{}
		for _, n := range p.nodes {
			made[n.outputs[0]] = n.op
		}
		convolutions := 0
		for _, n := range p.nodes {
			if n.op != "Conv" || n.outputs[0] == "policy.cells" {
				continue
			}
			convolutions++
			for _, x := range n.inputs {
				if made[x] != "DequantizeLinear" {
					t.Errorf("%s reads %s, made by %q", n.outputs[0], x, made[x])
				}
			}
		}
		if want := 3 + 2*w.Network().Config.Blocks; convolutions != want {
			t.Errorf("%d convolutions, want %d", convolutions, want)
		}
	})
}

// TestRoundingHoldsTheRange: the ends of a range and 0 come back as they were.
func TestRoundingHoldsTheRange(t *testing.T) {
	w := randomWeights(networks["plain"], rand.New(rand.NewPCG(1, 1)))
	for _, r := range []Range{{0, 1}, {-1, 3}, {-2, 0}, {0, 0}, {0.5, 2}, {-0.001, 1000}, {-3, -1}} {
		ranges := map[string]Range{}
		for _, name := range Activations(w.Network()) {
			ranges[name] = Range{0, 1}
		}
		ranges["block.0.sum2"] = r
		p := parse(t, write(t, w, Options{Int8: ranges}))
		step, zero := p.constants["block.0.sum2.step"], p.constants["block.0.sum2.zero"]
		round := func(x float64) float64 {
			q := operators["QuantizeLinear"](parsedNode{}, []array{{[]int{1}, []float64{x}}, step, zero})
			return operators["DequantizeLinear"](parsedNode{}, []array{q, step, zero}).v[0]
		}
		for _, x := range []float64{0, float64(r.Min), float64(r.Max)} {
			if d := math.Abs(round(x) - x); d > step.v[0]*0.51 || x == 0 && d != 0 {
				t.Errorf("%+v: %g comes back as %g, a step is %g", r, x, round(x), step.v[0])
			}
		}
	}
}

func TestEveryTensorIsUsedAndModelsAreMarked(t *testing.T) {
	forAll(t, func(t *testing.T, w *model.Weights, _ *rand.Rand) {
		ranges := map[string]Range{}
		for _, name := range Activations(w.Network()) {
			ranges[name] = Range{0, 1}
		}
		for _, o := range []Options{{}, {Norms: true}, {Int8: ranges}, {Int8: ranges, Means: make([]float32, w.Network().Shape.Planes)}} {
			o.Metadata = map[string]string{"b": "2", "a": "1"}
			p := parse(t, write(t, w, o))
			used := map[string]bool{}
			for _, n := range p.nodes {
				for _, x := range n.inputs {
					used[x] = true
				}
			}
			for name := range p.constants {
				if !used[name] {
					t.Errorf("nothing reads %s", name)
				}
			}
			if p.opset != Opset || p.ir != irVersion || !maps.Equal(p.metadata, o.Metadata) {
				t.Errorf("opset %d, IR version %d, metadata %v", p.opset, p.ir, p.metadata)
			}
			if !bytes.Equal(write(t, w, o), write(t, w, o)) {
				t.Error("equal arguments give other bytes")
			}
		}
	})
}

func TestWriteNamesWhatIsWrong(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	w := randomWeights(networks["globals"], rng)
	nan := float32(math.NaN())
	all := func(change func(map[string]Range)) map[string]Range {
		ranges := map[string]Range{}
		for _, name := range Activations(w.Network()) {
			ranges[name] = Range{0, 1}
		}
		change(ranges)
		return ranges
	}
	for want, o := range map[string]Options{
		"range of stem: missing":                  {Int8: all(func(r map[string]Range) { delete(r, "stem") })},
		"range of tower: the network has no such": {Int8: all(func(r map[string]Range) { r["tower"] = Range{} })},
		"range of stem: NaN to 1":                 {Int8: all(func(r map[string]Range) { r["stem"] = Range{nan, 1} })},
		"range of stem: 0 to +Inf":                {Int8: all(func(r map[string]Range) { r["stem"] = Range{0, float32(math.Inf(1))} })},
		"range of stem: 2 to 1":                   {Int8: all(func(r map[string]Range) { r["stem"] = Range{2, 1} })},
		"has neither batch normalisation":         {Int8: all(func(map[string]Range) {}), Norms: true},
		"means of 2 planes: want 5":               {Int8: all(func(map[string]Range) {}), Means: make([]float32, 2)},
		"nor inner outputs":                       {Int8: all(func(map[string]Range) {}), Inner: true},
	} {
		if err := Write(&bytes.Buffer{}, w, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Write = %v, want it to say %q", err, want)
		}
	}
	bad := w.Clone()
	bad.Tensor("stem.bn.var")[1] = 0
	bad.Tensor("stem.bn.scale")[1] = math.MaxFloat32
	if err := Write(&bytes.Buffer{}, bad, Options{}); err == nil || !strings.Contains(err.Error(), "stem.conv.weight: folding") {
		t.Errorf("Write = %v, want it to name the weights that overflow", err)
	}
	broken := errors.New("disk full")
	if err := Write(failing{broken}, w, Options{}); !errors.Is(err, broken) {
		t.Errorf("Write = %v, want %v", err, broken)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// ExampleActivations shows what an int8 model of a small network rounds.
func ExampleActivations() {
	net := networks["plain"]
	net.Config.Blocks = 1
	for _, name := range Activations(net) {
		fmt.Println(name)
	}
	// Output:
	// planes
	// stem
	// block.0.inner
	// block.0.sum2
	// block.0
	// policy.inner
	// value.inner
}
