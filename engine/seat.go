package engine

// Turner is a Game that turns the board: an observation shows it from the seat
// of the side that acts, and actions are written from there. Who looks at the
// other side's actions, as a network does that foretells the opponent's reply,
// has to turn them back. A Game that is no Turner shows both sides one board.
type Turner interface {
	// Turned maps the cells of the board, [Features.Height × Features.Width], as
	// one side sees them to where the other sees them, both ways the same; cells
	// that the ruleset leaves off the board map to themselves. It differs by the
	// size of the board and so belongs to a ruleset, not to the family. It
	// commutes with Symmetry.Cells on the board. Nil: nothing is turned. Callers
	// must not change it.
	Turned() []int32
}

// Turned is the table of a Turner, nil for any other game.
func Turned(g Game) []int32 {
	if t, ok := g.(Turner); ok {
		return t.Turned()
	}
	return nil
}

// TurnedCell is where a side sees the head cell of an action of the other side,
// which wrote it from its own seat; turned is that of the ruleset. A cell of a
// policy plane stays on its plane: a plane says what is done in the words of
// whoever acts, so that one that leads forward for them leads the opposite way
// as this side sees it, always the same one. Cells of globals, and -1, stay.
func (in *Info) TurnedCell(cell int32, turned []int32) int32 {
	area := int32(in.Features.Cells())
	if turned == nil || cell < 0 || cell >= int32(in.Policy.Planes)*area {
		return cell
	}
	on := cell % area
	return cell - on + turned[on]
}
