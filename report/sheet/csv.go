package sheet

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"strings"

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

// CSV is a table for programs, the head its first row.
type CSV struct {
	// Name is the name of its file.
	Name string
	Rows [][]string
}

// NewCSV makes a table with a row of every element of a list; the head is words.
func NewCSV[T any](name, head string, list []T, row func(*T) []string) CSV {
	return CSV{name, append([][]string{strings.Fields(head)}, Rows(list, row)...)}
}

// Write writes the table.
func (t *CSV) Write(w io.Writer) error { return csv.NewWriter(w).WriteAll(t.Rows) }

// Rows makes a row of every element of a list.
func Rows[T any](list []T, row func(*T) []string) [][]string {
	var rows [][]string
	for i := range list {
		rows = append(rows, row(&list[i]))
	}
	return rows
}
