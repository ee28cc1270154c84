package board

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konkvest"
)

// TestHexagonsAreDrawn plays some turns of a game on hexagons with territories and pieces in reserve.
func TestHexagonsAreDrawn(t *testing.T) {
	g, err := konkvest.Family.Parse("fixed")
	if err != nil {
		t.Fatal(err)
	}
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
	svg := string(SVG(p, Options{}))
	for _, want := range []string{"south: territory", "south: promotional territory", "Last move:", "3 in reserve"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in\n%s", want, svg)
		}
	}
	text := engine.BoardText(s, false)
	for _, want := range []string{"\nsouth in reserve: support ×3\n", "\nnorth: territory: 36 cells\n", "\nsouth: promotional territory: g8 g9 h8\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
