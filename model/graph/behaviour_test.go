package graph

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
)

func sameBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

// TestSameBitsForAnyNumberOfThreads also covers batches that the chunks divide
// unevenly, and ones smaller than the number of chunks.
func TestSameBitsForAnyNumberOfThreads(t *testing.T) {
	net := architectures["masked reply"]
	for _, rows := range []int{3, 8, 37} {
		w, batch := randomWeights(net, 1), randomBatch(net, rows, 2)
		var one *Graph
		for _, threads := range []int{1, 2, 5, 8} {
			g := newGraph(t, net, w, options(rows, threads))
			mustRun(t, g, batch)
			g.SetThreads(9 - threads)
			mustRun(t, g, batch)
			if one == nil {
				one = g
				continue
			}
			if !sameBits(g.Outputs().Policy, one.Outputs().Policy) || !sameBits(g.Outputs().WDL, one.Outputs().WDL) ||
				!sameBits(g.Outputs().Reply, one.Outputs().Reply) {
				t.Errorf("%d rows: outputs with %d threads differ from those with 1", rows, threads)
			}
			if !g.Weights().Equal(one.Weights()) {
				t.Errorf("%d rows: running statistics with %d threads differ from those with 1", rows, threads)
			}
			for i, n := range g.Learnables() {
				if !sameBits(gradient(t, g, i), gradient(t, one, i)) {
					t.Errorf("%d rows: gradient by %s with %d threads differs from that with 1", rows, n.Name(), threads)
				}
			}
		}
	}
}

// TestRunsDoNotDependOnThePast compares a used graph with a new one: nothing of
// an earlier batch, and nothing of an evaluation, is left in shared memory.
func TestRunsDoNotDependOnThePast(t *testing.T) {
	for name, net := range architectures {
		w := randomWeights(net, 1)
		fresh, used := newGraph(t, net, w, options(6, 1)), newGraph(t, net, w, options(6, 1))
		batch := randomBatch(net, 6, 2)
		mustRun(t, used, randomBatch(net, 6, 3))
		if err := used.SetWeights(w); err != nil {
			t.Fatal(err)
		}
		if _, err := used.Evaluate(randomBatch(net, 6, 4)); err != nil {
			t.Fatal(err)
		}
		if a, b := mustRun(t, fresh, batch), mustRun(t, used, batch); a != b {
			t.Errorf("%s: losses %+v of a used graph, %+v of a new one", name, b, a)
		}
		for i, n := range fresh.Learnables() {
			if !sameBits(gradient(t, fresh, i), gradient(t, used, i)) {
				t.Errorf("%s: gradient by %s of a used graph differs from that of a new one", name, n.Name())
			}
		}
	}
}

// TestAgreesWithInference holds the two implementations of one description to
// each other: probabilities and value within 1e-4, logits within 1e-4 times the
// largest of them or 1.
func TestAgreesWithInference(t *testing.T) {
	for name, net := range architectures {
		t.Run(name, func(t *testing.T) {
			const rows = 13
			s, w := net.Shape, randomWeights(net, 21)
			b := randomBatch(net, rows, 22)
			g := newGraph(t, net, w, options(rows, 2))
			if _, err := g.Evaluate(b); err != nil {
				t.Fatal(err)
			}
			n, err := infer.New(net, w, infer.Options{MaxBatch: rows})
			if err != nil {
				t.Fatal(err)
			}
			planes := make([]float32, len(b.Planes)) // channels first
			for i, v := range b.Planes {
				row, cell, p := i/(s.Cells()*s.Planes), i/s.Planes%s.Cells(), i%s.Planes
				planes[(row*s.Planes+p)*s.Cells()+cell] = v
			}
			logits, wdl, turns := make([]float32, len(b.Cells)), make([]float32, rows*3), make([]float32, rows)
			if err := n.Forward(planes, b.Globals, b.Offsets, b.Cells, logits, wdl, turns); err != nil {
				t.Fatal(err)
			}
			o := g.Outputs()
			near(t, "wdl", o.WDL, wide(wdl), 1e-4, 1)
			for row := range rows {
				if a, b := mcts.Value(o.WDL[row*3:row*3+3]), mcts.Value(wdl[row*3:row*3+3]); math.Abs(float64(a-b)) > 1e-4 {
					t.Errorf("row %d: value %g, inference has %g", row, a, b)
				}
				if a := softplus(float64(o.Turns[row])) * model.TurnsUnit; math.Abs(a-float64(turns[row])) > 1e-4*max(1, math.Abs(a)) {
					t.Errorf("row %d: %g turns left, inference has %g", row, a, turns[row])
				}
				from, to := b.Offsets[row], b.Offsets[row+1]
				near(t, "policy", o.Policy[from:to], softmax(wide(logits[from:to])), 1e-4, 1)
			}
			var ours []float32
			for row := range rows {
				for _, h := range b.Cells[b.Offsets[row]:b.Offsets[row+1]] {
					if k := int(h) - s.PolicyPlanes*s.Cells(); k >= 0 {
						ours = append(ours, o.More[row*s.PolicyGlobals+k])
					} else {
						ours = append(ours, o.Cells[(row*s.Cells()+int(h)%s.Cells())*s.PolicyPlanes+int(h)/s.Cells()])
					}
				}
			}
			near(t, "logits", ours, wide(logits), 1e-4, 1)
		})
	}
}

