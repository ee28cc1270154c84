// Package kernel holds the arithmetic of small residual networks on small
// boards: in float32 convolution, matrix product, batch normalisation and
// global pooling, forward and backward; in int8 what inference needs of it; with
// operands in bfloat16 3×3 convolutions; in 16-bit integers the layers of the small
// networks of package model/nnue.
//
// Activations are NHWC without padding: [batch][cells][channels], cells in row
// order, cells = height × width. Weights are [ky][kx][in][out], a linear layer
// is a 1×1 convolution of one cell. A mask is [batch][cells], 1 on the board
// and 0 off it; a nil mask is a full board.
//
// Every function works on a run of positions and starts no goroutine: callers
// split a batch over goroutines by slicing it. The results of a position depend
// neither on its place in the batch nor on the other positions, bit for bit.
// Sums over a batch go position by position, cell by cell; gradients of weights
// are added to what the buffer holds, so that each goroutine owns a buffer and
// the caller adds the buffers in a fixed order.
//
// A 3×3 convolution is computed directly or by Winograd's method, whichever is
// faster for its shape; see method.go.
//
// There are variants for AVX-512, for AVX2 with FMA and in plain Go, which is
// the specification. In float32 they differ in rounding only, in int8, bfloat16 and
// 16-bit integers not at all. The best one that the processor runs is chosen at start-up; the
// environment variable LUDOZERO_KERNEL names another one ([Check], [Levels]).
// The build tag purego leaves only plain Go.
//
// Wrong lengths are bugs of the caller and panic before any work. No function
// allocates but those whose name begins with New, Pack or Alloc, and int8
// convolutions on AMX at their first calls. Inputs and outputs must not overlap
// except where a function allows it.
package kernel

import (
	"fmt"
	"os"
	"strings"
	"unsafe"
)

// EnvVariant names the environment variable that forces a variant.
const EnvVariant = "LUDOZERO_KERNEL"

// Sizes of the boards that convolutions with k = 3 take: MinSide cells each way at
// least, MaxHeight rows and MaxWidth columns at most. There is a tile for each width, so
// its limit is the assembly's; rows are a loop, whose limit is what has been tested.
const (
	MinSide   = 3
	MaxHeight = 16
	MaxWidth  = 13
)

// variant is one implementation of the vectorised functions. The slices handed to
// them have been checked.
type variant struct {
	name  string
	lanes int // float32 values in a vector
	// panel lays out packed weights: the width of the next panel when left
	// output channels are left, 1 or more. A last panel wider than that is
	// filled up with zeros.
	panel func(left int) int

	// conv is the direct method.
	conv        func(y, x []float32, batch int, p *Packed, bias, residual []float32, relu bool)
	gradWeights func(dw, x, dy []float32, batch, h, w, k, in, out int)
	winograd    winogradKernels // for the gradient of weights
	rows        rowKernels
	optimizer   optimizerKernels
	transforms
	// fma does about n fused multiply-adds on registers only and returns the
	// floating-point operations done.
	fma func(n int) int
}

// rowKernels work on n rows of c channels each, the rows without gaps.
type rowKernels struct {
	// affine: y = x·a + b [+ residual], then [max(0, ·)]; a, b are [c].
	affine func(y, x, a, b, residual []float32, n, c int, relu bool)
	// combine: y = x·a + z·b + d; a, b, d are [c].
	combine func(y, x, z, a, b, d []float32, n, c int)
	// addRow: y = x + v, then [max(0, ·)]; v is [c].
	addRow func(y, x, v []float32, n, c int, relu bool)
	// sum: s += Σ x over the rows; s is [c].
	sum func(s, x []float32, n, c int)
	// squares: s += Σ (x − mean)².
	squares func(s, x, mean []float32, n, c int)
	// reluProducts: dz = 0 unless y > 0; then s += Σ dz, t += Σ dz·(x − mean).
	reluProducts func(s, t, dz, y, x, mean []float32, n, c int)
	// poolGrad: dx += every, and + dtop in the first row where x is top, which
	// sets dtop to 0; every, top and dtop are [c].
	poolGrad func(dx, x, every, top, dtop []float32, n, c int)
	// max: m = max(m, x over the rows).
	max func(m, x []float32, n, c int)
	// reluGrad: dz = dy where y > 0, else 0; n values.
	reluGrad func(dz, dy, y []float32)
}

