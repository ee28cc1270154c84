//go:build !purego

package kernel

import "golang.org/x/sys/cpu"

// levels lists what this processor and operating system run, slowest first.
func levels() []level {
	x := &cpu.X86
	ls := []level{{"generic", generic, generic8, generic16, wholeGeneric}}
	if x.HasAVX2 && x.HasFMA {
		ls = append(ls, level{"avx2", variantAVX2, int8AVX2, nil, wholeAVX2})
		if x.HasAVXVNNI {
			ls = append(ls, level{"avx2vnni", variantAVX2, int8AVX2VNNI, nil, wholeAVX2})
		}
	}
	if x.HasAVX512F && x.HasBMI2 {
		if x.HasAVX512BW {
			ls = append(ls, level{"avx512", variantAVX512, int8AVX512, nil, wholeAVX512})
		} else {
			ls = append(ls, level{"avx512", variantAVX512, int8AVX2, nil, wholeAVX2})
		}
		if x.HasAVX512VNNI {
			ls = append(ls, level{"avx512vnni", variantAVX512, int8AVX512VNNI, nil, ls[len(ls)-1].whole})
		}
	}
	if hasTiles() {
		ls = append(ls, level{"amx", variantAVX512, int8AMX, bfloat16AMX, ls[len(ls)-1].whole})
	}
	return ls
}

var variantAVX512 = newVariant(&vectorISA{
	name:  "avx512",
	lanes: 16,
	panel: func(left int) int {
		if left >= 32 {
			return 32
		}
		return 16
	},
	rows: [3][MaxWidth + 1][]piece[tileFunc]{
		cutRows(wholeRows, tileSet[tileFunc]{
			whole: map[int]tileFunc{
				3: conv3x1LR_avx512, 4: conv4x1LR_avx512, 5: conv5x1LR_avx512, 6: conv6x1LR_avx512,
				7: conv7x1LR_avx512, 8: conv8x1LR_avx512, 9: conv9x1LR_avx512, 10: conv10x1LR_avx512,
				11: conv11x1LR_avx512, 12: conv12x1LR_avx512, 13: conv13x1LR_avx512,
			},
		}),
		cutRows(wholeRows, tileSet[tileFunc]{
			whole: map[int]tileFunc{
				3: conv3x2LR_avx512, 4: conv4x2LR_avx512, 5: conv5x2LR_avx512, 6: conv6x2LR_avx512,
				7: conv7x2LR_avx512, 8: conv8x2LR_avx512, 9: conv9x2LR_avx512, 10: conv10x2LR_avx512,
				11: conv11x2LR_avx512, 12: conv12x2LR_avx512, 13: conv13x2LR_avx512,
			},
		}),
	},
	tiles: [3][]piece[tileFunc]{
		{{12, product12x1_avx512}, {8, product8x1_avx512}, {4, product4x1_avx512}, {2, product2x1_avx512}, {1, product1x1_avx512}},
		{{12, product12x2_avx512}, {8, product8x2_avx512}, {4, product4x2_avx512}, {2, product2x2_avx512}, {1, product1x2_avx512}},
	},
	gradients: []gradientPair{
		{8, gradient8x1_avx512, gradient8x2_avx512},
		{4, gradient4x1_avx512, gradient4x2_avx512},
		{2, gradient2x1_avx512, gradient2x2_avx512},
		{1, gradient1x1_avx512, gradient1x2_avx512},
	},
	inputs: [3][2][2]passFunc{
		{{winogradInput2_avx512, winogradInput2H_avx512}, {winogradInput2L_avx512, winogradInput2LH_avx512}},
		{{winogradInput3_avx512, winogradInput3H_avx512}, {winogradInput3L_avx512, winogradInput3LH_avx512}},
		{{winogradInput4_avx512, winogradInput4H_avx512}, {winogradInput4L_avx512, winogradInput4LH_avx512}},
	},
	outputs:  [3]passFunc{winogradOutput2_avx512, winogradOutput3_avx512, winogradOutput4_avx512},
	finishes: [3]finishFunc{winogradFinish2_avx512, winogradFinish3_avx512, winogradFinish4_avx512},
	points:   winogradWeights_avx512,
	multiplies: [3][]multiplyTile{
		{{12, multiply12x1_avx512}, {8, multiply8x1_avx512}, {4, multiply4x1_avx512}, {2, multiply2x1_avx512}, {1, multiply1x1_avx512}},
		{{12, multiply12x2_avx512}, {8, multiply8x2_avx512}, {4, multiply4x2_avx512}, {2, multiply2x2_avx512}, {1, multiply1x2_avx512}},
	},
	gradientInput: gradientInput_avx512, gradientOutput: gradientOutput_avx512, gradientWeights: gradientWeights_avx512,
	gradientProducts: [2]productsFunc{gradientProducts1_avx512, gradientProducts2_avx512},
	affine:           affine_avx512, combine: combine_avx512, addRow: addRow_avx512, sum: sum_avx512,
	squares: squares_avx512, reluProducts: reluProducts_avx512, poolGrad: poolGrad_avx512, max: max_avx512, reluGrad: reluGrad_avx512,
	adamW: adamW_avx512, sumSquares: sumSquares_avx512,
	peak: peak_avx512, peakSums: 16,
})