// TestMaskedBoardIsTheSmallerBoard trains on 3×4 boards in the corner of 5×5
// and on 3×4 boards that fill theirs. The value head sees the cells one by one
// and cannot agree; everything else must, statistics and gradients included.
func TestMaskedBoardIsTheSmallerBoard(t *testing.T) {
	const rows, planes = 6, 4
	small := model.Network{
		Shape:  model.Shape{Planes: planes, Height: 3, Width: 4, Globals: 2, MaskPlane: -1, PolicyPlanes: 2, PolicyGlobals: 3},
		Config: model.Config{Blocks: 2, Channels: 8, PoolEvery: 2, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 8, Reply: true}}
	large := small
	large.Shape.Height, large.Shape.Width, large.Shape.MaskPlane = 5, 5, 1
	// place maps a cell of the small board to the large one.
	place := func(cell int) int { return cell/4*5 + cell%4 }

	a := randomBatch(small, rows, 5)
	b := randomBatch(large, rows, 5)
	clear(b.Planes)
	for i := range rows * 12 {
		a.Planes[i*planes+1] = 1
		copy(b.Planes[(i/12*25+place(i%12))*planes:][:planes], a.Planes[i*planes:])
	}
	copy(b.Globals, a.Globals)
	b.Offsets, b.Policy, b.PolicyWeight = a.Offsets, a.Policy, a.PolicyWeight
	b.ReplyOffsets, b.ReplyPolicy, b.ReplyWeight = a.ReplyOffsets, a.ReplyPolicy, a.ReplyWeight
	// placed maps head cells of the small board to the large one.
	placed := func(cells []int32) (large []int32) {
		for _, h := range cells {
			if h < 2*12 {
				h = h/12*25 + int32(place(int(h%12)))
			} else {
				h += 2*25 - 2*12
			}
			large = append(large, h)
		}
		return large
	}
	b.Cells, b.ReplyCells = placed(a.Cells), placed(a.ReplyCells)
	wa, wb := randomWeights(small, 6), randomWeights(large, 6)
	for i, s := range wa.Specs() {
		if s.Name != "value.hidden.weight" {
			copy(wb.Data(i), wa.Data(i))
		}
	}
	opt := options(rows, 1)
	opt.ValueWeight, opt.TurnsWeight = 0, 0
	ga, gb := newGraph(t, small, wa, opt), newGraph(t, large, wb, opt)
	la, lb := mustRun(t, ga, a), mustRun(t, gb, b)
	near(t, "policy loss", []float32{float32(lb.Policy)}, []float64{la.Policy}, 1e-6, 1)
	near(t, "policy", gb.Outputs().Policy, wide(ga.Outputs().Policy), 1e-5, 1)
	near(t, "reply", gb.Outputs().Reply, wide(ga.Outputs().Reply), 1e-5, 1)
	after := gb.Weights()
	for i, s := range ga.Weights().Specs() {
		if !s.Role.Learned() {
			near(t, s.Name, after.Data(i), wide(ga.Weights().Data(i)), 1e-5, 1)
		}
	}
	for i, n := range ga.Learnables() {
		if n.Name() != "value.hidden.weight" {
			near(t, n.Name(), gradient(t, gb, i), wide(gradient(t, ga, i)), 1e-5, 0.1)
		}
	}
}

