package enginetest_test

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

// seen is tic-tac-toe whose states show what look says.
type seen struct {
	engine.Game
	inputs []engine.BitInput
	look   func(s engine.State, side engine.Side, words []uint64)
}

func (g *seen) BitInputs() []engine.BitInput { return g.inputs }

func (g *seen) NewState() engine.State { return &seenState{g.Game.NewState(), g} }

type seenState struct {
	engine.State
	game *seen
}

func (s *seenState) CopyFrom(src engine.State) { s.State.CopyFrom(src.(*seenState).State) }

func (s *seenState) ViewBits(side engine.Side, words []uint64) { s.game.look(s.State, side, words) }

// TestCheckBitsFindsFaults of each kind that it looks for.
func TestCheckBitsFindsFaults(t *testing.T) {
	g, err := tictactoe.Family.Parse("standard")
	if err != nil {
		t.Fatal(err)
	}
	plain := g.(engine.Bitwise).BitInputs()
	right := func(s engine.State, side engine.Side, words []uint64) { s.(engine.BitState).ViewBits(side, words) }
	var sink []uint64
	for _, x := range []struct {
		name, want string
		inputs     []engine.BitInput
		look       func(s engine.State, side engine.Side, words []uint64)
	}{
		{"right", "", plain, right},
		{"overlap", "are taken", append(plain[:2:2], engine.BitInput{Name: "again", First: 64, Bits: 2}), right},
		{"across words", "do not fit a word", append(plain[:2:2], engine.BitInput{Name: "across", First: 190, Bits: 3}), right},
		{"stray", "bits without a name", []engine.BitInput{{Name: "few", First: 0, Bits: 2}}, func(_ engine.State, _ engine.Side, words []uint64) { words[0] = 4 }},
		{"two of a count", "has several bits", []engine.BitInput{{Name: "n", First: 0, Bits: 2}}, func(_ engine.State, _ engine.Side, words []uint64) { words[0] = 3 }},
		{"one seat", "side 0 sees 0 bits, side 1 1", plain, func(_ engine.State, side engine.Side, words []uint64) { clear(words); words[0] = uint64(side) }},
		{"allocates", "ViewBits allocates", plain, func(s engine.State, side engine.Side, words []uint64) {
			sink = make([]uint64, 2)
			right(s, side, words)
		}},
	} {
		err := enginetest.CheckBits(&seen{g, x.inputs, x.look}, 1)
		switch {
		case x.want == "" && err != nil:
			t.Errorf("%s: %v", x.name, err)
		case x.want != "" && (err == nil || !strings.Contains(err.Error(), x.want)):
			t.Errorf("%s: error is %v, want %q", x.name, err, x.want)
		}
	}
	_ = sink
}
