package kernel

import (
	"fmt"
	"math"
	"unsafe"
)

// This file and its neighbours int8_*.go hold the arithmetic of quantised
// networks, for inference only.
//
// An activation is a u8, [batch][cells][channels] like the floats, and stands
// for u8 · s, with one scale s a tensor and zero at 0: what comes after a ReLU
// needs no sign, and the zeros around a board need no correction. A weight is
// an s8 from -127 to 127 and stands for s8 · s, one scale an output channel
// (Jacob et al. 2018, Quantization and Training of Neural Networks for
// Efficient Integer-Arithmetic-Only Inference, section 2, without zero points).
// Sums are exact in int32. What follows them is float32 arithmetic in which
// each operation is rounded by itself, in a fixed order, none of them fused. So
// all variants give the same bits, unlike the float32 kernels.

// MaxTerms is the largest number of products in a sum, k·k·in, that cannot overflow an
// int32.
const MaxTerms = math.MaxInt32 / (255 * 127)

// LeastIn8 is the fewest input channels that assembly takes, which reads four at
// once; plain Go takes fewer. Callers with so few may add some without weight,
// see QuantizePlanes8.
const LeastIn8 = 4

// variant8 is one implementation of the int8 kernels. All of them agree bit
// for bit. The slices handed to its functions have been checked.
type variant8 struct {
	name string
	// pack sets p.data, the weights w in the variant's own order,
	// [k·k][in][out] like all weights.
	pack func(p *Packed8, w []int8)
	conv func(x []uint8, batch, h, w int, p *Packed8, f finish8)
	rows rowKernels8
	// dot does about n vector operations on registers only and returns the
	// multiplications and additions done.
	dot func(n int) int
}

// rowKernels8 work on n rows of c channels each, the rows without gaps.
type rowKernels8 struct {
	// pool: s += Σ x over the rows, m = max(m, x); s, m are [c] and hold
	// integers below 2^24.
	pool func(s, m []float32, x []uint8, n, c int)
	// addRow: y = saturate(x·scale + v); v is [c].
	addRow func(y, x []uint8, v []float32, scale float32, n, c int)
	// planes: y[cell][plane] = saturate(x[plane][cell] · factor[plane]) for
	// len(factor) planes; y has channels values a cell.
	planes func(y []uint8, x, factor []float32, cells, channels int)
}

// finish8 is what happens to the sums of a convolution and where they go: to
// bytes or, if there are none, to floats.
type finish8 struct {
	bytes  []uint8
	floats []float32
	relu   bool // of floats

	scale, bias   []float32 // [out]; bias may be nil
	bias1         int       // from the bias of one position to the next: out, or 0
	residual      []uint8   // like bytes, or nil
	residualScale float32
}

// saturate rounds v to the next integer, halves to the even one, within 0 to
// 255. NaN becomes 0.
func saturate(v float32) uint8 {
	if !(v > 0) {
		return 0
	}
	// From 2^23 on a float32 has no fraction: the sum is rounded as wanted, and
	// its last eight bits are the integer.
	return uint8(math.Float32bits(min(v, 255) + 0x1p23))
}

// QuantizeWeights8 rounds w, [rows][out] (a convolution's [k·k][in][out] is
// that), to q: w ≈ q · scale with scale [out], the largest |w| of the channel
// over 127. A channel of zeros has the scale 0; one with a weight that is not
// finite has the scale NaN, which a float output then shows.
func QuantizeWeights8(q []int8, scale, w []float32, out int) {
	if out < 1 || len(w)%out != 0 {
		panic(fmt.Sprintf("BUG: kernel.QuantizeWeights8: %d weights for %d channels", len(w), out))
	}
	need("QuantizeWeights8", "q", q, len(w))
	need("QuantizeWeights8", "scale", scale, out)
	clear(scale)
	for i, v := range w {
		// Inf - Inf and NaN - NaN are NaN, which max passes on.
		scale[i%out] = max(scale[i%out], float32(math.Abs(float64(v)))+(v-v))
	}
	for o := range scale {
		scale[o] /= 127
	}
	for i, v := range w {
		q[i] = 0
		if s := scale[i%out]; s > 0 {
			// The quotient may be a little above 127 where s was rounded down.
			q[i] = int8(max(-127, min(127, math.RoundToEven(float64(v)/float64(s)))))
		}
	}
}

