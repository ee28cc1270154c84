package figure

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

func TestIntervalsAreDrawnAndDescribed(t *testing.T) {
	nan := math.NaN()
	v := &Intervals{
		ID: "delta", Title: "First player <less> one half", Unit: "points a game", Share: true, Groups: []string{"single", "pie"}, Margin: 0.02,
		Series: []Series{
			{"sims=50", []Point{{0.1, 0.05, 0.15}, {-0.01, -0.04, 0.02}}},
			{"sims=200", []Point{{0.2, nan, nan}, {nan, nan, nan}}},
		},
	}
	svg := v.SVG()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("no SVG: %v\n%s", err, svg)
		}
	}
	for _, want := range []string{
		"First player &lt;less&gt; one half", "single, sims=50: 10.0 % (5.0 % to 15.0 %)", "single, sims=200: 20.0 %",
		"var(--c1)", "var(--c2)", ">pie<",
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("the plot lacks %q", want)
		}
	}
	if strings.Contains(svg, "pie, sims=200") || strings.Contains(svg, "NaN") {
		t.Errorf("what is not a number is shown: %s", svg)
	}
	if n := len(v.Legend()); n != 2 || v.Legend()[0].Sign == v.Legend()[1].Sign {
		t.Errorf("legend %v", v.Legend())
	}
}

func TestAxisHoldsAllThatIsDrawn(t *testing.T) {
	v := &Intervals{Reference: 0.5, Series: []Series{{"a", []Point{{3, -1, 7}}}}}
	if low, high := v.ends(); low >= -1 || high <= 7 {
		t.Errorf("ends %g and %g, want them around -1 and 7", low, high)
	}
	if low, high := (&Intervals{Reference: math.NaN()}).ends(); !(low < high) {
		t.Errorf("an empty plot has ends %g and %g", low, high)
	}
}

// A series without a point in a group has those of later groups where they belong.
func TestPointsStayInTheirGroups(t *testing.T) {
	v := &Intervals{Title: "Drama", Unit: "points", Reference: math.NaN()}
	v.Add("random", "new", Point{1, 0, 2})
	v.Add("best", "old", Point{4, 3, 5})
	v.Add("best", "new", Point{7, 6, 8})
	want := "random, new: 1 (0 to 2); best, new: 7 (6 to 8); best, old: 4 (3 to 5)."
	if got := v.description(); !strings.HasSuffix(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
}
