package infer

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/model/precision"
)

// bfloat16For skips the test where there is no bfloat16, once it has seen that a
// network says so.
func bfloat16For(t testing.TB, w *model.Weights, maxBatch int) *Net {
	t.Helper()
	n, err := New(w.Network(), w, Options{MaxBatch: maxBatch, Precision: precision.BF16})
	if kernel.CheckBFloat16() != nil {
		if err == nil || !strings.Contains(err.Error(), "precision bf16: bfloat16: the kernels of level "+kernel.Level()) {
			t.Fatalf("New = %v, want an error that names precision and level", err)
		}
		t.Skip("this machine: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A rounding to bfloat16 errs by 1/256 of a number at most, and only what is
// multiplied is rounded. Being off by nothing would mean that nothing is.
func TestBFloat16IsNearFloat32(t *testing.T) {
	for name, net := range networks {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(21, 0))
			w := randomWeights(net, rng)
			b := randomBatch(net.Shape, 40, rng)
			same := *b
			same.logits, same.wdl, same.turns = make([]float32, len(b.logits)), make([]float32, len(b.wdl)), make([]float32, len(b.turns))
			b.forward(t, newNetFor(t, w, 40))
			same.forward(t, bfloat16For(t, w, 40))
			for what, v := range map[string][2][]float32{"logits": {b.logits, same.logits}, "wdl": {b.wdl, same.wdl}, "turns": {b.turns, same.turns}} {
				if off := relativeError(v[0], v[1]); !(off <= 0.02) || off == 0 {
					t.Errorf("%s: the error in bfloat16 is %.4f of the deviation, want at most 0.02, and some", what, off)
				}
			}
		})
	}
}

func TestBFloat16RowsDoNotDependOnTheBatch(t *testing.T) {
	for name, net := range networks {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(22, 0))
			n := bfloat16For(t, randomWeights(net, rng), 100)
			for _, size := range []int{2, 7, n.chunk() + 1} {
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

func TestBFloat16DoesNotAllocate(t *testing.T) {
	for name, net := range networks {
		rng := rand.New(rand.NewPCG(23, 0))
		n := bfloat16For(t, randomWeights(net, rng), 9)
		b := randomBatch(net.Shape, 9, rng)
		if got := testing.AllocsPerRun(3, func() { b.forward(t, n) }); got != 0 {
			t.Errorf("%s: Forward allocates %g times", name, got)
		}
	}
}
