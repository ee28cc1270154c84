package calibration

import (
	"math"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/mcts"
)

// Agreement is how far the answers of two networks to the same questions differ,
// most often of the same weights computed in two precisions.
type Agreement struct {
	Positions int `json:"positions"`
	// ValueError is the mean distance of their values, LargestValueError the
	// largest; a win is 1 and a loss -1.
	ValueError        float64 `json:"value_error"`
	LargestValueError float64 `json:"largest_value_error"`
	// Divergence is the mean Kullback-Leibler divergence of the second policy from
	// the first over the legal actions, in nats.
	Divergence float64 `json:"policy_divergence"`
	// SameFirst is the share of positions in which both prefer the same action.
	SameFirst float64 `json:"same_first"`
}

// agreement asks networks a and b about positions of game, a batch at a time. It
// stops at an error of position, which is called with the number of the position.
func agreement(info *engine.Info, a, b mcts.Network, positions, batch int, position func(int) (engine.State, []engine.Action, error)) (*Agreement, error) {
	g, of := &Agreement{Positions: positions}, [2]*mcts.Batch{mcts.NewBatch(info), mcts.NewBatch(info)}
	var priors [2][]float32
	for done := 0; done < positions; {
		now := min(batch, positions-done)
		for _, x := range of {
			x.Clear()
		}
		for i := range now {
			s, legal, err := position(done + i)
			if err != nil {
				return nil, err
			}
			for _, x := range of {
				x.Add(s, legal)
			}
		}
		for k, net := range []mcts.Network{a, b} {
			if err := of[k].Evaluate(net); err != nil {
				return nil, err
			}
		}
		for i := range now {
			for k, x := range of {
				priors[k] = softmax(priors[k][:0], x.Logits(i))
			}
			apart := math.Abs(float64(of[0].Evaluation(i).Value) - float64(of[1].Evaluation(i).Value))
			g.ValueError += apart / float64(positions)
			g.LargestValueError = max(g.LargestValueError, apart)
			g.Divergence += Divergence(priors[0], priors[1]) / float64(positions)
			if first(priors[0]) == first(priors[1]) {
				g.SameFirst += 1 / float64(positions)
			}
		}
		done += now
	}
	return g, nil
}

// softmax appends the probabilities of logits to p.
func softmax(p, logits []float32) []float32 {
	top, sum := math.Inf(-1), 0.0
	for _, x := range logits {
		top = max(top, float64(x))
	}
	for _, x := range logits {
		sum += math.Exp(float64(x) - top)
	}
	for _, x := range logits {
		p = append(p, float32(math.Exp(float64(x)-top)/sum))
	}
	return p
}

// first is the place of the largest probability, the first of equals.
func first(p []float32) (at int) {
	for i := range p {
		if p[i] > p[at] {
			at = i
		}
	}
	return at
}

// leastProbability stands for smaller ones, so that a divergence is finite: the
// smallest float32 of full precision.
const leastProbability = 0x1p-126

// Divergence is the Kullback-Leibler divergence of p from q in nats, the sum of
// p·ln(p/q); at least 0.
func Divergence(p, q []float32) (sum float64) {
	for i := range p {
		if p[i] > 0 {
			sum += float64(p[i]) * math.Log(float64(p[i])/max(float64(q[i]), leastProbability))
		}
	}
	return max(0, sum) // rounded sums of two like distributions may be below
}
