package connect4

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine/manual"
)

var _ manual.Described = game{}

// Manual implements manual.Described.
func (game) Manual() *manual.Manual {
	// completes are the empty cells that are the fourth of a line of some stones: whose
	// other three cells, up to three before and after, have them.
	completes := func(stones string) manual.Formula {
		var lines []string
		for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
			for first := -3; first <= 0; first++ {
				var three []string
				for k := first; k < first+4; k++ {
					if k != 0 {
						three = append(three, fmt.Sprintf("(step %d %d %s)", -k*d[0], -k*d[1], stones))
					}
				}
				lines = append(lines, "(and (term empty) "+strings.Join(three, " ")+")")
			}
		}
		return manual.F("(or " + strings.Join(lines, " ") + ")")
	}
	m := &manual.Manual{
		Terms: map[string]manual.Formula{
			"own": manual.F("(side (on x) (on o))"), "other": manual.F("(side (on o) (on x))"), "empty": manual.F("(minus (board) (on x o))"),
		},
		Planes: []manual.Input{
			{Name: "own stones", Says: "Stones of the side to act.", Is: manual.F("(term own)")},
			{Name: "other stones", Says: "Stones of the other side.", Is: manual.F("(term other)")},
			{Name: "cells that complete an own line", Says: "Empty cells, playable now or not, where a stone of the side to act would be the fourth in a row, column or diagonal.", Is: completes("(term own)")},
			{Name: "cells that complete a line of the other side", Says: "The same for a stone of the other side.", Is: completes("(term other)")},
			{Name: "cells that can be played to", Says: "The lowest empty cell of each column.", Is: manual.F("(and (term empty) (or (view 0 1 2 3 4 5 6) (step 1 0 (on x o))))")},
			{Name: "rows of one's own by parity", Says: "All cells of rows 1, 3 and 5 for x, of rows 2, 4 and 6 for o.", Is: manual.F("(side (set odd) (set even))")},
		},
		Globals: []manual.Input{{Name: "stones / 42", Says: "The number of stones on the board, divided by 42.", Is: manual.F("(/ (count (on x o)) 42)")}},
		Position: *manual.Line("[a-g][1-6]").
			Word("([xo.]{7}(?:/[xo.]{7}){5})", "board", "Rows 6 to 1 from column 1 to 7, with a dot for an empty cell.").
			Word("([xo])", "side", "The side to act; after the end, the side whose turn it would be."),
		Lists: map[string][]string{"columns": {"1", "2", "3", "4", "5", "6", "7"}},
		Words: []manual.Word{{Pattern: "[1-7]", Says: "The column of the new stone.", Action: manual.F("(index columns 0)")}},
		Packed: []manual.Bits{
			{Name: "columns", Bits: stride, Count: cols, Says: "Columns 1 to 7: from the lowest bit a bit for each stone, 1 for x and 0 for o, then a 1."},
			{Name: "rest", Bits: 8*packedBytes - stride*cols, Count: 1, Says: "0."},
		},
		Sets: map[string][]string{},
	}
	for row := rows - 1; row >= 0; row-- {
		var names []string
		for col := range cols {
			names = append(names, layout.Cells[rows*col+row].Name)
		}
		m.Board = append(m.Board, names)
		parity := "odd"
		if row%2 == 1 {
			parity = "even"
		}
		m.Sets[parity] = append(m.Sets[parity], names...)
	}
	return m
}
