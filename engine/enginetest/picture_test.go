package enginetest

import (
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

// drawn is tic-tac-toe but for the parts of its picture that are replaced.
type drawn struct {
	*tictactoe.State
	layout *engine.Layout
	pieces func([]engine.Piece) []engine.Piece
	marks  func([]engine.Mark) []engine.Mark
}

func (d *drawn) CopyFrom(src engine.State) { d.State.CopyFrom(src.(*drawn).State) }
func (d *drawn) Layout() *engine.Layout    { return d.layout }

func (d *drawn) AppendPieces(dst []engine.Piece) []engine.Piece {
	return d.pieces(d.State.AppendPieces(dst))
}

func (d *drawn) AppendMarks(dst []engine.Mark, a engine.Action, after engine.State) []engine.Mark {
	return d.marks(d.State.AppendMarks(dst, a, after.(*drawn).State))
}

type drawnGame struct {
	engine.Game
	layout *engine.Layout
	pieces func([]engine.Piece) []engine.Piece
	marks  func([]engine.Mark) []engine.Mark
}

func (g drawnGame) NewState() engine.State {
	return &drawn{g.Game.NewState().(*tictactoe.State), g.layout, g.pieces, g.marks}
}

// TestCheckFindsFaultsOfPictures replaces parts of a sound picture.
func TestCheckFindsFaultsOfPictures(t *testing.T) {
	tic, err := tictactoe.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	samePieces := func(p []engine.Piece) []engine.Piece { return p }
	sameMarks := func(m []engine.Mark) []engine.Mark { return m }
	onLayout := func(change func(*engine.Layout)) *engine.Layout {
		l := *tic.NewState().(engine.Pictured).Layout()
		l.Cells, l.Labels, l.Kinds = slices.Clone(l.Cells), slices.Clone(l.Labels), slices.Clone(l.Kinds)
		l.Shapes, l.Frame = slices.Clone(l.Shapes), slices.Clone(l.Frame)
		change(&l)
		return &l
	}
	sound := onLayout(func(*engine.Layout) {})
	for _, c := range []struct {
		name   string
		want   string // part of the error
		layout *engine.Layout
		pieces func([]engine.Piece) []engine.Piece
		marks  func([]engine.Mark) []engine.Mark
	}{
		{"sound", "", sound, samePieces, sameMarks},
		{"no board", "or none", nil, samePieces, sameMarks},
		{"two cells of a name", "no name of its own", onLayout(func(l *engine.Layout) { l.Cells[3].Name = "b2" }), samePieces, sameMarks},
		{"two cells in a place", "0.00 apart", onLayout(func(l *engine.Layout) { l.Cells[3].Center = l.Cells[4].Center }), samePieces, sameMarks},
		{"two cells of an input", "no input of its own", onLayout(func(l *engine.Layout) { l.Cells[3].Input = 4 }), samePieces, sameMarks},
		{"a cell missing", "which no cell has", onLayout(func(l *engine.Layout) { l.Cells = l.Cells[:8] }), samePieces, sameMarks},
		{"inputs exchanged", "bends the board", onLayout(func(l *engine.Layout) { l.Cells[0].Input, l.Cells[1].Input = 1, 0 }), samePieces, sameMarks},
		{"a cell over the edge", "outside of the extent", onLayout(func(l *engine.Layout) { l.Cells[0].Center.X = .2 }), samePieces, sameMarks},
		{"no shape", "has shape 1", onLayout(func(l *engine.Layout) { l.Cells[0].Shape = 1 }), samePieces, sameMarks},
		{"a shape of no form", "neither a circle", onLayout(func(l *engine.Layout) { l.Shapes[0].Corners = nil }), samePieces, sameMarks},
		{"a label far away", "label", onLayout(func(l *engine.Layout) { l.Labels[0].At.Y = 9 }), samePieces, sameMarks},
		{"a kind without a name", "kind", onLayout(func(l *engine.Layout) { l.Kinds[0].Name = "" }), samePieces, sameMarks},
		{"the wrong side", "gives the pieces", sound, func(p []engine.Piece) []engine.Piece {
			for i := range p {
				if p[i].Cell == 0 {
					p[i].Side = 1 - p[i].Side
				}
			}
			return p
		}, sameMarks},
		{"unordered pieces", "follows one on", sound, func(p []engine.Piece) []engine.Piece {
			slices.Reverse(p)
			return p
		}, sameMarks},
		{"a piece off the board", "picture: piece", sound, func(p []engine.Piece) []engine.Piece {
			for i := range p {
				p[i].Cell += 9
			}
			return p
		}, sameMarks},
		{"a silent tag", "says nothing", sound, func(p []engine.Piece) []engine.Piece {
			for i := range p {
				p[i].Tags = []engine.Tag{{Short: "x"}}
			}
			return p
		}, sameMarks},
		{"no marks", "without a mark", sound, samePieces, func([]engine.Mark) []engine.Mark { return nil }},
		{"an empty mark", "has the mark", sound, samePieces, func(m []engine.Mark) []engine.Mark { return append(m, engine.Mark{}) }},
		{"a mark off the board", "marks cell 9", sound, samePieces, func(m []engine.Mark) []engine.Mark {
			return append(m, engine.Mark{Kind: engine.MarkPlace, Cells: []int{9}})
		}},
	} {
		_, err := Check(drawnGame{tic, c.layout, c.pieces, c.marks}, 4, 1)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}
