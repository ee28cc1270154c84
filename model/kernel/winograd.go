package kernel

// Winograd's minimal filtering: m outputs of a filter of 3 taps cost m + 2
// products instead of 3m (Winograd 1980; two-dimensional for convolutions:
// Lavin and Gray 2015). Inputs d and taps g are read as polynomials, evaluated
// at m + 2 points and multiplied there; the outputs come from interpolation:
//
//	y = Aᵀ [(G g Gᵀ) ⊙ (Bᵀ d B)] A
//
// ⊙ is a matrix product over the channels for each pair of a row point and a
// column point, since the channels are summed at the points.
//
// The points are 0, ±√½, ±√2 and infinity, in this order. They lose fewer
// digits than the usual 0, ±1, ±2 and infinity, since their powers stay nearer
// to 1 (on the choice of points: Barabasz et al. 2020). A tile of 4 outputs takes
// all six. A tile of 3 leaves out 0, a tile of 2 infinity, too: so one set of
// transformed weights serves tiles of all sizes, and a board is cut into tiles
// of several sizes without computing anything beyond its edges. Seven columns are
// 4 + 3 outputs at 6 + 5 points.
const points = 6

// segment is size neighbouring outputs of one axis, 2 to 4.
type segment struct {
	start, size int
	low, high   bool // it touches the board's first, its last row or column
}

// points is the range of points that the segment needs.
func (s segment) points() (first, end int) {
	switch s.size {
	case 4:
		return 0, points
	case 3:
		return 1, points
	}
	return 1, points - 1
}

// firstInput is the first row or column of the board that the segment reads.
func (s segment) firstInput() int { return max(s.start-1, 0) }

// segments cuts an axis of 2 cells or more into the fewest segments of
// up to 4, the longer ones first.
func segments(side int) []segment {
	count := (side + 3) / 4
	cut := make([]segment, count)
	start := 0
	for i := range cut {
		size := (side - start + count - i - 1) / (count - i)
		cut[i] = segment{start, size, i == 0, i == count-1}
		start += size
	}
	return cut
}

// winograd is how a convolution of one shape is cut up and where its parts
// stand in scratch memory.
type winograd struct {
	rows, columns []segment
	// rowTiles[i] and columnTiles[j] count the segments that need a point.
	// Longer segments come first and need all points of the shorter ones, so it
	// is always the first ones that do.
	rowTiles, columnTiles [points]int
	spans                 []span
	block                 int // positions that are transformed together
	// Distances from point to point: step in the transformed input, outStep in the
	// output, weights in the weights, line in the rows between the two passes of a
	// transform.
	step, outStep, weights, line int
	// packing is what Repack works in: the taps of group input channels and
	// strip output channels, and what the first pass gives of one input channel.
	packing [(9*group + 3*points) * strip]float32
}

// strip is at least the widest panel of the assembly variants, group a quarter of
// a cache line.
const strip, group = 64, 4

// span is neighbouring matrices that have the same number of rows a position.
type span struct{ first, matrices, rows int }

// blockBytes is what the transformed inputs and outputs of a block may take:
// they share the second-level cache with the weights, which pass through it once
// a block. Nine positions of 8×8 cells and 64 channels were best of 4 to 24 with
// 2 MiB of cache; 6 to 12 are within 2 %.
const blockBytes = 704 << 10

// fill divides the size of larger blocks, so that the rows of most matrices
// are whole groups of a product, whose last rows cost as much as several.
const fill = 6

// newWinograd lays out the convolution of shape s, with weights padded to padded output
// channels.
func newWinograd(s ConvShape, padded int) *winograd {
	g := &winograd{rows: segments(s.H), columns: segments(s.W), weights: spread(s.In * padded), line: s.W * max(s.In, s.Out)}
	count := func(tiles *[points]int, cut []segment) {
		for _, c := range cut {
			for i, end := c.points(); i < end; i++ {
				tiles[i]++
			}
		}
	}
	count(&g.rowTiles, g.rows)
	count(&g.columnTiles, g.columns)
	for i := range points * points {
		rows := g.rowTiles[i/points] * g.columnTiles[i%points]
		if n := len(g.spans) - 1; n >= 0 && g.spans[n].rows == rows && g.spans[n].first+g.spans[n].matrices == i {
			g.spans[n].matrices++
		} else if rows > 0 {
			g.spans = append(g.spans, span{i, 1, rows})
		}
	}
	tiles := len(g.rows) * len(g.columns)
	g.block = max(1, blockBytes/(points*points*tiles*(s.In+s.Out)*4))
	if s.Batch > 0 {
		g.block = min(g.block, s.Batch)
	}
	if g.block > 2*fill {
		g.block -= g.block % fill
	}
	g.step, g.outStep = spread(g.block*tiles*s.In), spread(g.block*tiles*s.Out)
	return g
}

// spread rounds n values up so that the same place in neighbouring matrices
// falls into different sets of the first-level cache: to an odd number of cache
// lines, not too near to a multiple of the page size. Without it transforms and
// products take up to a fifth longer.
func spread(n int) int {
	const line, page = 64 / 4, 4096 / 4
	lines := (n+line-1)/line | 1
	if lines%(page/line) < 5 {
		lines += 4
	}
	return lines * line
}

