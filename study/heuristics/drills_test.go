package heuristics

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/konreh/measure"
)

// TestDrillsAreWhatTheySay by the measures of their positions.
func TestDrillsAreWhatTheySay(t *testing.T) {
	g := standard(t)
	ids := ""
	for _, d := range Drills() {
		ids += d.ID + " "
		for _, p := range d.Positions {
			s := g.NewState().(*konreh.State)
			if err := s.ParsePosition(p.Line); err != nil {
				t.Fatalf("%s: %v", p.Line, err)
			}
			var m measure.Meter
			m.Set(s)
			blue := bits.TrailingZeros64(s.Army(0)[konreh.Blue])
			if p.S != nil && m.Specials(1) != *p.S {
				t.Errorf("%s: S is %d, want %d", p.Line, m.Specials(1), *p.S)
			}
			if want := measure.Inf; d.ID == "D1" {
				if p.R != nil {
					want = *p.R
				}
				if r := m.Threat(0, blue).R; r != want || !slices.Contains([]int{7, 56}, blue) {
					t.Errorf("%s: R of square %d is %d, want %d on a Sanctum", p.Line, blue, r, want)
				}
			}
			if p.XS != nil {
				xs := -1
				if g.Cross()>>blue&1 != 0 {
					xs = m.XS(0, blue)
				}
				var scan Scanner
				for _, c := range scan.Scan(s, g.NewHistory()) {
					for _, a := range c.Acts {
						if next := *s; questions[c.Question].ID == "cross" && s.Side() == 0 {
							next.Apply(a, nil)
							m.Set(&next)
							xs = max(xs, m.XS(0, bits.TrailingZeros64(next.Army(0)[konreh.Blue])))
						}
					}
				}
				if xs != *p.XS {
					t.Errorf("%s: XS is %d, want %d", p.Line, xs, *p.XS)
				}
			}
			for side, n := range p.Greens {
				if got := bits.OnesCount64(s.Army(engine.Side(side))[konreh.Green]); got != n {
					t.Errorf("%s: %d Greens, want %d", p.Line, got, n)
				}
			}
		}
	}
	if ids != "D1 D2 D3 D4 " {
		t.Errorf("drills %s", ids)
	}
}
