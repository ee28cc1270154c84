package kernel

import "fmt"

// ConvShape says what a convolution works on.
type ConvShape struct {
	K       int // 3 or 1, the side of the window
	In, Out int // channels; any number from 1
	// H and W are the board's sides, for K = 3 from MinSide to MaxHeight and to
	// MaxWidth. For K = 1 only H·W matters, the cells of a position.
	H, W int
	// Batch is the number of positions that a call usually has. The method is
	// chosen by it; a call may have any number. 0 stands for many.
	Batch int
	// BFloat16 rounds the input and the weights to bfloat16, see bfloat16.go. It
	// is for K = 3, where CheckBFloat16 has no objection.
	BFloat16 bool
}

func (s ConvShape) check(function string) {
	if s.K != 1 && s.K != 3 || s.In < 1 || s.Out < 1 || s.Batch < 0 {
		panic(fmt.Sprintf("BUG: kernel.%s: %+v", function, s))
	}
	checkBoard(function, 0, s.H, s.W, s.K)
}

// Packed is the weights of one convolution in the order in which a variant
// reads them. It is read-only in use and may be shared between goroutines.
type Packed struct {
	ConvShape // of the convolution as Conv computes it: the adjoint's In is w's out
	variant   *variant
	adjoint   bool
	winograd  *winograd  // nil for the direct method
	variant16 *variant16 // nil unless BFloat16 is set
	// Direct: panel after panel of [K·K][In][panel]. Winograd: for each row
	// point and column point, panel after panel of [In][panel].
	data []float32
	half []uint16 // with BFloat16, instead of data; in the order of variant16
}

// PackConv packs w, [K·K][In][Out], for Conv. It keeps no reference to w.
func PackConv(w []float32, s ConvShape) *Packed {
	if s.BFloat16 {
		return active16.packed(w, s, false)
	}
	return active.pack(w, s, false, active.method(s))
}

// PackConvAdjoint packs the same w, [K·K][In][Out], for ConvBackwardInput: the
// convolution from Out channels to In channels that is the transpose of the
// linear map of w. In and Out of the result are exchanged.
func PackConvAdjoint(w []float32, s ConvShape) *Packed {
	if s.BFloat16 {
		return active16.packed(w, s, true)
	}
	return active.pack(w, s, true, active.method(s))
}

func (v *variant) pack(w []float32, s ConvShape, adjoint bool, m method) *Packed {
	s.check("PackConv")
	if adjoint {
		s.In, s.Out = s.Out, s.In
	}
	p := &Packed{ConvShape: s, variant: v, adjoint: adjoint}
	padded := 0
	for padded < p.Out {
		padded += v.panel(p.Out - padded)
	}
	if m == byWinograd {
		p.winograd = newWinograd(s, padded)
		p.data = Alloc(points * points * p.winograd.weights)
	} else {
		p.data = Alloc(p.K * p.K * p.In * padded)
	}
	p.Repack(w)
	return p
}

// Scratch is the number of values that Conv needs for its work with p. It
// follows from the shape and the variant, not from the batch of a call.
func (p *Packed) Scratch() int {
	switch {
	case p.variant16 != nil:
		return p.variant16.scratch(p.ConvShape)
	case p.winograd != nil:
		return p.winograd.scratch()
	}
	return 0
}

// Repack replaces the weights by w, of the layout that packing took. It
// allocates nothing. No one may be using p meanwhile.
func (p *Packed) Repack(w []float32) {
	need("Repack", "w", w, p.K*p.K*p.In*p.Out)
	if p.variant16 != nil {
		p.variant16.pack(p, w)
		return
	}
	if p.winograd != nil {
		p.repackWinograd(w)
		return
	}
	taps := p.K * p.K
	dst := p.data
	for o := 0; o < p.Out; {
		width := p.variant.panel(p.Out - o)
		used := min(width, p.Out-o)
		for t := range taps {
			for i := range p.In {
				if p.adjoint {
					// Tap t of the transpose is the opposite tap of w.
					src := w[(taps-1-t)*p.In*p.Out+o*p.In+i:]
					for j := range used {
						dst[j] = src[j*p.In]
					}
				} else {
					copy(dst[:used], w[(t*p.In+i)*p.Out+o:])
				}
				dst = dst[width:]
			}
		}
		o += width
	}
}

