package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// withWhole runs a test with each variant that this machine runs as the active one.
func withWhole(t *testing.T, f func(t *testing.T)) {
	var seen []*wholeKernels
	for _, l := range levels() {
		if slices.Contains(seen, l.whole) {
			continue
		}
		seen = append(seen, l.whole)
		t.Run(l.whole.name, func(t *testing.T) {
			defer func(old *wholeKernels) { activeWhole = old }(activeWhole)
			activeWhole = l.whole
			f(t)
		})
	}
}

// words returns n values of all magnitudes, the extremes among them.
func words(r *rand.Rand, n int) []int16 {
	s := make([]int16, n)
	for i := range s {
		switch r.IntN(16) {
		case 0:
			s[i] = math.MinInt16
		case 1:
			s[i] = math.MaxInt16
		default:
			s[i] = int16(r.IntN(1<<16) >> r.IntN(16))
		}
	}
	return s
}

// TestAddWholeRowsMatchesDefinition for widths with and without a last half, and sums that wrap
// round.
func TestAddWholeRowsMatchesDefinition(t *testing.T) {
	withWhole(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 1))
		for _, n := range []int{64, 128, 192, 256, 320} {
			const count = 9
			rows := words(r, n*count)
			for range 20 {
				sums := words(r, n+2)[1 : n+1] // not aligned
				want := slices.Clone(sums)
				add, sub := make([]int32, r.IntN(5)), make([]int32, r.IntN(5))
				for _, list := range [][]int32{add, sub} {
					for i := range list {
						list[i] = r.Int32N(count)
					}
				}
				for j := range want {
					for _, i := range add {
						want[j] += rows[int(i)*n+j]
					}
					for _, i := range sub {
						want[j] -= rows[int(i)*n+j]
					}
				}
				AddWholeRows(sums, rows, add, sub)
				if !slices.Equal(sums, want) {
					t.Fatalf("%d columns, rows +%v -%v: sums differ", n, add, sub)
				}
			}
		}
	})
}

func TestClipWholeMatchesDefinition(t *testing.T) {
	withWhole(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(2, 1))
		for _, n := range []int{0, 64, 128, 192} {
			for _, most := range []int16{0, 1, 255, 256, math.MaxInt16} {
				x := words(r, n)
				y := make([]int16, n+1)
				y[n] = 77
				ClipWhole(y[:n], x, most)
				for i, v := range x {
					if want := int16(max(0, min(int(most), int(v)))); y[i] != want {
						t.Fatalf("%d values: %d clipped to %d is %d, want %d", n, v, most, y[i], want)
					}
				}
				if y[n] != 77 {
					t.Fatalf("%d values: ClipWhole writes behind them", n)
				}
			}
		}
	})
}

// TestAffineWholeMatchesDefinition for every number of pairs up to two rounds of the loop,
// an odd number of inputs, and several blocks of outputs.
func TestAffineWholeMatchesDefinition(t *testing.T) {
	withWhole(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 1))
		for _, out := range []int{16, 32, 48} {
			for _, in := range []int{1, 2, 3, 5, 8, 9, 12, 15, 16, 17, 33, 292} {
				w, x, bias := words(r, in*out), words(r, in), make([]int32, out)
				for i := range x { // so that no sum overflows
					x[i] >>= 6
				}
				want := make([]int32, out)
				for o := range want {
					bias[o] = r.Int32N(1<<24) - 1<<23
					want[o] = bias[o]
					for i, v := range x {
						want[o] += int32(v) * int32(w[i*out+o])
					}
				}
				y := make([]int32, out+1)
				y[out] = 77
				AffineWhole(y[:out], append(x, make([]int16, in%2)...), PackWhole(w, in, out), bias)
				if !slices.Equal(y[:out], want) || y[out] != 77 {
					t.Fatalf("%d inputs, %d outputs: %v, want %v and 77 behind", in, out, y, want)
				}
			}
		}
	})
}

// TestWholeKernelsRefuseWrongSizes before they touch memory.
func TestWholeKernelsRefuseWrongSizes(t *testing.T) {
	three := 3 // staticcheck refuses a constant
	for name, call := range map[string]func(){
		"63 columns":        func() { AddWholeRows(make([]int16, 63), make([]int16, 63), nil, nil) },
		"half a row":        func() { AddWholeRows(make([]int16, 64), make([]int16, 96), nil, nil) },
		"row behind":        func() { AddWholeRows(make([]int16, 64), make([]int16, 128), []int32{2}, nil) },
		"row before":        func() { AddWholeRows(make([]int16, 64), make([]int16, 128), nil, []int32{-1}) },
		"32 values":         func() { ClipWhole(make([]int16, 32), make([]int16, 32), 1) },
		"other length":      func() { ClipWhole(make([]int16, 64), make([]int16, 128), 1) },
		"15 outputs":        func() { AffineWhole(make([]int32, 15), make([]int16, 2), make([]int16, 30), make([]int32, 15)) },
		"3 inputs":          func() { AffineWhole(make([]int32, 16), make([]int16, three), make([]int16, 48), make([]int32, 16)) },
		"too few weights":   func() { AffineWhole(make([]int32, 16), make([]int16, 4), make([]int16, 32), make([]int32, 16)) },
		"packing 8 outputs": func() { PackWhole(make([]int16, 8), 1, 8) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: accepted", name)
				}
			}()
			call()
		}()
	}
}

// BenchmarkWhole is the dense part and the updates of a network of 128 units a seat.
func BenchmarkWhole(b *testing.B) {
	const units, inputs = 128, 2*128 + 36
	r := rand.New(rand.NewPCG(4, 1))
	rows, sums, x := words(r, 600*units), words(r, units), words(r, inputs)
	w, y, bias := PackWhole(words(r, inputs*16), inputs, 16), make([]int32, 16), make([]int32, 16)
	b.Run("six rows", func(b *testing.B) {
		add, sub := []int32{1, 77, 500}, []int32{3, 9, 10}
		for b.Loop() {
			AddWholeRows(sums, rows, add, sub)
		}
	})
	b.Run("dense", func(b *testing.B) {
		for b.Loop() {
			AffineWhole(y, x, w, bias)
		}
	})
}
