package train

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/graph"
	"github.com/ludozero/ludozero/train/plan"
)

// BenchmarkStep is whole training steps, batches filled from samples included.
// With reply, each sample's reply is the decision of the one after it.
func BenchmarkStep(bm *testing.B) {
	g := newGame(bm, &konreh.Family, "")
	samples := randomSamples(g, 256, 1)
	answered := slices.Clone(samples)
	for i := range answered {
		next := &samples[(i+1)%len(samples)]
		if next.Policy != nil {
			answered[i].ReplyActions, answered[i].Reply, answered[i].ReplyTurned = next.Actions, next.Policy, true
		}
	}
	for _, size := range []struct {
		blocks, channels int
		reply            bool
	}{{4, 32, false}, {4, 32, true}, {6, 64, false}, {6, 64, true}} {
		samples := samples
		if size.reply {
			samples = answered
		}
		for _, threads := range []int{1, 2} {
			bm.Run(fmt.Sprintf("%dx%d/reply=%t/batch=256/threads=%d", size.blocks, size.channels, size.reply, threads), func(bm *testing.B) {
				net := model.Network{Shape: plan.Shape(g.Info()), Config: model.DefaultConfig()}
				net.Config.Blocks, net.Config.Channels, net.Config.Reply = size.blocks, size.channels, size.reply
				w := model.NewWeights(net)
				w.Init(rand.New(rand.NewPCG(1, 1)))
				tr, b := newTrainer(bm, w, plan.DefaultTrainConfig(), threads), NewBatch(g.Info(), len(samples))
				step := func() {
					b.Reset()
					for i := range samples {
						if err := b.Append(&samples[i], i%len(g.Info().Symmetries)); err != nil {
							bm.Fatal(err)
						}
					}
					mustStep(bm, tr, b)
				}
				step()
				bm.ResetTimer()
				for range bm.N {
					step()
				}
				bm.ReportMetric(float64(len(samples)*bm.N)/bm.Elapsed().Seconds(), "samples/s")
			})
		}
	}
}

// BenchmarkReference is a training step of the network that other programs are
// measured with, R6x64: 48 planes of 8×8, 6 blocks of 64 channels without
// pooling, no globals; 89.4 M multiply-adds a sample. The batch of every step is
// filled too, with positions of Kon'reh, though the step takes another: no game
// here has that many planes.
func BenchmarkReference(bm *testing.B) {
	g := newGame(bm, &konreh.Family, "")
	samples := randomSamples(g, 256, 1)
	net := model.Network{
		Shape:  model.Shape{Planes: 48, Height: 8, Width: 8, MaskPlane: -1, PolicyPlanes: 27},
		Config: model.Config{Blocks: 6, Channels: 64, PolicyChannels: 32, ValueChannels: 16, ValueHidden: 64},
	}
	for _, p := range []string{plan.PrecisionF32, plan.PrecisionBF16} {
		for _, threads := range []int{1, 2} {
			bm.Run(fmt.Sprintf("R6x64/%s/batch=256/threads=%d", p, threads), func(bm *testing.B) {
				cfg := plan.DefaultTrainConfig()
				cfg.Precision = p
				if err := graphOptions(cfg, threads).Validate(); err != nil {
					bm.Skipf("this machine: %v", err)
				}
				filled, b := NewBatch(g.Info(), cfg.Batch), randomBatch(net, cfg.Batch)
				tr := newTrainer(bm, firstWeights(net), cfg, threads)
				for bm.Loop() {
					filled.Reset()
					for i := range samples {
						if err := filled.Append(&samples[i], i%len(g.Info().Symmetries)); err != nil {
							bm.Fatal(err)
						}
					}
					mustStep(bm, tr, b)
				}
				bm.ReportMetric(float64(cfg.Batch*bm.N)/bm.Elapsed().Seconds(), "samples/s")
			})
		}
	}
}

// randomBatch is a full batch of noise with 20 actions a row.
func randomBatch(net model.Network, rows int) *Batch {
	const actions = 20
	b := &Batch{Batch: *graph.NewBatch(net.Shape, rows, actions), rows: rows, row: rows}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range b.Planes {
		b.Planes[i] = float32(r.IntN(2))
	}
	for i := range rows {
		for range actions {
			b.Cells = append(b.Cells, r.Int32N(int32(net.Shape.HeadCells())))
			b.Policy = append(b.Policy, 1./actions)
		}
		b.Offsets = append(b.Offsets, int32(len(b.Cells)))
		b.Value[3*i+r.IntN(3)], b.Turns[i] = 1, float32(r.IntN(100))
		b.PolicyWeight[i], b.ValueWeight[i], b.TurnsWeight[i] = 1, 1, 1
	}
	return b
}