// scratch is the number of values that convWinograd works in.
func (g *winograd) scratch() int { return points*points*(g.step+g.outStep) + points*g.line }

// convWinograd goes through the batch block by block. The blocks are nearly
// equal; what is computed for a position does not depend on them.
func (v *variant) convWinograd(y, x []float32, batch int, p *Packed, bias, residual []float32, relu bool, scratch []float32) {
	g := p.winograd
	in, out := p.H*p.W*p.In, p.H*p.W*p.Out
	blocks := (batch + g.block - 1) / g.block
	size := (batch + blocks - 1) / blocks
	if g.block%fill == 0 {
		size = (size + fill - 1) / fill * fill
	}
	from, rest := scratch[:points*points*g.step], scratch[points*points*g.step:]
	to, lines := rest[:points*points*g.outStep], rest[points*points*g.outStep:]
	for lo := 0; lo < batch; lo += size {
		n := min(size, batch-lo)
		for b := range n {
			v.enter(p, from, x[(lo+b)*in:][:in], lines, b, n)
		}
		v.products(p, to, from, n)
		for b := range n {
			v.leave(p, y[(lo+b)*out:][:out], to, lines, b, n, p.biasOf(bias, lo+b), after(residual, (lo+b)*out), relu)
		}
	}
}

// The matrix of row point i and column point j stands at (points·i + j)·step. It
// has a row for each tile of each position that needs both points, without gaps:
// see row.

// transforms is what a variant does for Winograd's method. Position b is one of
// n of a block.
type transforms struct {
	// enter transforms the input of position b, rows first, by way of lines.
	enter func(p *Packed, to, x, lines []float32, b, n int)
	// products multiplies the matrices of n positions by the weights.
	products func(p *Packed, to, from []float32, n int)
	// leave transforms back the output of position b, columns first, and applies
	// act(· + bias + residual); both may be nil.
	leave func(p *Packed, y, from, lines []float32, b, n int, bias, residual []float32, relu bool)
	// weights applies G to n values of outer lines: it reads 3 vectors that are
	// xStep apart and writes one for each point, yStep apart; the next line is
	// xOuter and yOuter further on.
	weights func(outer, n int, y []float32, yStep, yOuter int, x []float32, xStep, xOuter int)
}

// row is the row of tile r, c of position b of n in the matrices of row point i.
func (g *winograd) row(i, r, c, b, n int) int { return (c*g.rowTiles[i]+r)*n + b }

// alike is the end of the run of row points from i on that the same number of segments
// need: a tile has the same row in their matrices.
func (g *winograd) alike(i, end int) int {
	next := i + 1
	for next < end && g.rowTiles[next] == g.rowTiles[i] {
		next++
	}
	return next
}

// after is s[i:], or nil if there is no s.
func after(s []float32, i int) []float32 {
	if s == nil {
		return nil
	}
	return s[i:]
}

// repackWinograd transforms the weights w of a 3×3 convolution.
func (p *Packed) repackWinograd(w []float32) {
	v, g := p.variant, p.winograd
	taps, lines := g.packing[:9*group*strip], g.packing[9*group*strip:]
	panel := p.data
	for o := 0; o < p.Out; {
		width := v.panel(p.Out - o)
		used := min(width, p.Out-o)
		for s := 0; s < used; s += strip {
			n := min(strip, used-s)
			for i := 0; i < p.In; i += group {
				inputs := min(group, p.In-i)
				p.gather(taps, w, i, inputs, o+s, n)
				for k := range inputs {
					v.weights(3, n, lines, 3*strip, strip, taps[k*9*strip:], 3*strip, strip)
					v.weights(points, n, panel[(i+k)*width+s:], g.weights, points*g.weights, lines, strip, 3*strip)
				}
			}
		}
		panel = panel[p.In*width:]
		o += width
	}
}

// gather reads the taps of inputs input channels from i on and of n output
// channels from o on, as Conv computes it, to dst, [inputs][9][strip].
func (p *Packed) gather(dst, w []float32, i, inputs, o, n int) {
	for t := range 9 {
		if !p.adjoint {
			for k := range inputs {
				copy(dst[(k*9+t)*strip:][:n], w[(t*p.In+i+k)*p.Out+o:])
			}
			continue
		}
		// Tap t of the transpose is the opposite tap of w, in which neighbouring
		// inputs are neighbours.
		from := w[(8-t)*p.In*p.Out+o*p.In+i:]
		if inputs < group {
			for k := range inputs {
				for j := range n {
					dst[(k*9+t)*strip+j] = from[j*p.In+k]
				}
			}
			continue
		}
		to0, to1, to2, to3 := dst[t*strip:][:n], dst[(9+t)*strip:][:n], dst[(18+t)*strip:][:n], dst[(27+t)*strip:][:n]
		for j := range to0 {
			f := from[j*p.In:][:group]
			to0[j], to1[j], to2[j], to3[j] = f[0], f[1], f[2], f[3]
		}
	}
}
