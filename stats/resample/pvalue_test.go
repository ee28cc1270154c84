package resample

import (
	"math"
	"testing"
)

// R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") is 0.03 0.06 0.06 0.02, and
// p.adjust(c(0.6, 0.5, 0.9), "holm") is 1 1 1.
func TestHolmAsInR(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{
		{[]float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{[]float64{0.6, 0.5, 0.9}, []float64{1, 1, 1}},
		{[]float64{0.02}, []float64{0.02}},
		{nil, nil},
	} {
		got := Holm(c.p)
		for i := range c.want {
			if math.Abs(got[i]-c.want[i]) > 1e-12 {
				t.Errorf("Holm(%v) = %v, want %v", c.p, got, c.want)
			}
		}
	}
}

// The p-value is one in forty at the ends of the interval, whatever its degrees of
// freedom.
func TestAboveAgreesWithTheInterval(t *testing.T) {
	for _, freedom := range []float64{2, 9, 400} {
		e := Estimate{Error: 0.3, Freedom: freedom}
		e.Value = 1.5
		e.interval()
		near(t, "p at the low end", e.Above(e.Low), 0.025, 1e-6)
		near(t, "p at the high end", e.Above(e.High), 0.975, 1e-6)
		near(t, "p at the estimate", e.Above(1.5), 0.5, 1e-9)
	}
	for _, e := range []Estimate{{Freedom: 3}, {Error: 1}, {Error: math.NaN(), Freedom: 3}} {
		if p := e.Above(-100); p != 1 {
			t.Errorf("%+v: p = %g, want 1 where nothing is known", e, p)
		}
	}
}
