package bench

import (
	"context"
	"slices"
	"sync"
	"time"
)

// repeats is the number of slices of each measurement that count: an odd number,
// so that the median is one of them.
const repeats = 5

// limitPart is how long, in units of Options.Time, a limit is measured beside what it
// limits: peaks vary little.
const limitPart = 0.5

// Spread is what the repeats of a measurement gave.
type Spread struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// Figure is one thing that was measured.
type Figure struct {
	Name string `json:"name"`
	// Game is what was measured if it is not the subject's game; else empty.
	Game string `json:"game,omitempty"`
	// Unit is the unit of Spread; "%" stands for hundredths.
	Unit string `json:"unit"`
	// Precision is the arithmetic of a network, Batch its batch, where they
	// matter; else empty and 0.
	Precision string `json:"precision,omitempty"`
	Batch     int    `json:"batch,omitempty"`
	Threads   int    `json:"threads"`
	Spread
	// Repeats is the number of slices, fewer than in the subject if interrupted.
	Repeats int `json:"repeats"`
	// Operations is the nominal arithmetic of one unit, two for each
	// multiply-add, where there is any.
	Operations float64 `json:"operations,omitempty"`
	// Share is the part of its limit; nil: it has none that was measured.
	Share *Share `json:"share,omitempty"`
}

// Share is a part of something, 1 all of it, as ratios of slices of the same
// round.
type Share struct {
	Of string `json:"of"`
	Spread
}

// spreadOf is the spread of at least one value.
func spreadOf(values []float64) Spread {
	v := slices.Sorted(slices.Values(values))
	mid := v[len(v)/2]
	if len(v)%2 == 0 {
		mid = (v[len(v)/2-1] + mid) / 2
	}
	return Spread{mid, v[0], v[len(v)-1]}
}

// shareOf is the share of values in limits times factor, round by round. Nil if there is no
// round with both.
func shareOf(of string, values, limits []float64, factor float64) *Share {
	var ratios []float64
	for i := range min(len(values), len(limits)) {
		if limits[i] > 0 {
			ratios = append(ratios, values[i]*factor/limits[i])
		}
	}
	if len(ratios) == 0 {
		return nil
	}
	return &Share{of, spreadOf(ratios)}
}

// probe is something that is measured in slices. Its slice returns one value
// for each of its figures.
type probe struct {
	what    string  // for the progress
	part    float64 // of Options.Time that it takes
	threads int
	uneven  bool // its threads wait for each other now and then
	figures []Figure
	slice   func(ctx context.Context, d time.Duration) ([]float64, error)

	values [][]float64 // by figure and round
}

// newProbe measures one figure by repeating work in one goroutine for each of
// works. A call returns how many units it did.
func newProbe(f Figure, part float64, works ...func() (float64, error)) *probe {
	f.Threads = len(works)
	p := &probe{what: f.Name, part: part, threads: f.Threads, figures: []Figure{f}}
	p.slice = func(ctx context.Context, d time.Duration) ([]float64, error) {
		rate, err := loop(ctx, d, works)
		return []float64{rate}, err
	}
	return p
}

// of returns the values of a figure by round.
func (p *probe) of(figure int) []float64 {
	if figure >= len(p.values) {
		return nil
	}
	return p.values[figure]
}

// result is a figure with what was measured of it; false if nothing was.
func (p *probe) result(figure int) (Figure, bool) {
	v := p.of(figure)
	if len(v) == 0 {
		return Figure{}, false
	}
	f := p.figures[figure]
	f.Spread, f.Repeats = spreadOf(v), len(v)
	return f, true
}

// add appends a figure of p, if it was measured, with its share.
func (s *Section) add(p *probe, figure int, share *Share) {
	if f, ok := p.result(figure); ok {
		f.Share = share
		s.Figures = append(s.Figures, f)
	}
}

// measure takes the slices of all probes in turn: half a one that does not
// count, and then one round for each repeat.
func (b *bench) measure(ctx context.Context, probes ...*probe) error {
	for round := -1; round < repeats; round++ {
		for _, p := range probes {
			length := time.Duration(p.part * float64(b.o.Time) / (repeats + 0.5))
			if round < 0 {
				length /= 2
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			b.tell(p.what)
			b.watch.resume()
			values, err := p.slice(ctx, length)
			b.watch.pause(p)
			b.spent += length
			if err == nil {
				err = ctx.Err() // a slice that was cut short does not count
			}
			if err != nil {
				return err
			}
			if round < 0 {
				continue
			}
			if p.values == nil {
				p.values = make([][]float64, len(values))
			}
			for i, v := range values {
				p.values[i] = append(p.values[i], v)
			}
		}
	}
	return nil
}

// tell says what is going on.
func (b *bench) tell(what string) {
	if b.o.Progress != nil {
		b.o.Progress(b.spent, what)
	}
}

// loop repeats each of works in a goroutine of its own until d is over, at least
// once, and returns the units done in a second by all of them.
func loop(ctx context.Context, d time.Duration, works []func() (float64, error)) (float64, error) {
	rates, errs := make([]float64, len(works)), make([]error, len(works))
	start := make(chan struct{})
	var group sync.WaitGroup
	for i, work := range works {
		group.Go(func() {
			<-start
			began, units := time.Now(), 0.0
			for {
				n, err := work()
				if err != nil {
					errs[i] = err
					return
				}
				units += n
				if spent := time.Since(began); spent >= d || ctx.Err() != nil {
					rates[i] = units / spent.Seconds()
					return
				}
			}
		})
	}
	close(start)
	group.Wait()
	sum := 0.0
	for i, rate := range rates {
		if errs[i] != nil {
			return 0, errs[i]
		}
		sum += rate
	}
	return sum, nil
}

func each(n int, work func(i int) func() (float64, error)) []func() (float64, error) {
	works := make([]func() (float64, error), n)
	for i := range works {
		works[i] = work(i)
	}
	return works
}

// always is work that cannot fail.
func always(work func() float64) func() (float64, error) {
	return func() (float64, error) { return work(), nil }
}
