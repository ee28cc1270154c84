package record

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/ludozero/ludozero/engine/tictactoe"
)

// TestRoundedDrawsFitTheirValues: whatever a search says, what is written of it are
// probabilities, near to what it said, and does not change when it is rounded again.
func TestRoundedDrawsFitTheirValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Row{RootValue: rapid.Float32Range(-1, 1).Draw(t, "value")}
		r.RootDraw = (1 - abs(r.RootValue)) * rapid.SampledFrom([]float32{0, 0.3, 0.9999, 1}).Draw(t, "share")
		got := r
		got.Round()
		if err := checkDraw(got.RootDraw, got.RootValue, true); err != nil {
			t.Fatalf("value %g, draw %g: %v", r.RootValue, r.RootDraw, err)
		}
		if d := math.Abs(float64(got.RootDraw - r.RootDraw)); d > 1.5/valueSteps {
			t.Fatalf("value %g, draw %g: the draw is written as %g", r.RootValue, r.RootDraw, got.RootDraw)
		}
		again := got
		again.Round()
		if again.RootDraw != got.RootDraw || again.RootValue != got.RootValue {
			t.Fatalf("%+v rounded again is %+v", got, again)
		}
	})
	r := Row{RootValue: 0.5 + 0.5/valueSteps, RootDraw: 0.5 - 0.5/valueSteps} // both are rounded up
	if r.Round(); r.RootValue != 0.5+1.0/valueSteps || r.RootDraw != 0.5-1.0/valueSteps {
		t.Errorf("rounded to value %g, draw %g", r.RootValue, r.RootDraw)
	}
	r = Row{RootValue: 0.5, RootDraw: 0.5 + 2.0/valueSteps} // no matter of rounding
	if r.Round(); checkDraw(r.RootDraw, r.RootValue, true) == nil {
		t.Errorf("value %g, draw %g is taken", r.RootValue, r.RootDraw)
	}
}

// TestFormat2IsRead: a shard of an earlier program, which did not record draws, has
// all else, and says that they are unknown. Its rows cannot be written again.
func TestFormat2IsRead(t *testing.T) {
	info := game(t, &tictactoe.Family, "").Info()
	s, err := Open("testdata/format2/gen000000-000000000.parquet", info)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.Rows()
	if err != nil || s.Meta.Format != 2 || len(rows) != 29 {
		t.Fatalf("%d rows of format %d, %v; want 29 of 2", len(rows), s.Meta.Format, err)
	}
	if p := s.Problems(rows); len(p) != 0 {
		t.Errorf("problems %v", p)
	}
	values := 0
	for i := range rows {
		if rows[i].RootDraw != DrawUnknown {
			t.Errorf("row %d: draws of %g", i, rows[i].RootDraw)
		}
		if rows[i].RootValue != 0 && len(rows[i].Legal) > 0 && rows[i].Surprise > 0 {
			values++
		}
	}
	if values < 10 {
		t.Errorf("%d rows have a value and a surprise, want most", values)
	}
	if c, err := s.Columns(); err != nil || c.Rows != 29 {
		t.Errorf("Columns: %v", err)
	}
	if roots, err := s.RootWDLs(); err != nil || roots != nil {
		t.Errorf("RootWDLs = %v, %v, want none", roots, err)
	}
	if _, _, err := Marshal(info, s.Meta.Head, rows); err == nil {
		t.Error("rows without draws were written")
	}
	rows[3].RootDraw = 0.5
	if p := s.Problems(rows); len(p) != 1 || p[0].Row != 3 {
		t.Errorf("a draw in a shard of format 2: problems %v", p)
	}
}
