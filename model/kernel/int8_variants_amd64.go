//go:build !purego

package kernel

// The int8 kernels by instruction set. Those with VNNI multiply and add four
// pairs of bytes a lane and instruction; the others widen to 16 bits and need
// four instructions for that, so that int8 gains them little or nothing over
// float32: they are there for the same results everywhere.

// int8AVX512VNNI takes whole rows, the longest in two pieces.
var int8AVX512VNNI = newVariant8(&vector8{
	name:     "avx512vnni",
	lanes:    16,
	together: true,
	rows: [][MaxWidth + 1][]piece[tile8Func]{
		cutRows(wholeTo11, tileSet[tile8Func]{
			whole: map[int]tile8Func{
				3: int8conv3x1LR_avx512vnni, 4: int8conv4x1LR_avx512vnni, 5: int8conv5x1LR_avx512vnni, 6: int8conv6x1LR_avx512vnni,
				7: int8conv7x1LR_avx512vnni, 8: int8conv8x1LR_avx512vnni, 9: int8conv9x1LR_avx512vnni, 10: int8conv10x1LR_avx512vnni,
				11: int8conv11x1LR_avx512vnni,
			},
			left:  map[int]tile8Func{6: int8conv6x1L_avx512vnni, 7: int8conv7x1L_avx512vnni},
			right: map[int]tile8Func{6: int8conv6x1R_avx512vnni},
		}),
		cutRows(wholeTo11, tileSet[tile8Func]{
			whole: map[int]tile8Func{
				3: int8conv3x2LR_avx512vnni, 4: int8conv4x2LR_avx512vnni, 5: int8conv5x2LR_avx512vnni, 6: int8conv6x2LR_avx512vnni,
				7: int8conv7x2LR_avx512vnni, 8: int8conv8x2LR_avx512vnni, 9: int8conv9x2LR_avx512vnni, 10: int8conv10x2LR_avx512vnni,
				11: int8conv11x2LR_avx512vnni,
			},
			left:  map[int]tile8Func{6: int8conv6x2L_avx512vnni, 7: int8conv7x2L_avx512vnni},
			right: map[int]tile8Func{6: int8conv6x2R_avx512vnni},
		}),
	},
	tiles: [][]piece[tile8Func]{
		{{12, int8product12x1_avx512vnni}, {8, int8product8x1_avx512vnni}, {4, int8product4x1_avx512vnni}, {2, int8product2x1_avx512vnni}, {1, int8product1x1_avx512vnni}},
		{{12, int8product12x2_avx512vnni}, {8, int8product8x2_avx512vnni}, {4, int8product4x2_avx512vnni}, {2, int8product2x2_avx512vnni}, {1, int8product1x2_avx512vnni}},
	},
	peak: int8peak_avx512vnni, peakSums: 16, peakTerms: 64,
})

// int8AVX512 cuts rows, since widening takes registers.
var int8AVX512 = newVariant8(&vector8{
	name:     "avx512",
	lanes:    16,
	together: true,
	rows: [][MaxWidth + 1][]piece[tile8Func]{
		cutRows(piecesTo6, tileSet[tile8Func]{
			whole:  map[int]tile8Func{3: int8conv3x1LR_avx512, 4: int8conv4x1LR_avx512, 5: int8conv5x1LR_avx512, 6: int8conv6x1LR_avx512},
			left:   map[int]tile8Func{4: int8conv4x1L_avx512, 5: int8conv5x1L_avx512, 6: int8conv6x1L_avx512},
			middle: map[int]tile8Func{4: int8conv4x1_avx512},
			right:  map[int]tile8Func{3: int8conv3x1R_avx512, 4: int8conv4x1R_avx512, 5: int8conv5x1R_avx512, 6: int8conv6x1R_avx512},
		}),
		cutRows(piecesTo6, tileSet[tile8Func]{
			whole:  map[int]tile8Func{3: int8conv3x2LR_avx512, 4: int8conv4x2LR_avx512, 5: int8conv5x2LR_avx512, 6: int8conv6x2LR_avx512},
			left:   map[int]tile8Func{4: int8conv4x2L_avx512, 5: int8conv5x2L_avx512, 6: int8conv6x2L_avx512},
			middle: map[int]tile8Func{4: int8conv4x2_avx512},
			right:  map[int]tile8Func{3: int8conv3x2R_avx512, 4: int8conv4x2R_avx512, 5: int8conv5x2R_avx512, 6: int8conv6x2R_avx512},
		}),
	},
	tiles: [][]piece[tile8Func]{
		{{6, int8product6x1_avx512}, {4, int8product4x1_avx512}, {2, int8product2x1_avx512}, {1, int8product1x1_avx512}},
		{{6, int8product6x2_avx512}, {4, int8product4x2_avx512}, {2, int8product2x2_avx512}, {1, int8product1x2_avx512}},
	},
	peak: int8peak_avx512, peakSums: 16, peakTerms: 64,
})

