package bench

import (
	"testing"

	"github.com/ludozero/ludozero/bench"
)

func TestAmounts(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.052: "0.052", 7: "7", 15.97: "16.0", 999: "999", 3110.4: "3110", 17234: "17.2 k", 1.874e6: "1.87 M", 263e9: "263 G", 5.8e12: "5.80 T"} {
		if got := amount(v); got != want {
			t.Errorf("amount(%g) = %q, want %q", v, got, want)
		}
	}
	if got := withUnit(1.25e10, "B/s"); got != "12.5 GB/s" {
		t.Errorf("withUnit = %q", got)
	}
	if got := rangeOf(&bench.Spread{Median: 10000, Low: 9000, High: 11000}, "rows/s"); got != "9–11" {
		t.Errorf("rangeOf = %q", got)
	}
}
