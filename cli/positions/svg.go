package positions

import (
	"fmt"
	"io"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/report/board"
)

// writePicture draws the position that moves lead to from a position line, both
// of which have been read before, to path, or to out if that is "-".
func writePicture(out io.Writer, g engine.Game, line, moves, path string) error {
	p, err := pictureAfter(g, line, moves)
	if err != nil {
		return err
	}
	svg := board.SVG(p, board.Options{})
	write := func(w io.Writer) error {
		_, err := w.Write(svg)
		return err
	}
	if path == "-" {
		return write(out)
	}
	return atomicfile.Write(path, write)
}

// pictureAfter is the picture of a position with the marks of all decisions of
// the last turn.
func pictureAfter(g engine.Game, line, moves string) (*engine.Picture, error) {
	s, h, err := shell.Position(g, line)
	if err != nil {
		return nil, err
	}
	before := g.NewState()
	var marks []engine.Mark
	turn := -1
	for _, word := range shell.MoveWords(g, moves) {
		a, err := s.ParseAction(word, h)
		if err != nil {
			return nil, shell.Usagef("%q: %w", word, err)
		}
		before.CopyFrom(s)
		s.Apply(a, h)
		if before.Turn() != turn {
			turn, marks = before.Turn(), nil
		}
		if d, ok := before.(engine.Pictured); ok {
			marks = d.AppendMarks(marks, a, s)
		}
	}
	p, ok := engine.PictureOf(g, s)
	if !ok {
		return nil, fmt.Errorf("game %s does not say how its board is drawn", g.Info().Name)
	}
	p.Marks = marks
	return p, nil
}