// int8AVX2VNNI fills the registers with twelve sums where it can: fewer than ten
// would wait for one another.
var int8AVX2VNNI = newVariant8(&vector8{
	name:  "avx2vnni",
	lanes: 8,
	rows: [][MaxWidth + 1][]piece[tile8Func]{
		cutRows(wholeRows, tileSet[tile8Func]{
			whole: map[int]tile8Func{
				3: int8conv3x1LR_avx2vnni, 4: int8conv4x1LR_avx2vnni, 5: int8conv5x1LR_avx2vnni, 6: int8conv6x1LR_avx2vnni,
				7: int8conv7x1LR_avx2vnni, 8: int8conv8x1LR_avx2vnni, 9: int8conv9x1LR_avx2vnni, 10: int8conv10x1LR_avx2vnni,
				11: int8conv11x1LR_avx2vnni, 12: int8conv12x1LR_avx2vnni, 13: int8conv13x1LR_avx2vnni,
			},
		}),
		cutRows(piecesTo6, tileSet[tile8Func]{
			whole:  map[int]tile8Func{3: int8conv3x2LR_avx2vnni, 4: int8conv4x2LR_avx2vnni, 5: int8conv5x2LR_avx2vnni, 6: int8conv6x2LR_avx2vnni},
			left:   map[int]tile8Func{4: int8conv4x2L_avx2vnni, 5: int8conv5x2L_avx2vnni, 6: int8conv6x2L_avx2vnni},
			middle: map[int]tile8Func{4: int8conv4x2_avx2vnni},
			right:  map[int]tile8Func{3: int8conv3x2R_avx2vnni, 4: int8conv4x2R_avx2vnni, 5: int8conv5x2R_avx2vnni, 6: int8conv6x2R_avx2vnni},
		}),
		cutRows(piecesTo4, tileSet[tile8Func]{
			whole:  map[int]tile8Func{3: int8conv3x3LR_avx2vnni, 4: int8conv4x3LR_avx2vnni},
			left:   map[int]tile8Func{3: int8conv3x3L_avx2vnni, 4: int8conv4x3L_avx2vnni},
			middle: map[int]tile8Func{3: int8conv3x3_avx2vnni, 4: int8conv4x3_avx2vnni},
			right:  map[int]tile8Func{2: int8conv2x3R_avx2vnni, 3: int8conv3x3R_avx2vnni, 4: int8conv4x3R_avx2vnni},
		}),
	},
	tiles: [][]piece[tile8Func]{
		{{12, int8product12x1_avx2vnni}, {8, int8product8x1_avx2vnni}, {4, int8product4x1_avx2vnni}, {2, int8product2x1_avx2vnni}, {1, int8product1x1_avx2vnni}},
		{{6, int8product6x2_avx2vnni}, {4, int8product4x2_avx2vnni}, {2, int8product2x2_avx2vnni}, {1, int8product1x2_avx2vnni}},
	},
	peak: int8peak_avx2vnni, peakSums: 10, peakTerms: 32,
})

// int8AVX2 cuts rows into pieces of up to four pixels.
var int8AVX2 = newVariant8(&vector8{
	name:  "avx2",
	lanes: 8,
	rows: [][MaxWidth + 1][]piece[tile8Func]{
		cutRows(piecesTo4, tileSet[tile8Func]{
			whole:  map[int]tile8Func{3: int8conv3x1LR_avx2, 4: int8conv4x1LR_avx2},
			left:   map[int]tile8Func{3: int8conv3x1L_avx2, 4: int8conv4x1L_avx2},
			middle: map[int]tile8Func{3: int8conv3x1_avx2, 4: int8conv4x1_avx2},
			right:  map[int]tile8Func{2: int8conv2x1R_avx2, 3: int8conv3x1R_avx2, 4: int8conv4x1R_avx2},
		}),
		cutRows(piecesTo4, tileSet[tile8Func]{
			whole:  map[int]tile8Func{3: int8conv3x2LR_avx2, 4: int8conv4x2LR_avx2},
			left:   map[int]tile8Func{3: int8conv3x2L_avx2, 4: int8conv4x2L_avx2},
			middle: map[int]tile8Func{3: int8conv3x2_avx2, 4: int8conv4x2_avx2},
			right:  map[int]tile8Func{2: int8conv2x2R_avx2, 3: int8conv3x2R_avx2, 4: int8conv4x2R_avx2},
		}),
	},
	tiles: [][]piece[tile8Func]{
		{{4, int8product4x1_avx2}, {2, int8product2x1_avx2}, {1, int8product1x1_avx2}},
		{{4, int8product4x2_avx2}, {2, int8product2x2_avx2}, {1, int8product1x2_avx2}},
	},
	peak: int8peak_avx2, peakSums: 10, peakTerms: 32,
})
