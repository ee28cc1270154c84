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
	// over changes the overlays: a ring around the stones of each side.
	over func([]engine.Overlay) []engine.Overlay
}

func (d *drawn) AppendOverlays(dst []engine.Overlay) []engine.Overlay {
	for side := range engine.Side(2) {
		o := engine.Overlay{Kind: engine.OverlayRing, Side: side, Name: "stones"}
		for _, p := range d.State.AppendPieces(nil) {
			if p.Side == side {
				o.Cells = append(o.Cells, p.Cell)
			}
		}
		if o.Cells != nil {
			dst = append(dst, o)
		}
	}
	return d.over(dst)
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
	over   func([]engine.Overlay) []engine.Overlay
}

func (g drawnGame) NewState() engine.State {
	return &drawn{g.Game.NewState().(*tictactoe.State), g.layout, g.pieces, g.marks, g.over}
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
		{"another outline", "another outline", onLayout(func(l *engine.Layout) {
			l.Shapes = append(l.Shapes, engine.Shape{Corners: []engine.Point{{X: -.4, Y: -.4}, {X: .4, Y: -.4}, {Y: .4}}})
			l.Cells[0].Shape = 1
		}), samePieces, sameMarks},
		{"an unknown colour", "want one of", onLayout(func(l *engine.Layout) { l.Kinds[0].Colors[1] = "mauve" }), samePieces, sameMarks},
		{"two kinds of a letter", "layout: kind", onLayout(func(l *engine.Layout) {
			l.Kinds = append(l.Kinds, engine.PieceKind{Name: "other", Letters: l.Kinds[0].Letters})
		}), samePieces, sameMarks},
		{"a hand of nobody", "Layout.Shared", sound, func(p []engine.Piece) []engine.Piece {
			return append(p, engine.Piece{Cell: -1, Side: engine.NoSide, Count: 1})
		}, sameMarks},
		{"taken from nowhere", "takes nothing", sound, samePieces, func(m []engine.Mark) []engine.Mark {
			return append(m, engine.Mark{Kind: engine.MarkTake})
		}},
		{"taken from an empty hand", "not beside the board", sound, samePieces, func(m []engine.Mark) []engine.Mark {
			m[0].From = &engine.Entry{}
			return m
		}},
		{"no marks", "without a mark", sound, samePieces, func([]engine.Mark) []engine.Mark { return nil }},
		{"an empty mark", "has the mark", sound, samePieces, func(m []engine.Mark) []engine.Mark { return append(m, engine.Mark{}) }},
		{"a mark off the board", "marks cell 9", sound, samePieces, func(m []engine.Mark) []engine.Mark {
			return append(m, engine.Mark{Kind: engine.MarkPlace, Cells: []int{9}})
		}},
	} {
		over := func(list []engine.Overlay) []engine.Overlay { return list }
		_, err := Check(drawnGame{tic, c.layout, c.pieces, c.marks, over}, 4, 1)
		wantFault(t, c.name, err, c.want)
	}
	for _, c := range []struct {
		name, want string
		over       func([]engine.Overlay) []engine.Overlay
	}{
		{"an overlay without a name", "picture: overlay", func(o []engine.Overlay) []engine.Overlay {
			return append(o, engine.Overlay{Kind: engine.OverlayTint, Cells: []int{4}})
		}},
		{"an unknown kind", "picture: overlay", func(o []engine.Overlay) []engine.Overlay {
			return append(o, engine.Overlay{Kind: "dots", Name: "x", Cells: []int{4}})
		}},
		{"off the board", "not on the board", func(o []engine.Overlay) []engine.Overlay {
			return append(o, engine.Overlay{Kind: engine.OverlayTint, Name: "x", Cells: []int{4, 9}})
		}},
		{"a cell twice", "has the cells", func(o []engine.Overlay) []engine.Overlay {
			return append(o, engine.Overlay{Kind: engine.OverlayTint, Name: "x", Cells: []int{4, 0, 4}})
		}},
		{"a link of one", "has the cells", func(o []engine.Overlay) []engine.Overlay {
			return append(o, engine.Overlay{Kind: engine.OverlayLink, Name: "x", Cells: []int{4}})
		}},
		{"alike", "look alike", func(o []engine.Overlay) []engine.Overlay {
			return append(o, engine.Overlay{Kind: engine.OverlayRing, Side: 0, Name: "x", Cells: []int{4}}, engine.Overlay{Kind: engine.OverlayRing, Side: 0, Name: "y", Cells: []int{4}})
		}},
		{"not turned", "gives the overlays", func(o []engine.Overlay) []engine.Overlay {
			return append(o, engine.Overlay{Kind: engine.OverlayTint, Side: engine.NoSide, Name: "corner", Cells: []int{0}})
		}},
		{"links turned", "", func(o []engine.Overlay) []engine.Overlay {
			return append(o, engine.Overlay{Kind: engine.OverlayLink, Name: "x", Cells: []int{0, 8}}, engine.Overlay{Kind: engine.OverlayLink, Name: "x", Cells: []int{6, 2}})
		}},
	} {
		_, err := Check(drawnGame{tic, sound, samePieces, sameMarks, c.over}, 4, 1)
		wantFault(t, c.name, err, c.want)
	}
}

// wantFault wants an error with a part, none if it is empty.
func wantFault(t *testing.T, name string, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("%s: %v", name, err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("%s: error %v, want one with %q", name, err, want)
	}
}
