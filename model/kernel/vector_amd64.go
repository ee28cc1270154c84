//go:build !purego

package kernel

// These functions are described in _asm/tile.go, gradient.go, winograd.go and
// multiply.go.
type (
	tileFunc     = func(tapRows, n int, x, w, bias, residual, y *float32, xRow, yPixel, tail, relu int)
	productsFunc = func(blocks, tiles int, v, z, sum *float32, vTile, zTile int)
	gradientFunc = func(boards, rows, columns int, x, dy, dw *float32, xPixel, xRow, xBoard, dyPixel, dyRow, dyBoard, dwRow, tail int)
	passFunc     = func(outer, n int, y *float32, yStep, yOuter int, x *float32, xStep, xOuter int)
	multiplyFunc = func(matrices, panels, groups, n int, x *float32, xStep int, w *float32, wStep int, y *float32, yStep, yRow, tail, ahead int)
	finishFunc   = func(outer, n int, y *float32, yStep, yOuter int, x *float32, xStep, xOuter int, bias, residual *float32, relu int)
)

// multiplyTile works on groups of rows.
type multiplyTile struct {
	rows int
	f    multiplyFunc
}

// gradientPair works on channels input channels and one or two vectors.
type gradientPair struct {
	channels int
	one, two gradientFunc
}

// vectorISA is the generated functions of one instruction set. An index v
// stands for panels of v + 1 vectors.
type vectorISA struct {
	name      string
	lanes     int
	panel     func(left int) int
	rows      [3][MaxWidth + 1][]piece[tileFunc] // by board width, left to right
	tiles     [3][]piece[tileFunc]               // of products, longest first, down to 1
	gradients []gradientPair                     // most channels first, down to 1

	gradientInput, gradientOutput func(n int, x, v, tmp *float32, xRow, xPixel, vStep int)
	gradientWeights               func(n int, u, dw, tmp *float32, uStep, dwStep int)
	gradientProducts              [2]productsFunc // of one and two vectors; nil: the functions of gradients
	// Winograd's passes for segments of 2 to 4; inputs also by whether the
	// segment touches the low and the high edge.
	inputs   [3][2][2]passFunc
	outputs  [3]passFunc
	finishes [3]finishFunc
	points   passFunc // of weights
	// multiplies are products by a panel, most rows first, down to 1.
	multiplies [3][]multiplyTile

	affine       func(n, c int, y, x, a, b, residual *float32, add, relu int)
	combine      func(n, c int, y, x, z, a, b, d *float32)
	addRow       func(n, c int, y, x, v *float32, relu int)
	sum, max     func(n, c int, s, x *float32)
	squares      func(n, c int, s, x, mean *float32)
	reluProducts func(n, c int, s, t, dz, y, x, mean *float32)
	poolGrad     func(n, c int, dx, x, every, top, dtop *float32)
	reluGrad     func(n, c int, dz, dy, y *float32)
	adamW        func(n int, value, grad, m, v, coefficients *float32)
	sumSquares   func(blocks int, x *float32, sums *float64)
	peak         func(turns int)
	peakSums     int // vector operations a turn of peak
}

