package kernel

import "fmt"

// wholeKernels are the kernels of networks in 16-bit integers. All variants give the same
// bits: sums of 16 bits wrap round, those of 32 bits the caller has bounded.
type wholeKernels struct {
	name string
	// addRows: sums += the rows of add, -= those of sub; a multiple of 64 columns.
	addRows func(sums, rows []int16, add, sub []int32)
	// clip: y = min(max(x, 0), most); a multiple of 64 values.
	clip func(y, x []int16, most int16)
	// affine: y = bias + x·w, w as PackWhole says; pairs of x, blocks of 16 of y.
	affine func(y []int32, x, w []int16, bias []int32)
}

// wholeStep divides the length of what AddWholeRows and ClipWhole work on, wholeBlock is how many
// outputs AffineWhole computes side by side.
const (
	wholeStep  = 64
	wholeBlock = 16
)

// AddWholeRows adds rows of a matrix to sums and subtracts others. rows is [n][len(sums)], add
// and sub are numbers of rows; len(sums) is a multiple of 64.
func AddWholeRows(sums, rows []int16, add, sub []int32) {
	if len(sums) == 0 || len(sums)%wholeStep != 0 || len(rows)%len(sums) != 0 {
		panic(fmt.Sprintf("BUG: kernel.AddWholeRows: %d sums of %d values", len(sums), len(rows)))
	}
	n := uint32(len(rows) / len(sums))
	for _, list := range [2][]int32{add, sub} {
		for _, i := range list {
			if uint32(i) >= n {
				panic(fmt.Sprintf("BUG: kernel.AddWholeRows: row %d of %d", i, n))
			}
		}
	}
	activeWhole.addRows(sums, rows, add, sub)
}

func addWholeRowsGeneric(sums, rows []int16, add, sub []int32) {
	n := len(sums)
	for _, i := range add {
		row := rows[int(i)*n:][:n]
		for j, x := range row {
			sums[j] += x
		}
	}
	for _, i := range sub {
		row := rows[int(i)*n:][:n]
		for j, x := range row {
			sums[j] -= x
		}
	}
}

// ClipWhole sets y to x within 0 and most. Their length is a multiple of 64.
func ClipWhole(y, x []int16, most int16) {
	need("ClipWhole", "y", y, len(x))
	if len(x)%wholeStep != 0 {
		panic(fmt.Sprintf("BUG: kernel.ClipWhole: %d values, want a multiple of %d", len(x), wholeStep))
	}
	if len(x) > 0 {
		activeWhole.clip(y, x, most)
	}
}

func clipWholeGeneric(y, x []int16, most int16) {
	for i, v := range x {
		y[i] = max(0, min(most, v))
	}
}

// PackWhole lays the weights [in][out] of AffineWhole out: [block][pair][16][2] for blocks
// of 16 outputs and pairs of inputs, with zeros for a last input that is not there. out is
// a multiple of 16.
func PackWhole(w []int16, in, out int) []int16 {
	need("PackWhole", "w", w, in*out)
	if out%wholeBlock != 0 {
		panic(fmt.Sprintf("BUG: kernel.PackWhole: %d outputs, want a multiple of %d", out, wholeBlock))
	}
	pairs := (in + 1) / 2
	p := make([]int16, 2*pairs*out)
	for i := range in {
		for o := range out {
			block := o / wholeBlock
			p[((block*pairs+i/2)*wholeBlock+o%wholeBlock)*2+i%2] = w[i*out+o]
		}
	}
	return p
}

// AffineWhole computes y = bias + x·w in int32, by weights that PackWhole laid out. The
// length of x is even: a last input that is not there is 0. The caller knows that no part of
// a sum overflows.
func AffineWhole(y []int32, x, w []int16, bias []int32) {
	need("AffineWhole", "bias", bias, len(y))
	need("AffineWhole", "w", w, len(x)*len(y))
	if len(y)%wholeBlock != 0 || len(x)%2 != 0 {
		panic(fmt.Sprintf("BUG: kernel.AffineWhole: %d inputs, %d outputs", len(x), len(y)))
	}
	if len(x) == 0 {
		copy(y, bias)
		return
	}
	activeWhole.affine(y, x, w, bias)
}

func affineWholeGeneric(y []int32, x, w []int16, bias []int32) {
	for b := 0; b < len(y); b += wholeBlock {
		sums := (*[wholeBlock]int32)(y[b:])
		copy(sums[:], bias[b:])
		for i := 0; i < len(x); i += 2 {
			row := (*[2 * wholeBlock]int16)(w)
			w = w[2*wholeBlock:]
			x0, x1 := int32(x[i]), int32(x[i+1])
			if x0|x1 == 0 {
				continue
			}
			for o := range sums {
				sums[o] += x0*int32(row[2*o]) + x1*int32(row[2*o+1])
			}
		}
	}
}

var wholeGeneric = &wholeKernels{name: "generic", addRows: addWholeRowsGeneric, clip: clipWholeGeneric, affine: affineWholeGeneric}
