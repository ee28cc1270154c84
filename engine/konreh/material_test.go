package konreh

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// TestMaterial counts by hand: Red 1, Orange 2, Green 3, Blue 5 and half
// for each special, less a Red for each turn of the Reforge countdown gone by.
func TestMaterial(t *testing.T) {
	g, err := Family.Parse("balance=pie") // the players may have swapped
	if err != nil {
		t.Fatal(err)
	}
	s := g.NewState().(*State)
	const fresh = "HD,r0,s0,x0,c0,n-,h1,k0"
	for _, c := range []struct {
		line string
		a, b float32
	}{
		{"4rrob/5rgo/6rr/7r/R7/RR6/OGR5/BORR4 A m HD,r0,s0,x0,c0,n-,h0,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 0", 19, 19},
		{"8/8/8/r4Gb1/8/2B5/8/O7 A m H,r0,s0,x0,c0,n-,h1,k0 " + fresh + " 0 54", 10.5, 7},
		{"8/8/8/r4G2/8/2B5/8/O7 A m -,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c3,n-,h0,k0 0 54", 10, 0},
		{"8/8/8/r4G2/8/2B5/8/O7 B m -,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c5,n-,h0,k0 0 55/s", 10, 2},
	} {
		if err := s.ParsePosition(c.line); err != nil {
			t.Fatal(err)
		}
		owner := [2]engine.Player{engine.First, engine.Second}
		if strings.HasSuffix(c.line, "/s") {
			owner = [2]engine.Player{engine.Second, engine.First}
		}
		if a, b := s.Material(owner[0]), s.Material(owner[1]); a != c.a || b != c.b {
			t.Errorf("%s: A has %g, B %g, want %g, %g", c.line, a, b, c.a, c.b)
		}
	}
	if n := testing.AllocsPerRun(100, func() { s.Material(engine.First) }); n != 0 {
		t.Errorf("counting allocates %g times, want 0", n)
	}
}
