package kernel

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// BenchmarkMethods measures both methods in turn over the shapes that
// variant.method chooses for. speedup is the median of what the direct method
// takes over what Winograd takes; rule-loses is by how many percent the method
// that the rule takes is slower than the other, which should stay below 10.
//
//	go test -run '^$' -bench Methods -benchtime 1x ./model/kernel
func BenchmarkMethods(b *testing.B) {
	for _, v := range variants() {
		for _, side := range [][2]int{{3, 3}, {4, 4}, {5, 5}, {6, 6}, {6, 7}, {8, 8}, {9, 9}, {13, 13}} {
			for _, channels := range []int{8, 16, 24, 32, 64, 128, 256} {
				for _, batch := range []int{1, 2, 8, 32} {
					if testing.Short() && (channels > 16 || batch > 2) {
						continue
					}
					s := ConvShape{K: 3, In: channels, Out: channels, H: side[0], W: side[1], Batch: batch}
					b.Run(fmt.Sprintf("%s/%dx%d_%d/batch=%d", v.name, s.H, s.W, channels, batch), func(b *testing.B) {
						var speedup float64
						for b.Loop() {
							speedup = winogradSpeedup(v, s)
						}
						loses := speedup // of the direct method
						if v.method(s) == byWinograd {
							loses = 1 / speedup
						}
						b.ReportMetric(speedup, "speedup")
						b.ReportMetric(max(0, 100*(loses-1)), "rule-loses-%")
						b.ReportMetric(0, "ns/op")
					})
				}
			}
		}
	}
}

// TestMethodsOfShapes holds the rule for shapes that games have.
func TestMethodsOfShapes(t *testing.T) {
	with(t, func(t *testing.T) {
		few := byWinograd // a single position of 8×8 cells with so few channels
		if active.lanes == 16 {
			few = direct
		}
		for _, c := range []struct {
			s    ConvShape
			want method
		}{
			{ConvShape{K: 3, In: 64, Out: 64, H: 8, W: 8}, byWinograd},
			{ConvShape{K: 3, In: 48, Out: 64, H: 8, W: 8, Batch: 1}, byWinograd},
			{ConvShape{K: 3, In: 32, Out: 32, H: 6, W: 7, Batch: 1}, byWinograd},
			{ConvShape{K: 3, In: 24, Out: 64, H: 8, W: 8, Batch: 1}, few},
			{ConvShape{K: 3, In: 24, Out: 64, H: 8, W: 8, Batch: 2}, byWinograd},
			{ConvShape{K: 3, In: 64, Out: 64, H: 3, W: 3, Batch: 1}, direct},
			{ConvShape{K: 1, In: 64, Out: 64, H: 8, W: 8}, direct},
		} {
			if got := active.method(c.s); got != c.want {
				t.Errorf("method of %+v is %v, want %v", c.s, got, c.want)
			}
		}
	})
}

// winogradSpeedup measures one layer, whose weights the cache may keep.
func winogradSpeedup(v *variant, s ConvShape) float64 {
	r := source(1)
	cells := s.Batch * s.H * s.W
	x, y, bias := Alloc(cells*s.In), Alloc(cells*s.Out), values(r, s.Out)
	copy(x, values(r, len(x)))
	w := values(r, 9*s.In*s.Out)
	packed := [2]*Packed{v.pack(w, s, false, direct), v.pack(w, s, false, byWinograd)}
	scratch := Alloc(packed[byWinograd].Scratch())
	run := func(m method, repeat int) float64 {
		start := time.Now()
		for range repeat {
			Conv(y, x, s.Batch, packed[m], bias, y, true, scratch)
		}
		return time.Since(start).Seconds()
	}
	repeat := 1
	for run(byWinograd, repeat) < 200e-6 {
		repeat *= 2
	}
	var ratios [15]float64
	for i := range ratios {
		ratios[i] = run(direct, repeat) / run(byWinograd, repeat)
	}
	slices.Sort(ratios[:])
	return ratios[len(ratios)/2]
}
