package infer

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/model"
)

// networks are the architectures that the tests run over: every game's board,
// with and without mask, globals, pooling and extra logits.
var networks = map[string]model.Network{
	"8x8": {
		Shape:  model.Shape{Planes: 48, Height: 8, Width: 8, Globals: 21, MaskPlane: -1, PolicyPlanes: 27, PolicyGlobals: 2},
		Config: model.Config{Blocks: 2, Channels: 64, PoolEvery: 2, PolicyChannels: 32, ValueChannels: 16, ValueHidden: 64}},
	"6x7": {
		Shape:  model.Shape{Planes: 3, Height: 6, Width: 7, MaskPlane: -1, PolicyPlanes: 1},
		Config: model.Config{Blocks: 3, Channels: 32, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 32}},
	"3x3": {
		Shape:  model.Shape{Planes: 2, Height: 3, Width: 3, Globals: 1, MaskPlane: -1, PolicyPlanes: 1, PolicyGlobals: 1},
		Config: model.Config{Blocks: 0, Channels: 8, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 8}},
	"masked": {
		Shape:  model.Shape{Planes: 7, Height: 9, Width: 8, Globals: 4, MaskPlane: 2, PolicyPlanes: 5, PolicyGlobals: 1},
		Config: model.Config{Blocks: 3, Channels: 24, PoolEvery: 1, PolicyChannels: 16, ValueChannels: 8, ValueHidden: 40}},
	"largest": {
		Shape:  model.Shape{Planes: 5, Height: model.MaxHeight, Width: model.MaxWidth, Globals: 3, MaskPlane: 1, PolicyPlanes: 3, PolicyGlobals: 2},
		Config: model.Config{Blocks: 2, Channels: 16, PoolEvery: 2, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 16}},
	"reply": {
		Shape:  model.Shape{Planes: 3, Height: 4, Width: 5, Globals: 2, MaskPlane: -1, PolicyPlanes: 2, PolicyGlobals: 1},
		Config: model.Config{Blocks: 1, Channels: 16, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 8, Reply: true}},
}

// randomWeights has nothing at 0 or 1 that Init leaves there, so that every
// tensor counts.
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

// position fills planes with 0 and 1 and globals with small numbers, on a board
// of rows × cols in the corner.
func position(s model.Shape, planes, globals []float32, rows, cols int, rng *rand.Rand) {
	for p := range s.Planes {
		for cell := range s.Cells() {
			v := float32(rng.IntN(2))
			if p == s.MaskPlane {
				v = 1
			}
			if cell/s.Width >= rows || cell%s.Width >= cols {
				v = 0
			}
			planes[p*s.Cells()+cell] = v
		}
	}
	for i := range globals {
		globals[i] = rng.Float32()*2 - 1
	}
}

// batch is the arguments of one Forward.
type batch struct {
	planes, globals    []float32
	offsets, cells     []int32
	logits, wdl, turns []float32
}

// randomBatch has some rows without actions, cells in any order and repeated,
// and with a mask some rows whose board is whole.
func randomBatch(s model.Shape, size int, rng *rand.Rand) *batch {
	b := &batch{
		planes: make([]float32, size*s.Planes*s.Cells()), globals: make([]float32, size*s.Globals),
		offsets: []int32{0}, wdl: make([]float32, 3*size), turns: make([]float32, size),
	}
	for i := range size {
		rows, cols := s.Height, s.Width
		if s.MaskPlane >= 0 && rng.IntN(3) > 0 {
			rows, cols = 1+rng.IntN(rows), 1+rng.IntN(cols)
		}
		position(s, b.planes[i*s.Planes*s.Cells():], b.globals[i*s.Globals:][:s.Globals], rows, cols, rng)
		for range rng.IntN(3) * rng.IntN(s.HeadCells()+1) / 2 {
			b.cells = append(b.cells, int32(rng.IntN(s.HeadCells())))
		}
		b.offsets = append(b.offsets, int32(len(b.cells)))
	}
	b.logits = make([]float32, len(b.cells))
	return b
}

