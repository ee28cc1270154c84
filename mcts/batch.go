package mcts

import (
	"errors"
	"math"

	"github.com/ludozero/ludozero/engine"
)

// Network evaluates a batch of positions. planes is [B, Planes, Height, Width]
// and globals [B, Globals]; row i asks for the logits of the policy head's
// cells[offsets[i]:offsets[i+1]], which logits receives in that order. wdl
// [B, 3] receives the logits of win, draw and loss in the view of the player to
// act, turns [B] the expected number of player turns left; turns may be nil.
type Network interface {
	Forward(planes, globals []float32, offsets, cells []int32, logits, wdl, turns []float32) error
}

// Known is the place of a position that the batch's cache answered.
const Known = -1

// Batch gathers positions for one call of a Network. Fill it with Add, Evaluate it,
// read it with Logits and Evaluation, and empty it with Clear. It grows to the
// largest batch seen and then allocates no more.
//
// With a cache, positions that the network has evaluated before are answered at once
// and take no place. With folding, the network evaluates the canonical form of every
// position. Both are off in a new batch.
type Batch struct {
	info            *engine.Info
	planes, globals []float32
	offsets, cells  []int32
	logits          []float32
	wdl, turns      []float32
	evaluations     []Evaluation // [n], once evaluated
	n               int

	cache   *Cache
	entries []newEntry      // [n], of the positions as evaluated, if there is a cache
	actions []engine.Action // [offsets[n]], as evaluated, if there is a cache
	fold    *folding
	origins []int32   // [offsets[n]], if folded: each logit's index among the legal actions
	own     []ownForm // positions whose logits are averaged over orbits
	orbits  []int32   // the orbits of own, concatenated
	mapped  []float32 // [MaxLegal], if folded: the last result of Logits
	known   answer
}

// newEntry is a position to enter in the cache after evaluation.
type newEntry struct {
	key   uint64
	place int
}

// answer is the cache's evaluation of the last position.
type answer struct {
	logits     []float32 // [MaxLegal], of as many actions as it has
	origins    []int32   // [MaxLegal], if folded
	evaluation Evaluation
}

// NewBatch returns an empty batch for positions of the family that info describes.
func NewBatch(info *engine.Info) *Batch {
	return &Batch{info: info, offsets: []int32{0}}
}

// ownForm is a position whose canonical form is its own image.
type ownForm struct{ place, orbits int32 }

// Remember makes the batch look up positions in c and enter new evaluations there;
// nil ends that. c must not hold evaluations of another network or of the same one
// with different folding. The batch must be empty.
func (b *Batch) Remember(c *Cache) {
	b.cache = c
	b.known.logits = make([]float32, b.info.MaxLegal)
}

// Forget clears the cache, if any, before the batch is used with another network.
func (b *Batch) Forget() {
	if b.cache != nil {
		b.cache.Clear()
	}
}

// Fold makes the network evaluate the canonical form of each position of game from
// now on: of its images under Info.Symmetries the one with the smallest EncodingHash.
// Logits are mapped back; where the form is its own image, actions that are images of
// each other get the mean of their logits. All images of a position then have the
// same evaluation, bit for bit. The batch must be empty.
func (b *Batch) Fold(game engine.Game) {
	b.fold = newFolding(game)
	b.mapped = make([]float32, b.info.MaxLegal)
	b.known.origins = make([]int32, 0, b.info.MaxLegal)
}

// Len is the number of positions to evaluate.
func (b *Batch) Len() int { return b.n }

// Clear empties the batch.
func (b *Batch) Clear() {
	b.n, b.offsets, b.cells = 0, b.offsets[:1], b.cells[:0]
	b.entries, b.actions, b.origins = b.entries[:0], b.actions[:0], b.origins[:0]
	b.own, b.orbits = b.own[:0], b.orbits[:0]
}

// Add encodes position s with its legal actions and returns its place in the batch.
// If the cache has it Add returns Known: Logits and Evaluation of Known are valid until
// the next Add. s may change afterwards.
func (b *Batch) Add(s engine.State, legal []engine.Action) int {
	var key uint64
	switch {
	case b.fold != nil:
		s, key = b.fold.canonical(s, legal)
		legal = b.fold.legal
	case b.cache != nil:
		key = s.EncodingHash()
	}
	if b.cache != nil {
		at := b.lookup(key, legal)
		if at == Known {
			return Known
		}
		b.entries = append(b.entries, newEntry{key, at})
		b.actions = append(b.actions, legal...)
	}
	f := &b.info.Features
	p, g := f.Planes*f.Cells(), f.Globals
	i := b.n
	b.n++
	b.planes = extend(b.planes, b.n*p)
	b.globals = extend(b.globals, b.n*g)
	s.Encode(b.planes[i*p:b.n*p], b.globals[i*g:b.n*g])
	for _, a := range legal {
		b.cells = append(b.cells, b.info.Policy.Cells[a])
	}
	b.offsets = append(b.offsets, int32(len(b.cells)))
	if b.fold != nil {
		b.origins = append(b.origins, b.fold.origins...)
		if len(b.fold.orbits) > 0 {
			b.own = append(b.own, ownForm{int32(i), int32(len(b.orbits))})
			b.orbits = append(b.orbits, b.fold.orbits...)
		}
	}
	return i
}