// variantAVX2 cuts rows into pieces: three vectors by four pixels fill the
// registers best, two by four come second.
var variantAVX2 = newVariant(&vectorISA{
	name:  "avx2",
	lanes: 8,
	panel: func(left int) int {
		switch {
		case left >= 24:
			return 24
		case left >= 16:
			return 16
		}
		return 8
	},
	rows: [3][MaxWidth + 1][]piece[tileFunc]{
		cutRows(wholeRows, tileSet[tileFunc]{
			whole: map[int]tileFunc{
				3: conv3x1LR_avx2, 4: conv4x1LR_avx2, 5: conv5x1LR_avx2, 6: conv6x1LR_avx2,
				7: conv7x1LR_avx2, 8: conv8x1LR_avx2, 9: conv9x1LR_avx2, 10: conv10x1LR_avx2,
				11: conv11x1LR_avx2, 12: conv12x1LR_avx2, 13: conv13x1LR_avx2,
			},
		}),
		cutRows(piecesTo6, tileSet[tileFunc]{
			whole:  map[int]tileFunc{3: conv3x2LR_avx2, 4: conv4x2LR_avx2, 5: conv5x2LR_avx2, 6: conv6x2LR_avx2},
			left:   map[int]tileFunc{4: conv4x2L_avx2, 5: conv5x2L_avx2, 6: conv6x2L_avx2},
			middle: map[int]tileFunc{4: conv4x2_avx2},
			right:  map[int]tileFunc{3: conv3x2R_avx2, 4: conv4x2R_avx2, 5: conv5x2R_avx2, 6: conv6x2R_avx2},
		}),
		cutRows(piecesTo4, tileSet[tileFunc]{
			whole:  map[int]tileFunc{3: conv3x3LR_avx2, 4: conv4x3LR_avx2},
			left:   map[int]tileFunc{3: conv3x3L_avx2, 4: conv4x3L_avx2},
			middle: map[int]tileFunc{3: conv3x3_avx2, 4: conv4x3_avx2},
			right:  map[int]tileFunc{2: conv2x3R_avx2, 3: conv3x3R_avx2, 4: conv4x3R_avx2},
		}),
	},
	tiles: [3][]piece[tileFunc]{
		{{6, product6x1_avx2}, {4, product4x1_avx2}, {2, product2x1_avx2}, {1, product1x1_avx2}},
		{{6, product6x2_avx2}, {4, product4x2_avx2}, {2, product2x2_avx2}, {1, product1x2_avx2}},
		{{4, product4x3_avx2}, {2, product2x3_avx2}, {1, product1x3_avx2}},
	},
	gradients: []gradientPair{
		{6, gradient6x1_avx2, gradient6x2_avx2},
		{4, gradient4x1_avx2, gradient4x2_avx2},
		{2, gradient2x1_avx2, gradient2x2_avx2},
		{1, gradient1x1_avx2, gradient1x2_avx2},
	},
	inputs: [3][2][2]passFunc{
		{{winogradInput2_avx2, winogradInput2H_avx2}, {winogradInput2L_avx2, winogradInput2LH_avx2}},
		{{winogradInput3_avx2, winogradInput3H_avx2}, {winogradInput3L_avx2, winogradInput3LH_avx2}},
		{{winogradInput4_avx2, winogradInput4H_avx2}, {winogradInput4L_avx2, winogradInput4LH_avx2}},
	},
	outputs:  [3]passFunc{winogradOutput2_avx2, winogradOutput3_avx2, winogradOutput4_avx2},
	finishes: [3]finishFunc{winogradFinish2_avx2, winogradFinish3_avx2, winogradFinish4_avx2},
	points:   winogradWeights_avx2,
	multiplies: [3][]multiplyTile{
		{{6, multiply6x1_avx2}, {4, multiply4x1_avx2}, {2, multiply2x1_avx2}, {1, multiply1x1_avx2}},
		{{6, multiply6x2_avx2}, {4, multiply4x2_avx2}, {2, multiply2x2_avx2}, {1, multiply1x2_avx2}},
		{{4, multiply4x3_avx2}, {2, multiply2x3_avx2}, {1, multiply1x3_avx2}},
	},
	gradientInput: gradientInput_avx2, gradientOutput: gradientOutput_avx2, gradientWeights: gradientWeights_avx2,
	affine: affine_avx2, combine: combine_avx2, addRow: addRow_avx2, sum: sum_avx2,
	squares: squares_avx2, reluProducts: reluProducts_avx2, poolGrad: poolGrad_avx2, max: max_avx2, reluGrad: reluGrad_avx2,
	adamW: adamW_avx2, sumSquares: sumSquares_avx2,
	peak: peak_avx2, peakSums: 12,
})
