package mcts

import "math"

// Subtree value bias correction, after KataGo (docs/KataGoMethods.md): where a network
// errs in one position, it errs alike in others that the same two moves led to. What
// searches below such positions found, less what the network said of them, corrects what
// it says of the next ones, and again of those searched before. KataGo tells positions
// apart by the stones around the last move too, which other games have nothing like.

const (
	biasBuckets = 1 << 16
	// biasWeight is the exponent of the visits below a position, as its weight.
	biasWeight = 0.85
	// noBucket is the bucket of positions that are not corrected: the root of a fresh
	// tree, chance decisions, ends, and those evaluated more than once in a full tree.
	noBucket = 0
)

// bucket sums up what positions after the same moves showed: delta is the mean value
// below them less their evaluation, in the first player's view, times weight.
type bucket struct{ delta, weight float32 }

// correction is what the evaluation of a position is corrected by.
type correction struct {
	own     float32 // the evaluation, first player's view
	applied float32 // what is added to it in the sum of the edge
	bucket  uint32  // noBucket: nothing
	last    bucket  // what the position has put into its bucket
}

// bucketOf is the bucket of the position behind edge i: by who played which action there,
// and the action before.
func (t *Tree) bucketOf(i index) uint32 {
	e := t.at(i)
	if i == 0 {
		return noBucket
	}
	parent := t.at(e.parent)
	key := uint64(parent.code)<<17 | uint64(e.code)<<1 | uint64(parent.actor)&1
	if e.parent == 0 {
		key |= 1 << 33 // the action before the root is not known
	}
	return 1 + uint32(key*0x9e3779b97f4a7c15>>32)%(biasBuckets-1)
}

// corrected is the evaluation of c, corrected by what its bucket knows now.
func (t *Tree) corrected(c *correction) float32 {
	b := &t.biases[c.bucket]
	if c.bucket == noBucket || b.weight == 0 {
		return c.own
	}
	return max(-1, min(1, c.own+t.biasFactor*b.delta/b.weight))
}

// evaluated notes the evaluation v of the position behind edge i, first player's view,
// and returns it corrected.
func (t *Tree) evaluated(i index, v float32) float32 {
	if t.biasFactor == 0 {
		return v
	}
	c := &t.moment(i).correction
	if t.at(i).visits > 0 { // again, in a full tree
		t.biases[c.bucket].take(c.last)
		c.bucket, c.last = noBucket, bucket{}
		return v
	}
	*c = correction{own: v, bucket: t.bucketOf(i)}
	value := t.corrected(c)
	c.applied = value - v
	return value
}

// take removes what a position has put in.
func (b *bucket) take(last bucket) {
	b.delta -= last.delta
	b.weight -= last.weight
}

// updateCorrected is update, and on its way corrects the positions that it passes.
func (t *Tree) updateCorrected(i index, v float32) {
	leaf := true
	for {
		e := t.at(i)
		e.visits++
		e.sum += v
		if c := &t.moment(i).correction; !leaf && c.bucket != noBucket {
			below := float64(e.visits - 1)
			weight := float32(math.Pow(below, biasWeight))
			mean := (e.sum - c.own - c.applied) / float32(below)
			b := &t.biases[c.bucket]
			b.take(c.last)
			c.last = bucket{(mean - c.own) * weight, weight}
			b.delta += c.last.delta
			b.weight += c.last.weight
			change := t.corrected(c) - c.own - c.applied
			c.applied += change
			e.sum += change
			v += change
		}
		if i == 0 {
			return
		}
		i, leaf = e.parent, false
	}
}

// recount fills the buckets from the positions of the tree, after others have left it.
func (t *Tree) recount() {
	clear(t.biases)
	for k, chunk := range t.chunks[:t.last+1] {
		for j := range chunk {
			c := &t.moments[k][j].correction
			t.biases[c.bucket].delta += c.last.delta
			t.biases[c.bucket].weight += c.last.weight
		}
	}
}
