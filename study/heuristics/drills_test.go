package heuristics

import (
	"math/bits"
	"slices"
	"strings"
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
				if r := m.Reach(0, blue); r != want || !slices.Contains([]int{7, 56}, blue) {
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

// TestReadGame: readings of the book's game follow each other and are what it says; what
// is refused has a reason.
func TestReadGame(t *testing.T) {
	list := ReadGame(standard(t), BookGame())
	if len(list) != 34 { // 33 moves, one of two parts
		t.Fatalf("%d moves", len(list))
	}
	for _, m := range list {
		switch {
		case m.Text == "":
			if m.ID != "M30" && m.ID != "M32" || m.Readings != nil || m.Refused != nil {
				t.Errorf("%+v", m)
			}
		case len(m.Readings) == 0 && len(m.Refused) == 0:
			t.Errorf("%s is refused without a reason", m.ID)
		}
		for _, r := range m.Readings {
			s := r.Before
			if got := []string{"A", "B"}[s.Side()]; got != m.Side {
				t.Fatalf("%s: %s is to move", m.ID, got)
			}
			for _, w := range r.Words {
				a, err := s.ParseAction(w, nil)
				if err != nil {
					t.Fatalf("%s: %v", m.ID, err)
				}
				s.Apply(a, nil)
			}
			if line(&s) != line(&r.After) {
				t.Fatalf("%s: %v leads to %s, not to %s", m.ID, r.Words, line(&s), line(&r.After))
			}
		}
	}
	// By hand: four Reds can go onward left by two from the start; B's Oranges stand
	// behind their own Green and Red.
	if n := len(list[0].Readings); n != 4 {
		t.Errorf("M1 has %d readings, want 4", n)
	}
	if why := strings.Join(list[1].Refused, "; "); !strings.Contains(why, "g8g5: blocked by the own piece on g7") || !strings.Contains(why, "h7h4: blocked by the own piece on h6") {
		t.Errorf("M2.1 is refused by %q", why)
	}
}

// TestPartsAreRead: what the book's words mean in positions where all of it can be done.
func TestPartsAreRead(t *testing.T) {
	g := standard(t)
	for _, c := range []struct {
		line string
		part BookPart
		want string
	}{
		{"7b/8/8/8/8/8/8/R6B A m HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 40", BookPart{Piece: "B", Way: "hmR 2"}, "h1f1"},
		{"7b/8/8/8/8/8/8/R4B2 A m HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 40", BookPart{Piece: "R", Way: "onR 2"}, "a1a3"},
		{"8/8/7R/8/1b6/8/1G6/8 A m HD,r0,s0,x0,c3,n-,h0,k0 HD,r0,s0,x0,c0,n-,h1,k0 0 40", BookPart{Plants: true}, "h6h8 home"},
		{"6R1/6b1/8/8/8/8/1G6/8 A m HD,r0,s0,x0,c3,n-,h0,k0 HD,r0,s0,x0,c0,n-,h1,k0 0 40", BookPart{Plants: true}, ""},
		{"7b/8/8/4o3/4B3/8/8/R7 A m HD,r0,s1,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 40", BookPart{Piece: "B", Special: "D", Takes: "O"}, "e4*e5"},
		{"7b/8/8/4o3/4B3/8/8/R7 A m HD,r0,s1,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 40", BookPart{Piece: "B", Special: "H", Takes: "O"}, "e4^e6"},
		{"7b/8/8/8/8/8/8/R2B4 A m HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 40", BookPart{Piece: "B", Into: "sanctum", Seed: true}, ""},
		{"7b/8/8/8/7B/8/8/R7 A m HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 40", BookPart{Piece: "B", Into: "sanctum", Seed: true}, "h4h1 seed"},
		{"7b/8/8/8/7B/8/8/R7 A m HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 40", BookPart{Piece: "B", Into: "sanctum"}, "h4h1 noseed"},
	} {
		s := g.NewState().(*konreh.State)
		if err := s.ParsePosition(c.line); err != nil {
			t.Fatalf("%s: %v", c.line, err)
		}
		list := readAll([]konreh.State{*s}, s.Side(), &c.part)
		got := ""
		for _, r := range list {
			got += strings.Join(r.Words, " ")
		}
		if got != c.want {
			t.Errorf("%s, %s: read as %q, want %q", c.line, c.part.String(), got, c.want)
		}
	}
}
