package enginetest_test

import (
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest"
	"github.com/ludozero/ludozero/engine/enginetest/pienim"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

func parseAll(t *testing.T, f *engine.Family, rules ...string) (games []engine.Game) {
	t.Helper()
	for _, word := range rules {
		g, err := f.Parse(word)
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, g)
	}
	return games
}

// TestInputsVary: every input varies in random play that can.
func TestInputsVary(t *testing.T) {
	for _, c := range []struct {
		games    []engine.Game
		each     int
		constant func(enginetest.Input) bool
	}{
		{parseAll(t, &tictactoe.Family, ""), 150, nil},
		{parseAll(t, &connect4.Family, ""), 500, nil}, // lines that end in a corner are rare
		{parseAll(t, &racegame.Family, "standard", "standard,track=2", "standard,track=6,turns=20"), 150,
			// The track is the middle row of three. Its first three cells are
			// part of every track; on the last of the longest the game is over.
			func(i enginetest.Input) bool {
				return i.Cell/7 != 1 || i.Name == "track" && i.Cell < 10 || i.Name != "track" && i.Cell == 13
			}},
		{parseAll(t, &pienim.Family, "standard", "shifting", "standard,pie=false", "shifting,height=2", "standard,height=4"), 150,
			// The lowest two rows are part of every board.
			func(i enginetest.Input) bool { return i.Name == "board" && i.Cell%4 < 2 }},
	} {
		in, err := enginetest.CheckInputs(c.games, c.each, 1)
		if err != nil {
			t.Error(err)
		}
		name := c.games[0].Info().Name
		t.Logf("%s: %v", name, &in)
		for _, i := range in.Same {
			if c.constant == nil || i.Cell < 0 || !c.constant(i) {
				t.Errorf("%s: %v never varies", name, i)
			}
		}
	}
}

// TestCheckInputsFindsFaults gives games an EncodingHash that leaves one input
// out, or takes one more in.
func TestCheckInputsFindsFaults(t *testing.T) {
	// without hashes what s encodes but for the named global or plane.
	without := func(name string) func(s *faulty) uint64 {
		return func(s *faulty) uint64 {
			f := &racegame.New().Info().Features
			planes, globals := make([]float32, f.Planes*f.Cells()), make([]float32, f.Globals)
			s.State.Encode(planes, globals)
			if i := slices.Index(f.GlobalNames, name); i >= 0 {
				globals[i] = 0
			}
			if i := slices.Index(f.PlaneNames, name); i >= 0 {
				clear(planes[i*f.Cells():][:f.Cells()])
			}
			h := fnv.New64a()
			for _, x := range slices.Concat(planes, globals) {
				b := math.Float32bits(x)
				h.Write([]byte{byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24)})
			}
			return h.Sum64()
		}
	}
	for _, c := range []struct {
		want string
		hash func(s *faulty) uint64
	}{
		{"", nil},
		{"", without("nothing")},
		{`global "turns / 20" first, have one hash`, without("turns / 20")},
		{`global "roll / 4" first, have one hash`, without("roll / 4")},
		{`plane "other token", cell 7 first, have one hash`, without("other token")},
		{"agree have different hashes", func(s *faulty) uint64 { return s.State.EncodingHash() + uint64(s.applied) }},
	} {
		var games []engine.Game
		for _, g := range parseAll(t, &racegame.Family, "standard", "standard,turns=9", "standard,track=5") {
			games = append(games, newFaulty(g, &fault{encodingHash: c.hash}))
		}
		_, err := enginetest.CheckInputs(games, 20, 1)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("CheckInputs = %v, want nil", err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("CheckInputs = %v, want an error with %q", err, c.want)
		}
	}
}
