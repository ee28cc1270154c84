package board

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// TestDiceShowPips: as many as they have, apart from each other, and no letter.
func TestDiceShowPips(t *testing.T) {
	l := &engine.Layout{Kinds: []engine.PieceKind{{Name: "die", Letters: [2]string{"Q"}}}}
	for n := 1; n <= engine.MaxPips; n++ {
		l.Kinds[0].Pips = n
		c := new(canvas)
		c.group(l, 0, engine.NoSide, []spot{{engine.Point{X: 3, Y: 3}, 1, -1}})
		svg := c.buf.String()
		_, pips, _ := strings.Cut(svg, "/>")
		if got := strings.Count(pips, "M"); got != n || strings.Contains(svg, "Q<") {
			t.Errorf("a die of %d has %d pips: %s", n, got, svg)
		}
		for i, p := range dieFaces[n-1] {
			for _, q := range dieFaces[n-1][:i] {
				if dx, dy := p.X-q.X, p.Y-q.Y; dx*dx+dy*dy < .25 {
					t.Errorf("two pips of %d are at %v and %v", n, p, q)
				}
			}
		}
	}
}
