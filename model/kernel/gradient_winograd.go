package kernel

import "fmt"

// WeightGradient is how the gradient by the weights of one convolution is
// computed: directly, or by Winograd's F(4×4, 3×3) (Lavin, Gray 2015), whichever
// is faster for its shape. It is read-only in use and may be shared between
// goroutines.
//
// Winograd takes the 3×3 sums over 4×4 pixels with 36 multiplications in place
// of 144 and pays with rounding: its relative error is about ten times the
// direct sum's.
type WeightGradient struct {
	ConvShape
	variant *variant
	boards  int // positions taken together by Winograd; 0: direct
	in, out int // channels, rounded up to whole vectors
}

// winogradKernels are the transformations of _asm/gradient_winograd.go. n counts
// vectors of channels for input and output, values for weights; the other numbers
// are distances in values.
type winogradKernels struct {
	lanes         int
	input, output func(n int, x, v, tmp []float32, xRow, xPixel, vStep int)
	weights       func(n int, u, dw, tmp []float32, uStep, dwStep int)
	// products adds v'z to sum: v is [tiles][in], z [tiles][out], sum [in][out].
	products func(sum, v, z []float32, tiles, in, out int)
}

const (
	tileSide   = 4               // of the output
	winogradXY = 6 * 6           // products a tile
	tmpValues  = winogradXY * 16 // what a transformation keeps: 36 of the widest vectors
	// vectorPad goes between the matrices of a block: without it they would lie
	// a power of two apart and fall into the same few lines of the cache.
	vectorPad = 16
)

// NewWeightGradient chooses the method for a convolution.
func NewWeightGradient(s ConvShape) *WeightGradient { return active.weightGradient(s) }

func (v *variant) weightGradient(s ConvShape) *WeightGradient {
	s.check("NewWeightGradient")
	up := func(n int) int { return (n + v.winograd.lanes - 1) / v.winograd.lanes * v.winograd.lanes }
	g := &WeightGradient{ConvShape: s, variant: v, in: up(s.In), out: up(s.Out)}
	if s.K == 3 && g.prefersWinograd() {
		g.boards = g.block()
	}
	return g
}

// prefersWinograd compares multiplications. What the transformations cost besides
// grows with in + out where the products grow with in · out.
func (g *WeightGradient) prefersWinograd() bool {
	direct := (3*g.H - 2) * (3*g.W - 2) * g.In * g.Out
	transforms := g.tiles() * winogradXY * 14 * (g.in + g.out)
	return direct > g.tiles()*winogradXY*g.in*g.out+transforms
}

// block is the number of positions that are transformed before the products:
// enough to pay for moving the 36 sums to and from the second-level cache, few
// enough to leave room for them there.
func (g *WeightGradient) block() int {
	const fewest, values = 16, 2048 // of tiles; of a pixel's channels over all tiles
	return max(1, max(fewest, values/(g.in+g.out))/g.tiles())
}

func (g *WeightGradient) down() int   { return (g.H + tileSide - 1) / tileSide }
func (g *WeightGradient) across() int { return (g.W + tileSide - 1) / tileSide }

// tiles is the number of tiles that cover a board.
func (g *WeightGradient) tiles() int { return g.down() * g.across() }

// Scratch is the number of values that Add needs to work with.
func (g *WeightGradient) Scratch() int {
	if g.boards == 0 {
		return 0
	}
	s := g.sizes()
	return s.sums + s.v + s.z + s.x + s.y + tmpValues
}

// workspace is how Winograd divides its scratch memory: the sums [36][in][out],
// the transformed tiles [36][tile][in or out], one position of x and dy with
// zeros around it.
type workspace struct{ sums, v, z, x, y, vStep, zStep, pixelsX, pixelsY int }

func (g *WeightGradient) sizes() (s workspace) {
	tiles := g.boards * g.tiles()
	s.vStep, s.zStep = tiles*g.in+vectorPad, tiles*g.out+vectorPad
	s.pixelsX, s.pixelsY = g.across()*tileSide+2, g.across()*tileSide
	s.sums = winogradXY * g.in * g.out
	s.v, s.z = winogradXY*s.vStep, winogradXY*s.zStep
	s.x = (g.down()*tileSide + 2) * s.pixelsX * g.in
	s.y = g.down() * tileSide * s.pixelsY * g.out
	return s
}

