package main

import "math"

// difference is how far the outputs of two sides are apart.
type difference struct {
	// Logits is the largest difference of two policy or value logits, divided by the
	// largest logit of the position, or by 1 if that is smaller.
	Logits float64 `json:"logits"`
	// Value is the largest difference of P(win) - P(loss).
	Value float64 `json:"value"`
	// Turns is the largest difference of the turns left.
	Turns float64 `json:"turns"`
	// Top is the share of real positions with the same likeliest legal action.
	Top float64 `json:"top"`
}

// compareOutputs compares the first rows. cells are the legal head cells [rows][legal],
// padded with -1.
func compareOutputs(a, b outputs, cells []float32, rows int) difference {
	var d difference
	heads, legal, same := len(a.policy)/inputRows, len(cells)/inputRows, 0
	for row := range rows {
		pa, pb := a.policy[row*heads:][:heads], b.policy[row*heads:][:heads]
		wa, wb := a.wdl[row*3:][:3], b.wdl[row*3:][:3]
		d.Logits = max(d.Logits, apart(pa, pb), apart(wa, wb))
		d.Value = max(d.Value, math.Abs(value(wa)-value(wb)))
		d.Turns = max(d.Turns, math.Abs(float64(a.turns[row]-b.turns[row])))
		if row < realRows && likeliest(pa, cells[row*legal:][:legal]) == likeliest(pb, cells[row*legal:][:legal]) {
			same++
		}
	}
	d.Top = float64(same) / realRows
	return d
}

func apart(a, b []float32) float64 {
	most, scale := 0.0, 1.0
	for i, x := range a {
		d := math.Abs(float64(x) - float64(b[i]))
		if math.IsNaN(d) {
			return math.Inf(1)
		}
		most, scale = max(most, d), max(scale, math.Abs(float64(x)))
	}
	return most / scale
}

// value is P(win) - P(loss).
func value(wdl []float32) float64 {
	w, d, l := math.Exp(float64(wdl[0])), math.Exp(float64(wdl[1])), math.Exp(float64(wdl[2]))
	return (w - l) / (w + d + l)
}

func likeliest(logits, cells []float32) int {
	best := -1
	for _, c := range cells {
		if c >= 0 && (best < 0 || logits[int(c)] > logits[best]) {
			best = int(c)
		}
	}
	return best
}
