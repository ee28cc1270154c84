package bench

import (
	"context"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
)

// batches are the sizes that a network is measured with: a player that thinks
// about one position, and workers with more and more games.
var batches = []int{1, 8, 64, 256}

// precisions are the arithmetics that networks offer.
func precisions() []string { return []string{"f32"} }

// precision is the one that self-play uses.
func (b *bench) precision() string { return "f32" }

func inferenceSlots(o *Options) float64 {
	return float64(len(precisions())*len(o.threads())) * (float64(len(batches)) + limitPart)
}

// open makes a network ready for batches of up to that many positions.
func (b *bench) open(precision string, w *model.Weights, batch int) (*infer.Net, error) {
	return infer.New(w.Network(), w, infer.Options{MaxBatch: batch})
}

// forward measures evaluations of recorded positions in batches.
func (b *bench) forward(ctx context.Context, precision string, w *model.Weights, batch, threads int, part float64) (*probe, error) {
	net, err := b.open(precision, w, batch)
	if err != nil {
		return nil, err
	}
	q, err := b.question(ctx, batch)
	if err != nil {
		return nil, err
	}
	f := Figure{Name: "forward", Unit: "evaluations/s", Precision: precision, Batch: batch, Operations: 2 * float64(w.Network().MultiplyAdds())}
	return newProbe(f, part, each(threads, func(int) func() (float64, error) {
		fork, mine := net.Fork(), q.own()
		return func() (float64, error) { return float64(batch), mine.ask(fork, batch) }
	})...), nil
}

func (b *bench) inference(ctx context.Context, s *Section) error {
	for _, precision := range precisions() {
		for _, threads := range b.o.threads() {
			limit := peakOf(precision).probe(threads, limitPart)
			probes := []*probe{limit}
			for _, batch := range batches {
				p, err := b.forward(ctx, precision, b.weights, batch, threads, 1)
				if err != nil {
					return err
				}
				probes = append(probes, p)
			}
			err := b.measure(ctx, probes...)
			b.noteClock(limit)
			for _, p := range probes[1:] {
				s.add(p, 0, shareOf(directPeak(precision), p.of(0), limit.of(0), p.figures[0].Operations))
			}
			if err != nil {
				return err
			}
		}
	}
	s.Notes = append(s.Notes, nominalNote)
	return nil
}

// directPeak names the limit of nominal arithmetic.
func directPeak(precision string) string { return "the direct " + precision + " peak" }

const nominalNote = "the direct peak is what multiply-adds alone would allow if every tap of every convolution were one; " +
	"fewer multiplications (Winograd) can take it beyond 100 %"
