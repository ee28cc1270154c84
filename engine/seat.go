package engine

// Turner is a Game that turns the board: observations and actions are written from the
// seat of the acting side. A network that predicts the opponent's reply has to turn the
// other side's actions. A Game that is no Turner shows both sides the same board.
type Turner interface {
	// Turned maps the cells of the board, [Features.Height × Features.Width], from one
	// side's view to the other's, the same both ways; cells
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

// TurnedCell converts the head cell of an action from the acting side's seat to the
// other side's; turned is Turned of the ruleset. A cell stays on its policy plane, which
// keeps the acting side's words: forward for that side is backward as the other side
// sees it. Cells of globals, and -1, stay.
func (in *Info) TurnedCell(cell int32, turned []int32) int32 {
	area := int32(in.Features.Cells())
	if turned == nil || cell < 0 || cell >= int32(in.Policy.Planes)*area {
		return cell
	}
	on := cell % area
	return cell - on + turned[on]
}
