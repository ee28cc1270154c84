package mcts

import "math"

// softmax writes exp(logits) over their sum into probs, of the same length. A
// logit of -Inf gives 0; NaN, +Inf or nothing but -Inf is a bug.
func softmax(probs, logits []float32) {
	most := float32(math.Inf(-1))
	for _, x := range logits {
		if x > most { // the built-in max takes longer, since it looks for NaN: the sum finds that
			most = x
		}
	}
	sum := float32(0)
	for i, x := range logits {
		e := exp(x - most)
		probs[i] = e
		sum += e
	}
	if !(sum >= 1) {
		panic("BUG: policy logits are not finite")
	}
	scale := 1 / sum
	for i := range probs {
		probs[i] *= scale
	}
}

// exp is e^x for x <= 0, within 3e-7 of it relatively, 0 below -87 where float32 runs
// out, NaN for NaN. math.Exp takes three times as long, and a simulation needs one for
// every legal action. It is just small enough for the compiler to inline (go build
// -gcflags=-m): a call for each action costs a twentieth of a search without a network.
//
// x = k·ln 2 + r with |r| <= ln 2 / 2; ln 2 is split so that k·ln2Hi is exact,
// and e^r is its Taylor polynomial.
func exp(x float32) float32 {
	const (
		log2e = 1.4426950408889634
		ln2Hi = 0.693359375
		ln2Lo = -2.12194440054690583e-4
	)
	if x < -87 {
		return 0
	}
	k := int32(x*log2e - 0.5) // of NaN some number: r is NaN then
	r := x - float32(k)*ln2Hi - float32(k)*ln2Lo
	p := 1 + r*(1+r*(1.0/2+r*(1.0/6+r*(1.0/24+r*(1.0/120+r*(1.0/720))))))
	return p * math.Float32frombits(uint32(k+127)<<23)
}
