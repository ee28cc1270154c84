package main

import (
	"fmt"
	"regexp"
)

// goals are the ratios that the project has set itself. Of several rows the worst
// counts, of several sides of a row the fastest.
var goals = []struct {
	what  string
	rows  *regexp.Regexp
	sides *regexp.Regexp
	want  float64
}{
	{"inference f32, R6x64, batch 64 and 256, to ONNX Runtime", regexp.MustCompile(`^R6x64/f32/batch=(64|256)/`), regexp.MustCompile("ONNX"), 2.1},
	{"inference int8, the same, to ONNX Runtime int8", regexp.MustCompile(`^R6x64/int8/batch=(64|256)/`), regexp.MustCompile("ONNX"), 1.25},
	{"inference int8, the same, with no other instructions than it has", regexp.MustCompile(`^R6x64/int8-avx512vnni/batch=(64|256)/`), regexp.MustCompile("ONNX"), 1.25},
	{"training R6x64, to PyTorch", regexp.MustCompile(`^R6x64/training/`), regexp.MustCompile("PyTorch"), 1.6},
	{"training R6x64, to gorgonia's own operations", regexp.MustCompile(`^R6x64/training/`), regexp.MustCompile("gorgonia"), 20},
}

// targets prints where the rows measured stand.
func (c *comparison) targets() {
	for _, g := range goals {
		worst, rows := 0.0, 0
		for _, r := range c.Rows {
			if !g.rows.MatchString(r.Name) {
				continue
			}
			best := 0.0 // of the other sides
			for i, q := range r.Ratios {
				if g.sides.MatchString(r.Sides[i+1]) && (best == 0 || q.Value < best) {
					best = q.Value
				}
			}
			if best > 0 && (rows == 0 || best < worst) {
				worst = best
			}
			if best > 0 {
				rows++
			}
		}
		if rows > 0 {
			verdict := "reached"
			if worst < g.want {
				verdict = "missed"
			}
			fmt.Fprintf(c.out, "%s: least of %d rows %.2f×, target %g×: %s\n", g.what, rows, worst, g.want, verdict)
		}
	}
}
