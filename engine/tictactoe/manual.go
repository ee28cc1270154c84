package tictactoe

import "github.com/ludozero/ludozero/engine/manual"

var _ manual.Described = game{}

// Manual implements manual.Described.
func (game) Manual() *manual.Manual {
	return &manual.Manual{
		Planes: []manual.Input{
			{Name: "own stones", Says: "Stones of the side to act.", Is: manual.F("(side (on x) (on o))")},
			{Name: "other stones", Says: "Stones of the other side.", Is: manual.F("(side (on o) (on x))")},
		},
		Globals: []manual.Input{{Name: "stones / 9", Says: "The number of stones on the board, divided by 9.", Is: manual.F("(/ (count (on x o)) 9)")}},
		Position: *manual.Line("[abc][123]").
			Word("([xo.]{3}/[xo.]{3}/[xo.]{3})", "board", "Rows 3, 2 and 1 from a to c, with a dot for an empty cell.").
			Word("([xo])", "side", "The side to act; after the end, the side whose turn it would be."),
		Words: []manual.Word{{Pattern: "[abc][123]", Says: "The cell of the new stone.", Action: manual.F("(at 0)")}},
		Packed: []manual.Bits{
			{Name: "stones", Bits: 16, Count: 2, Says: "The cells of x, then those of o: bit 3·row + column, rows and columns from a1."},
		},
		Board: [][]string{{"a3", "b3", "c3"}, {"a2", "b2", "c2"}, {"a1", "b1", "c1"}},
	}
}