// TestRowsWithoutWeight: rows of weight 0 add nothing to a loss, whatever their
// targets are, and a batch without any weight has no gradient.
func TestRowsWithoutWeight(t *testing.T) {
	net := architectures["pooled"]
	net.Config.Reply = true
	g := newGraph(t, net, randomWeights(net, 1), options(4, 1))
	b := randomBatch(net, 4, 1)
	clear(b.PolicyWeight)
	clear(b.ValueWeight)
	clear(b.TurnsWeight)
	clear(b.ReplyWeight)
	if l := mustRun(t, g, b); l != (Losses{}) {
		t.Errorf("losses %+v without weights, want 0", l)
	}
	for i, n := range g.Learnables() {
		for j, x := range gradient(t, g, i) {
			if x != 0 {
				t.Fatalf("%s[%d] has gradient %g without weights, want 0", n.Name(), j, x)
			}
		}
	}
	b.PolicyWeight[2], b.ValueWeight[1], b.TurnsWeight[0], b.ReplyWeight[3] = 0.25, 0.25, 0.25, 0.25
	before := mustRun(t, g, b)
	for row := range 4 {
		if row != 2 {
			clear(b.Policy[b.Offsets[row]:b.Offsets[row+1]])
		}
		if row != 1 {
			copy(b.Value[row*3:], []float32{0.2, 0.3, 0.5})
		}
		if row != 0 {
			b.Turns[row] = 1e6
		}
		if row != 3 {
			clear(b.ReplyPolicy[b.ReplyOffsets[row]:b.ReplyOffsets[row+1]])
		}
	}
	if after := mustRun(t, g, b); after != before {
		t.Errorf("losses %+v, want %+v: targets of rows without weight count", after, before)
	}
}

// TestExtremeLogitsStayFinite drives every head far beyond what training does.
func TestExtremeLogitsStayFinite(t *testing.T) {
	net := architectures["masked reply"]
	w := randomWeights(net, 1)
	for _, name := range []string{"reply.conv.weight", "reply.globals.weight", "policy.conv2.weight", "policy.globals.weight", "value.wdl.weight", "value.turns.weight"} {
		for i := range w.Tensor(name) {
			w.Tensor(name)[i] *= 1e6
		}
	}
	g := newGraph(t, net, w, options(9, 1))
	l := mustRun(t, g, randomBatch(net, 9, 1))
	if !(l.Policy > 1e4) {
		t.Errorf("policy loss %g: the logits are not extreme", l.Policy)
	}
	for i, n := range g.Learnables() {
		for j, x := range gradient(t, g, i) {
			if x-x != 0 {
				t.Fatalf("%s[%d] has gradient %g", n.Name(), j, x)
			}
		}
	}
}

// TestMemoryIsFlat runs many steps: what one step allocates, gorgonia's
// bookkeeping, stays small and is garbage afterwards.
func TestMemoryIsFlat(t *testing.T) {
	net := architectures["bare"]
	g := newGraph(t, net, randomWeights(net, 1), options(8, 2))
	b := randomBatch(net, 8, 1)
	live := func() (heap, total uint64) {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, m.TotalAlloc
	}
	steps := func(n int) {
		for range n {
			mustRun(t, g, b)
		}
	}
	steps(100)
	heap0, total0 := live()
	const n = 1000
	steps(n)
	heap1, total1 := live()
	if grown := int64(heap1) - int64(heap0); grown > 64<<10 {
		t.Errorf("the heap grew by %d bytes in %d steps", grown, n)
	}
	if each := (total1 - total0) / n; each > 64<<10 {
		t.Errorf("a step allocates %d bytes", each)
	}
}

// TestReplyHeadIsBesideTheRest: with the head, but without weight on its loss,
// the network computes and learns as without it; with weight, the head takes
// part in what the policy head and the tower learn and in nothing else.
func TestReplyHeadIsBesideTheRest(t *testing.T) {
	for _, with := range []model.Network{architectures["reply"], architectures["masked reply"]} {
		without := with
		without.Config.Reply = false
		w := randomWeights(with, 1)
		v := model.NewWeights(without)
		for i, s := range v.Specs() {
			copy(v.Data(i), w.Tensor(s.Name))
		}
		b, opt := randomBatch(with, 7, 2), options(7, 1)
		plain := newGraph(t, without, v, opt)
		lone := mustRun(t, plain, b)
		for _, weight := range []float64{0, 0.6} {
			opt.ReplyWeight = weight
			g := newGraph(t, with, w, opt)
			l := mustRun(t, g, b)
			if l.Policy != lone.Policy || l.Value != lone.Value || l.Turns != lone.Turns || l.Reply == 0 || (l.Total == lone.Total) != (weight == 0) {
				t.Errorf("losses %+v at weight %g, without the head %+v", l, weight, lone)
			}
			for i, n := range plain.Learnables() {
				head := strings.HasPrefix(n.Name(), "value.") || strings.HasPrefix(n.Name(), "policy.conv2.") || strings.HasPrefix(n.Name(), "policy.globals.")
				if same := sameBits(gradient(t, g, i), gradient(t, plain, i)); same != (weight == 0 || head) {
					t.Errorf("weight %g: gradient by %s is the one without the head: %t", weight, n.Name(), same)
				}
			}
		}
	}
}