func newVariant(s *vectorISA) *variant {
	return &variant{
		transforms: transforms{enter: s.enter, products: s.pointProducts, leave: s.leave, weights: s.transformWeights},
		name:       s.name, panel: s.panel,
		lanes:       s.lanes,
		conv:        s.conv,
		gradWeights: s.gradWeights,
		winograd: winogradKernels{
			lanes: s.lanes,
			input: func(n int, x, v, tmp []float32, xRow, xPixel, vStep int) {
				s.gradientInput(n, &x[0], &v[0], &tmp[0], xRow*4, xPixel*4, vStep*4)
			},
			output: func(n int, x, v, tmp []float32, xRow, xPixel, vStep int) {
				s.gradientOutput(n, &x[0], &v[0], &tmp[0], xRow*4, xPixel*4, vStep*4)
			},
			weights: func(n int, u, dw, tmp []float32, uStep, dwStep int) {
				s.gradientWeights(n, &u[0], &dw[0], &tmp[0], uStep*4, dwStep*4)
			},
			products: s.gradProducts,
		},
		rows: rowKernels{
			affine: func(y, x, a, b, residual []float32, n, c int, relu bool) {
				add := 1
				if residual == nil {
					residual, add = x, 0
				}
				s.affine(n, c, &y[0], &x[0], &a[0], &b[0], &residual[0], add, flag(relu))
			},
			combine: func(y, x, z, a, b, d []float32, n, c int) {
				s.combine(n, c, &y[0], &x[0], &z[0], &a[0], &b[0], &d[0])
			},
			addRow: func(y, x, v []float32, n, c int, relu bool) {
				s.addRow(n, c, &y[0], &x[0], &v[0], flag(relu))
			},
			sum:     func(t, x []float32, n, c int) { s.sum(n, c, &t[0], &x[0]) },
			max:     func(m, x []float32, n, c int) { s.max(n, c, &m[0], &x[0]) },
			squares: func(t, x, mean []float32, n, c int) { s.squares(n, c, &t[0], &x[0], &mean[0]) },
			reluProducts: func(u, t, dz, y, x, mean []float32, n, c int) {
				s.reluProducts(n, c, &u[0], &t[0], &dz[0], &y[0], &x[0], &mean[0])
			},
			poolGrad: func(dx, x, every, top, dtop []float32, n, c int) {
				s.poolGrad(n, c, &dx[0], &x[0], &every[0], &top[0], &dtop[0])
			},
			reluGrad: func(dz, dy, y []float32) { s.reluGrad(1, len(dz), &dz[0], &dy[0], &y[0]) },
		},
		optimizer: optimizerKernels{
			adamW: func(value, grad, m, v []float32, c *AdamW) {
				s.adamW(len(value), &value[0], &grad[0], &m[0], &v[0], &c.Beta1)
			},
			sumSquares: func(sums *[squareSums]float64, x []float32) { s.sumSquares(len(x)/squareSums, &x[0], &sums[0]) },
		},
		fma: func(n int) int {
			turns := max(n/s.peakSums, 1)
			s.peak(turns)
			return turns * s.peakSums * 2 * s.lanes
		},
	}
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// at is the address of s[i], or nil if there is no s.
func at(s []float32, i int) *float32 {
	if s == nil {
		return nil
	}
	return &s[i]
}

func (s *vectorISA) conv(y, x []float32, batch int, p *Packed, bias, residual []float32, relu bool) {
	in, out, h, w := p.In, p.Out, p.H, p.W
	if p.K == 1 {
		// Positions that share a bias are rows of one product.
		rows := batch * h * w
		if len(bias) > out {
			rows = h * w
		}
		for at := 0; at < batch*h*w; at += rows {
			s.product(y[at*out:], x[at*in:], rows, p, p.biasOf(bias, at/(h*w)), after(residual, at*out), relu)
		}
		return
	}
	for b := range batch {
		weights, bias := p.data, p.biasOf(bias, b)
		for o := 0; o < out; {
			width := s.panel(out - o)
			pieces := s.rows[width/s.lanes-1][w]
			for row := range h {
				// Tap rows first to last lie on the board.
				first, last := 0, 2
				if row == 0 {
					first = 1
				}
				if row == h-1 {
					last = 1
				}
				column := 0
				for _, q := range pieces {
					cell := b*h*w + row*w + column
					from := cell + (first-1)*w - 1
					if column == 0 {
						from++
					}
					q.f(last-first+1, in, &x[from*in], &weights[first*3*in*width], at(bias, o),
						at(residual, cell*out+o), &y[cell*out+o], w*in*4, out*4, min(width, out-o), flag(relu))
					column += q.pixels
				}
			}
			weights = weights[9*in*width:]
			o += width
		}
	}
}

// product is a 1×1 convolution: y [n][out] from x [n][in].
func (s *vectorISA) product(y, x []float32, n int, p *Packed, bias, residual []float32, relu bool) {
	in, out := p.In, p.Out
	weights := p.data
	for o := 0; o < out; {
		width := s.panel(out - o)
		tiles := s.tiles[width/s.lanes-1]
		for row := 0; row < n; {
			for tiles[0].pixels > n-row {
				tiles = tiles[1:]
			}
			tiles[0].f(1, in, &x[row*in], &weights[0], at(bias, o), at(residual, row*out+o), &y[row*out+o],
				0, out*4, min(width, out-o), flag(relu))
			row += tiles[0].pixels
		}
		weights = weights[in*width:]
		o += width
	}
}

// gradWeights goes through the batch in blocks of positions that stay in the
// first-level cache while every tap and channel passes over them, but have enough
// pixels to pay for reading and writing dw. The size of a block follows
// from the shape alone; each block is summed by itself and added to dw.
func (s *vectorISA) gradWeights(dw, x, dy []float32, batch, h, w, k, in, out int) {
	const blockBytes, blockPixels = 32 << 10, 64
	boards := max(1, blockBytes/(h*w*(in+out)*4), blockPixels/(h*w))
	for b := 0; b < batch; b += boards {
		n := min(boards, batch-b)
		xb, dyb := x[b*h*w*in:], dy[b*h*w*out:]
		if k == 1 {
			s.gradTap(dw, xb, dyb, 1, 1, n*h*w, h, w, in, out)
			continue
		}
		for tap := range 9 {
			ky, kx := tap/3-1, tap%3-1
			// First output pixel for which the tap is on the board.
			row, column := max(0, -ky), max(0, -kx)
			s.gradTap(dw[tap*in*out:], xb[((row+ky)*w+column+kx)*in:], dyb[(row*w+column)*out:],
				n, h-max(ky, -ky), w-max(kx, -kx), h, w, in, out)
		}
	}
}

// gradTap adds to dw, [in][out], the products of the pixels of x and dy: boards
// of h × w pixels, of which rows × columns count, beginning with the first.
func (s *vectorISA) gradTap(dw, x, dy []float32, boards, rows, columns, h, w, in, out int) {
	xPixel, dyPixel := in*4, out*4
	for i, kind := 0, 0; i < in; {
		for s.gradients[kind].channels > in-i {
			kind++
		}
		q := s.gradients[kind]
		for o := 0; o < out; {
			f, width := q.one, s.lanes
			if out-o >= 2*s.lanes {
				f, width = q.two, 2*s.lanes
			}
			f(boards, rows, columns, &x[i], &dy[o], &dw[i*out+o],
				xPixel, w*xPixel, h*w*xPixel, dyPixel, w*dyPixel, h*w*dyPixel, out*4, min(width, out-o))
			o += width
		}
		i += q.channels
	}
}

// gradProducts adds v'z to sum, [in][out], where v is [tiles][in] and z
// [tiles][out]. in and out are multiples of the lanes.
func (s *vectorISA) gradProducts(sum, v, z []float32, tiles, in, out int) {
	if s.gradientProducts[0] == nil {
		s.gradTap(sum, v, z, 1, 1, tiles, 1, tiles, in, out)
		return
	}
	for o := 0; o < out; {
		vectors := min(2, (out-o)/s.lanes)
		s.gradientProducts[vectors-1](in/8, tiles, &v[0], &z[o], &sum[o], in*4, out*4)
		o += vectors * s.lanes
	}
}
