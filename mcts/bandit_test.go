package mcts

import (
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
)

// bandit is a game of one decision: an arm, then a single way on for good.
// Its evaluator knows everything: the value of each arm, and the mean of them
// under the priors before the choice.
type bandit struct {
	engine.Game
	info   engine.Info
	logits []float32
	values []float32 // of the arms, first player's view
}

type banditState struct {
	engine.State
	arm int
}

func newBandit(rng *rand.Rand, arms int) *bandit {
	b := &bandit{info: engine.Info{Name: "bandit", NumActions: arms, MaxLegal: arms}}
	for range arms {
		b.logits = append(b.logits, float32(2*rng.NormFloat64()))
		b.values = append(b.values, float32(2*rng.Float64()-1))
	}
	return b
}

func (b *bandit) Info() *engine.Info          { return &b.info }
func (b *bandit) NewHistory() *engine.History { return nil }
func (b *bandit) NewState() engine.State      { return &banditState{arm: -1} }

// mean is the expected value of an arm drawn from probs.
func (b *bandit) mean(probs []float32) (mean float64) {
	for i, p := range probs {
		mean += float64(p) * float64(b.values[i])
	}
	return mean
}

func (b *bandit) priors() []float32 {
	p := make([]float32, len(b.logits))
	softmax(p, b.logits)
	return p
}

func (b *bandit) Evaluate(leaves []Leaf, offsets []int32, logits []float32, evaluations []Evaluation) error {
	clear(evaluations)
	for i := range leaves {
		if s := leaves[i].State.(*banditState); s.arm >= 0 {
			logits[offsets[i]], evaluations[i].Value = 0, b.values[s.arm]
			continue
		}
		copy(logits[offsets[i]:offsets[i+1]], b.logits)
		evaluations[i].Value = float32(b.mean(b.priors()))
	}
	return nil
}

func (s *banditState) Actor() engine.Player      { return engine.First }
func (s *banditState) CopyFrom(src engine.State) { *s = *src.(*banditState) }
func (s *banditState) Apply(a engine.Action, _ *engine.History) {
	if s.arm < 0 {
		s.arm = int(a)
	}
}

func (s *banditState) Legal(dst []engine.Action, _ *engine.History) []engine.Action {
	if s.arm >= 0 {
		return append(dst, 0)
	}
	for a := range cap(dst) - len(dst) {
		dst = append(dst, engine.Action(a))
	}
	return dst
}