// lookup looks for a position, as evaluated, in the cache and returns the place that
// Cache.Get returns.
func (b *Batch) lookup(key uint64, legal []engine.Action) (place int) {
	b.known.logits = b.known.logits[:len(legal)]
	b.known.evaluation, place = b.cache.Get(key, legal, b.known.logits)
	if place == Known && b.fold != nil {
		b.known.origins = append(b.known.origins[:0], b.fold.origins...)
	}
	return place
}

// Evaluate runs the network over all positions.
func (b *Batch) Evaluate(net Network) error {
	if b.n == 0 {
		return nil
	}
	f := &b.info.Features
	b.logits = extend(b.logits, len(b.cells))
	b.wdl, b.turns = extend(b.wdl, 3*b.n), extend(b.turns, b.n)
	err := net.Forward(b.planes[:b.n*f.Planes*f.Cells()], b.globals[:b.n*f.Globals], b.offsets, b.cells, b.logits[:len(b.cells)], b.wdl[:3*b.n], b.turns[:b.n])
	if err == nil {
		err = b.checkOutputs()
	}
	if err != nil {
		return err
	}
	b.evaluations = b.evaluations[:0]
	for i := range b.n {
		w, d, l := wdlWeights(b.wdl[3*i : 3*i+3])
		b.evaluations = append(b.evaluations, Evaluation{Value: float32((w - l) / (w + d + l)), Draw: float32(d / (w + d + l)), Turns: max(0, b.turns[i])})
	}
	for _, o := range b.own {
		logits := b.logits[b.offsets[o.place]:b.offsets[o.place+1]]
		averageOrbits(logits, b.orbits[o.orbits:int(o.orbits)+len(logits)], b.mapped)
	}
	for i, e := range b.entries {
		from, to := b.offsets[i], b.offsets[i+1]
		b.cache.Put(e.place, e.key, b.actions[from:to], b.logits[from:to], b.evaluations[i])
	}
	return nil
}

// ErrNotFinite says that a network answered with infinities or with what is no
// number, as one with huge or damaged weights does.
var ErrNotFinite = errors.New("the network's answers are not finite numbers: its weights are damaged or too large")

// checkOutputs keeps such answers out of searches, in which every comparison with
// them fails.
func (b *Batch) checkOutputs() error {
	if (exponents(b.logits[:len(b.cells)])|exponents(b.wdl[:3*b.n])|exponents(b.turns[:b.n]))>>32 != 0 {
		return ErrNotFinite
	}
	return nil
}

// exponents has a bit above the lowest 32 if a number is infinite or none: only such
// have an exponent of all ones, which carries when one is added to it. Sums without
// comparisons are quicker than a maximum.
func exponents(numbers []float32) (carries uint64) {
	const one = 1 << 24 // the lowest bit of an exponent, the sign shifted out
	for _, x := range numbers {
		carries |= uint64(math.Float32bits(x)<<1) + one
	}
	return carries
}

// Logits returns the policy logits of the legal actions of position i, a place that
// Add returned. They are valid until the next Add or Logits.
func (b *Batch) Logits(i int) []float32 {
	logits, origins := b.known.logits, b.known.origins
	if i != Known {
		from, to := b.offsets[i], b.offsets[i+1]
		logits = b.logits[from:to]
		if b.fold != nil {
			origins = b.origins[from:to]
		}
	}
	if b.fold == nil {
		return logits
	}
	mapped := b.mapped[:len(logits)]
	for k, v := range logits {
		mapped[origins[k]] = v
	}
	return mapped
}

// Evaluation returns the network's evaluation of position i, a place that Add returned,
// in the view of the player to act.
func (b *Batch) Evaluation(i int) Evaluation {
	if i == Known {
		return b.known.evaluation
	}
	return b.evaluations[i]
}

// Value converts logits of win, draw and loss to a value in [-1, 1]: the probability
// of a win less the probability of a loss.
func Value(wdl []float32) float32 {
	w, d, l := wdlWeights(wdl)
	return float32((w - l) / (w + d + l))
}

// Draw converts logits of win, draw and loss to the probability of a draw.
func Draw(wdl []float32) float32 {
	w, d, l := wdlWeights(wdl)
	return float32(d / (w + d + l))
}

// wdlWeights are proportional to the probabilities of win, draw and loss.
func wdlWeights(wdl []float32) (w, d, l float64) {
	m := max(wdl[0], wdl[1], wdl[2])
	return math.Exp(float64(wdl[0] - m)), math.Exp(float64(wdl[1] - m)), math.Exp(float64(wdl[2] - m))
}

// extend returns s with length n, reallocated if need be.
func extend(s []float32, n int) []float32 {
	if n <= cap(s) {
		return s[:n]
	}
	t := make([]float32, n, n+n/2)
	copy(t, s)
	return t
}