// level is what LUDOZERO_KERNEL chooses: float32, int8, bfloat16 and 16-bit kernels.
// Levels with the same float32 kernels compute the same bits, since all others
// agree.
type level struct {
	name     string
	float    *variant
	int8     *variant8
	bfloat16 *variant16 // nil: none
	whole    *wholeKernels
}

var (
	chosen    level
	chosenErr error
	// active, active8, active16 and activeWhole are what chosen has; tests exchange them.
	active      *variant
	active8     *variant8
	active16    *variant16
	activeWhole *wholeKernels
)

func init() {
	chosen, chosenErr = choose(os.Getenv(EnvVariant), levels())
	active, active8, active16, activeWhole = chosen.float, chosen.int8, chosen.bfloat16, chosen.whole
}

// choose picks the level called name, or the last of ls, the fastest, if name
// is empty. On error it returns plain Go.
func choose(name string, ls []level) (level, error) {
	if name == "" {
		return ls[len(ls)-1], nil
	}
	names := make([]string, len(ls))
	for i, l := range ls {
		if l.name == name {
			return l, nil
		}
		names[i] = l.name
	}
	return ls[0], fmt.Errorf("%s=%s: this build and processor have %s", EnvVariant, name, strings.Join(names, ", "))
}

// Variant names the float32 kernels in use: generic, avx2 or avx512. Each is a
// level of its own, so its name is good for LUDOZERO_KERNEL too.
func Variant() string { return active.name }

// revision goes up whenever kernels begin to round differently, of whatever
// variant. In the first all convolutions were direct.
const revision = 2

// Arithmetic names what decides the bits of results, for records: the variant
// and the revision of its sums, "avx512/2". What was computed with the same
// arithmetic can be computed again bit for bit, whatever the level.
func Arithmetic() string { return fmt.Sprintf("%s/%d", active.name, revision) }

// Level names the level in use, one of Levels.
func Level() string { return chosen.name }

// Check reports a value of LUDOZERO_KERNEL that this program cannot honour;
// plain Go is in use then. Programs call it before any work.
func Check() error { return chosenErr }

// Levels lists the names that LUDOZERO_KERNEL may have here, slowest first:
//
//	generic     plain Go, on any processor
//	avx2        AVX2 and FMA: Intel since Haswell (2013), AMD since Zen
//	avx2vnni    also AVX-VNNI: Intel since Alder Lake (2021), AMD since Zen 5
//	avx512      AVX-512: Intel Skylake-X and servers since Skylake (2017)
//	avx512vnni  also AVX512_VNNI: Intel Ice Lake to Rocket Lake and servers since
//	            Cascade Lake (2019), AMD since Zen 4
//	amx         also AMX with int8 and bfloat16: Intel servers since Sapphire
//	            Rapids (2023), if the operating system is Linux and grants it
//
// avx2 and avx2vnni have the same float32 kernels, and so have avx512,
// avx512vnni and amx.
func Levels() []string {
	var names []string
	for _, l := range levels() {
		names = append(names, l.name)
	}
	return names
}

// PeakFMA keeps the multiply-add units busy with about n vector operations and
// returns how many floating-point operations that were. Timed by the caller it
// gives the peak of one core for the variant in use; plain Go has no
// such loop and measures what its compiler generates.
func PeakFMA(n int) int { return active.fma(n) }

// Alloc returns n zeros that begin on a cache line, which makes vector loads
// cheaper. No function needs such alignment.
func Alloc(n int) []float32 {
	const line = 64 / 4
	b := make([]float32, n+line)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) % 64 / 4)
	return b[skip : skip+n : skip+n]
}

// need panics unless s has exactly n values.
func need[T any](function, argument string, s []T, n int) {
	if len(s) != n {
		panic(fmt.Sprintf("BUG: kernel.%s: %s has %d values, want %d", function, argument, len(s), n))
	}
}

// needOr is need for an argument that may be nil.
func needOr[T any](function, argument string, s []T, n int) {
	if s != nil {
		need(function, argument, s, n)
	}
}