func (b *batch) forward(t testing.TB, n *Net) {
	t.Helper()
	if err := n.Forward(b.planes, b.globals, b.offsets, b.cells, b.logits, b.wdl, b.turns); err != nil {
		t.Fatal(err)
	}
}

// row is a batch of one: row i of b.
func (b *batch) row(s model.Shape, i int) *batch {
	cells := b.cells[b.offsets[i]:b.offsets[i+1]]
	size := s.Planes * s.Cells()
	return &batch{
		planes: b.planes[i*size:][:size], globals: b.globals[i*s.Globals:][:s.Globals],
		offsets: []int32{0, int32(len(cells))}, cells: cells,
		logits: make([]float32, len(cells)), wdl: make([]float32, 3), turns: make([]float32, 1),
	}
}

func newNetFor(t testing.TB, w *model.Weights, maxBatch int) *Net {
	t.Helper()
	n, err := New(w.Network(), w, Options{MaxBatch: maxBatch})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The tolerance is a tenth of what the training graph and this package may
// differ by; float32 sums of a few hundred terms through a dozen layers come to
// about a fifth of it.
const tolerance = 1e-5

func TestForwardAgreesWithTheFormulas(t *testing.T) {
	for name, net := range networks {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 0))
			w := randomWeights(net, rng)
			ref := reference{net: net, w: w}
			b := randomBatch(net.Shape, 5, rng)
			b.forward(t, newNetFor(t, w, 8))
			for i := range 5 {
				one := b.row(net.Shape, i)
				want := ref.forward(one.planes, one.globals)
				scale := 1.0
				for _, x := range append(want.logits, want.wdl...) {
					scale = max(scale, math.Abs(x))
				}
				near := func(what string, got float32, want, tolerance float64) {
					if d := math.Abs(float64(got) - want); !(d <= tolerance) {
						t.Errorf("row %d: %s = %g, want %g", i, what, got, want)
					}
				}
				for j := b.offsets[i]; j < b.offsets[i+1]; j++ {
					near(fmt.Sprintf("logit of cell %d", b.cells[j]), b.logits[j], want.logits[b.cells[j]], tolerance*scale)
				}
				for j := range 3 {
					near(fmt.Sprintf("wdl %d", j), b.wdl[3*i+j], want.wdl[j], tolerance*scale)
				}
				near("turns", b.turns[i], want.turns, tolerance*model.TurnsUnit*scale)
			}
		})
	}
}

// Random architectures catch what the chosen ones leave out; a few suffice, as
// the kernels have tests of their own.
func TestForwardAgreesOnRandomArchitectures(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for range 12 {
		net := model.Network{
			Shape: model.Shape{Planes: 1 + rng.IntN(20), Height: 3 + rng.IntN(8), Width: 3 + rng.IntN(8), Globals: rng.IntN(10),
				PolicyPlanes: 1 + rng.IntN(10), PolicyGlobals: rng.IntN(4)},
			Config: model.Config{Blocks: rng.IntN(3), Channels: 8 * (1 + rng.IntN(5)), PoolEvery: rng.IntN(3),
				PolicyChannels: 8 * (1 + rng.IntN(3)), ValueChannels: 8 * (1 + rng.IntN(3)), ValueHidden: 8 * (1 + rng.IntN(3))},
		}
		net.Shape.MaskPlane = rng.IntN(net.Shape.Planes+1) - 1
		w := randomWeights(net, rng)
		b := randomBatch(net.Shape, 2, rng)
		b.forward(t, newNetFor(t, w, 2))
		ref := reference{net: net, w: w}
		for i := range 2 {
			one := b.row(net.Shape, i)
			want := ref.forward(one.planes, one.globals)
			for j, cell := range one.cells {
				got := float64(b.logits[int(b.offsets[i])+j])
				if d := math.Abs(got - want.logits[cell]); !(d <= tolerance*max(1, maxAbs(want.logits))) {
					t.Fatalf("%+v: row %d, logit of cell %d = %g, want %g", net, i, cell, got, want.logits[cell])
				}
			}
			for j := range 3 {
				if d := math.Abs(float64(b.wdl[3*i+j]) - want.wdl[j]); !(d <= tolerance*max(1, maxAbs(want.wdl))) {
					t.Fatalf("%+v: row %d, wdl %d = %g, want %g", net, i, j, b.wdl[3*i+j], want.wdl[j])
				}
			}
		}
	}
}

