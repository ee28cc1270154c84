package kernel

import "math"

// AdamW is the coefficients of one step of Adam with decoupled weight decay
// (Kingma, Ba 2015; Loshchilov, Hutter 2019).
type AdamW struct {
	Beta1, Gain1, Beta2, Gain2, Keep, Rate, Epsilon float32
}

// optimizerKernels give the same bits in every variant.
type optimizerKernels struct {
	adamW func(value, grad, m, v []float32, c *AdamW)
	// sumSquares adds the squares of x, whose length is a multiple of the number
	// of sums and not 0: value i goes to sum i mod squareSums.
	sumSquares func(sums *[squareSums]float64, x []float32)
}

// squareSums is the number of sums that Squares keeps side by side.
const squareSums = 16

// Squares adds up Σ x² in float64, by 16 sums side by side that Sum adds up in
// order: the same bits in all variants. The zero value is empty.
type Squares struct{ sums [squareSums]float64 }

// Add takes in x.
func (s *Squares) Add(x []float32) {
	whole := len(x) / squareSums * squareSums
	if whole > 0 {
		active.optimizer.sumSquares(&s.sums, x[:whole])
	}
	for i, v := range x[whole:] {
		s.sums[i] += float64(v) * float64(v)
	}
}

// Sum is the sum of the squares of all that Add was given.
func (s *Squares) Sum() (total float64) {
	for _, part := range s.sums {
		total += part
	}
	return total
}

// Step computes
//
//	m = Beta1·m + Gain1·grad
//	v = Beta2·v + Gain2·grad²
//	value = Keep·value − Rate·m / (√v + Epsilon)
//
// for vectors of one length, every operation rounded by itself: all variants give
// the same bits.
func (c *AdamW) Step(value, grad, m, v []float32) {
	need("AdamW.Step", "grad", grad, len(value))
	need("AdamW.Step", "m", m, len(value))
	need("AdamW.Step", "v", v, len(value))
	if len(value) > 0 {
		active.optimizer.adamW(value, grad, m, v, c)
	}
}

func adamWGeneric(value, grad, m, v []float32, c *AdamW) {
	grad, m, v = grad[:len(value)], m[:len(value)], v[:len(value)]
	for j, g := range grad {
		// Conversions keep a compiler from fusing.
		m[j] = float32(c.Beta1*m[j]) + float32(c.Gain1*g)
		v[j] = float32(c.Beta2*v[j]) + float32(c.Gain2*g*g)
		value[j] = float32(c.Keep*value[j]) - float32(c.Rate*m[j])/(float32(math.Sqrt(float64(v[j])))+c.Epsilon)
	}
}

func sumSquaresGeneric(sums *[squareSums]float64, x []float32) {
	for ; len(x) > 0; x = x[squareSums:] {
		for i, v := range x[:squareSums] {
			sums[i] += float64(v) * float64(v)
		}
	}
}