// Conv computes y = act(x ∗ w + bias + residual) for batch positions, a
// convolution with zeros around the board. x is [batch][H·W][In], y
// [batch][H·W][Out], residual like y or nil; act is max(0, ·) if relu is set,
// else the identity. bias is nil, [Out], or [batch][Out]: a row for each
// position. residual may be y itself, and is added to then.
//
// scratch has p.Scratch() values or more, which the call spoils; calls at the
// same time need scratch of their own. It is faster if it comes from Alloc.
//
// The direct method begins a sum with the bias and runs over ky, kx and the
// input channels, in this order whatever the shape, so a linear layer
// (K = H = W = 1) gives a row the same bits in every batch. Winograd's method
// (winograd.go) errs by up to four times as much. NaN comes through relu; by
// Winograd a NaN or an infinity makes NaN of more outputs than it belongs to, of
// those within a few cells, of the same position.
func Conv(y, x []float32, batch int, p *Packed, bias, residual []float32, relu bool, scratch []float32) {
	if batch < 0 {
		panic(fmt.Sprintf("BUG: kernel.Conv: batch %d", batch))
	}
	need("Conv", "x", x, batch*p.H*p.W*p.In)
	need("Conv", "y", y, batch*p.H*p.W*p.Out)
	if bias != nil && len(bias) != p.Out {
		need("Conv", "bias", bias, batch*p.Out)
	}
	needOr("Conv", "residual", residual, len(y))
	if len(scratch) < p.Scratch() {
		panic(fmt.Sprintf("BUG: kernel.Conv: scratch has %d values, want %d", len(scratch), p.Scratch()))
	}
	if len(y) == 0 {
		return
	}
	if p.variant16 != nil {
		p.variant16.conv(y, x, batch, p, bias, residual, relu, scratch)
		return
	}
	if p.winograd != nil {
		p.variant.convWinograd(y, x, batch, p, bias, residual, relu, scratch)
		return
	}
	p.variant.conv(y, x, batch, p, bias, residual, relu)
}

// biasOf is the bias of position b: nil, the one for all, or a row of its own.
func (p *Packed) biasOf(bias []float32, b int) []float32 {
	if len(bias) <= p.Out {
		return bias
	}
	return bias[b*p.Out:][:p.Out]
}

// ConvBackwardInput computes the gradient by a convolution's input, dx
// [batch][H·W][in], from the gradient by its output before activation, dy
// [batch][H·W][out]. adjoint comes from PackConvAdjoint, scratch is as for Conv. dx is
// overwritten, or added to if accumulate is set.
func ConvBackwardInput(dx, dy []float32, batch int, adjoint *Packed, accumulate bool, scratch []float32) {
	if !adjoint.adjoint {
		panic("BUG: kernel.ConvBackwardInput: weights packed for the forward pass")
	}
	var residual []float32
	if accumulate {
		residual = dx
	}
	Conv(dx, dy, batch, adjoint, nil, residual, false, scratch)
}

// ConvBackwardBias adds the gradient by a bias to db, [out]: the sum of the
// rows of dy, [rows][out].
func ConvBackwardBias(db, dy []float32, rows, out int) {
	need("ConvBackwardBias", "db", db, out)
	need("ConvBackwardBias", "dy", dy, rows*out)
	if len(dy) > 0 {
		active.rows.sum(db, dy, rows, out)
	}
}

func checkBoard(function string, batch, h, w, k int) {
	low, high, wide := MinSide, MaxHeight, MaxWidth
	if k == 1 {
		low, high, wide = 1, 1<<30, 1<<30
	}
	if batch < 0 || min(h, w) < low || h > high || w > wide {
		panic(fmt.Sprintf("BUG: kernel.%s: batch %d, board of %d rows and %d columns with k %d: want %d to %d rows and to %d columns",
			function, batch, h, w, k, low, high, wide))
	}
}