func maxAbs(v []float64) float64 {
	top := 0.0
	for _, x := range v {
		top = max(top, math.Abs(x))
	}
	return top
}

func bits(v []float32) []uint32 {
	b := make([]uint32, len(v))
	for i, x := range v {
		b[i] = math.Float32bits(x)
	}
	return b
}

func TestRowsDoNotDependOnTheBatch(t *testing.T) {
	for name, net := range networks {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 0))
			n := newNetFor(t, randomWeights(net, rng), 100)
			for _, size := range []int{2, 3, 7, n.chunk(), n.chunk() + 1, 2*n.chunk() + 3} {
				b := randomBatch(net.Shape, min(size, 100), rng)
				b.forward(t, n)
				for i := range b.turns {
					if len(b.turns) > 8 && i%5 != 0 && i != len(b.turns)-1 {
						continue // enough places of a long batch
					}
					one := b.row(net.Shape, i)
					one.forward(t, n)
					if !slices.Equal(bits(one.logits), bits(b.logits[b.offsets[i]:b.offsets[i+1]])) ||
						!slices.Equal(bits(one.wdl), bits(b.wdl[3*i:3*i+3])) || bits(one.turns)[0] != bits(b.turns)[i] {
						t.Fatalf("batch of %d: row %d differs from the same row alone", len(b.turns), i)
					}
				}
			}
		})
	}
}

// A full board gives the same bits alone, where no mask is needed, and beside a
// smaller one.
func TestFullBoardBesideASmallerOne(t *testing.T) {
	net := networks["masked"]
	rng := rand.New(rand.NewPCG(12, 0))
	n := newNetFor(t, randomWeights(net, rng), 2)
	s := net.Shape
	b := randomBatch(s, 2, rng)
	position(s, b.planes, b.globals[:s.Globals], s.Height, s.Width, rng)
	position(s, b.planes[s.Planes*s.Cells():], b.globals[s.Globals:], 4, 5, rng)
	b.forward(t, n)
	one := b.row(s, 0)
	one.forward(t, n)
	if n.boards(1) != nil {
		t.Error("a full board has a mask")
	}
	if !slices.Equal(bits(one.logits), bits(b.logits[:b.offsets[1]])) || !slices.Equal(bits(one.wdl), bits(b.wdl[:3])) {
		t.Error("outputs differ")
	}
}

// Only the cells that are asked of go through the policy head.
func TestLogitsDoNotDependOnWhatElseIsAsked(t *testing.T) {
	for name, net := range networks {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(13, 0))
			w := randomWeights(net, rng)
			for _, n := range []*Net{newNetFor(t, w, 4), int8For(t, w, 4, rng)} {
				const rows = 4
				all, heads := randomBatch(net.Shape, rows, rng), net.Shape.HeadCells()
				all.cells, all.logits = nil, make([]float32, rows*heads)
				few := *all
				few.offsets = []int32{0}
				for i := range rows {
					for h := range heads {
						all.cells = append(all.cells, int32(h))
					}
					all.offsets[i+1] = int32(len(all.cells))
					for range i * i { // none of the first
						few.cells = append(few.cells, int32(rng.IntN(heads)))
					}
					few.offsets = append(few.offsets, int32(len(few.cells)))
				}
				few.logits = make([]float32, len(few.cells))
				all.forward(t, n)
				few.forward(t, n)
				for i := range rows {
					for j := few.offsets[i]; j < few.offsets[i+1]; j++ {
						if got, want := few.logits[j], all.logits[i*heads+int(few.cells[j])]; math.Float32bits(got) != math.Float32bits(want) {
							t.Fatalf("row %d: the logit of head cell %d is %g, and %g where all are asked", i, few.cells[j], got, want)
						}
					}
				}
			}
		})
	}
}

