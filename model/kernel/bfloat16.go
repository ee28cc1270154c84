package kernel

import (
	"fmt"
	"math"
	"os"
	"unsafe"
)

// Convolutions with operands in bfloat16: the input and the weights of a 3×3
// convolution are rounded to bfloat16, the upper half of a float32; products
// are exact in float32 and sums are float32, as are bias, residual and output.
// So nothing around a convolution has to know of it. An output errs by some
// 2^-9 of the root of its terms' squares.
//
// Matrix units do this in an order of their own, which is the specification
// here, so their results agree with plain Go bit for bit: for each tap that
// follows another, ky before kx, also those off the board, whose inputs are 0,
// and for each 32 input channels in turn, the last ones filled up with zeros,
//
//	even = 0 + x[0]·w[0] + x[2]·w[2] + … + x[30]·w[30]
//	odd  = 0 + x[1]·w[1] + x[3]·w[3] + … + x[31]·w[31]
//	sum  = sum + (even + odd)
//
// beginning with sum = 0; then the bias is added, then the residual. Numbers
// below 2^-126, the least normal one, count as 0 among the operands and become
// 0 in the sums (Intel 64 and IA-32 Architectures Software Developer's Manual,
// volume 2, TDPBF16PS and VCVTNE2PS2BF16).

// variant16 is one implementation of them. The results of all are the same.
type variant16 struct {
	name string
	// size is the number of packed weights, scratch the number of scratch values.
	size, scratch func(s ConvShape) int
	// pack puts the weights into p.half, which has size values.
	pack func(p *Packed, w []float32)
	conv func(y, x []float32, batch int, p *Packed, bias, residual []float32, relu bool, scratch []float32)
}

// CheckBFloat16 reports a level without useful convolutions in bfloat16. amx has them;
// vectors would gain nothing. generic has the specification, many times slower than its
// float32: it passes only if LUDOZERO_KERNEL asks for that level.
func CheckBFloat16() error {
	switch {
	case active16 == nil:
		return fmt.Errorf("bfloat16: the kernels of level %s have none; amx does, on Intel servers since Sapphire Rapids", Level())
	case Level() == generic.name && os.Getenv(EnvVariant) != generic.name:
		return fmt.Errorf("bfloat16: the kernels of level %s have it to check results only, far slower than float32: want amx, or %s=%[1]s if that is meant",
			Level(), EnvVariant)
	}
	return nil
}

func (v *variant16) packed(w []float32, s ConvShape, adjoint bool) *Packed {
	s.check("PackConv")
	if v == nil || s.K != 3 {
		panic(fmt.Sprintf("BUG: kernel.PackConv: %+v at level %s", s, Level()))
	}
	if adjoint {
		s.In, s.Out = s.Out, s.In
	}
	p := &Packed{ConvShape: s, variant16: v, adjoint: adjoint}
	b := Alloc(v.size(s)/2 + 1)
	p.half = unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(b))), v.size(s))
	p.Repack(w)
	return p
}

// bfloat16 rounds v to the next bfloat16, halves to the even one, and returns
// its bits.
func bfloat16(v float32) uint16 {
	bits := math.Float32bits(v)
	switch {
	case v != v:
		return uint16(bits>>16) | 0x40 // stays NaN
	case bits<<1 < 0x00800000<<1:
		return uint16(bits >> 16 & 0x8000)
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}

// wide is the number whose bfloat16 bits are b.
func wide(b uint16) float32 { return math.Float32frombits(uint32(b) << 16) }

// normal is v, or 0 of v's sign if v is below the least normal number.
func normal(v float32) float32 {
	if bits := math.Float32bits(v); bits<<1 < 0x00800000<<1 {
		return math.Float32frombits(bits & 0x80000000)
	}
	return v
}

// weight is the weight of tap t from channel i to channel o of p's convolution,
// in weights of the layout that packing took.
func (p *Packed) weight(w []float32, t, i, o int) float32 {
	if p.adjoint {
		return w[((p.K*p.K-1-t)*p.Out+o)*p.In+i]
	}
	return w[(t*p.In+i)*p.Out+o]
}
