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
			for w := MinSide; w <= MaxSide; w++ {
				for _, out := range []int{3, 24, 67} {
					const h, in, batch = 3, 3, 1
					wt := arg(9 * in * out)
					p := PackConv(wt, ConvShape{K: 3, In: in, Out: out, H: h, W: w})
					p.data = append(arg(len(p.data))[:0], p.data...)
					x, y := arg(batch*h*w*in), arg(batch*h*w*out)
					Conv(y, x, batch, p, arg(out), arg(len(y)), true, arg(p.Scratch()))
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
				k.products(a, b, x, z, d, n, c)
				k.reluGrad(y, x, z)
			}
		}
	})
}