// A board that is smaller by its mask gives what a network made for that size
// gives: padding by mask is the same as padding by edge. Only the value head's
// hidden layer knows cells by number, so its weights are taken over by cell.
func TestMaskedBoardEqualsASmallerBoard(t *testing.T) {
	big := networks["masked"]
	small := big
	small.Shape.Height, small.Shape.Width = 5, 6
	rng := rand.New(rand.NewPCG(4, 0))
	wb := randomWeights(big, rng)
	ws := model.NewWeights(small)
	for i, s := range wb.Specs() {
		if s.Name != "value.hidden.weight" {
			copy(ws.Data(i), wb.Data(i))
			continue
		}
		row := big.Config.ValueChannels * big.Config.ValueHidden
		for cell := range small.Shape.Cells() {
			inBig := cell/small.Shape.Width*big.Shape.Width + cell%small.Shape.Width
			copy(ws.Data(i)[cell*row:][:row], wb.Data(i)[inBig*row:])
		}
	}
	sb := randomBatch(small.Shape, 1, rng)
	position(small.Shape, sb.planes, sb.globals, 5, 6, rng)
	sb.cells, sb.logits = nil, make([]float32, small.Shape.HeadCells())
	for h := range small.Shape.HeadCells() {
		sb.cells = append(sb.cells, int32(h))
	}
	sb.offsets = []int32{0, int32(len(sb.cells))}

	// place is the index in the big board of an index that counts planes first.
	place := func(i int) int {
		plane, cell := i/small.Shape.Cells(), i%small.Shape.Cells()
		return plane*big.Shape.Cells() + cell/small.Shape.Width*big.Shape.Width + cell%small.Shape.Width
	}
	bb := &batch{planes: make([]float32, big.Shape.Planes*big.Shape.Cells()), globals: sb.globals, offsets: sb.offsets,
		logits: make([]float32, len(sb.cells)), wdl: make([]float32, 3), turns: make([]float32, 1)}
	for i, v := range sb.planes {
		bb.planes[place(i)] = v
	}
	spatial := small.Shape.PolicyPlanes * small.Shape.Cells()
	for h := range sb.cells {
		if h < spatial {
			bb.cells = append(bb.cells, int32(place(h)))
		} else {
			bb.cells = append(bb.cells, int32(h-spatial+big.Shape.PolicyPlanes*big.Shape.Cells()))
		}
	}
	sb.forward(t, newNetFor(t, ws, 1))
	bb.forward(t, newNetFor(t, wb, 1))
	// The zeros off the board enter sums at other places, so bits may differ.
	for i := range sb.logits {
		if d := math.Abs(float64(sb.logits[i] - bb.logits[i])); d > tolerance*10 {
			t.Errorf("logit %d = %g masked, %g on the smaller board", i, bb.logits[i], sb.logits[i])
		}
	}
	for i := range sb.wdl {
		if d := math.Abs(float64(sb.wdl[i] - bb.wdl[i])); d > tolerance*10 {
			t.Errorf("wdl %d = %g masked, %g on the smaller board", i, bb.wdl[i], sb.wdl[i])
		}
	}
}

func TestForwardDoesNotAllocate(t *testing.T) {
	for name, net := range networks {
		rng := rand.New(rand.NewPCG(5, 0))
		n := newNetFor(t, randomWeights(net, rng), 9)
		b := randomBatch(net.Shape, 9, rng)
		if got := testing.AllocsPerRun(3, func() { b.forward(t, n) }); got != 0 {
			t.Errorf("%s: Forward allocates %g times", name, got)
		}
	}
}

