package konkvesttable

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest"
)

func TestConformance(t *testing.T) { enginetest.Run(t, &Family) }

func TestTable(t *testing.T) {
	if numActions != 26904 || numHead != 112 || len(ways) != numWays || numPlanes != 32 || numGlobals != 21 {
		t.Fatalf("%d actions, %d head planes, %d ways, %d planes, %d globals", numActions, numHead, len(ways), numPlanes, numGlobals)
	}
	seen := map[int32]int{}
	for a, c := range info.Policy.Cells {
		if old, ok := seen[c]; ok && c >= 0 {
			t.Fatalf("actions %d and %d share head cell %d", old, a, c)
		}
		seen[c] = a
	}
	for _, c := range []struct {
		action engine.Action
		legal  bool
	}{
		{114*16 + 24, true},              // c4-d4, front left
		{114*16 + 25, true},              // c4-d5, front right
		{114 * 16, false},                // c4-a1: no piece goes there
		{codePlace + base, false},        // the Queen's tile
		{codePlace, true},                // a1
		{codePlace + 13, false},          // c1 has a pawn in every formation
		{codeSummon + 5*114 + 113, true}, // a General on m6
	} {
		if got := info.Policy.Cells[c.action] >= 0; got != c.legal {
			t.Errorf("action %d has a head cell: %v, want %v", c.action, got, c.legal)
		}
	}
}

func words(s *State) string {
	var list []string
	for _, a := range s.Legal(nil, nil) {
		list = append(list, string(s.AppendAction(nil, a)))
	}
	return strings.Join(list, " ")
}

// The worked positions of the rules page that concern pawns.
func TestWorkedPositions(t *testing.T) {
	s := new(State)
	s.Start(nil)
	if n := len(s.Legal(nil, nil)); n != 24 {
		t.Errorf("%d pawn moves at the start, want 24", n)
	}
	captured, nobody, _ := s.territories()
	n := 0
	for i := range tiles {
		if captured[0].has(i) {
			n++
		}
		if captured[0].has(i) != (points[i].y <= 3) || nobody.has(i) {
			t.Errorf("tile %s: captured %v, no-man's land %v", name(i), captured[0].has(i), nobody.has(i))
		}
	}
	if n != 21 {
		t.Errorf("captured territory has %d tiles, want 21", n)
	}
	for line, want := range map[string]string{
		"Qb4,Pf6,pk1,ql4 000000/000000 0 0":         "f6-g6 f6-g7 f6-h6 f6-g6+ f6-g7+ f6-h6+",
		"Qa1,Pc1,pf6,qm1 000000/000000 1 1":         "f6-e6 f6-e5 f6-d5 f6-e6+ f6-e5+ f6-d5+",
		"Qb4,Pc4,rd4,gd5,pk1,ql4 000000/000000 0 0": "c4-d4 c4-d5",
		"Qb4,Pc4,Rd4,Pg1,pk1,ql4 000000/000000 0 0": "c4-d5 c4-e5 g1-h1 g1-h1+",
	} {
		if err := s.ParsePosition(line); err != nil {
			t.Error(err)
			continue
		}
		if got := words(s); got != want {
			t.Errorf("%s: legal moves %s, want %s", line, got, want)
		}
	}
}

// An action seen from the other seat stands on the tile it starts from, which
// the word names as it lies on the table: the mirrored tile by number.
func TestTurnedActions(t *testing.T) {
	turned := engine.Turned(New())
	for a, c := range info.Policy.Cells[:codePromote] {
		if c < 0 {
			continue
		}
		from := a / tiles
		if got, want := info.TurnedCell(c, turned), c-int32(cell(from))+int32(cell(tiles-1-from)); got != want {
			t.Fatalf("action %d is seen in head cell %d, want %d", a, got, want)
		}
	}
}
