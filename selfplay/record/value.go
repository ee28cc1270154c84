package record

import (
	"fmt"
	"math"

	"github.com/parquet-go/parquet-go"
)

// valueSteps is the resolution of stored values, 1/valueSteps: finer than any
// search of a few thousand simulations can tell apart, and half the bytes of a
// full float32 after compression.
const valueSteps = 4096

// DrawUnknown is Row.RootDraw in a shard without that column, and of a decision that
// nobody evaluated.
const DrawUnknown = -1

// RoundValue is v as a record holds it, to the nearest 1/4096.
func RoundValue(v float32) float32 {
	return float32(math.Round(float64(v)*valueSteps) / valueSteps)
}

// Round rounds the values of r as a shard stores them: multiples of 1/4096, with the
// probability of a draw at most 1 less the rounded |root value|.
func (r *Row) Round() {
	r.RootValue = RoundValue(r.RootValue)
	r.RootDraw = RoundValue(r.RootDraw)
	r.NetworkValue = RoundValue(r.NetworkValue)
	r.Surprise = RoundValue(r.Surprise)
	// Rounding up both exceeds the sum by one step; a larger excess is an error.
	if over := r.RootDraw + abs(r.RootValue) - 1; over == 1.0/valueSteps {
		r.RootDraw -= over
	}
}

func abs(v float32) float32 { return float32(math.Abs(float64(v))) }

func isValue(v float32) bool { return v >= -1 && v <= 1 } // false for NaN

// checkDraw checks the probability of a draw at the root against the root value. known:
// the shard has the column and somebody evaluated the root.
func checkDraw(draw, value float32, known bool) error {
	switch {
	case !known && draw != DrawUnknown:
		return fmt.Errorf("root draw %g in a shard of format %d or of a teacher: want %d, for unknown", draw, formatWithoutDraws, DrawUnknown)
	case known && !(draw >= 0 && draw+abs(value) <= 1): // NaN too
		return fmt.Errorf("root draw %g beside root value %g: want 0 to %g", draw, value, 1-abs(value))
	}
	return nil
}

// RootWDL is what the search of a row expected at its root, in 4 bytes.
type RootWDL struct {
	value, draw int16 // in 1/valueSteps; draw is DrawUnknown without a value
}

// Known reports whether a search or a teacher evaluated the row. Without one there are no Probs.
func (r RootWDL) Known() bool { return r.draw != DrawUnknown }

// Probs returns the probabilities of win, draw and loss in the acting player's
// view. They sum to 1 exactly.
func (r RootWDL) Probs() (win, draw, loss float64) {
	const one = 2 * valueSteps
	v, d := int(r.value), int(r.draw)
	return float64(valueSteps-d+v) / one, float64(d) / valueSteps, float64(valueSteps-d-v) / one
}

// RoundWDL is the nearest that RootWDL can hold to probabilities of win, draw and loss that
// sum to 1.
func RoundWDL(win, draw, loss float64) RootWDL {
	value := int16(math.Round((win - loss) * valueSteps))
	return RootWDL{value, min(int16(math.Round(draw*valueSteps)), valueSteps-max(value, -value))}
}

// RootWDLs decodes what the searches of all rows expected and checks it against the
// rules of Row; rows of a teacher that gives no value are not Known. For a shard of format 2, which has no draws, it returns nil.
func (s *Shard) RootWDLs() ([]RootWDL, error) {
	if !s.Meta.hasDraws() {
		return nil, nil
	}
	list := make([]RootWDL, 0, s.Meta.Rows)
	values, err := s.floats("root_value")
	var draws []float32
	if err == nil {
		draws, err = s.floats("root_draw")
	}
	var taught []bool
	if err == nil {
		taught, err = s.taughtRows()
	}
	if err == nil {
		list, err = rootWDLs(list, values, draws, taught)
	}
	if err != nil {
		return nil, fmt.Errorf("shard %s: %w: %w", s.Name, ErrCorrupt, err)
	}
	return list, nil
}

// floats decodes a column of float32.
func (s *Shard) floats(column string) ([]float32, error) {
	list := make([]float32, 0, s.Meta.Rows)
	err := s.appendFloats(&list, column)
	if err == nil && len(list) != s.Meta.Rows {
		err = fmt.Errorf("column %s: %d values in %d rows", column, len(list), s.Meta.Rows)
	}
	return list, err
}

func (s *Shard) appendFloats(list *[]float32, column string) error {
	return s.eachPage(func(p parquet.Page) error {
		values := p.Data()
		*list = append(*list, values.Float()...)
		return nil
	}, column)
}

func rootWDLs(dst []RootWDL, values, draws []float32, taught []bool) ([]RootWDL, error) {
	for i, v := range values {
		d := draws[i]
		if !isValue(v) {
			return nil, fmt.Errorf("row %d: root value %g: want -1 to 1", i, v)
		}
		unknown := taught[i] && d == DrawUnknown
		if err := checkDraw(d, v, !unknown); err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
		if unknown {
			dst = append(dst, RootWDL{draw: DrawUnknown})
			continue
		}
		value := int16(math.Round(float64(v) * valueSteps))
		draw := int16(math.Round(float64(d) * valueSteps))
		dst = append(dst, RootWDL{value, min(draw, valueSteps-max(value, -value))})
	}
	return dst, nil
}
