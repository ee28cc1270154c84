package schools

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/stats/rating"
)

func source(n uint64) *rand.Rand { return rand.New(rand.NewPCG(n, 1)) }

// TestEvenIsExact against counting every way to turn each pair round.
func TestEvenIsExact(t *testing.T) {
	rng := source(1)
	for range 200 {
		var counts rating.PairCounts
		var list []int
		for range 1 + rng.IntN(10) {
			k := rng.IntN(5)
			counts[k]++
			list = append(list, k-2)
		}
		seen := 0
		for _, x := range list {
			seen += x
		}
		reached := 0
		for turned := range 1 << len(list) {
			sum := 0
			for i, x := range list {
				if turned>>i&1 == 1 {
					x = -x
				}
				sum += x
			}
			if max(sum, -sum) >= max(seen, -seen) {
				reached++
			}
		}
		if got, want := even(counts), float64(reached)/float64(int(1)<<len(list)); math.Abs(got-want) > 1e-9 {
			t.Fatalf("even(%v) = %g, want %g", counts, got, want)
		}
	}
	if p := even(rating.PairCounts{0, 0, 30, 0, 0}); p != 1 {
		t.Errorf("pairs that are all even have p = %g", p)
	}
}

// TestDifferenceByHand: of two rounds.
func TestDifferenceByHand(t *testing.T) {
	school, control := rounds{{4, 2}, {2, 2}}, rounds{{1, 1}, {1, 3}}
	e := difference(school, control)
	// Means 6/4 and 2/4. Deviations: (4-3)/2 - (1-½)/2 = ¼ and (2-3)/2 - (1-1½)/2 = -¼,
	// whose error is sqrt((1/16+1/16)/2) = ¼; Student's quantile for 1 degree is 12.706.
	if math.Abs(e.Value-1) > 1e-12 || math.Abs(e.High-e.Value-12.706/4) > 1e-3 {
		t.Errorf("difference %+v", e)
	}
	if e := (rounds{{0, 0}, {0, 0}}).estimate(); !math.IsNaN(e.Value) || !math.IsInf(e.Low, -1) {
		t.Errorf("of nothing: %+v", e)
	}
}

// simulated are rounds of a count with that mean in a random number of chances, as
// Seeds are that a game may have none of.
func simulated(rng *rand.Rand, n int, mean float64) rounds {
	list := make(rounds, n)
	for i := range list {
		for range rng.IntN(4) {
			list[i].add(mean + rng.NormFloat64())
		}
	}
	return list
}

func TestExchangeKeepsItsLevelAndFindsWhatIsThere(t *testing.T) {
	rng := source(2)
	trials := 60
	low, found, held := 0, 0, 0
	for range trials {
		a, b := simulated(rng, 40, 1), simulated(rng, 40, 1)
		if exchanged(a, b, More, rng, 199) <= 0.1 {
			low++
		}
		if e := difference(a, b); e.Low <= 0 && e.High >= 0 {
			held++
		}
		if exchanged(simulated(rng, 40, 0), b, Less, rng, 199) <= 0.01 {
			found++
		}
	}
	if low > 14 { // of 60 at 10 %: 1 in 1000
		t.Errorf("%d of %d tests of no difference are below 0.1", low, trials)
	}
	if held < trials-9 {
		t.Errorf("%d of %d intervals hold no difference", held, trials)
	}
	if found < trials-5 {
		t.Errorf("%d of %d differences were found", found, trials)
	}
	if p := exchanged(rounds{{0, 0}, {0, 0}}, rounds{{1, 1}, {2, 1}}, More, rng, exchanges); p != 1 {
		t.Errorf("with nothing to count p = %g", p)
	}
	if a, b := (rounds{{1, 1}, {1, 1}}), (rounds{{0, 1}, {0, 1}}); exchanged(a, b, More, rng, 999) < 0.2 || exchanged(a, b, Less, rng, 999) < 0.9 {
		t.Errorf("two rounds without any spread: p = %g and %g, want about 1/4 and 1", exchanged(a, b, More, rng, 999), exchanged(a, b, Less, rng, 999))
	}
}

// played are duels in which the points of each pairing have that mean.
func played(rng *rand.Rand, n, rounds int, mean func(a, b int) float64) *duels {
	d := &duels{n: n}
	for range rounds {
		var list []float64
		for a := range n {
			for b := a + 1; b < n; b++ {
				half := 0
				for range 4 {
					if rng.Float64() < mean(a, b) {
						half++
					}
				}
				list = append(list, float64(half)/4)
			}
		}
		d.points = append(d.points, list)
	}
	return d
}

func TestCyclesAreFoundAndOrdersAreNone(t *testing.T) {
	rng := source(3)
	order := func(a, b int) float64 { return 1 / (1 + math.Exp(0.5*float64(a-b))) } // the last is the best
	ring := func(a, b int) float64 {
		if (b-a)%5 == 1 || (b-a)%5 == 2 {
			return 0.7
		}
		return 0.3
	}
	low, trials := 0, 30
	for range trials {
		if played(rng, 5, 20, order).cyclic(rng, 199) < 0.1 {
			low++
		}
	}
	if low > 9 { // of 30 at 10 %: 1 in 1000
		t.Errorf("%d of %d orders look cyclic", low, trials)
	}
	if p := played(rng, 5, 20, ring).cyclic(rng, 499); p > 0.002 {
		t.Errorf("a ring of five has p = %g", p)
	}
	all := &duels{n: 3, points: [][]float64{{1, 1, 1}, {1, 1, 1}}}
	if p := all.cyclic(rng, replicates); p != 1 {
		t.Errorf("who wins all: p = %g", p)
	}
}

func TestOrderedMeetsScoresOfAnOrder(t *testing.T) {
	strength := []float64{0, 1, -2, 0.5}
	var scores []float64
	for a := range strength {
		for b := a + 1; b < len(strength); b++ {
			scores = append(scores, 1/(1+math.Exp(strength[b]-strength[a])))
		}
	}
	for k, p := range ordered(len(strength), scores) {
		if math.Abs(p-scores[k]) > 0.02 {
			t.Errorf("pairing %d: %g, want about %g", k, p, scores[k])
		}
	}
}

func TestRings(t *testing.T) {
	beats := map[[2]int]bool{{0, 1}: true, {1, 2}: true, {2, 0}: true, {3, 0}: true, {3, 1}: true}
	got := rings(4, func(a, b int) bool { return beats[[2]int{a, b}] })
	if len(got) != 1 || got[0] != [3]int{0, 1, 2} {
		t.Errorf("%v", got)
	}
}