// Add adds the gradient to dw, [K·K][In][Out]. x is the input of the
// convolution, [batch][H·W][In], dy the gradient by its output before activation,
// [batch][H·W][Out]. scratch is at least Scratch values, of any content; no one
// else may be using it meanwhile.
func (g *WeightGradient) Add(dw, x, dy []float32, batch int, scratch []float32) {
	if batch < 0 {
		panic(fmt.Sprintf("BUG: kernel.WeightGradient.Add: batch %d", batch))
	}
	need("WeightGradient.Add", "dw", dw, g.K*g.K*g.In*g.Out)
	need("WeightGradient.Add", "x", x, batch*g.H*g.W*g.In)
	need("WeightGradient.Add", "dy", dy, batch*g.H*g.W*g.Out)
	if n := g.Scratch(); len(scratch) < n {
		panic(fmt.Sprintf("BUG: kernel.WeightGradient.Add: scratch has %d values, want %d", len(scratch), n))
	}
	switch {
	case batch == 0:
	case g.boards == 0:
		g.variant.gradWeights(dw, x, dy, batch, g.H, g.W, g.K, g.In, g.Out)
	default:
		g.winograd(dw, x, dy, batch, scratch)
	}
}

func (g *WeightGradient) winograd(dw, x, dy []float32, batch int, scratch []float32) {
	s := g.sizes()
	take := func(n int) (part []float32) {
		part, scratch = scratch[:n:n], scratch[n:]
		return part
	}
	sums, v, z, px, py, tmp := take(s.sums), take(s.v), take(s.z), take(s.x), take(s.y), take(tmpValues)
	clear(sums)
	clear(px) // the inner pixels are overwritten, the border stays
	clear(py)
	k := &g.variant.winograd
	whole := g.Out == g.out && g.H%tileSide == 0 && g.W%tileSide == 0 // no border needed
	for first := 0; first < batch; first += g.boards {
		n := min(g.boards, batch-first)
		for b := range n {
			at := (first + b) * g.H * g.W
			inside(px[(s.pixelsX+1)*g.in:], s.pixelsX, g.in, x[at*g.In:], g.H, g.W, g.In)
			d := dy[at*g.Out:]
			if !whole {
				inside(py, s.pixelsY, g.out, d, g.H, g.W, g.Out)
				d = py
			}
			for t := range g.tiles() {
				row, column := t/g.across()*tileSide, t%g.across()*tileSide
				tile := b*g.tiles() + t
				k.input(g.in/k.lanes, px[(row*s.pixelsX+column)*g.in:], v[tile*g.in:], tmp, s.pixelsX*g.in, g.in, s.vStep)
				k.output(g.out/k.lanes, d[(row*s.pixelsY+column)*g.out:], z[tile*g.out:], tmp, s.pixelsY*g.out, g.out, s.zStep)
			}
		}
		tiles := n * g.tiles()
		for i := range winogradXY {
			k.products(sums[i*g.in*g.out:], v[i*s.vStep:], z[i*s.zStep:], tiles, g.in, g.out)
		}
	}
	if g.Out == g.out {
		k.weights(g.In*g.Out, sums, dw, tmp, g.in*g.out, g.In*g.Out)
		return
	}
	for i := range g.In {
		k.weights(g.Out, sums[i*g.out:], dw[i*g.Out:], tmp, g.in*g.out, g.In*g.Out)
	}
}

// inside copies a board of h × w pixels of c values into a larger one with rows
// of pixels pixels of wide values.
func inside(dst []float32, pixels, wide int, src []float32, h, w, c int) {
	for row := range h {
		d, s := dst[row*pixels*wide:], src[row*w*c:][:w*c]
		if wide == c {
			copy(d, s)
			continue
		}
		for column := range w {
			copy(d[column*wide:][:c], s[column*c:])
		}
	}
}
