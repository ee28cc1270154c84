//go:build !purego

package kernel

import "unsafe"

var wholeAVX512 = &wholeKernels{
	name: "avx512",
	addRows: func(sums, rows []int16, add, sub []int32) {
		addRows_avx512(len(sums), unsafe.SliceData(sums), unsafe.SliceData(rows), unsafe.SliceData(add), len(add), unsafe.SliceData(sub), len(sub))
	},
	clip: func(y, x []int16, most int16) { clip_avx512(len(x), &y[0], &x[0], int(most)) },
	affine: func(y []int32, x, w []int16, bias []int32) {
		affineWhole_avx512(len(y)/wholeBlock, len(x)/2, &y[0], &x[0], &w[0], &bias[0])
	},
}

var wholeAVX2 = &wholeKernels{
	name: "avx2",
	addRows: func(sums, rows []int16, add, sub []int32) {
		addRows_avx2(len(sums), unsafe.SliceData(sums), unsafe.SliceData(rows), unsafe.SliceData(add), len(add), unsafe.SliceData(sub), len(sub))
	},
	clip: func(y, x []int16, most int16) { clip_avx2(len(x), &y[0], &x[0], int(most)) },
	affine: func(y []int32, x, w []int16, bias []int32) {
		affineWhole_avx2(len(y)/wholeBlock, len(x)/2, &y[0], &x[0], &w[0], &bias[0])
	},
}
