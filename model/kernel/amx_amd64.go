//go:build !purego

package kernel

import (
	"sync"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// hasTiles reports whether the processor has AMX with int8 and bfloat16, and
// the operating system lets this process use it. The extensions of AVX-512 are
// those that the kernels use beside it; no processor with AMX lacks them.
var hasTiles = sync.OnceValue(func() bool {
	x := &cpu.X86
	return x.HasAMXTile && x.HasAMXInt8 && x.HasAMXBF16 &&
		x.HasAVX512F && x.HasAVX512BW && x.HasAVX512VL && x.HasAVX512BF16 && x.HasAVX512VNNI && x.HasBMI2 &&
		allowTiles()
})

// tileWorkspace is what a convolution on tiles needs beside its arguments. The
// calls that it is for have no scratch of the caller's.
type tileWorkspace struct {
	sums  []uint8   // of a block
	input []uint8   // the padded copy of a group of boards
	none  []float32 // what is added where there is no bias
}

var tileWorkspaces = sync.Pool{New: func() any { return &tileWorkspace{sums: Alloc8(blockSumBytes)} }}

// grow makes room; in a run of equal networks it does nothing after the first
// calls.
func (s *tileWorkspace) grow(input, out int) {
	if len(s.input) < input {
		s.input = Alloc8(input)
	}
	if len(s.none) < out {
		s.none = Alloc(out)
	}
}

const (
	tileColumns = 16 // output channels of a tile
	stripe      = 2 * tileColumns
)

// packTiles8 puts weights, [9][in][out], into the order of the tiles: for each
// stripe of 32 output channels, for each tap, for each chunk of 64 bytes of
// input channels two tiles of 16 output channels each. A row of a tile is 4
// bytes of each output channel: four input channels, or two in bfloat16.
func packTiles8(p *Packed8, w []int8) {
	chunks := (p.In + tileRowBytes - 1) / tileRowBytes
	for tap := range 9 {
		for i := range p.In {
			for o, v := range w[(tap*p.In+i)*p.Out:][:p.Out] {
				tile := ((o/stripe*9+tap)*chunks+i/tileRowBytes)*2 + o%stripe/tileColumns
				p.data[tile*tileBytes+i%tileRowBytes/4*tileRowBytes+o%tileColumns*4+i%4] = v
			}
		}
	}
}

// finishQuota is the number of cells of the block before to be finished at each
// step of a block, so that none are left at its end.
func finishQuota(chunks int) int { return (2*tileRows + 9*chunks - 1) / (9 * chunks) }

var int8AMX = tiles8(int8AVX512VNNI, worthTiles)

// tiles8 runs those 3×3 convolutions on tiles for which worth is true, and leaves the
// rest to base.
func tiles8(base *variant8, worth func(p *Packed8) bool) *variant8 {
	v := *base
	v.name = "amx"
	v.pack = func(p *Packed8, w []int8) {
		if p.K == 1 || !worth(p) {
			base.pack(p, w)
			return
		}
		chunks, stripes := (p.In+63)/64, (p.Out+stripe-1)/stripe
		b := Alloc8(stripes * 9 * chunks * 2 * tileBytes)
		p.data = unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
		packTiles8(p, w)
	}
	v.conv = func(x []uint8, batch, h, w int, p *Packed8, f finish8) {
		if p.K == 1 || !worth(p) {
			base.conv(x, batch, h, w, p, f)
			return
		}
		convTiles8(x, batch, h, w, p, &f)
	}
	v.dot = func(n int) int {
		// A tile product takes as long as a vector operation for each row.
		turns := max(n/(4*tileRows), 1)
		peak8_amx(turns)
		return turns * 4 * 2 * tileRows * tileColumns * tileRowBytes
	}
	return &v
}

// worthTiles tells the convolutions that tiles are faster at than AVX512_VNNI.
// Their time goes by whole chunks and stripes, so they need channels enough. On
// boards of 8 × 8 by 64: 16 to 16 channels take 1.5 times as long as with
// vectors, 8 to 64 as long, 32 to 16 0.9 of it, 24 to 24 0.6, 64 to 8 and 32 to
// 32 a half, 64 to 64 a quarter; 32 to 32 on 6 × 7 0.55, on 3 × 3 0.65 by 64
// boards and 1.5 by one (BenchmarkConv8).
func worthTiles(p *Packed8) bool { return p.In*p.Out >= 384 }

func convTiles8(x []uint8, batch, h, w int, p *Packed8, f *finish8) {
	chunks, cells := (p.In+63)/64, h*w
	pixel := chunks * 64
	s := tileWorkspaces.Get().(*tileWorkspace)
	var last *tileLayout
	for b := 0; b < batch; {
		boards := batch - b
		if f.bias1 != 0 {
			boards = 1 // a group shares its bias
		}
		l := layoutFor(h, w, boards)
		if l != last {
			s.grow(l.pixels*pixel, p.Out)
			clearBorders(l, s.input, h, pixel)
			last = l
		}
		for i := range l.group {
			spread8_amx(h, w, p.In, &x[(b+i)*cells*p.In], &s.input[(l.wide+i)*pixel], l.group*pixel)
		}
		f.tiles(l, s, p, b, cells, chunks)
		b += l.group
	}
	tileWorkspaces.Put(s)
}

// clearBorders zeroes the rows above and below the boards; the columns beside
// them are written with the boards.
func clearBorders[T uint8 | float32](l *tileLayout, copied []T, h, pixel int) {
	clear(copied[:l.wide*pixel])
	clear(copied[(h+1)*l.wide*pixel:][:l.wide*pixel])
}

// tiles computes the outputs of the group of boards from board b on.
func (f *finish8) tiles(l *tileLayout, s *tileWorkspace, p *Packed8, b, cells, chunks int) {
	bias := s.none
	if f.bias != nil {
		bias = f.bias[b*f.bias1:]
	}
	stripes, blocks := (p.Out+stripe-1)/stripe, len(l.blocks)/3
	weights := (*byte)(unsafe.Pointer(&p.data[0]))
	from := b * cells * p.Out
	if f.bytes != nil {
		var residual *uint8
		if f.residual != nil {
			residual = &f.residual[from]
		}
		tilesBytes_amx(stripes, blocks, &l.blocks[0], &l.cells[0], &l.taps[0], &l.taps[8], chunks, finishQuota(chunks),
			&s.input[0], chunks*64, weights, &s.sums[0], &f.bytes[from], residual, f.residualScale,
			&f.scale[0], &bias[0], p.Out, p.Out, 0)
		return
	}
	tilesFloats_amx(stripes, blocks, &l.blocks[0], &l.cells[0], &l.taps[0], &l.taps[8], chunks, finishQuota(chunks),
		&s.input[0], chunks*64, weights, &s.sums[0], &f.floats[from], nil, 0,
		&f.scale[0], &bias[0], p.Out, p.Out*4, flag(f.relu))
}
