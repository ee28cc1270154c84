package replay

import (
	"math"
	"math/rand/v2"
	"sort"

	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
)

// weightOne is the weight, in a window that weighs its draws, of a position
// that is drawn as often as without weights. Weights are integers so that their sums
// are exact, wherever the window begins.
const weightOne = 1 << 16

// mostSurprise caps a search's surprise, in means of its game. Without it the
// one search that disagreed with the network in a game of a hundred quiet ones
// would be half of all that is drawn from the game.
const mostSurprise = 10

// drawWeights returns the partial sums of the weights of the positions of a
// shard. In a game, the n positions with a policy target share a weight of n
//
//	w(i) = 1 + share · (r(i) - mean of r),  r(i) = min(10, surprise(i) / mean surprise)
//
// so that, where nothing is capped, 1-share of it is spread evenly and share of
// it in proportion to surprise. Positions without a target have a weight of 1, or what
// CheapSkip leaves of it: they train the value, of which the policy's surprise says
// nothing. No weight is less than 1/65536: every position of the window can come.
func drawWeights(c *record.Columns, cfg *plan.WindowConfig) []int64 {
	sums := make([]int64, c.Rows)
	sum, start := int64(0), 0
	for _, end := range c.GameEnd {
		mean, most := gameSurprise(c, start, int(end))
		for i := start; i < int(end); i++ {
			w := 1.0
			switch target := len(c.PolicyOf(i)) > 0; {
			case !target:
				w -= cfg.CheapSkip
			case mean > 0:
				w += cfg.SurpriseShare * (min(mostSurprise, float64(c.Surprise[i])/mean) - most)
			}
			sum += max(1, int64(math.Round(w*weightOne)))
			sums[i] = sum
		}
		start = int(end)
	}
	return sums
}

// gameSurprise is the mean surprise of the positions with a policy target among
// those from start to end, and the mean of what drawWeights takes of it: 1
// where nothing is capped. Both are 0 without surprise.
func gameSurprise(c *record.Columns, start, end int) (mean, capped float64) {
	n := 0.0
	for i := start; i < end; i++ {
		if len(c.PolicyOf(i)) > 0 {
			mean += float64(c.Surprise[i])
			n++
		}
	}
	if mean == 0 {
		return 0, 0
	}
	mean /= n
	for i := start; i < end; i++ {
		capped += min(mostSurprise, float64(c.Surprise[i])/mean) // 0 without a target
	}
	return mean, capped / n
}

// sumWeights counts the weights of the loaded shards, up to the end of each, and
// finds where in them the window begins.
func (w *Window) sumWeights() {
	w.weight, w.outside = 0, 0
	for i := range w.shards {
		s := &w.shards[i]
		if s.loadedShard == nil {
			continue
		}
		if before := w.seen - w.size - (s.end - int64(s.columns.Rows)); before > 0 { // of the first that is loaded
			w.outside = s.weights[before-1]
		}
		w.weight += s.weights[len(s.weights)-1]
		s.weightEnd = w.weight
	}
}

// MeanWeight is the mean over the window of how often positions are drawn, where one with a
// policy target and no surprise counts 1: less than 1 with CheapSkip, else 1.
func (w *Window) MeanWeight() float64 {
	if w.cfg.CheapSkip == 0 || w.size == 0 {
		return 1
	}
	return float64(w.weight-w.outside) / weightOne / float64(w.size)
}

// drawWeighted draws a position of the window with probability proportional to
// its weight and returns its place among all of the run.
func (w *Window) drawWeighted(r *rand.Rand) int64 {
	x := w.outside + r.Int64N(w.weight-w.outside)
	k := sort.Search(len(w.shards), func(i int) bool { return w.shards[i].weightEnd > x })
	s := &w.shards[k]
	x -= s.weightEnd - s.weights[len(s.weights)-1]
	row := sort.Search(len(s.weights), func(i int) bool { return s.weights[i] > x })
	return s.end - int64(len(s.weights)) + int64(row)
}