func TestForksShareWeightsOnly(t *testing.T) {
	net := networks["masked"]
	rng := rand.New(rand.NewPCG(6, 0))
	n := newNetFor(t, randomWeights(net, rng), 4)
	b := randomBatch(net.Shape, 4, rng)
	b.forward(t, n)
	want := bits(append(slices.Clone(b.logits), b.wdl...))
	done := make(chan []uint32)
	for range 2 {
		go func() {
			f := n.Fork()
			own := *b
			own.logits, own.wdl, own.turns = make([]float32, len(b.logits)), make([]float32, len(b.wdl)), nil
			var got []uint32
			for range 3 {
				if err := f.Forward(own.planes, own.globals, own.offsets, own.cells, own.logits, own.wdl, own.turns); err == nil {
					got = bits(append(slices.Clone(own.logits), own.wdl...))
				}
			}
			done <- got
		}()
	}
	for range 2 {
		if got := <-done; !slices.Equal(got, want) {
			t.Error("a fork gives other bits")
		}
	}
}

func TestForwardRefusesWhatDoesNotFit(t *testing.T) {
	net := networks["6x7"]
	rng := rand.New(rand.NewPCG(7, 0))
	n := newNetFor(t, randomWeights(net, rng), 2)
	for name, change := range map[string]func(b *batch){
		"no rows":           func(b *batch) { *b = batch{offsets: []int32{0}} },
		"no offsets":        func(b *batch) { b.offsets = nil },
		"too many rows":     func(b *batch) { *b = *randomBatch(net.Shape, 3, rng) },
		"planes":            func(b *batch) { b.planes = b.planes[1:] },
		"globals":           func(b *batch) { b.globals = []float32{1} },
		"logits":            func(b *batch) { b.logits = append(b.logits, 0) },
		"wdl":               func(b *batch) { b.wdl = b.wdl[:3] },
		"turns":             func(b *batch) { b.turns = b.turns[:1] },
		"first offset":      func(b *batch) { b.offsets[0] = 1 },
		"last offset":       func(b *batch) { b.offsets[2]-- },
		"falling offset":    func(b *batch) { b.offsets[1] = b.offsets[2] + 1 },
		"negative cell":     func(b *batch) { b.cells[0] = -1 },
		"cell out of range": func(b *batch) { b.cells[2] = 42 },
	} {
		b := randomBatch(net.Shape, 2, rng)
		b.cells, b.offsets, b.logits = []int32{1, 2, 3}, []int32{0, 1, 3}, make([]float32, 3)
		change(b)
		const untouched = 77
		for _, out := range [][]float32{b.logits, b.wdl, b.turns} {
			for i := range out {
				out[i] = untouched
			}
		}
		if err := n.Forward(b.planes, b.globals, b.offsets, b.cells, b.logits, b.wdl, b.turns); !errors.Is(err, ErrShape) {
			t.Errorf("%s: Forward = %v, want ErrShape", name, err)
		}
		for _, out := range [][]float32{b.logits, b.wdl, b.turns} {
			for i := range out {
				if out[i] != untouched {
					t.Fatalf("%s: an output was written", name)
				}
			}
		}
	}
}

func TestNewRefuses(t *testing.T) {
	net := networks["3x3"]
	rng := rand.New(rand.NewPCG(8, 0))
	good := randomWeights(net, rng)
	nan, huge := good.Clone(), good.Clone()
	nan.Tensor("value.wdl.bias")[0] = float32(math.NaN())
	huge.Tensor("stem.bn.scale")[0] = math.MaxFloat32
	huge.Tensor("stem.bn.var")[0] = 0
	for _, c := range []struct {
		reason   string
		net      model.Network
		w        *model.Weights
		maxBatch int
	}{
		{"batch of 0", net, good, 0},
		{"weights of network", networks["6x7"], good, 1},
		{"value.wdl.bias", net, nan, 1},
		{"overflows", net, huge, 1},
	} {
		if _, err := New(c.net, c.w, Options{MaxBatch: c.maxBatch}); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("New = %v, want %q", err, c.reason)
		}
	}
}

func TestTurnsLeftOfLargeValues(t *testing.T) {
	if got := turnsLeft(1000); got != 1000*model.TurnsUnit {
		t.Errorf("turnsLeft(1000) = %g", got)
	}
	if got := turnsLeft(-1000); got != 0 {
		t.Errorf("turnsLeft(-1000) = %g", got)
	}
}
