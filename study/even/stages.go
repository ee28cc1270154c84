package even

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/ludozero/ludozero/stats/rating"
)

// stages divides games among settings by successive halving (Karnin, Koren and Somekh 2013,
// Almost optimal exploration in multi-armed bandits): each stage has the same number of
// games, equally many of each setting that is left, and after it the half of the
// settings goes that games speak against most. settings is at least 1, games the number for each on average.
func stages(settings, games int) []stage {
	n := max(1, bits.Len(uint(settings-1)))
	var list []stage
	all, sum := settings*games, 0
	for range n {
		sum += max(2, all/(n*settings)/2*2)
		list = append(list, stage{Settings: settings, Games: sum})
		settings = (settings + 1) / 2
	}
	return list
}

// stage is a part of the work.
type stage struct {
	// Settings is how many are left, Games how many games each of them has at its end, by
	// each player.
	Settings int `json:"settings"`
	Games    int `json:"games"`
}

// best returns the n of left against which the games speak least, in the order of left; of
// equals the first.
func best(left []int, n int, against func(int) float64) []int {
	order := slices.Clone(left)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(against(a), against(b)) })
	order = order[:min(n, len(order))]
	slices.Sort(order)
	return order
}

// against is how much games speak against a setting whose first player scores this: by how
// many standard errors it is further from one half than tells. By the distance alone a
// setting would be dropped for being little known, as those are whose start can be settled
// in many ways.
func against(score rating.Estimate) float64 {
	half := max(score.Value-score.Low, score.High-score.Value, 1e-9) // the other end may be cut off at 0 or 1
	return (math.Abs(score.Value-0.5) - tells) / (half / 1.96)
}