// Packed8 is the int8 weights of one convolution in the order in which a
// variant reads them. It is read-only in use and may be shared between
// goroutines.
type Packed8 struct {
	K       int // 3 or 1, the side of the window
	In, Out int // channels; any number from 1 with K·K·In ≤ MaxTerms
	variant *variant8
	data    []int8
}

// PackConv8 packs w, [k·k][in][out] from -127 to 127, for Conv8 and
// Conv8Float. k is 3 or 1. It keeps no reference to w.
func PackConv8(w []int8, k, in, out int) *Packed8 { return active8.packed(w, k, in, out) }

func (v *variant8) packed(w []int8, k, in, out int) *Packed8 {
	if k != 1 && k != 3 || in < 1 || out < 1 || k*k*in > MaxTerms {
		panic(fmt.Sprintf("BUG: kernel.PackConv8: k %d, in %d, out %d", k, in, out))
	}
	need("PackConv8", "w", w, k*k*in*out)
	for i, q := range w {
		if q == -128 {
			panic(fmt.Sprintf("BUG: kernel.PackConv8: weight %d is -128", i))
		}
	}
	p := &Packed8{K: k, In: in, Out: out, variant: v}
	v.pack(p, w)
	return p
}

// Conv8 computes a quantised convolution with zeros around the board,
//
//	y = saturate((x ∗ w)·scale + bias + residual·residualScale)
//
// where saturate rounds to the next integer, halves to the even one, and bounds
// by 0 and 255, so that a ReLU is always in it. x is [batch][h·w][p.In], y
// [batch][h·w][p.Out]. scale is [p.Out]: the scale of x times the scale of the weights, over y's.
// bias is in units of y: [p.Out], or [batch][p.Out] if it differs from position
// to position, or nil. residual is like y or nil and may be y itself;
// residualScale is its scale over y's. For k = 3, h lies between MinSide
// and MaxHeight, w between MinSide and MaxWidth; for k = 1 only h·w matters, and a linear layer of n rows
// is batch n, h = w = 1.
//
// The sum is exact; it is converted to float32, multiplied, and the bias, 0 if
// there is none, and the product of the residual are added in this order, each
// step rounded.
func Conv8(y, x []uint8, batch, h, w int, p *Packed8, scale, bias []float32, residual []uint8, residualScale float32) {
	needOr("Conv8", "residual", residual, len(y))
	conv8("Conv8", x, batch, h, w, p, finish8{bytes: y, scale: scale, bias: bias, residual: residual, residualScale: residualScale}, len(y))
}

// Conv8Float computes y = act((x ∗ w)·scale + bias) like Conv8, but to floats:
// scale is the scale of x times the scale of the weights, over a unit of the caller's
// choice. act is max(0, ·) if relu is set, else the identity. NaN comes through
// relu.
func Conv8Float(y []float32, x []uint8, batch, h, w int, p *Packed8, scale, bias []float32, relu bool) {
	conv8("Conv8Float", x, batch, h, w, p, finish8{floats: y, scale: scale, bias: bias, relu: relu}, len(y))
}

func conv8(function string, x []uint8, batch, h, w int, p *Packed8, f finish8, n int) {
	checkBoard(function, batch, h, w, p.K)
	need(function, "x", x, batch*h*w*p.In)
	if n != batch*h*w*p.Out {
		panic(fmt.Sprintf("BUG: kernel.%s: y has %d values, want %d", function, n, batch*h*w*p.Out))
	}
	need(function, "scale", f.scale, p.Out)
	if f.bias != nil && len(f.bias) != p.Out {
		need(function, "bias", f.bias, batch*p.Out)
		f.bias1 = p.Out
	}
	if n > 0 {
		p.variant.conv(x, batch, h, w, p, f)
	}
}

// PeakInt8 keeps the int8 dot-product units busy with about n vector operations
// and returns how many multiplications and additions that were, like PeakFMA.
// Variants without such units count what they use instead.
func PeakInt8(n int) int { return active8.dot(n) }

// Alloc8 returns n zeros that begin on a cache line, see Alloc.
func Alloc8(n int) []uint8 {
	const line = 64
	b := make([]uint8, n+line)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) % line)
	return b[skip : skip+n : skip+n]
}
