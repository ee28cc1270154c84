package balance

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/stats/resample"
)

// scripts/coverage.sh sets these.
var (
	tables  = flag.Int("tables", 0, "simulated tables of each row; 0 is a few")
	runSeed = flag.Uint64("seed", 1, "seed of the simulation")
)

// world is how good starts are for the first player, and how networks differ.
type world struct {
	name string
	// Standard deviations: of the starts' scores around one half, of a network's taste
	// for the first seat, and of its taste for each start.
	starts, seat, taste float64
}

var worlds = []world{
	{"starts are alike", 0, 0, 0},
	{"starts differ by 5 points", 0.05, 0, 0},
	{"starts alike, networks' tastes differ by 10", 0, 0, 0.1},
	{"starts differ by 5, seats by 3, tastes by 5", 0.05, 0.03, 0.05},
}

// shape is a tree of decisions, and who plays how much of it.
type shape struct {
	choices         []int
	networks, games int // games of each network from each start
}

func (s shape) String() string {
	starts := 1
	for _, n := range s.choices {
		starts *= n
	}
	return fmt.Sprintf("%d starts, %d games of each by %d", starts, s.games, s.networks)
}

var shapes = []shape{
	{[]int{2}, 1, 100}, {[]int{4, 2}, 1, 100}, {[]int{8, 16}, 1, 20},
	{[]int{4, 2}, 3, 100}, {[]int{8, 16}, 3, 4}, {[]int{8, 16}, 3, 20}, {[]int{4, 2}, 8, 100}, {[]int{8, 16}, 8, 8},
}

// held is what one row of the table counts. Scores are in points a game.
type held struct {
	n, covered                  int
	width, squares              float64 // half widths, squared errors
	bias, chosen, best, flatter float64
}

func (h *held) add(o held) {
	h.n += o.n
	h.covered += o.covered
	h.width += o.width
	h.squares += o.squares
	h.bias += o.bias
	h.chosen += o.chosen
	h.best += o.best
	h.flatter += o.flatter
}

// simulatedTable plays one table and estimates the score at the starts that it chooses. The
// truth is the mean score there by all networks that there could be, or, of fewer than
// resample.MinClusters, by these.
func simulatedTable(s shape, w world, rng *rand.Rand) held {
	v := &VariantInput{Variant: Variant{Starts: treeOf(s.choices...)}}
	truth := make([]float64, len(v.Starts.List))
	for at := range truth {
		truth[at] = 0.5 + w.starts*rng.NormFloat64()
	}
	g := &group{}
	of := make([][]float64, s.networks) // the truth about each network
	for k := range of {
		g.members = append(g.members, k)
		seat := w.seat * rng.NormFloat64()
		for at := range truth {
			p := truth[at] + seat + w.taste*rng.NormFloat64()
			of[k] = append(of[k], p)
			for number := range s.games {
				x := Played{Cell: Cell{Player: k, Start: at}, Number: number + 1}
				if rng.Float64() < p {
					x.First = 1
				}
				v.Played = append(v.Played, x)
			}
		}
	}
	c := v.choose(g, rng.Uint64())
	target := 0.0 // of each network the truth at what is chosen for its games
	for i := range v.Played {
		p := &v.Played[i]
		if s.networks < resample.MinClusters {
			truth = of[p.Player]
		}
		target += c.weight(p) * truth[p.Start] / float64(s.networks*s.games)
	}
	e := resample.Sum(one(c.samples(v, true, first)), resample.Options{Replicates: 100, Seed: rng.Uint64()})
	h := held{n: 1, width: (e.High - e.Low) / 2, squares: (e.Value - target) * (e.Value - target), bias: e.Value - target, chosen: target}
	if e.Low <= target && target <= e.High {
		h.covered = 1
	}
	_, h.best = v.Starts.root.choose(truth)
	flatter := make([]float64, len(truth)) // what the table says of its own choice
	for i := range v.Played {
		flatter[v.Played[i].Start] += v.Played[i].First / float64(s.networks*s.games)
	}
	h.flatter = flatter[c.whole] - truth[c.whole]
	return h
}

// TestChoiceCoverage simulates tables and counts how many 95 % intervals hold the score at
// the starts that are chosen. scripts/coverage.sh prints the table of docs/statistics.md.
func TestChoiceCoverage(t *testing.T) {
	n := *tables
	if n == 0 {
		n = 40
	}
	for _, w := range worlds {
		for _, s := range shapes {
			if *tables == 0 && (s.networks*s.games*len(treeOf(s.choices...).List) > 1000 || testing.Short() && s.networks > 1) {
				continue
			}
			workers := runtime.GOMAXPROCS(0)
			counted := make([]held, workers)
			var group sync.WaitGroup
			for k := range workers {
				group.Go(func() {
					for i := k; i < n; i += workers {
						counted[k].add(simulatedTable(s, w, rand.New(seed.Stream(*runSeed, "table "+w.name+s.String(), uint64(i)))))
					}
				})
			}
			group.Wait()
			var h held
			for _, c := range counted {
				h.add(c)
			}
			all := float64(h.n)
			share := float64(h.covered) / all
			t.Logf("| %s | %v | %.1f %% | %.1f | %+.1f | %+.1f | %.1f | %.1f |", w.name, s, 100*share, 100*h.width/all, 100*h.bias/all, 100*h.flatter/all, 100*h.chosen/all, 100*h.best/all)
			if low := 0.93 - 3.3*math.Sqrt(0.93*0.07/all); share < low {
				t.Errorf("%s, %v: %.1f %% of intervals hold the score, want %.1f %% or more", w.name, s, 100*share, 100*low)
			}
			if bias, room := h.bias/all, 4*math.Sqrt(h.squares)/all; math.Abs(bias) > room {
				t.Errorf("%s, %v: the estimate is off by %+.2f points on average, want at most %.2f", w.name, s, 100*bias, 100*room)
			}
		}
	}
}

// Who may choose among starts that are alike gains nothing by it, though a table of few
// games promises much: the score is not that of the games that were chosen by.
func TestChoiceIsNotScoredByItsOwnGames(t *testing.T) {
	var h held
	for i := range 60 {
		h.add(simulatedTable(shape{[]int{32}, 1, 8}, world{}, rand.New(rand.NewPCG(3, uint64(i)))))
	}
	if off, flattered := h.bias/60, h.flatter/60; math.Abs(off) > 0.06 || flattered < 0.25 {
		t.Errorf("of starts that are alike the score is %+.3f, by its own games %+.3f: want about 0 where these say more than 0.25", off, flattered)
	}
}

// TestPairsOfTheSameDice: where who moves first wins both games of a pair or neither, there
// is as much evidence as there are pairs.
func TestPairsOfTheSameDice(t *testing.T) {
	list, err := Variants(family(t, "knaw"), "", []string{"version=standard,symmetric"})
	if err != nil {
		t.Fatal(err)
	}
	v := &VariantInput{Variant: list[0]}
	v.Starts = treeOf()
	for number := range 100 {
		v.Played = append(v.Played, Played{Number: number + 1, First: float64(number / 2 % 2)})
	}
	g := &group{members: []int{0}}
	c := v.choose(g, 1)
	s := c.samples(v, true, first)[0]
	if len(s.Values) != 50 || s.Independent != 50 || s.Mean() != 0.5 || s.Values[0] != 0 || s.Values[1] != 1 {
		t.Errorf("%d values, %d independent, mean %g: want 50, 50 and 0.5", len(s.Values), s.Independent, s.Mean())
	}
	if v.Dice = false; c.samples(v, true, first)[0].Independent != 100 {
		t.Error("games without dice are not 100")
	}
}
