package kernel

import "math"

// Moments gathers mean and variance per channel over the board cells of many
// positions. Sums within a position are float32, taken about the position's own
// mean; positions are put together in float64 (Chan, Golub, LeVeque 1979), so
// that a mean far from 0 costs no digits of the variance. One goroutine owns a
// Moments; several are merged in a fixed order.
type Moments struct {
	Count    float64   // board cells seen
	Mean, M2 []float64 // [channels]; M2 is the sum of squared deviations

	sum, mean []float32 // of one position
}

// NewMoments returns empty moments.
func NewMoments(channels int) *Moments {
	return &Moments{
		Mean: make([]float64, channels), M2: make([]float64, channels),
		sum: make([]float32, channels), mean: make([]float32, channels),
	}
}

// Reset empties m.
func (m *Moments) Reset() {
	m.Count = 0
	clear(m.Mean)
	clear(m.M2)
}

// Add takes in the board cells of x, [batch][cells][channels].
func (m *Moments) Add(x, mask []float32, batch, cells int) {
	c := len(m.Mean)
	need("Moments.Add", "x", x, batch*cells*c)
	needOr("Moments.Add", "mask", mask, batch*cells)
	for b := range batch {
		mb := ofPosition(mask, b, cells)
		xb := x[b*cells*c:][:cells*c]
		n := onBoard(mb, cells)
		if n == 0 {
			continue
		}
		clear(m.sum)
		for lo, hi := run(mb, 0, cells, true); lo < hi; lo, hi = run(mb, hi, cells, true) {
			active.rows.sum(m.sum, xb[lo*c:hi*c], hi-lo, c)
		}
		for j, s := range m.sum {
			m.mean[j] = s / float32(n)
		}
		clear(m.sum)
		for lo, hi := run(mb, 0, cells, true); lo < hi; lo, hi = run(mb, hi, cells, true) {
			active.rows.squares(m.sum, xb[lo*c:hi*c], m.mean, hi-lo, c)
		}
		total := m.Count + float64(n)
		share := float64(n) / total
		for j := range m.Mean {
			d := float64(m.mean[j]) - m.Mean[j]
			m.Mean[j] += d * share
			m.M2[j] += float64(m.sum[j]) + d*d*m.Count*share
		}
		m.Count = total
	}
}

// Merge takes in what o has seen.
func (m *Moments) Merge(o *Moments) {
	if o.Count == 0 {
		return
	}
	total := m.Count + o.Count
	share := o.Count / total
	for j := range m.Mean {
		d := o.Mean[j] - m.Mean[j]
		m.Mean[j] += d * share
		m.M2[j] += o.M2[j] + d*d*m.Count*share
	}
	m.Count = total
}

// Finish writes the mean and 1/√(variance + epsilon) per channel, with the
// variance of a population, M2 / Count. No cells give mean 0 and variance 0.
func (m *Moments) Finish(mean, invStd []float32, epsilon float64) {
	need("Moments.Finish", "mean", mean, len(m.Mean))
	need("Moments.Finish", "invStd", invStd, len(m.Mean))
	n := max(m.Count, 1)
	for j := range mean {
		mean[j] = float32(m.Mean[j])
		invStd[j] = float32(1 / math.Sqrt(m.M2[j]/n+epsilon))
	}
}

// NormCoefficients writes batch normalisation as scale·x + shift: scale =
// gamma·invStd, shift = beta − mean·scale. All are [channels].
func NormCoefficients(scale, shift, mean, invStd, gamma, beta []float32) {
	c := len(scale)
	need("NormCoefficients", "shift", shift, c)
	need("NormCoefficients", "mean", mean, c)
	need("NormCoefficients", "invStd", invStd, c)
	need("NormCoefficients", "gamma", gamma, c)
	need("NormCoefficients", "beta", beta, c)
	for j := range scale {
		s := float64(gamma[j]) * float64(invStd[j])
		scale[j] = float32(s)
		shift[j] = float32(float64(beta[j]) - float64(mean[j])*s)
	}
}

// ScaleShift computes y = mask · act(scale·x + shift + residual). x, y and
// residual are [batch][cells][channels], scale and shift [channels]; residual
// and mask may be nil. act is max(0, ·) if relu is set. y may be x or residual
// itself. Off the board y is 0 even where x is not a number.
func ScaleShift(y, x, scale, shift, residual, mask []float32, batch, cells int, relu bool) {
	c := len(scale)
	need("ScaleShift", "shift", shift, c)
	need("ScaleShift", "x", x, batch*cells*c)
	need("ScaleShift", "y", y, batch*cells*c)
	needOr("ScaleShift", "residual", residual, len(y))
	needOr("ScaleShift", "mask", mask, batch*cells)
	if len(y) == 0 {
		return
	}
	active.rows.affine(y, x, scale, shift, residual, batch*cells, c, relu)
	Mask(y, mask, batch, cells, c)
}

