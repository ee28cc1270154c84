package konreh

import (
	"math/bits"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// TestMeasuresAgainstLegalMoves compares what Measure and Effect say, for both
// sides, with playing every legal action.
func TestMeasuresAgainstLegalMoves(t *testing.T) {
	count := map[string]int{}
	for _, rules := range allRules {
		g := mustGame(t, rules)
		for seed := range uint64(3) {
			randomGame(g, 100+seed, func(s *State, _ *engine.History) {
				checkEffects(t, s, count)
				if s.phase == phaseMove {
					for side := range engine.Side(2) {
						checkMeasures(t, s, side, count)
					}
				}
			})
		}
	}
	for _, what := range []string{"captures", "plants", "strikes", "hits", "special hits", "seedable", "one turn to plant", "rooted"} {
		if count[what] == 0 {
			t.Errorf("%s never came up: the test is too small", what)
		}
	}
}

func checkEffects(t *testing.T, s *State, count map[string]int) {
	t.Helper()
	for _, a := range s.Legal(nil, nil) {
		got, next := s.Effect(a), *s
		next.decide(a, nil)
		enemy := 1 - s.side&1
		captured := int8(NoPiece)
		for k := range kind(4) {
			if bits.OnesCount64(next.of(enemy, k)) < bits.OnesCount64(s.of(enemy, k)) {
				captured = int8(k)
				count["captures"]++
			}
		}
		if next.side == s.side && next.phase == phaseSpecial && s.phase <= phaseSecond {
			count["strikes"]++
			if !got.Strikes {
				t.Fatalf("%s: %s does not strike", s.line(), s.AppendAction(nil, a))
			}
		} else if got.Strikes {
			t.Fatalf("%s: %s strikes, but nothing may follow", s.line(), s.AppendAction(nil, a))
		}
		plants := s.phase <= phaseSecond && next.phase == phasePlace
		if plants {
			count["plants"]++
		}
		// Where Blue cannot be placed, a move to the Apex is an ordinary one.
		if got.Captured != captured || plants && !got.Plants {
			t.Fatalf("%s: %s: effect %+v, captured %d, plants %t", s.line(), s.AppendAction(nil, a), got, captured, plants)
		}
	}
}

func checkMeasures(t *testing.T, s *State, side engine.Side, count map[string]int) {
	t.Helper()
	var turn State
	var m Measures
	s.turnOf(side, &turn)
	s.Measure(side, &m)
	g := s.game.geo
	var hits, special, ends uint64
	slides, seedable, plants := 0, false, false
	for _, a := range turn.Legal(nil, nil) {
		next := turn
		next.decide(a, nil)
		if a < 64*planeStep {
			slides++
			ends |= next.occ[side] &^ turn.occ[side]
			if next.phase == phasePlace { // the runner is off the board
				ends |= 1 << g.turned(side, g.last)
			}
		}
		if a >= 64*planeGive {
			continue
		}
		// The enemies that are gone, now or after the special that may follow.
		gone := turn.occ[1-side] &^ next.occ[1-side]
		if a < 64*planeStep {
			hits |= gone
		} else {
			special |= gone
		}
		if next.phase == phaseSpecial {
			for _, b := range next.Legal(nil, nil) {
				if b != codeNone {
					after := next
					after.decide(b, nil)
					special |= next.occ[1-side] &^ after.occ[1-side]
				}
			}
		}
		seedable = seedable || next.phase == phaseSeed && a < 64*planeStep
		plants = plants || turn.Effect(a).Plants
	}
	hits, special = g.seen(side, hits), g.seen(side, special)
	if m.Slides != slides || m.Hits != hits || m.SpecialHits != special {
		t.Fatalf("%s: %s, side %d: %d slides, hits %x and %x, want %d, %x, %x",
			s.game.Rules(), s.line(), side, m.Slides, m.Hits, m.SpecialHits, slides, hits, special)
	}
	if ends = g.seen(side, ends); m.Ends != ends {
		t.Fatalf("%s: %s, side %d: slides end on %x, want %x", s.game.Rules(), s.line(), side, m.Ends, ends)
	}
	if m.Seedable != seedable {
		t.Fatalf("%s: %s, side %d: seedable %t, want %t", s.game.Rules(), s.line(), side, m.Seedable, seedable)
	}
	if m.Reforge > 0 && (s.PlantTurns(side, 1) == 1) != plants {
		t.Fatalf("%s: %s, side %d: T* %d, plants %t", s.game.Rules(), s.line(), side, s.PlantTurns(side, 1), plants)
	}
	for k := range kind(4) {
		if m.Own[k] != g.seen(side, s.of(side, k)) || m.Other[k] != g.seen(side, s.of(1-side, k)) {
			t.Fatalf("%s, side %d: pieces %x, %x", s.line(), side, m.Own, m.Other)
		}
	}
	for what, on := range map[string]bool{
		"hits": hits != 0, "special hits": special != 0, "seedable": seedable, "one turn to plant": plants, "rooted": m.Rooted,
	} {
		if on {
			count[what]++
		}
	}
}

func TestPlantTurns(t *testing.T) {
	g := mustGame(t, "standard")
	for _, c := range []struct {
		line string
		side engine.Side
		want int
	}{
		// A lone runner of A on its way to h8: exact steps onward, shorter ones back.
		{"8/8/8/8/8/8/8/7R A m " + counting + " " + counting + " 0 20", sideA, 5},   // h1h3h5h7, back h7h6, h6h8
		{"8/8/7R/8/8/8/8/8 A m " + counting + " " + counting + " 0 20", sideA, 1},   // h6h8
		{"8/8/8/8/8/8/8/7O A m " + counting + " " + counting + " 0 20", sideA, 4},   // h1h4h7, back h7h5, h5h8
		{"8/8/8/7G/8/8/8/8 A m " + counting + " " + counting + " 0 20", sideA, 2},   // h5h4, h4h8
		{"7R/8/8/8/8/8/8/8 A m " + counting + " " + counting + " 0 20", sideA, 3},   // leaves and returns: h7, h6, h8
		{"8/8/6RR/8/8/8/8/r7 A m " + counting + " " + counting + " 0 20", sideB, 3}, // the same for B on a1
		{"8/8/8/8/8/8/8/B7 A m " + fresh + " " + counting + " 0 20", sideA, 6},      // Blue does not plant
		{"8/7r/7R/8/8/8/8/B7 A m " + fresh + " " + counting + " 0 20", sideA, 3},    // h6h5, h5h7 captures, h7h8 stops in the ZoC that it counts on
	} {
		s := mustPosition(t, g, c.line)
		if got := s.PlantTurns(c.side, 5); got != c.want {
			t.Errorf("%s: side %d: T* = %d, want %d", c.line, c.side, got, c.want)
		}
	}
}

// TestSearchKey separates what Hash does not and the future depends on.
func TestSearchKey(t *testing.T) {
	g := mustGame(t, "standard,max_turns=600")
	base := *g.newState()
	seen := map[uint64]string{base.SearchKey(): "start"}
	for name, change := range map[string]func(s *State){
		"quiet":    func(s *State) { s.quiet = 7 },
		"turn":     func(s *State) { s.turn = 2 },
		"progress": func(s *State) { s.progress = true },
		"swapped":  func(s *State) { s.swapped = true },
		"side":     func(s *State) { s.side = sideB },
		"piece":    func(s *State) { s.toggle(sideA, red, 3) },
	} {
		s := base
		change(&s)
		if was, ok := seen[s.SearchKey()]; ok {
			t.Errorf("%s has the key of %s", name, was)
		}
		seen[s.SearchKey()] = name
	}
	s := base
	s.repetition = 2
	if s.SearchKey() != base.SearchKey() {
		t.Error("the past belongs to the key")
	}
}

func TestRepeatedSince(t *testing.T) {
	g := mustGame(t, "standard,balance=single")
	s, h := g.newState(), g.NewHistory()
	s.Start(h)
	for i, w := range []string{"d1f1", "h5f5", "f1e1", "f5g5", "e1d1", "g5h5"} {
		a, err := s.ParseAction(w, h)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(a, h)
		if i < 5 && s.RepeatedSince(h, 0) {
			t.Fatalf("%s: repeated", s.line())
		}
	}
	if !s.RepeatedSince(h, 0) {
		t.Fatalf("%s: not repeated", s.line())
	}
	if s.RepeatedSince(h, 1) {
		t.Error("repeated though the first time does not count")
	}
}
