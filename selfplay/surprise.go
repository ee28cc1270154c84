package selfplay

import (
	"math"

	"github.com/ludozero/ludozero/mcts"
)

// leastPrior is the smallest normal float32. It replaces smaller priors, so that a search
// that finds an action whose prior was rounded to 0 is a great surprise, not an infinite
// one.
const leastPrior = 0x1p-126

// surpriseOf is the Kullback-Leibler divergence, in nats, of the policy target
// from the network's prior of the same actions, at least 0.
func surpriseOf(target []float32, root []mcts.RootAction) float32 {
	sum := 0.0
	for i, p := range target {
		if p > 0 {
			sum += float64(p) * math.Log(float64(p)/max(float64(root[i].Prior), leastPrior))
		}
	}
	return float32(max(0, sum)) // rounded sums of two like distributions may be below
}