// NormGrad gathers what the backward pass of batch normalisation sums over the
// board cells of many positions: float32 within a position, float64 over
// positions. One goroutine owns a NormGrad; several are merged in a fixed order.
type NormGrad struct {
	// DGamma and DBeta are the gradients by gamma and beta, [channels].
	DGamma, DBeta []float64

	s, t []float32 // of one position
}

// NewNormGrad returns zero sums.
func NewNormGrad(channels int) *NormGrad {
	return &NormGrad{
		DGamma: make([]float64, channels), DBeta: make([]float64, channels),
		s: make([]float32, channels), t: make([]float32, channels),
	}
}

// Reset sets the sums to 0.
func (g *NormGrad) Reset() {
	clear(g.DGamma)
	clear(g.DBeta)
}

// Add takes dz from the gradient by y, the output after residual and max(0, ·),
// to the gradient before them, in place: 0 where y is not positive and off the
// board. It takes in dz then. x is the input of the normalisation, all three are
// [batch][cells][channels]; mean and invStd are the statistics that the forward
// pass used.
func (g *NormGrad) Add(dz, y, x, mean, invStd, mask []float32, batch, cells int) {
	c := len(g.DGamma)
	need("NormGrad.Add", "dz", dz, batch*cells*c)
	need("NormGrad.Add", "y", y, batch*cells*c)
	need("NormGrad.Add", "x", x, batch*cells*c)
	need("NormGrad.Add", "mean", mean, c)
	need("NormGrad.Add", "invStd", invStd, c)
	needOr("NormGrad.Add", "mask", mask, batch*cells)
	for b := range batch {
		mb := ofPosition(mask, b, cells)
		at := b * cells * c
		clear(g.s)
		clear(g.t)
		for lo, hi := run(mb, 0, cells, true); lo < hi; lo, hi = run(mb, hi, cells, true) {
			active.rows.reluProducts(g.s, g.t, dz[at+lo*c:at+hi*c], y[at+lo*c:at+hi*c], x[at+lo*c:at+hi*c], mean, hi-lo, c)
		}
		for j := range g.DBeta {
			g.DBeta[j] += float64(g.s[j])
			g.DGamma[j] += float64(g.t[j]) * float64(invStd[j])
		}
	}
	Mask(dz, mask, batch, cells, c)
}

// Merge adds the sums of o.
func (g *NormGrad) Merge(o *NormGrad) {
	for j := range g.DBeta {
		g.DBeta[j] += o.DBeta[j]
		g.DGamma[j] += o.DGamma[j]
	}
}

// Coefficients writes the input gradient of batch normalisation with batch
// statistics as dx = a·dz + b·x + d, from the sums over the whole batch and the
// count of board cells in it:
//
//	dx = gamma·invStd · (dz − DBeta/count − x̂·DGamma/count),  x̂ = (x − mean)·invStd
func (g *NormGrad) Coefficients(a, b, d, mean, invStd, gamma []float32, count float64) {
	c := len(g.DGamma)
	need("NormGrad.Coefficients", "a", a, c)
	need("NormGrad.Coefficients", "b", b, c)
	need("NormGrad.Coefficients", "d", d, c)
	need("NormGrad.Coefficients", "mean", mean, c)
	need("NormGrad.Coefficients", "invStd", invStd, c)
	need("NormGrad.Coefficients", "gamma", gamma, c)
	count = max(count, 1)
	for j := range a {
		scale := float64(gamma[j]) * float64(invStd[j])
		slope := -scale * g.DGamma[j] / count * float64(invStd[j])
		a[j] = float32(scale)
		b[j] = float32(slope)
		d[j] = float32(-scale*g.DBeta[j]/count - slope*float64(mean[j]))
	}
}

// NormBackward computes dx = mask · (a·dz + b·x + d), with a, b, d from
// NormGrad.Coefficients. dx may be dz or x itself.
func NormBackward(dx, dz, x, a, b, d, mask []float32, batch, cells int) {
	c := len(a)
	need("NormBackward", "b", b, c)
	need("NormBackward", "d", d, c)
	need("NormBackward", "dx", dx, batch*cells*c)
	need("NormBackward", "dz", dz, batch*cells*c)
	need("NormBackward", "x", x, batch*cells*c)
	needOr("NormBackward", "mask", mask, batch*cells)
	if len(dx) == 0 {
		return
	}
	active.rows.combine(dx, dz, x, a, b, d, batch*cells, c)
	Mask(dx, mask, batch, cells, c)
}

// ReLUBackward computes dz = dy where y, the output of max(0, ·), is positive,
// and 0 elsewhere. dz may be dy itself. Since activations are 0 off the board,
// so is dz.
func ReLUBackward(dz, dy, y []float32) {
	need("ReLUBackward", "dy", dy, len(dz))
	need("ReLUBackward", "y", y, len(dz))
	if len(dz) > 0 {
		active.rows.reluGrad(dz, dy, y)
	}
}
