package kernel

import "math"

// PoolScale tells pooled features how large the board is: the second feature
// is mean · (√n − Centre) · Factor, n the number of board cells.
type PoolScale struct{ Centre, Factor float32 }

func (s PoolScale) of(n int) float32 {
	return float32((math.Sqrt(float64(n)) - float64(s.Centre)) * float64(s.Factor))
}

// GlobalPool computes y, [batch][3·channels], from x, [batch][cells][channels]:
// the means over the board cells, the means scaled by s, the maxima. A position
// without board cells gives zeros.
func GlobalPool(y, x, mask []float32, batch, cells, channels int, s PoolScale) {
	c := channels
	need("GlobalPool", "y", y, batch*3*c)
	need("GlobalPool", "x", x, batch*cells*c)
	needOr("GlobalPool", "mask", mask, batch*cells)
	for b := range batch {
		yb, xb := y[b*3*c:][:3*c], x[b*cells*c:][:cells*c]
		mean, scaled, top := yb[:c], yb[c:2*c], yb[2*c:]
		mb := ofPosition(mask, b, cells)
		n := onBoard(mb, cells)
		clear(yb)
		if n == 0 {
			continue
		}
		for j := range top {
			top[j] = float32(math.Inf(-1))
		}
		for lo, hi := run(mb, 0, cells, true); lo < hi; lo, hi = run(mb, hi, cells, true) {
			active.rows.sum(mean, xb[lo*c:hi*c], hi-lo, c)
			active.rows.max(top, xb[lo*c:hi*c], hi-lo, c)
		}
		factor := s.of(n)
		for j := range mean {
			mean[j] /= float32(n)
			scaled[j] = mean[j] * factor
		}
	}
}

// GlobalPoolBackward adds to dx, [batch][cells][channels], the gradient by the
// input of GlobalPool, from dy, [batch][3·channels], and from x and y of the
// forward pass. The gradient of a maximum goes to the first board cell that
// has it. dy is overwritten.
func GlobalPoolBackward(dx, dy, x, y, mask []float32, batch, cells, channels int, s PoolScale) {
	c := channels
	need("GlobalPoolBackward", "dx", dx, batch*cells*c)
	need("GlobalPoolBackward", "dy", dy, batch*3*c)
	need("GlobalPoolBackward", "x", x, batch*cells*c)
	need("GlobalPoolBackward", "y", y, batch*3*c)
	needOr("GlobalPoolBackward", "mask", mask, batch*cells)
	for b := range batch {
		dxb, xb := dx[b*cells*c:][:cells*c], x[b*cells*c:][:cells*c]
		every, scaled, dtop := dy[b*3*c:][:c], dy[b*3*c+c:][:c], dy[b*3*c+2*c:][:c]
		top := y[b*3*c+2*c:][:c]
		mb := ofPosition(mask, b, cells)
		n := onBoard(mb, cells)
		factor := s.of(n)
		for j := range every {
			every[j] = (every[j] + scaled[j]*factor) / float32(max(n, 1))
		}
		for lo, hi := run(mb, 0, cells, true); lo < hi; lo, hi = run(mb, hi, cells, true) {
			active.rows.poolGrad(dxb[lo*c:hi*c], xb[lo*c:hi*c], every, top, dtop, hi-lo, c)
		}
	}
}

// AddChannels computes y = mask · act(x + v), where v, [batch][channels], is
// the same for all cells of a position, and x and y are
// [batch][cells][channels]. act is max(0, ·) if relu is set. y may be x itself.
func AddChannels(y, x, v, mask []float32, batch, cells, channels int, relu bool) {
	c := channels
	need("AddChannels", "y", y, batch*cells*c)
	need("AddChannels", "x", x, batch*cells*c)
	need("AddChannels", "v", v, batch*c)
	needOr("AddChannels", "mask", mask, batch*cells)
	if len(y) == 0 {
		return
	}
	for b := range batch {
		at := b * cells * c
		active.rows.addRow(y[at:at+cells*c], x[at:at+cells*c], v[b*c:][:c], cells, c, relu)
	}
	Mask(y, mask, batch, cells, c)
}

// SumCells computes dv, [batch][channels], the sum of dy, [batch][cells][channels],
// over the board cells of each position: the gradient of AddChannels by v, given
// dy before activation.
func SumCells(dv, dy, mask []float32, batch, cells, channels int) {
	c := channels
	need("SumCells", "dv", dv, batch*c)
	need("SumCells", "dy", dy, batch*cells*c)
	needOr("SumCells", "mask", mask, batch*cells)
	clear(dv)
	for b := range batch {
		mb := ofPosition(mask, b, cells)
		at := b * cells * c
		for lo, hi := run(mb, 0, cells, true); lo < hi; lo, hi = run(mb, hi, cells, true) {
			active.rows.sum(dv[b*c:][:c], dy[at+lo*c:at+hi*c], hi-lo, c)
		}
	}
}

// Add computes dst += src, value by value.
func Add(dst, src []float32) {
	need("Add", "src", src, len(dst))
	if len(dst) > 0 {
		active.rows.addRow(dst, dst, src, 1, len(dst), false)
	}
}
