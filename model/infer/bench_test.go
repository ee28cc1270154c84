package infer

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/precision"
)

// BenchmarkForward measures evaluations per second on one core. R6x64 is the
// reference network: 30.4 million multiply-adds an evaluation. All precisions
// that the kernels have are measured in turn, with batches of 1 to 256.
func BenchmarkForward(b *testing.B) {
	for _, net := range []struct {
		name string
		model.Network
	}{
		{"R6x64", model.Network{
			Shape:  model.Shape{Planes: 48, Height: 8, Width: 8, MaskPlane: -1, PolicyPlanes: 27},
			Config: model.Config{Blocks: 6, Channels: 64, PolicyChannels: 32, ValueChannels: 16, ValueHidden: 64}}},
		{"R6x64pooled", model.Network{
			Shape:  model.Shape{Planes: 48, Height: 8, Width: 8, Globals: 32, MaskPlane: -1, PolicyPlanes: 27, PolicyGlobals: 2},
			Config: model.Config{Blocks: 6, Channels: 64, PoolEvery: 2, PolicyChannels: 32, ValueChannels: 16, ValueHidden: 64}}},
		{"R4x32", model.Network{
			Shape:  model.Shape{Planes: 48, Height: 8, Width: 8, Globals: 32, MaskPlane: -1, PolicyPlanes: 27, PolicyGlobals: 2},
			Config: model.DefaultConfig()}},
		{"connect4-R4x32", model.Network{
			Shape:  model.Shape{Planes: 3, Height: 6, Width: 7, Globals: 4, MaskPlane: 2, PolicyPlanes: 1},
			Config: model.DefaultConfig()}},
	} {
		rng := rand.New(rand.NewPCG(1, 0))
		w := randomWeights(net.Network, rng)
		var nets []*Net
		for p := range precision.Names() {
			n, err := New(net.Network, w, Options{MaxBatch: 256, Precision: precision.Precision(p), Calibration: calibrationOf(b, w, rng)})
			if err != nil {
				b.Log(err) // the kernels have no bfloat16
			}
			nets = append(nets, n)
		}
		for _, size := range []int{1, 8, 64, 256} {
			for p, n := range nets {
				if n == nil {
					continue
				}
				b.Run(fmt.Sprintf("%s/%v/batch=%d", net.name, precision.Precision(p), size), func(b *testing.B) {
					rows := randomBatch(net.Shape, size, rng)
					for b.Loop() {
						rows.forward(b, n)
					}
					b.ReportMetric(float64(b.N*size)/b.Elapsed().Seconds(), "evals/s")
				})
			}
		}
	}
}

// BenchmarkLoad measures the transposition of the planes alone.
func BenchmarkLoad(b *testing.B) {
	net := networks["8x8"]
	rng := rand.New(rand.NewPCG(1, 0))
	n := newNetFor(b, randomWeights(net, rng), 1)
	rows := randomBatch(net.Shape, 1, rng)
	for b.Loop() {
		n.load(1, rows.planes)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "positions/s")
}
