package bench

import (
	"context"
	"fmt"

	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/model/precision"
)

const (
	// peakStep vector operations are some hundred microseconds of work.
	peakStep = 1 << 18
	// copyBytes are copied by a thread at a time, fewer if all threads together
	// would take more than copyMost with their copies.
	copyBytes, copyMost = 32 << 20, 1 << 30
)

// peak is a limit of arithmetic; direct is what nominal arithmetic is a share of.
type peak struct {
	name, unit, direct string
	run                func(n int) int
}

var (
	peakF32  = peak{"f32 multiply-add", "FLOP/s", "the direct f32 peak", kernel.PeakFMA}
	peakInt8 = peak{"int8 dot product", "OP/s", "the direct int8 peak", kernel.PeakInt8}
)

// peaks lists the limits of the kernels in use.
func peaks() []peak { return []peak{peakF32, peakInt8} }

// peakOf is what a network computed in p is measured by. That of bfloat16, which
// only processors with matrix units multiply, is the f32 peak.
func peakOf(p precision.Precision) peak {
	if p == precision.Int8 {
		return peakInt8
	}
	return peakF32
}

func (p peak) probe(threads int, part float64) *probe {
	return newProbe(Figure{Name: p.name, Unit: p.unit}, part, each(threads, func(int) func() (float64, error) {
		return always(func() float64 { return float64(p.run(peakStep)) })
	})...)
}

// noteClock takes what the steadiness of the machine is judged by from a probe of
// the f32 peak of one core.
func (b *bench) noteClock(p *probe) {
	if p.threads == 1 && p.figures[0].Name == peakF32.name {
		b.watch.clock = append(b.watch.clock, p.of(0)...)
	}
}

func (b *bench) peaks(ctx context.Context, s *Section) error {
	var probes []*probe
	for _, p := range peaks() {
		for _, threads := range b.o.threads() {
			probes = append(probes, p.probe(threads, 1))
		}
	}
	for _, threads := range b.o.threads() {
		probes = append(probes, memoryProbe(threads))
	}
	err := b.measure(ctx, probes...)
	b.noteClock(probes[0])
	for i, p := range probes {
		s.add(p, 0, scaling(probes, i))
	}
	s.Notes = append(s.Notes,
		"multiply-adds on registers only, with the kernels' own instructions; a share is of so many times the one thread",
		fmt.Sprintf("copies read and write blocks of %d MiB, which large caches hold: both directions count", blockBytes(b.o.Threads)>>20))
	return err
}

// scaling is the share of probe i in what as many single threads would give, if
// the probe before it is the same on one.
func scaling(probes []*probe, i int) *Share {
	p := probes[i]
	if i == 0 || p.threads == 1 || probes[i-1].threads != 1 || probes[i-1].figures[0].Name != p.figures[0].Name {
		return nil
	}
	return shareOf(fmt.Sprintf("%d × one thread", p.threads), p.of(0), probes[i-1].of(0), 1/float64(p.threads))
}

func blockBytes(threads int) int { return max(1<<20, min(copyBytes, copyMost/(2*threads))) }

// memoryProbe measures the copying of memory.
func memoryProbe(threads int) *probe {
	return newProbe(Figure{Name: "memory copy", Unit: "B/s"}, 1, each(threads, func(int) func() (float64, error) {
		from, to := make([]byte, blockBytes(threads)), make([]byte, blockBytes(threads))
		for i := range from {
			from[i] = byte(i) // pages of zeros would all be one
		}
		return always(func() float64 { return float64(2 * copy(to, from)) })
	})...)
}
