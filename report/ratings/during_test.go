package ratings

import (
	"strings"
	"testing"
)

func TestDuringHasBounds(t *testing.T) {
	for _, d := range []During{DefaultDuring(), {0, 0, 1}, {1, MaxRatings, 1_000_000}} {
		if err := d.Validate(); err != nil {
			t.Errorf("%+v: %v", d, err)
		}
	}
	for want, d := range map[string]During{
		"share: 1.5: want 0 to 1":      {1.5, 1, 1},
		"ratings: -1: want 0 to 100":   {0, -1, 1},
		"ratings: 101: want 0 to 100":  {0, MaxRatings + 1, 1},
		"pairs: 0: want 1 to 10000000": {0, 1, 0},
		"pairs: 20000000: want 1 to":   {0, 1, 20000000},
	} {
		if err := d.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", d, err, want)
		}
	}
	if a, b := (&During{Ratings: 7}).Most(), (&During{}).Most(); a != 7 || b != MaxRatings {
		t.Errorf("at most %d and %d, want 7 and %d", a, b, MaxRatings)
	}
}
