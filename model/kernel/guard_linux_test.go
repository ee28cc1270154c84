package kernel

import (
	"math"
	"syscall"
	"testing"
	"unsafe"
)

// guarded returns n floats that touch an unreadable page: at their end, or at
// their beginning if low is set. A kernel that reads or writes one value too
// far there dies.
func guarded(t *testing.T, n int, low bool) []float32 {
	t.Helper()
	page := syscall.Getpagesize()
	body := (n*4 + page - 1) / page * page
	b, err := syscall.Mmap(-1, 0, body+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(b); err != nil {
			t.Error(err)
		}
	})
	for _, edge := range [][]byte{b[:page], b[page+body:]} {
		if err := syscall.Mprotect(edge, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	start := page
	if !low {
		start += body - n*4
	}
	s := unsafe.Slice((*float32)(unsafe.Pointer(&b[start])), n)
	for i := range s {
		s[i] = float32(i%7) - 3
	}
	return s
}

// TestConvStaysInBounds runs every tile with all arguments against a guard page
// on either side.
func TestConvStaysInBounds(t *testing.T) {
	with(t, func(t *testing.T) {
		for _, low := range []bool{false, true} {
			arg := func(n int) []float32 { return guarded(t, n, low) }
			for w := MinSide; w <= MaxWidth; w++ {
				for i, out := range []int{3, 24, 67, 3} {
					const in, batch = 3, 1
					h := []int{3, 3, 3, MaxHeight}[i]
					wt := arg(9 * in * out)
					x, y := arg(batch*h*w*in), arg(batch*h*w*out)
					for _, m := range []method{direct, byWinograd} {
						p := active.pack(wt, ConvShape{K: 3, In: in, Out: out, H: h, W: w}, false, m)
						p.data = append(arg(len(p.data))[:0], p.data...)
						Conv(y, x, batch, p, arg(out), arg(len(y)), true, arg(p.Scratch()))
					}
					for _, winograd := range []bool{false, true} {
						g := by(active, shape{k: 3, h: h, w: w, in: in, out: out}, winograd)
						g.Add(wt, x, y, batch, arg(g.Scratch()))
					}
				}
			}
			for rows := 1; rows <= 25; rows++ {
				const in = 5
				for _, out := range []int{1, 40} {
					wt := arg(in * out)
					p := PackConv(wt, ConvShape{K: 1, In: in, Out: out, H: 1, W: 1})
					p.data = append(arg(len(p.data))[:0], p.data...)
					x, y := arg(rows*in), arg(rows*out)
					Conv(y, x, rows, p, arg(out), arg(len(y)), false, arg(p.Scratch()))
					addWeightGradient(NewWeightGradient(ConvShape{K: 1, In: in, Out: out, H: 1, W: 1}), wt, x, y, rows)
					if math.IsNaN(float64(y[0])) {
						t.Fatal("NaN out of numbers")
					}
				}
			}
		}
	})
}

// TestWinogradStaysInBounds runs the transforms of all tiles, and products of
// whole and broken groups of rows.
func TestWinogradStaysInBounds(t *testing.T) {
	with(t, func(t *testing.T) {
		for _, low := range []bool{false, true} {
			arg := func(n int) []float32 { return guarded(t, n, low) }
			for w := MinSide; w <= MaxWidth; w++ {
				for _, h := range []int{4, 5, 7, MaxHeight} {
					for in, out := range map[int]int{3: 17, 16: 40} {
						const batch = 3
						s := ConvShape{K: 3, In: in, Out: out, H: h, W: w, Batch: batch}
						p := active.pack(arg(9*in*out), s, h == 4, byWinograd)
						p.data = append(arg(len(p.data))[:0], p.data...)
						x, y := arg(batch*h*w*p.In), arg(batch*h*w*p.Out)
						Conv(y, x, batch, p, arg(batch*p.Out), arg(len(y)), true, arg(p.Scratch()))
					}
				}
			}
		}
	})
}

func TestRowKernelsStayInBounds(t *testing.T) {
	with(t, func(t *testing.T) {
		k := active.rows
		for _, low := range []bool{false, true} {
			arg := func(n int) []float32 { return guarded(t, n, low) }
			for _, c := range []int{1, 7, 8, 9, 15, 16, 17, 33} {
				const n = 3
				x, z, y := arg(n*c), arg(n*c), arg(n*c)
				a, b, d := arg(c), arg(c), arg(c)
				k.affine(y, x, a, b, z, n, c, true)
				k.affine(y, x, a, b, nil, n, c, false)
				k.combine(y, x, z, a, b, d, n, c)
				k.addRow(y, x, a, n, c, true)
				k.sum(a, x, n, c)
				k.max(a, x, n, c)
				k.squares(a, x, b, n, c)
				k.reluProducts(a, b, y, x, z, d, n, c)
				k.reluGrad(y, x, z)
				k.poolGrad(y, x, a, b, d, n, c)
				active.optimizer.adamW(y, x, z, arg(n*c), &AdamW{})
				(&Squares{}).Add(x)
			}
		}
	})
}

// guardedBytes is guarded for int8 kernels.
func guardedBytes(t *testing.T, n int, low bool) []uint8 {
	t.Helper()
	words := (n + 3) / 4
	s := unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(guarded(t, words, low)))), 4*words)
	for i := range s {
		s[i] = uint8(i)
	}
	if low {
		return s[:n:n]
	}
	return s[4*words-n:]
}

