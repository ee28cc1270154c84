package sheet

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"github.com/ludozero/ludozero/stats/rating"
)

// Number writes x so that it reads back; what is infinite or no number is empty.
func Number(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// Interval is the three cells of an estimate.
func Interval(e rating.Estimate) []string {
	return []string{Number(e.Value), Number(e.Low), Number(e.High)}
}

// Row joins cells and lists of cells: words, numbers, truth values, estimates as
// [Interval] writes them.
func Row(parts ...any) []string {
	var cells []string
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			cells = append(cells, p)
		case int:
			cells = append(cells, strconv.Itoa(p))
		case float64:
			cells = append(cells, Number(p))
		case bool:
			cells = append(cells, strconv.FormatBool(p))
		case []string:
			cells = append(cells, p...)
		case rating.Estimate:
			cells = append(cells, Interval(p)...)
		default:
			panic("BUG: a cell of a type that is not written")
		}
	}
	return cells
}

// WriteCSV writes rows, the first of which is the head.
func WriteCSV(w io.Writer, rows [][]string) error { return csv.NewWriter(w).WriteAll(rows) }
