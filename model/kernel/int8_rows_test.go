package kernel

import (
	"fmt"
	"math"
	"testing"
)

func TestQuantizePlanes8(t *testing.T) {
	with8(t, func(t *testing.T) {
		for _, s := range []struct{ planes, cells, channels int }{
			{1, 9, 1}, {3, 9, 4}, {4, 42, 4}, {5, 42, 8}, {48, 64, 48}, {49, 64, 52}, {18, 169, 20}, {2, 16, 9}, {8, 17, 8}, {7, 1, 7},
		} {
			const batch = 2
			r := source(s.planes)
			x, factor := values(r, batch*s.planes*s.cells), values(r, s.planes)
			for i := range factor {
				factor[i] = 255 * (1 + factor[i])
			}
			got, want := bytes(r, batch*s.cells*s.channels), make([]uint8, batch*s.cells*s.channels)
			QuantizePlanes8(got, x, factor, batch, s.planes, s.cells, s.channels)
			for b := range batch {
				for p := range s.planes {
					for c := range s.cells {
						want[(b*s.cells+c)*s.channels+p] = saturate(x[(b*s.planes+p)*s.cells+c] * factor[p])
					}
				}
			}
			same(t, fmt.Sprint(s), got, want)
		}
	})
}

// TestGlobalPool8 holds pooling to that of floats, whose sums of small integers
// are exact too.
func TestGlobalPool8(t *testing.T) {
	with8(t, func(t *testing.T) {
		s := PoolScale{Centre: 6, Factor: 0.5}
		for c := 1; c <= 70; c++ {
			const batch, cells, scale = 4, 42, 0.25
			r := source(c)
			x := bytes(r, batch*cells*c)
			floats := make([]float32, len(x))
			for i, v := range x {
				floats[i] = float32(v)
			}
			mask := make([]float32, batch*cells)
			for i := range mask[:(batch-1)*cells] { // the last position has no board
				mask[i] = float32(i * i % 7 % 2)
			}
			for _, m := range [][]float32{nil, mask} {
				got, want := make([]float32, batch*3*c), make([]float32, batch*3*c)
				for i := range got {
					got[i] = -7
				}
				GlobalPool8(got, x, m, batch, cells, c, scale, s)
				GlobalPool(want, floats, m, batch, cells, c, s)
				for i := range want {
					if w := want[i] * scale; math.Abs(float64(got[i]-w)) > 1e-5*math.Abs(float64(w)) {
						t.Fatalf("%d channels: value %d is %g, want %g", c, i, got[i], w)
					}
				}
				v := active8
				active8 = generic8
				GlobalPool8(want, x, m, batch, cells, c, scale, s)
				active8 = v
				same(t, fmt.Sprintf("%d channels against plain Go", c), got, want)
			}
		}
	})
}

func TestAddChannels8(t *testing.T) {
	with8(t, func(t *testing.T) {
		for c := 1; c <= 70; c++ {
			const batch, cells, scale = 2, 9, 0.3
			r := source(c)
			x, v := bytes(r, batch*cells*c), values(r, batch*c)
			for i := range v {
				v[i] *= 400
			}
			mask := make([]float32, batch*cells)
			for i := range mask {
				mask[i] = float32(i % 4 % 3 % 2)
			}
			for _, m := range [][]float32{nil, mask} {
				got, want := make([]uint8, len(x)), make([]uint8, len(x))
				AddChannels8(got, x, v, m, batch, cells, c, scale)
				for i := range want {
					if m == nil || m[i/c] != 0 {
						want[i] = saturate(float32(float32(x[i])*scale) + v[i/c/cells*c+i%c])
					}
				}
				same(t, fmt.Sprintf("%d channels", c), got, want)
				copy(got, x)
				AddChannels8(got, got, v, m, batch, cells, c, scale)
				same(t, fmt.Sprintf("%d channels in place", c), got, want)
			}
		}
	})
}

// TestRows8Extremes holds sums that sixteen bits cannot take and numbers outside
// all reason, in every lane.
func TestRows8Extremes(t *testing.T) {
	with8(t, func(t *testing.T) {
		const cells, c = 1000, 40
		x := make([]uint8, cells*c)
		for i := range x {
			x[i] = 255
		}
		pooled := make([]float32, 3*c)
		GlobalPool8(pooled, x, nil, 1, cells, c, cells, PoolScale{})
		for j := range c {
			if pooled[j] != 255*cells || pooled[2*c+j] != 255*cells {
				t.Fatalf("channel %d: sum %g, maximum %g · %d", j, pooled[j], pooled[2*c+j]/cells, cells)
			}
		}
		odd := []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1e20, -1e20, 255.4, 70000, -70000, -0.4}
		for shift := range odd {
			v, got, want := make([]float32, c), make([]uint8, c), make([]uint8, c)
			for j := range v {
				v[j] = odd[(j+shift)%len(odd)]
				want[j] = saturate(v[j])
			}
			AddChannels8(got, make([]uint8, c), v, nil, 1, 1, c, 1)
			same(t, "channels added", got, want)
			QuantizePlanes8(got, v, []float32{1, 1, 1, 1, 1}, 1, 5, 8, 5)
			for j := range v {
				want[j%8*5+j/8] = saturate(v[j])
			}
			same(t, "planes", got, want)
		}
	})
}

func TestMask8(t *testing.T) {
	y := []uint8{1, 2, 3, 4, 5, 6}
	Mask8(y, nil, 1, 3, 2)
	same(t, "no mask", y, []uint8{1, 2, 3, 4, 5, 6})
	Mask8(y, []float32{1, 0, 1}, 1, 3, 2)
	same(t, "mask", y, []uint8{1, 2, 0, 0, 5, 6})
}
