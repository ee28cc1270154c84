package graph

import (
	"math"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/kernel"
)

// TestBFloat16GradientsAreNear holds the gradient with rounded operands to that
// without. Each product is off by up to 2^-8 of itself, at random signs, and a
// gradient comes by several convolutions: the angle between the two is well
// below a tenth. It is not 0, or the option would do nothing.
func TestBFloat16GradientsAreNear(t *testing.T) {
	if kernel.CheckBFloat16() != nil {
		t.Skipf("this machine: no bfloat16 at level %s", kernel.Level())
	}
	for name, net := range architectures {
		const rows = 24
		w, batch := randomWeights(net, 1), randomBatch(net, rows, 2)
		opt := options(rows, 1)
		exact := newGraph(t, net, w, opt)
		opt.BFloat16 = true
		rounded := newGraph(t, net, w, opt)
		a, b := mustRun(t, exact, batch), mustRun(t, rounded, batch)
		if d := math.Abs(a.Total - b.Total); !(d < 0.02*a.Total) || d == 0 {
			t.Errorf("%s: loss %g, without rounding %g", name, b.Total, a.Total)
		}
		var dot, xx, yy float64
		for i := range exact.Learnables() {
			x, y := gradient(t, exact, i), gradient(t, rounded, i)
			for j := range x {
				dot += float64(x[j]) * float64(y[j])
				xx += float64(x[j]) * float64(x[j])
				yy += float64(y[j]) * float64(y[j])
			}
		}
		if angle := math.Acos(min(1, dot/math.Sqrt(xx*yy))); !(angle < 0.1) {
			t.Errorf("%s: an angle of %g between the gradients", name, angle)
		}
	}
}

func TestBFloat16SameBitsForAnyNumberOfThreads(t *testing.T) {
	if kernel.CheckBFloat16() != nil {
		t.Skipf("this machine: no bfloat16 at level %s", kernel.Level())
	}
	net := architectures["masked reply"]
	const rows = 37
	w, batch := randomWeights(net, 1), randomBatch(net, rows, 2)
	var one *Graph
	for _, threads := range []int{1, 3, 8} {
		opt := options(rows, threads)
		opt.BFloat16 = true
		g := newGraph(t, net, w, opt)
		mustRun(t, g, batch)
		if one == nil {
			one = g
		}
		for i, n := range g.Learnables() {
			if !sameBits(gradient(t, g, i), gradient(t, one, i)) {
				t.Errorf("gradient by %s with %d threads differs from that with 1", n.Name(), threads)
			}
		}
	}
}

// TestBFloat16IsRefused checks what a graph says where it is not to be had.
func TestBFloat16IsRefused(t *testing.T) {
	if kernel.CheckBFloat16() == nil {
		t.Skipf("this machine: bfloat16 at level %s", kernel.Level())
	}
	net := architectures["reply"]
	opt := options(1, 1)
	opt.BFloat16 = true
	if _, err := New(net, model.NewWeights(net), opt); err == nil || !strings.Contains(err.Error(), "bfloat16: the kernels of level "+kernel.Level()) {
		t.Errorf("New: %v", err)
	}
}
