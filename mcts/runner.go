package mcts

import "github.com/ludozero/ludozero/engine"

// Evaluator evaluates leaves, of one tree or of many.
type Evaluator interface {
	// Evaluate writes the policy logits of leaf i, one for each of its actions, to
	// logits[offsets[i]:offsets[i+1]], and the rest of its evaluation to
	// evaluations[i]. offsets has one element more than leaves. It keeps no argument.
	Evaluate(leaves []Leaf, offsets []int32, logits []float32, evaluations []Evaluation) error
}

// Evaluation is what an evaluator says of a position besides its logits.
type Evaluation struct {
	// Value is in [-1, 1], in the view of the player who acts.
	Value float32
	// Draw is the probability of a draw, in [0, 1]; 0 if unknown.
	Draw float32
	// Turns is the expected number of player turns left, at least 0; 0 if unknown.
	Turns float32
}

// Uniform is an Evaluator with equal logits, whose evaluations are all 0.
type Uniform struct{}

// Evaluate implements [Evaluator].
func (Uniform) Evaluate(leaves []Leaf, offsets []int32, logits []float32, evaluations []Evaluation) error {
	clear(logits[:offsets[len(leaves)]])
	clear(evaluations[:len(leaves)])
	return nil
}

// Runner searches one tree at a time with an evaluator. It owns the buffers
// between them; searching does not allocate. Not safe for concurrent use.
type Runner struct {
	evaluator   Evaluator
	leaves      []Leaf
	offsets     []int32
	logits      []float32
	evaluations []Evaluation
}

// NewRunner returns a runner for trees of game that hands evaluator up to batch
// leaves at once, at least one. A batch above the trees' Config.PendingLeaves gains nothing.
func NewRunner(game engine.Game, evaluator Evaluator, batch int) *Runner {
	batch = max(1, batch)
	return &Runner{
		evaluator:   evaluator,
		leaves:      make([]Leaf, batch),
		offsets:     make([]int32, batch+1),
		logits:      make([]float32, batch*game.Info().MaxLegal),
		evaluations: make([]Evaluation, batch),
	}
}

// Run searches until t is Done.
func (r *Runner) Run(t *Tree) error {
	for !t.Done() {
		if _, err := r.Step(t); err != nil {
			return err
		}
	}
	return nil
}

// Step collects, evaluates and backs up one batch of leaves and returns their
// number. A caller with a clock steps until time is up. After an error the tree must
// be Reset.
func (r *Runner) Step(t *Tree) (int, error) {
	n := t.Collect(r.leaves)
	if n == 0 {
		return 0, nil
	}
	for i := range r.leaves[:n] {
		r.offsets[i+1] = r.offsets[i] + int32(len(r.leaves[i].Actions))
	}
	if err := r.evaluator.Evaluate(r.leaves[:n], r.offsets[:n+1], r.logits, r.evaluations); err != nil {
		return 0, err
	}
	for i := range r.leaves[:n] {
		t.Backup(&r.leaves[i], r.logits[r.offsets[i]:r.offsets[i+1]], r.evaluations[i])
	}
	return n, nil
}
