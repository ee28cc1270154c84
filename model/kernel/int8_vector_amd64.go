//go:build !purego

package kernel

import "unsafe"

// tile8Func is described in _asm/int8.go.
type tile8Func = func(tapRows, groups, first int, x *uint8, w *int8, scale, bias *float32, residual, y *uint8,
	xPixel, xRow, yPixel, tail, floats, relu int, residualScale float32)

// vector8 is the generated int8 functions of one instruction set. An index v
// stands for panels of v + 1 vectors.
type vector8 struct {
	name  string
	lanes int
	// together says that tiles do the taps of a row together.
	together bool
	rows     [][MaxWidth + 1][]piece[tile8Func] // by board width, left to right
	tiles    [][]piece[tile8Func]               // of products, longest first, down to 1

	peak                func(turns int)
	peakSums, peakTerms int // sums of a turn of peak, products of one
}

func newVariant8(s *vector8) *variant8 {
	return &variant8{
		name: s.name,
		pack: s.pack,
		conv: s.conv,
		rows: rowsAVX2,
		dot: func(n int) int {
			turns := max(n/s.peakSums, 1)
			s.peak(turns)
			return turns * s.peakSums * 2 * s.peakTerms
		},
	}
}

// rowsAVX2 serve every variant.
var rowsAVX2 = rowKernels8{
	pool:   pool8AVX2,
	addRow: addRow8AVX2,
	planes: planes8AVX2,
}

// pool8AVX2 takes 32 channels at a time and then the rest.
func pool8AVX2(s, m []float32, x []uint8, n, c int) {
	const most = 257 // rows whose sums 16 bits hold
	o := 0
	for ; o+32 <= c; o += 32 {
		for row := 0; row < n; row += most {
			int8pool32_avx2(min(most, n-row), c, &s[o], &m[o], &x[row*c+o])
		}
	}
	if o < c {
		int8pool_avx2(n, c-o, c, &s[o], &m[o], &x[o])
	}
}

// addRow8AVX2 takes 32 channels at a time and then the rest.
func addRow8AVX2(y, x []uint8, v []float32, scale float32, n, c int) {
	o := 0
	for ; o+32 <= c; o += 32 {
		int8addRow32_avx2(n, c, &y[o], &x[o], &v[o], scale)
	}
	if o < c {
		int8addRow_avx2(n, c-o, c, &y[o], &x[o], &v[o], scale)
	}
}

// planes8AVX2 takes four planes at a time; plain Go takes the rest, and small
// boards.
func planes8AVX2(y []uint8, x, factor []float32, cells, channels int) {
	p := 0
	for ; cells >= 8 && p+4 <= len(factor); p += 4 {
		int8planes_avx2(cells, channels, &y[p], &x[p*cells], &factor[p])
	}
	if p < len(factor) {
		planes8Generic(y[p:], x[p*cells:], factor[p:], cells, channels)
	}
}

// panel is the width of the next panel of a window of k when left output
// channels are left: full vectors, up to the widest tile, or one that is not full.
func (s *vector8) panel(k, left int) int {
	most := len(s.tiles)
	if k == 3 {
		most = len(s.rows)
	}
	return max(1, min(most, left/s.lanes)) * s.lanes
}

// pack lays the weights out as [panel][tap][group][channel of the panel][4
// inputs], or as [panel][tap row][group][tap of the row][channel of the panel][4
// inputs] for tiles that do the taps of a row together, filled up with zeros. The groups end with the inputs; if these are
// no multiple of four the first group begins early enough not to begin before
// them, and the second one has zeros for what it shares with the first. A pixel
// of fewer than four inputs cannot be read as a word at all: plain Go takes
// those.
func (s *vector8) pack(p *Packed8, w []int8) {
	if p.In < LeastIn8 {
		p.variant = generic8
		generic8.pack(p, w)
		return
	}
	taps, groups := p.K*p.K, (p.In+3)/4
	padded := 0
	for padded < p.Out {
		padded += s.panel(p.K, p.Out-padded)
	}
	bytes := Alloc8(taps * groups * padded * 4)
	p.data = unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(bytes))), len(bytes))
	dst := p.data
	for o := 0; o < p.Out; {
		width := s.panel(p.K, p.Out-o)
		for t := range taps {
			done := 0 // inputs that have a place
			for g := range groups {
				place := t*groups + g
				if s.together {
					place = (t/p.K*groups+g)*p.K + t%p.K
				}
				to := dst[place*width*4:]
				first := max(0, p.In-4*(groups-g))
				for j := range min(width, p.Out-o) {
					for i := done; i < first+4; i++ {
						to[j*4+i-first] = w[(t*p.In+i)*p.Out+o+j]
					}
				}
				done = first + 4
			}
		}
		dst = dst[taps*groups*width*4:]
		o += width
	}
}

// call is what the tiles of one convolution have in common.
type call8 struct {
	finish8
	in, out, xRow int
	groups, first int
}

// tile runs one tile: its inputs from x on, its outputs from at on, of the
// channels from o on.
func (c *call8) tile(f tile8Func, tapRows int, x *uint8, w *int8, at, biasAt, o, width int) {
	var bias *float32
	if c.bias != nil {
		bias = &c.bias[biasAt+o]
	}
	tail := min(width, c.out-o)
	if c.bytes == nil {
		f(tapRows, c.groups, c.first, x, w, &c.scale[o], bias, nil, (*uint8)(unsafe.Pointer(&c.floats[at+o])),
			c.in, c.xRow, c.out*4, tail, 1, flag(c.relu), 0)
		return
	}
	var residual *uint8
	if c.residual != nil {
		residual = &c.residual[at+o]
	}
	f(tapRows, c.groups, c.first, x, w, &c.scale[o], bias, residual, &c.bytes[at+o],
		c.in, c.xRow, c.out, tail, 0, 0, c.residualScale)
}

func (s *vector8) conv(x []uint8, batch, h, w int, p *Packed8, f finish8) {
	c := call8{finish8: f, in: p.In, out: p.Out, xRow: w * p.In, groups: (p.In + 3) / 4, first: (p.In-1)%4 + 1}
	if p.K == 1 {
		n := batch * h * w
		if f.bias1 != 0 {
			n = h * w
		}
		for first := 0; first < batch*h*w; first += n {
			s.product(x, first, n, p, &c, first/(h*w)*f.bias1)
		}
		return
	}
	for b := range batch {
		weights := p.data
		for o := 0; o < p.Out; {
			width := s.panel(p.K, p.Out-o)
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
					c.tile(q.f, last-first+1, &x[from*p.In], &weights[first*3*c.groups*4*width], cell*p.Out, b*f.bias1, o, width)
					column += q.pixels
				}
			}
			weights = weights[9*c.groups*4*width:]
			o += width
		}
	}
}

// product is a 1×1 convolution of the pixels first to first + n - 1.
func (s *vector8) product(x []uint8, first, n int, p *Packed8, c *call8, biasAt int) {
	weights := p.data
	for o := 0; o < p.Out; {
		width := s.panel(p.K, p.Out-o)
		tiles := s.tiles[width/s.lanes-1]
		for row := first; row < first+n; {
			for tiles[0].pixels > first+n-row {
				tiles = tiles[1:]
			}
			c.tile(tiles[0].f, 1, &x[row*p.In], &weights[0], row*p.Out, biasAt, o, width)
			row += tiles[0].pixels
		}
		weights = weights[c.groups*4*width:]
		o += width
	}
}
