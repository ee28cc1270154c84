package graph

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// batches returns what hands out b one after another.
func batches(b ...*Batch) func() (*Batch, error) {
	return func() (*Batch, error) {
		next := b[0]
		b = b[1:]
		return next, nil
	}
}

// TestRecomputedStatisticsAreThoseOfAllBatches computes mean and variance of
// every normalisation's inputs in two passes over all batches at once. The
// batches differ in level, so that the mean of their variances, which is also
// computed, would be wrong.
func TestRecomputedStatisticsAreThoseOfAllBatches(t *testing.T) {
	const rows, n = 6, 3
	for name, net := range architectures {
		w := randomWeights(net, 1)
		g := newGraph(t, net, w, options(rows, 2))
		r := newReference(net, w, options(rows, 1), true)
		var all []*Batch
		within := map[string][]float64{} // mean over the batches of the variances
		for i := range n {
			b := randomBatch(net, rows, uint64(i))
			for j := range b.Planes {
				if j%net.Shape.Planes != net.Shape.MaskPlane && b.Planes[j] != 0 { // off the board is 0
					b.Planes[j] += float32(i)
				}
			}
			all = append(all, b)
			r.run(b)
			for norm, v := range r.vari {
				if within[norm] == nil {
					within[norm] = make([]float64, len(v))
				}
				for j, x := range v {
					within[norm][j] += x / n
				}
			}
		}
		if err := g.RecomputeStatistics(n, batches(all...)); err != nil {
			t.Fatal(err)
		}
		got := g.Weights()
		for norm, x := range r.seen {
			c := len(within[norm])
			count := float64(len(x) / c)
			mean, vari := make([]float64, c), make([]float64, c)
			for i, v := range x {
				mean[i%c] += v / count
			}
			for i, v := range x {
				vari[i%c] += (v - mean[i%c]) * (v - mean[i%c]) / count
			}
			near(t, name+" "+norm+".mean", got.Tensor(norm+".mean"), mean, 1e-4, 0)
			near(t, name+" "+norm+".var", got.Tensor(norm+".var"), vari, 1e-4, 0)
			if norm != "stem.bn" {
				continue
			}
			total, inner := 0.0, 0.0
			for j, v := range within[norm] {
				total, inner = total+vari[j], inner+v
			}
			if total < 1.02*inner {
				t.Errorf("%s: variances of %g over all batches, %g within them: the test tells nothing", name, total, inner)
			}
		}
		for i, s := range w.Specs() {
			if s.Role.Learned() && !sameBits(got.Data(i), w.Data(i)) {
				t.Errorf("%s: %s has changed", name, s.Name)
			}
		}
	}
}

// TestRecomputedStatisticsDependOnBatchesAlone: not on the threads, on the
// running statistics before, or on what the graph did before; and a graph goes
// on as one that never gathered.
func TestRecomputedStatisticsDependOnBatchesAlone(t *testing.T) {
	net := architectures["masked"]
	w := randomWeights(net, 1)
	a, b, c := randomBatch(net, 11, 1), randomBatch(net, 11, 2), randomBatch(net, 11, 3)
	one := newGraph(t, net, w, options(11, 1))
	if err := one.RecomputeStatistics(2, batches(a, b)); err != nil {
		t.Fatal(err)
	}
	many := newGraph(t, net, w, options(11, 5))
	mustRun(t, many, c)
	for range 2 {
		if err := many.RecomputeStatistics(2, batches(a, b)); err != nil {
			t.Fatal(err)
		}
	}
	if !one.Weights().Equal(many.Weights()) {
		t.Error("statistics with 5 threads and a past differ from those with 1 and none")
	}
	if err := many.SetWeights(w); err != nil {
		t.Fatal(err)
	}
	fresh := newGraph(t, net, w, options(11, 1))
	if mustRun(t, many, c) != mustRun(t, fresh, c) || !many.Weights().Equal(fresh.Weights()) {
		t.Error("a step after gathering differs from one without")
	}
	for i := range fresh.Learnables() {
		if !sameBits(gradient(t, many, i), gradient(t, fresh, i)) {
			t.Errorf("gradient %d after gathering differs from that without", i)
		}
	}
}

func TestRecomputeStatisticsFailsWithoutChange(t *testing.T) {
	net := architectures["masked"]
	g := newGraph(t, net, randomWeights(net, 1), options(4, 1))
	before := g.Weights()
	good, spoilt, none := randomBatch(net, 4, 1), randomBatch(net, 4, 2), randomBatch(net, 4, 3)
	spoilt.Globals[0] = float32(math.NaN())
	for i := net.Shape.MaskPlane; i < len(none.Planes); i += net.Shape.Planes {
		none.Planes[i] = 0
	}
	stop := errors.New("enough")
	for _, c := range []struct {
		n    int
		next func() (*Batch, error)
		want string
	}{
		{0, batches(), "at least 1"},
		{2, batches(good, spoilt), "not finite"},
		{1, func() (*Batch, error) { return nil, stop }, "enough"},
		{1, batches(randomBatch(net, 5, 1)), "want 4"},
		{1, batches(none), "board cell"},
	} {
		if err := g.RecomputeStatistics(c.n, c.next); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("RecomputeStatistics = %v, want %q", err, c.want)
		}
		if !g.Weights().Equal(before) {
			t.Fatalf("the weights have changed by what failed with %q", c.want)
		}
	}
}