// TestConv8StaysInBounds runs every int8 tile with all arguments against a
// guard page on either side.
func TestConv8StaysInBounds(t *testing.T) {
	with8(t, func(t *testing.T) {
		for _, low := range []bool{false, true} {
			arg := func(n int) []uint8 { return guardedBytes(t, n, low) }
			floats := func(n int) []float32 { return guarded(t, n, low) }
			run := func(k, h, w, in, out int) {
				p := PackConv8(make([]int8, k*k*in*out), k, in, out)
				packed := arg(len(p.data))
				clear(packed)
				p.data = unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(packed))), len(packed))
				y := arg(h * w * out)
				Conv8(y, arg(h*w*in), 1, h, w, p, floats(out), floats(out), arg(len(y)), 1)
				Conv8Float(floats(len(y)), arg(h*w*in), 1, h, w, p, floats(out), floats(out), true)
			}
			for w := MinSide; w <= MaxWidth; w++ {
				for _, out := range []int{3, 24, 67} {
					run(3, 3, w, 3+w%3, out)
				}
				run(3, MaxHeight, w, 3+w%3, 24)
			}
			for rows := 1; rows <= 25; rows++ {
				for _, out := range []int{1, 40} {
					run(1, rows, 1, 4+rows%4, out)
				}
			}
		}
	})
}

func TestRowKernels8StayInBounds(t *testing.T) {
	with8(t, func(t *testing.T) {
		k := active8.rows
		for _, low := range []bool{false, true} {
			bytes := func(n int) []uint8 { return guardedBytes(t, n, low) }
			floats := func(n int) []float32 { return guarded(t, n, low) }
			for _, c := range []int{1, 7, 8, 9, 15, 16, 17, 33, 64, 65} {
				const n = 3
				k.pool(floats(c), floats(c), bytes(n*c), n, c)
				k.addRow(bytes(n*c), bytes(n*c), floats(c), 1, n, c)
				k.planes(bytes(n*c), floats(n*c), floats(c), n, c)
				k.planes(bytes(n*(c+3)), floats(n*c), floats(c), n, c+3)
				k.planes(bytes(n*c), floats(n*c), floats(n), c, n)
			}
		}
	})
}

// TestConv16StaysInBounds does so for bfloat16.
func TestConv16StaysInBounds(t *testing.T) {
	with16(t, func(t *testing.T) {
		for _, low := range []bool{false, true} {
			arg := func(n int) []float32 { return guarded(t, n, low) }
			for w := MinSide; w <= MaxWidth; w++ {
				for i, out := range []int{3, 24, 67, 3} {
					const batch = 2
					h := []int{3, 3, 3, MaxHeight}[i]
					in := 3 + 15*(w%3)
					p := PackConv(arg(9*in*out), ConvShape{K: 3, In: in, Out: out, H: h, W: w, BFloat16: true})
					packed := arg((len(p.half) + 1) / 2)
					half := unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(packed))), len(p.half))
					copy(half, p.half)
					p.half = half
					y := arg(batch * h * w * out)
					Conv(y, arg(batch*h*w*in), batch, p, arg(out), arg(len(y)), true, arg(p.Scratch()))
				}
			}
		}
	})
}
