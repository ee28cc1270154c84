package rating_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/stats/rating/ratingtest"
)

// scripts/coverage.sh sets these.
var (
	tournaments = flag.Int("tournaments", 0, "simulated tournaments of each row; 0 is a few")
	runSeed     = flag.Uint64("seed", 1, "seed of the simulation")
)

// field is a set of players and how they meet.
type field struct {
	name   string
	elo    []float64
	pairs  int  // of each pairing
	shared bool // all pairings play the same openings
}

var fields = []field{
	{"2 players, 20 games", []float64{0, 60}, 10, false},
	{"2 players, 100 games", []float64{0, 60}, 50, false},
	{"2 players, 1000 games", []float64{0, 60}, 500, false},
	{"2 players 400 Elo apart, 20 games", []float64{0, 400}, 10, false},
	{"2 players 400 Elo apart, 100 games", []float64{0, 400}, 50, false},
	{"5 players, 20 games in all", []float64{0, 30, 80, 150, 250}, 1, false},
	{"4 players, 20 games a pairing", []float64{0, 40, 120, 240}, 10, false},
	{"4 players, 100 games a pairing", []float64{0, 40, 120, 240}, 50, false},
	{"4 players, 1000 games a pairing", []float64{0, 40, 120, 240}, 500, false},
	{"4 players, 20 games a pairing, shared openings", []float64{0, 40, 120, 240}, 10, true},
	{"4 players, 200 games a pairing, shared openings", []float64{0, 40, 120, 240}, 100, true},
	{"6 players, 100 games a pairing, shared openings", []float64{0, 20, 50, 100, 170, 260}, 50, true},
}

var worlds = []struct {
	name string
	w    ratingtest.World
}{
	{"no draws", ratingtest.World{}},
	{"seat +100, 30 % draws", ratingtest.World{Seat: 100, Draws: 0.3}},
	{"60 % draws, openings favour a seat", ratingtest.World{Seat: 50, Draws: 0.6, Opening: 0.6}},
	{"30 % draws, openings favour a player", ratingtest.World{Seat: 50, Draws: 0.3, Opening: -0.5}},
	{"30 % draws of another law", ratingtest.World{Seat: 50, Draws: 0.3, Linear: true}},
}

// coverage is what one row of the table counts.
type coverage struct {
	held, all   int // intervals of differences that hold the truth
	low, high   int // truths below and above the interval
	infinite    int // intervals with an infinite end
	width       float64
	seatHeld, n int
}

func (c *coverage) add(d coverage) {
	c.held += d.held
	c.all += d.all
	c.low += d.low
	c.high += d.high
	c.infinite += d.infinite
	c.width += d.width
	c.seatHeld += d.seatHeld
	c.n += d.n
}

// simulate plays tournaments of a field in a world.
func simulate(t testing.TB, f field, w ratingtest.World, n int, run uint64) coverage {
	workers := runtime.GOMAXPROCS(0)
	parts := make([]coverage, workers)
	var group sync.WaitGroup
	for k := range workers {
		group.Go(func() {
			for i := k; i < n; i += workers {
				parts[k].add(tournament(t, f, w, rand.New(seed.Stream(run, "tournament "+f.name, uint64(i)))))
			}
		})
	}
	group.Wait()
	var sum coverage
	for _, p := range parts {
		sum.add(p)
	}
	return sum
}

func tournament(t testing.TB, f field, w ratingtest.World, rng *rand.Rand) coverage {
	names := make([]string, len(f.elo))
	openings := make([]float64, f.pairs)
	for k := range openings {
		openings[k] = rng.NormFloat64()
	}
	var list []rating.Pairing
	for i := range f.elo {
		names[i] = fmt.Sprint(i)
		for j := range i {
			p := rating.Pairing{A: i, B: j}
			for k := range f.pairs {
				var first, second int
				if f.shared {
					first, second = w.PairOf(openings[k], f.elo[i]-f.elo[j], rng)
					p.Opened = append(p.Opened, rating.OpenedPair{Opening: k, First: first, Second: second})
				} else {
					first, second = w.Pair(f.elo[i]-f.elo[j], rng)
				}
				p.Pairs[first][second]++
			}
			list = append(list, p)
		}
	}
	table, err := rating.Fit(names, list, rating.Options{})
	if err != nil {
		t.Errorf("%s: %v", f.name, err)
		return coverage{}
	}
	c := coverage{n: 1}
	for _, d := range table.Differences {
		truth := f.elo[d.A] - f.elo[d.B]
		c.all++
		switch {
		case truth < d.Elo.Low:
			c.low++
		case truth > d.Elo.High:
			c.high++
		default:
			c.held++
		}
		if width := d.Elo.High - d.Elo.Low; math.IsInf(width, 0) {
			c.infinite++
		} else {
			c.width += width
		}
	}
	if table.Seat.Low <= w.Seat && w.Seat <= table.Seat.High {
		c.seatHeld++
	}
	return c
}

// TestIntervalsOfRatingsCover simulates tournaments and counts how many 95 %
// intervals of differences hold the truth. Without flags it plays a few small
// tournaments of each kind and only looks at the share in all of them together.
func TestIntervalsOfRatingsCover(t *testing.T) {
	n := *tournaments
	if n == 0 {
		n = 40
	}
	held, all := 0, 0
	for _, w := range worlds {
		for i, f := range fields {
			if w.w.Linear && i != 1 && i != 7 {
				continue // one field of each size is enough to see
			}
			if *tournaments == 0 && f.pairs > 10 {
				continue
			}
			c := simulate(t, f, w.w, n, *runSeed)
			held += c.held
			all += c.all
			share := 100 * float64(c.held) / float64(c.all)
			t.Logf("| %s | %s | %.1f %% | %.1f / %.1f | %.0f | %.1f %% | %.1f %% |", w.name, f.name, share,
				100*float64(c.low)/float64(c.all), 100*float64(c.high)/float64(c.all), c.width/float64(c.all-c.infinite),
				100*float64(c.infinite)/float64(c.all), 100*float64(c.seatHeld)/float64(c.n))
			// Intervals of one tournament depend on each other: chance is computed as for one each.
			if chance := 300 * math.Sqrt(0.05*0.95/float64(n)); *tournaments > 0 && share < 94-chance {
				t.Errorf("%s, %s: %.1f %% of 95 %% intervals hold the truth", w.name, f.name, share)
			} else if seat := 100 * float64(c.seatHeld) / float64(c.n); *tournaments > 0 && f.shared && seat < 93-chance {
				t.Errorf("%s, %s: %.1f %% of 95 %% intervals hold the seat's advantage", w.name, f.name, seat)
			}
		}
	}
	if share := 100 * float64(held) / float64(all); share < 94 || share > 99 {
		t.Errorf("%.1f %% of %d intervals of 95 %% hold the truth", share, all)
	} else {
		t.Logf("%.1f %% of %d intervals of 95 %% hold the truth", share, all)
	}
}
