package kernel

import "fmt"

// Packed is the weights of one convolution in the order in which a variant
// reads them. It is read-only in use and may be shared between goroutines.
type Packed struct {
	K       int // 3 or 1, the side of the window
	In, Out int // channels; any number from 1
	variant *variant
	adjoint bool
	data    []float32 // panel after panel of [K·K][In][panel]
}

// PackConv packs w, [k·k][in][out], for Conv. k is 3 or 1. It keeps no
// reference to w.
func PackConv(w []float32, k, in, out int) *Packed {
	return active.pack(w, k, in, out, false)
}

// PackConvAdjoint packs the same w, [k·k][in][out], for ConvBackwardInput: the
// convolution from out channels to in channels that is the transpose of the
// linear map of w. Its In is out and its Out is in.
func PackConvAdjoint(w []float32, k, in, out int) *Packed {
	return active.pack(w, k, in, out, true)
}

func (v *variant) pack(w []float32, k, in, out int, adjoint bool) *Packed {
	if k != 1 && k != 3 || in < 1 || out < 1 {
		panic(fmt.Sprintf("BUG: kernel.PackConv: k %d, in %d, out %d", k, in, out))
	}
	p := &Packed{K: k, In: in, Out: out, variant: v, adjoint: adjoint}
	if adjoint {
		p.In, p.Out = out, in
	}
	padded := 0
	for padded < p.Out {
		padded += v.panel(p.Out - padded)
	}
	p.data = Alloc(k * k * p.In * padded)
	p.Repack(w)
	return p
}

// Repack replaces the weights by w, of the layout that packing took. It
// allocates nothing. No one may be using p meanwhile.
func (p *Packed) Repack(w []float32) {
	need("Repack", "w", w, p.K*p.K*p.In*p.Out)
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

// Conv computes y = act(x ∗ w + bias + residual), a convolution with zeros
// around the board. x is [batch][h·w][p.In], y [batch][h·w][p.Out], bias
// [p.Out] or nil, residual like y or nil; act is max(0, ·) if relu is set, else
// the identity. residual may be y itself, and is added to then. For k = 3, h
// and w lie between MinSide and MaxSide; for k = 1 only h·w matters.
//
// A sum begins with the bias and runs over ky, kx and the input channels, in
// this order whatever the shape, so a linear layer (k = 1, h = w = 1) gives a
// row the same bits in every batch. NaN comes through relu.
func Conv(y, x []float32, batch, h, w int, p *Packed, bias, residual []float32, relu bool) {
	checkBoard("Conv", batch, h, w, p.K)
	need("Conv", "x", x, batch*h*w*p.In)
	need("Conv", "y", y, batch*h*w*p.Out)
	needOr("Conv", "bias", bias, p.Out)
	needOr("Conv", "residual", residual, len(y))
	if len(y) > 0 {
		p.variant.conv(y, x, batch, h, w, p, bias, residual, relu)
	}
}

// ConvBackwardInput computes the gradient by a convolution's input, dx
// [batch][h·w][in], from that by its output before activation, dy
// [batch][h·w][out]. adjoint comes from PackConvAdjoint. dx is overwritten, or
// added to if accumulate is set.
func ConvBackwardInput(dx, dy []float32, batch, h, w int, adjoint *Packed, accumulate bool) {
	if !adjoint.adjoint {
		panic("BUG: kernel.ConvBackwardInput: weights packed for the forward pass")
	}
	var residual []float32
	if accumulate {
		residual = dx
	}
	Conv(dx, dy, batch, h, w, adjoint, nil, residual, false)
}

// ConvBackwardWeights adds the gradient by a convolution's weights to dw,
// [k·k][in][out]. x is the input, [batch][h·w][in], dy the gradient by the
// output before activation, [batch][h·w][out].
func ConvBackwardWeights(dw, x, dy []float32, batch, h, w, k, in, out int) {
	if k != 1 && k != 3 || in < 1 || out < 1 {
		panic(fmt.Sprintf("BUG: kernel.ConvBackwardWeights: k %d, in %d, out %d", k, in, out))
	}
	checkBoard("ConvBackwardWeights", batch, h, w, k)
	need("ConvBackwardWeights", "dw", dw, k*k*in*out)
	need("ConvBackwardWeights", "x", x, batch*h*w*in)
	need("ConvBackwardWeights", "dy", dy, batch*h*w*out)
	if len(x) > 0 {
		active.gradWeights(dw, x, dy, batch, h, w, k, in, out)
	}
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
	low, high := MinSide, MaxSide
	if k == 1 {
		low, high = 1, 1<<30
	}
	if batch < 0 || min(h, w) < low || max(h, w) > high {
		panic(fmt.Sprintf("BUG: kernel.%s: batch %d, board %d × %d with k %d", function, batch, h, w, k))
	}
}
