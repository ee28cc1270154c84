package kernel

// generic is the specification of all variants, in plain Go.
var generic = &variant{
	name:        "generic",
	lanes:       1,
	panel:       func(left int) int { return left },
	conv:        convGeneric,
	gradWeights: gradWeightsGeneric,
	winograd:    winogradGeneric,
	rows: rowKernels{
		affine:       affineGeneric,
		combine:      combineGeneric,
		addRow:       addRowGeneric,
		sum:          sumGeneric,
		squares:      squaresGeneric,
		reluProducts: reluProductsGeneric,
		max:          maxGeneric,
		reluGrad:     reluGradGeneric,
		poolGrad:     poolGradGeneric,
	},
	transforms: transformsGeneric,
	optimizer:  optimizerKernels{adamW: adamWGeneric, sumSquares: sumSquaresGeneric},
	fma:        fmaGeneric,
}

// convGeneric works on strips of output channels, so that the sums of a strip
// stay in the nearest cache, and so that y is written only when the residual,
// which may be y, has been read.
func convGeneric(y, x []float32, batch int, p *Packed, bias, residual []float32, relu bool) {
	h, w := p.H, p.W
	const strip = 64
	var buffer [strip]float32
	half := p.K / 2
	for b := range batch {
		xb := x[b*h*w*p.In:]
		for cell := range h * w {
			row, col := cell/w, cell%w
			for o := 0; o < p.Out; o += strip {
				sums := buffer[:min(strip, p.Out-o)]
				clear(sums)
				if bias != nil {
					copy(sums, p.biasOf(bias, b)[o:])
				}
				for t := range p.K * p.K {
					r, c := row+t/p.K-half, col+t%p.K-half
					if r < 0 || r >= h || c < 0 || c >= w {
						continue
					}
					for i, xi := range xb[(r*w+c)*p.In:][:p.In] {
						ws := p.data[(t*p.In+i)*p.Out+o:][:len(sums)]
						for j := range sums {
							sums[j] += xi * ws[j]
						}
					}
				}
				at := (b*h*w+cell)*p.Out + o
				if residual != nil {
					for j, v := range residual[at:][:len(sums)] {
						sums[j] += v
					}
				}
				if relu {
					for j, v := range sums {
						if v < 0 {
							sums[j] = 0
						}
					}
				}
				copy(y[at:], sums)
			}
		}
	}
}

func gradWeightsGeneric(dw, x, dy []float32, batch, h, w, k, in, out int) {
	half := k / 2
	for b := range batch {
		for cell := range h * w {
			row, col := cell/w, cell%w
			dys := dy[(b*h*w+cell)*out:][:out]
			for t := range k * k {
				r, c := row+t/k-half, col+t%k-half
				if r < 0 || r >= h || c < 0 || c >= w {
					continue
				}
				for i, xi := range x[(b*h*w+r*w+c)*in:][:in] {
					ds := dw[(t*in+i)*out:][:out]
					for j, d := range dys {
						ds[j] += xi * d
					}
				}
			}
		}
	}
}

// fmaGeneric multiplies and adds one number after the other, four at a time.
func fmaGeneric(n int) int {
	a, b, c, d := float32(1), float32(2), float32(3), float32(4)
	for range n / 4 {
		a, b, c, d = a*0.5+1, b*0.5+1, c*0.5+1, d*0.5+1
	}
	if a+b+c+d == 0 { // never; keeps the loop
		return 0
	}
	return n / 4 * 8
}
