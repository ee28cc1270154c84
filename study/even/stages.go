package even

import (
	"cmp"
	"math/bits"
	"slices"
)

// stages divides games among settings by successive halving (Karnin, Koren and Somekh 2013,
// Almost optimal exploration in multi-armed bandits): each stage has the same number of
// games, equally many of each setting that is left, and after it the worse half of the
// settings goes. settings is at least 1, games the number for each on average.
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

// best returns the n of left whose distance is the smallest, in the order of left; of
// equals the first.
func best(left []int, n int, distance func(int) float64) []int {
	order := slices.Clone(left)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(distance(a), distance(b)) })
	order = order[:min(n, len(order))]
	slices.Sort(order)
	return order
}
