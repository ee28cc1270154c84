//go:build !purego

package kernel

import (
	"math"
	"unsafe"
)

// bfloat16AMX has its scratch from the caller: the sums of a block, a bias for
// convolutions without one, and the padded copy of a group of boards.
var bfloat16AMX = &variant16{
	name: "amx",
	size: func(s ConvShape) int {
		return (s.Out + stripe - 1) / stripe * 9 * chunks16(s) * 2 * tileBytes / 2
	},
	scratch: func(s ConvShape) int {
		pixels := 0
		for boards := range maxGroup {
			pixels = max(pixels, layoutFor(s.H, s.W, boards+1).pixels)
		}
		return blockSumBytes/4 + s.Out + pixels*chunks16(s)*tileRowBytes/4
	},
	pack: packTiles16,
	conv: convTiles16,
}

// packTiles16 is packTiles8 for pairs of input channels, row by row, since a
// training does it at every step.
func packTiles16(p *Packed, w []float32) {
	const pair = 2 // input channels in a row of a tile
	chunks := chunks16(p.ConvShape)
	for o := 0; o < p.Out; o += tileColumns {
		n := min(tileColumns, p.Out-o)
		for tap := range 9 {
			for i := 0; i < p.In; i += pair {
				tile := ((o/stripe*9+tap)*chunks+i/chunk16)*2 + o%stripe/tileColumns
				row := p.half[tile*tileBytes/2+i%chunk16/pair*tileRowBytes/2:][:pair*n]
				two := i+1 < p.In
				if p.adjoint {
					from := w[((8-tap)*p.Out+o)*p.In+i:]
					for j := range n {
						row[2*j] = bfloat16(from[j*p.In])
						if two {
							row[2*j+1] = bfloat16(from[j*p.In+1])
						}
					}
					continue
				}
				for k := range pair {
					if k == 1 && !two {
						break
					}
					for j, v := range w[(tap*p.In+i+k)*p.Out+o:][:n] {
						row[2*j+k] = bfloat16(v)
					}
				}
			}
		}
	}
}

// chunks16 is the number of chunks of 64 bytes that the input channels fill.
func chunks16(s ConvShape) int { return (s.In + chunk16 - 1) / chunk16 }

func convTiles16(y, x []float32, batch int, p *Packed, bias, residual []float32, relu bool, scratch []float32) {
	sums, none, input := scratch[:blockSumBytes/4], scratch[blockSumBytes/4:][:p.Out], scratch[blockSumBytes/4+p.Out:]
	if bias == nil {
		for i := range none {
			none[i] = float32(math.Copysign(0, -1)) // v + -0 is v
		}
		bias = none
	}
	chunks, cells := chunks16(p.ConvShape), p.H*p.W
	pixel := chunks * tileRowBytes / 4
	var last *tileLayout
	for b := 0; b < batch; {
		boards := batch - b
		if len(bias) > p.Out {
			boards = 1 // a group shares its bias
		}
		l := layoutFor(p.H, p.W, boards)
		if l != last {
			clearBorders(l, input, p.H, pixel)
			last = l
		}
		for i := range l.group {
			spread16_amx(p.H, p.W, p.In, &x[(b+i)*cells*p.In], bytesAt(&input[(l.wide+i)*pixel]), l.group*pixel*4)
		}
		from := b * cells * p.Out
		tiles16_amx((p.Out+stripe-1)/stripe, len(l.blocks)/3, &l.blocks[0], &l.cells[0], &l.taps[0], &l.taps[8],
			chunks, finishQuota(chunks), bytesAt(&input[0]), pixel*4, (*byte)(unsafe.Pointer(&p.half[0])), bytesAt(&sums[0]),
			&y[from], at(residual, from), 0, nil, &p.biasOf(bias, b)[0], p.Out, p.Out*4, flag(relu))
		b += l.group
	}
}

func bytesAt(f *float32) *byte { return (*byte)(unsafe.Pointer(f)) }
