package sweep

import (
	"encoding/csv"
	"io"
	"math"
	"path/filepath"
	"strconv"

	"github.com/ludozero/ludozero/internal/atomicfile"
)

// WriteRows writes RowsFile: a row for each run with its settings, what it did, and
// what was measured. A number that is infinite or unknown is an empty cell.
func (s *Sweep) WriteRows(r *Result) error {
	return atomicfile.Write(filepath.Join(s.dir, RowsFile), func(w io.Writer) error {
		c := csv.NewWriter(w)
		_ = c.WriteAll(r.rows())
		return c.Error()
	})
}

func (r *Result) rows() [][]string {
	head := []string{"run", "order", "seed"}
	if r.Design == nil {
		head = append(head, "arm")
	}
	for _, f := range r.Factors {
		head = append(head, f.Name)
	}
	head = append(head, "generation", "steps", "games", "positions", "core_seconds", "processes", "counted")
	for _, m := range r.Measures {
		head = append(head, m.Name, m.Name+"_low", m.Name+"_high")
	}
	rows := [][]string{head}
	for i := range r.Runs {
		o := &r.Runs[i]
		row := []string{o.Name, strconv.Itoa(o.Order), strconv.FormatUint(o.Seed, 10)}
		if r.Design == nil {
			row = append(row, o.Arm)
		}
		for _, level := range o.Levels {
			row = append(row, map[rune]string{'l': "low", 'h': "high"}[level])
		}
		counted := ""
		if o.Counted != nil {
			counted = number(*o.Counted)
		}
		row = append(row, strconv.Itoa(o.Generation), strconv.Itoa(o.Step), strconv.Itoa(o.Games), strconv.Itoa(o.Positions),
			number(o.CoreSeconds), strconv.Itoa(o.Processes), counted)
		for _, v := range o.Values {
			row = append(row, number(v.Value), number(v.Low), number(v.High))
		}
		rows = append(rows, row)
	}
	return rows
}

func number(x float64) string {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 8, 64)
}
