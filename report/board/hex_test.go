package board

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/konkvesttable"
)

// TestHexagonsAreDrawn plays pawns of a game on hexagons with pieces in reserve.
func TestHexagonsAreDrawn(t *testing.T) {
	g := konkvesttable.New()
	s, before := g.NewState(), g.NewState()
	var a engine.Action
	for range 30 {
		legal := s.Legal(nil, nil)
		a = legal[len(legal)/2]
		before.CopyFrom(s)
		s.Apply(a, nil)
	}
	p, ok := engine.PictureOf(g, s)
	if !ok {
		t.Fatal("no picture")
	}
	p.Mark(before, a, s)
	golden(t, "hexagons", SVG(p, Options{}))
	text := engine.BoardText(s, false)
	for _, want := range []string{"\n0 in reserve: S ×3\n", "\nno-man's land: e4 f5 g6\n", "\n1: captured territory: 44 cells\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
