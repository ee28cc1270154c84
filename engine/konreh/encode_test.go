package konreh

import (
	"maps"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

func encode(s *State) (planes, globals []float32) {
	planes, globals = make([]float32, 64*numInPlanes), make([]float32, numInGlobals)
	s.Encode(planes, globals)
	return planes, globals
}

// A position with B to move, its encoding worked out by hand. B sees e4 as d5,
// c3 as f6 and so on: the board is turned by 180°.
func TestEncodeByHand(t *testing.T) {
	g := mustGame(t, "standard")
	s := mustPosition(t, g, "7b/8/5r2/3o4/4R3/2B5/G7/8 B m H,r0,s0,x1,c0,nh1,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 12 31")
	planes, globals := encode(s)

	wantPlanes := map[string]string{
		"own Red": "c3", "own Orange": "e4", "own Blue": "a1",
		"other Red": "d5", "other Blue": "f6", "other Green": "h7",
		"other Sanctum ban": "a8",
		"own ZoC":           "a2 b1 b3 c2 c4 d3 d4 e3 e5 f4",
		"other ZoC":         "c5 d4 d6 e5 e6 f5 f7 g6 g7 h6 h8",
		"Cross":             "d4 d5 e4 e5",
		"own Home Apex":     "a1", "other Home Apex": "h8", "Sanctums": "a8 h1",
		"own slides end": "a6 b3 c2 c5 d4 e2 e3 e5 f1 h4", "other slides end": "a6 b5 d4 d6 d7 e5 f4 f7 f8 g6 h3 h6 h8",
	}
	for p, name := range planeNames {
		var squares []string
		for c, x := range planes[64*p : 64*p+64] {
			if x == 1 {
				squares = append(squares, string([]byte{'a' + byte(c/8), '1' + byte(c%8)}))
			} else if x != 0 {
				t.Errorf("plane %q, cell %d = %v", name, c, x)
			}
		}
		if name == "board" {
			if len(squares) != 64 {
				t.Errorf("the board plane has %d squares", len(squares))
			}
			continue
		}
		if got := strings.Join(squares, " "); got != wantPlanes[name] {
			t.Errorf("plane %q = %s, want %s", name, got, wantPlanes[name])
		}
	}

	wantGlobals := map[string]float32{
		"phase move": 1, "own Hop": 1, "own Displacement": 1, "other Hop": 1,
		"other exclusion / 4": 0.25, "other has left Home": 1, "other Greens / 6": 1. / 6,
		"room for Greens / 6": 5. / 6, "quiet / no_progress": 0.12,
		"target_zoc_exempt": 1, "slide_special": 1, "cross_stay / 4": 0.75, "cross_exclusion / 4": 0.5,
		"reforge_turns / 5": 1, "green_cap / 6": 1, "seed": 1, "mobilization": 1, "balance double-move": 1,
		"no_progress / 100": 1, "max_turns off": 1, "seed_limit off": 1,
	}
	got := map[string]float32{}
	for i, x := range globals {
		if x != 0 {
			got[globalNames[i]] = x
		}
	}
	near := func(a, b float32) bool { return a-b < 1e-6 && b-a < 1e-6 }
	if !maps.EqualFunc(got, wantGlobals, near) {
		t.Errorf("globals = %v, want %v", got, wantGlobals)
	}
}

// halfTurn is the position with the board turned by 180° and the sides
// exchanged; the other side is to move, one turn later.
func halfTurn(s *State) *State {
	t := *s
	g := s.game.geo
	for side := range s.occ {
		t.occ[1-side] = g.seen(sideB, s.occ[side])
		t.blues[1-side] = s.blues[side].turned()
	}
	t.kind[0], t.kind[1] = g.seen(sideB, s.kind[0]), g.seen(sideB, s.kind[1])
	switch s.phase {
	case phaseSecond, phaseSpecial, phaseSeed:
		t.square = g.last - s.square
	}
	t.zobrist = t.zobristFromScratch()
	t.side ^= 1
	t.turn++
	return &t
}

// A seat is a seat: B in a position sees, may do and reaches what A does in
// the position turned round. From turn 3 on, for before it the opening double
// move and the pie rule tell A from B.
func TestSeatsAreEqual(t *testing.T) {
	for _, p := range presets {
		g := mustGame(t, p.Name)
		for seed := range uint64(3) {
			randomGame(g, seed, func(s *State, _ *engine.History) {
				if s.turn < 3 || s.phase == phaseOver {
					return
				}
				u := halfTurn(s)
				sp, sg := encode(s)
				up, ug := encode(u)
				if !slices.Equal(sp, up) || !slices.Equal(sg, ug) || s.EncodingHash() != u.EncodingHash() {
					t.Fatalf("%s: %s and %s are encoded differently", p.Name, s.line(), u.line())
				}
				legal := s.Legal(nil, nil)
				if got := u.Legal(nil, nil); !slices.Equal(got, legal) {
					t.Fatalf("%s: %s has legal actions %v, turned round %v", p.Name, s.line(), legal, got)
				}
				for _, a := range legal {
					v, w := *s, *u
					v.Apply(a, nil)
					w.Apply(a, nil)
					if turned := halfTurn(&v); turned.line() != w.line() {
						t.Fatalf("%s: action %d in %s leads to %s, turned round to %s", p.Name, a, s.line(), v.line(), w.line())
					}
				}
			})
		}
	}
}

func TestZoCPlane(t *testing.T) {
	for _, g := range []*geometry{&geometry8, &geometry6} {
		for board := g.board; board != 0; board &= board - 1 {
			sq := bits.TrailingZeros64(board)
			if got, want := g.zoc(1<<sq), g.around[sq]; got != want {
				t.Errorf("size %d: ZoC of square %d = %#x, want %#x", g.size, sq, got, want)
			}
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	s := mustPosition(b, mustGame(b, "standard"),
		"5rob/4r1go/6rr/3rr3/2RR4/3R4/OGR5/BOR1R3 A m HD,r0,s0,x0,c0,n-,h0,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 6")
	planes, globals := encode(s)
	b.ReportAllocs()
	for b.Loop() {
		s.Encode(planes, globals)
	}
}

func BenchmarkEncodingHash(b *testing.B) {
	s := mustGame(b, "standard").newState()
	b.ReportAllocs()
	for b.Loop() {
		s.EncodingHash()
	}
}
