package kernel

import "fmt"

// QuantizePlanes8 turns planes, x [batch][planes][cells], into the input of a
// convolution, y [batch][cells][channels] with channels ≥ planes:
// y = saturate(x · factor), factor [planes], and 0 in the channels beyond the
// planes. A caller that gives each plane a factor of its own divides the
// weights that read the plane by it.
func QuantizePlanes8(y []uint8, x, factor []float32, batch, planes, cells, channels int) {
	if planes < 1 || channels < planes {
		panic(fmt.Sprintf("BUG: kernel.QuantizePlanes8: %d planes, %d channels", planes, channels))
	}
	need("QuantizePlanes8", "y", y, batch*cells*channels)
	need("QuantizePlanes8", "x", x, batch*planes*cells)
	need("QuantizePlanes8", "factor", factor, planes)
	if channels > planes {
		clear(y)
	}
	if cells == 0 {
		return
	}
	for b := range batch {
		active8.rows.planes(y[b*cells*channels:][:cells*channels], x[b*planes*cells:][:planes*cells], factor, cells, channels)
	}
}

// GlobalPool8 is GlobalPool of quantised activations: y, [batch][3·channels],
// from x, [batch][cells][channels] of the given scale. Sums and maxima are
// exact; the means are sum · (scale / board cells), the maxima max · scale.
func GlobalPool8(y []float32, x []uint8, mask []float32, batch, cells, channels int, scale float32, s PoolScale) {
	c := channels
	need("GlobalPool8", "y", y, batch*3*c)
	need("GlobalPool8", "x", x, batch*cells*c)
	needOr("GlobalPool8", "mask", mask, batch*cells)
	for b := range batch {
		yb, xb := y[b*3*c:][:3*c], x[b*cells*c:][:cells*c]
		mean, scaled, top := yb[:c], yb[c:2*c], yb[2*c:]
		mb := ofPosition(mask, b, cells)
		n := onBoard(mb, cells)
		clear(yb)
		if n == 0 || c == 0 {
			continue
		}
		for lo, hi := run(mb, 0, cells, true); lo < hi; lo, hi = run(mb, hi, cells, true) {
			active8.rows.pool(mean, top, xb[lo*c:hi*c], hi-lo, c)
		}
		perCell, factor := scale/float32(n), s.of(n)
		for j := range mean {
			mean[j] *= perCell
			scaled[j] = mean[j] * factor
			top[j] *= scale
		}
	}
}

// AddChannels8 computes y = mask · saturate(x·xScale + v), where v,
// [batch][channels] in units of y, is the same for all cells of a position, x
// and y are [batch][cells][channels], and xScale is the scale of x over the scale
// of y. y may be x itself.
func AddChannels8(y, x []uint8, v, mask []float32, batch, cells, channels int, xScale float32) {
	c := channels
	need("AddChannels8", "y", y, batch*cells*c)
	need("AddChannels8", "x", x, batch*cells*c)
	need("AddChannels8", "v", v, batch*c)
	needOr("AddChannels8", "mask", mask, batch*cells)
	if len(y) == 0 {
		return
	}
	for b := range batch {
		at := b * cells * c
		active8.rows.addRow(y[at:at+cells*c], x[at:at+cells*c], v[b*c:][:c], xScale, cells, c)
	}
	Mask8(y, mask, batch, cells, c)
}

// Mask8 sets y, [batch][cells][channels], to 0 off the board. A nil mask
// changes nothing.
func Mask8(y []uint8, mask []float32, batch, cells, channels int) {
	need("Mask8", "y", y, batch*cells*channels)
	needOr("Mask8", "mask", mask, batch*cells)
	for i, m := range mask {
		if m == 0 {
			clear(y[i*channels:][:channels])
		}
	}
}
