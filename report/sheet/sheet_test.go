package sheet

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/report/figure"
	"github.com/ludozero/ludozero/stats/rating"
)

func TestAllFormsSayTheSame(t *testing.T) {
	r := &Report{
		Title: "Trial of <x>", Under: "rules y", Summary: []string{"About 50 % " + strings.Repeat("words ", 30)}, Conditions: "Of 3 games.", Command: "ludozero trial",
		Tables: []Table{{ID: "t", Title: "Scores", Left: 1, Head: []string{"who", "%"}, Rows: [][]string{{"a & b", "50"}}, Notes: []string{"A note."}}},
		Plots:  []Plot{{&figure.Intervals{ID: "p", Title: "Plot", Unit: "points", Groups: []string{"g"}, Series: []figure.Series{{Name: "s", Points: []figure.Point{{Value: 1}}}}}, "How to read it."}},
	}
	var text, page bytes.Buffer
	if err := errors.Join(r.WriteText(&text), r.WriteHTML(&page)); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(text.String(), "\n") {
		if len(line) > textColumns {
			t.Errorf("a line of %d columns: %s", len(line), line)
		}
	}
	for _, want := range []string{"Trial of <x>, rules y", "a & b  50", "A note.", "Of 3 games.", "The same again: ludozero trial"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q", want)
		}
	}
	for _, want := range []string{"Trial of &lt;x&gt;", "50\u00a0%", "<td class=\"text\">a &amp; b</td><td>50</td>", "How to read it.", "<code>ludozero trial</code>", `id="t"`} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	d := xml.NewDecoder(strings.NewReader(page.String()))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("no page: %v", err)
		}
	}
}

func TestRow(t *testing.T) {
	got := Row("a", 1, 0.25, true, []string{"b", "c"}, rating.Estimate{Value: 1, Low: math.Inf(-1), High: 2})
	if want := []string{"a", "1", "0.25", "true", "b", "c", "1", "", "2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestCell(t *testing.T) {
	for _, c := range []struct {
		e    rating.Estimate
		want string
	}{
		{rating.Estimate{Value: 0.5, Low: 0.25, High: 0.75}, "50 (25 to 75)"},
		{rating.Estimate{Value: 0.5, Low: math.Inf(-1), High: math.Inf(1)}, "50"},
		{rating.Estimate{Value: 0.5, Low: 0.25, High: math.Inf(1)}, "50 (25 to +∞)"},
	} {
		if got := Cell(c.e, 100, "%.0f"); got != c.want {
			t.Errorf("Cell(%v) = %q, want %q", c.e, got, c.want)
		}
	}
}

func TestPointOfIsFinite(t *testing.T) {
	inf := math.Inf(-1)
	for _, e := range []rating.Estimate{{Value: inf, Low: inf, High: 194}, {Value: 0, Low: inf, High: -inf}} {
		q := PointOf(e)
		if math.IsInf(q.Value, 0) || !math.IsNaN(q.Low) || !math.IsNaN(q.High) {
			t.Errorf("PointOf(%v) = %v", e, q)
		}
	}
}
