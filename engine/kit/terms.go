package kit

import (
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// mostJudged bounds what a judge may say of a position: see engine.Judge.
const mostJudged = 900_000

// Terms is the engine.TermJudge of a function that counts a game's terms.
type Terms struct {
	weights, counts []int32
	count           func(s engine.State, counts []int32) (danger bool)
}

// NewTerms returns a judge by weights. count adds to counts, which are zero, what the
// acting side has of each term less what the other has, in a position where a player
// decides, and tells whether the player stands to lose much at once. It must not allocate.
func NewTerms(weights []int32, count func(s engine.State, counts []int32) (danger bool)) *Terms {
	return &Terms{weights: slices.Clone(weights), counts: make([]int32, len(weights)), count: count}
}

// Judge implements engine.Judge.
func (t *Terms) Judge(s engine.State, extra int32) (value int32, danger bool) {
	clear(t.counts)
	danger = t.count(s, t.counts)
	sum := extra
	for i, n := range t.counts {
		sum += n * t.weights[i]
	}
	return max(-mostJudged, min(mostJudged, sum)), danger
}

// CountTerms implements engine.TermCounter.
func (t *Terms) CountTerms(s engine.State, counts []int32) (danger bool) {
	clear(counts)
	return t.count(s, counts)
}

// Count implements engine.TermJudge. A position in danger says little: what is threatened
// decides.
func (t *Terms) Count(s engine.State, counts []float64) (ok bool) {
	clear(t.counts)
	danger := t.count(s, t.counts)
	for i, n := range t.counts {
		counts[i] = float64(n)
	}
	return !danger
}

// Weights implements engine.TermJudge.
func (t *Terms) Weights() []int32 { return slices.Clone(t.weights) }

// Judging is embedded in the Game of a game with terms, and makes it engine.Termed.
type Judging struct {
	// Terms are the names, Fitted the weights that NewJudge judges by.
	Terms  []string
	Fitted []int32
	// Count adds up the terms: see [NewTerms].
	Count func(s engine.State, counts []int32) (danger bool)
}

// TermNames implements engine.Termed.
func (j *Judging) TermNames() []string { return slices.Clone(j.Terms) }

// NewJudge implements engine.Judged.
func (j *Judging) NewJudge() engine.Judge { return j.NewTermJudge(j.Fitted) }

// NewTermJudge implements engine.Termed.
func (j *Judging) NewTermJudge(weights []int32) engine.TermJudge { return NewTerms(weights, j.Count) }
