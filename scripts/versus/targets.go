package main

import (
	"fmt"
	"math"
	"regexp"
)

// goal is a ratio that the project has set itself. The worst row counts, and in each
// row the fastest of the sides.
type goal struct {
	what, rows, sides string // rows and sides are regular expressions
	want              float64
}

var goals = [...]goal{
	{"inference f32, R6x64, batch 64 and 256, to ONNX Runtime", "^R6x64/f32/batch=(64|256)/", "ONNX", 2.1},
	{"inference int8, the same, to ONNX Runtime int8", "^R6x64/int8/batch=(64|256)/", "ONNX", 1.25},
	{"inference int8, the same, with no other instructions than it has", "^R6x64/int8-avx512vnni/batch=(64|256)/", "ONNX", 1.25},
	{"training R6x64, to PyTorch", "^R6x64/training/", "PyTorch", 1.6},
	{"training R6x64, to gorgonia's own operations", "^R6x64/training/", "gorgonia", 20},
}

// targets prints how the measured rows compare with the goals.
func (c *comparison) targets() {
	for _, g := range goals {
		worst, rows := math.Inf(1), 0
		for _, r := range c.Rows {
			least := math.Inf(1) // the ratio to the fastest side
			for i, q := range r.Ratios {
				if regexp.MustCompile(g.sides).MatchString(r.Sides[i+1]) {
					least = min(least, q.Value)
				}
			}
			if regexp.MustCompile(g.rows).MatchString(r.Name) && !math.IsInf(least, 1) {
				worst, rows = min(worst, least), rows+1
			}
		}
		if rows == 0 {
			continue
		}
		verdict := "reached"
		if worst < g.want {
			verdict = "missed"
		}
		fmt.Fprintf(c.out, "%s: least of %d rows %.2f×, target %g×: %s\n", g.what, rows, worst, g.want, verdict)
	}
}
