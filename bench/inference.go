package bench

import (
	"context"
	"fmt"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/model/precision"
)

// batches are the sizes that a network is measured with: a player that thinks
// about one position, and workers with more and more games.
var batches = []int{1, 8, 64, 256}

// calibrated is the number of recorded positions that networks are calibrated on
// for eight bits.
const calibrated = 256

// precisions are the number formats to measure networks in here.
// Plain Go has bfloat16 only to hold others to, far slower than float32.
func precisions() []precision.Precision {
	list := []precision.Precision{precision.F32, precision.Int8}
	if kernel.CheckBFloat16() == nil && kernel.Variant() != "generic" {
		list = append(list, precision.BF16)
	}
	return list
}

func inferenceSlots(o *Options) float64 {
	return float64(len(precisions())*len(o.threads())) * (float64(len(batches)) + limitPart)
}

// open makes a network ready for batches of up to that many positions.
func (b *bench) open(ctx context.Context, p precision.Precision, w *model.Weights, batch int) (*infer.Net, error) {
	o := infer.Options{MaxBatch: batch, Precision: p}
	if p == precision.Int8 {
		var err error
		if o.Calibration, err = b.calibration(ctx, w); err != nil {
			return nil, err
		}
	}
	return infer.New(w.Network(), w, o)
}

// calibration measures what eight bits need to know of a network. That of the
// last one is kept.
func (b *bench) calibration(ctx context.Context, w *model.Weights) (*model.Calibration, error) {
	if b.calibratedFor == w {
		return b.calibratedAs, nil
	}
	q, err := b.question(ctx, calibrated)
	if err != nil {
		return nil, err
	}
	c, err := infer.NewCalibrator(w.Network(), w)
	if err != nil {
		return nil, err
	}
	if err := c.Add(q.planes, q.globals, calibrated); err != nil {
		return nil, err
	}
	k, err := c.Calibration()
	if err == nil {
		b.calibratedFor, b.calibratedAs = w, k
	}
	return k, err
}

// forward measures evaluations of recorded positions in batches.
func (b *bench) forward(ctx context.Context, p precision.Precision, w *model.Weights, batch, threads int, part float64) (*probe, error) {
	net, err := b.open(ctx, p, w, batch)
	if err != nil {
		return nil, err
	}
	q, err := b.question(ctx, batch)
	if err != nil {
		return nil, err
	}
	f := Figure{Name: "forward", Unit: "evaluations/s", Precision: p.String(), Batch: batch, Operations: 2 * float64(w.Network().MultiplyAdds())}
	probe := newProbe(f, part, each(threads, func(int) func() (float64, error) {
		fork, mine := net.Fork(), q.own()
		return func() (float64, error) { return float64(batch), mine.ask(fork, batch) }
	})...)
	probe.what = fmt.Sprintf("%v evaluations in batches of %d", p, batch)
	return probe, nil
}

func (b *bench) inference(ctx context.Context, s *Section) error {
	for _, format := range precisions() {
		for _, threads := range b.o.threads() {
			peak := peakOf(format)
			limit := peak.probe(threads, limitPart)
			probes := []*probe{limit}
			for _, batch := range batches {
				p, err := b.forward(ctx, format, b.weights, batch, threads, 1)
				if err != nil {
					return err
				}
				probes = append(probes, p)
			}
			err := b.measure(ctx, probes...)
			b.noteClock(limit)
			for _, p := range probes[1:] {
				s.add(p, 0, shareOf(peak.direct, p.of(0), limit.of(0), p.figures[0].Operations))
			}
			if err != nil {
				return err
			}
		}
	}
	s.Notes = append(s.Notes, nominalNote)
	return nil
}

const nominalNote = "the direct peak is what multiply-adds alone would allow if every tap of every convolution were one; " +
	"fewer multiplications (Winograd) can take it beyond 100 %, and so can matrix units in bf16"
