package enginetest

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// CheckBits plays a random game and holds the bits of its positions against what
// engine.BitState says: all bits are in the layout, at most one of a count is set, both
// seats see equally many, a position that was packed shows the same, and nothing allocates.
// Games that are not engine.Bitwise pass.
func CheckBits(g engine.Game, seed uint64) error {
	game, ok := g.(engine.Bitwise)
	if !ok {
		return nil
	}
	inputs := game.BitInputs()
	known := make([]uint64, engine.BitWords(inputs))
	for _, in := range inputs {
		if in.Bits < 1 || in.First&63+in.Bits > 64 || known[in.First/64]&runOf(in) != 0 {
			return fmt.Errorf("%s: bits %q: %d from %d on do not fit a word, or are taken", g.Info().Name, in.Name, in.Bits, in.First)
		}
		known[in.First/64] |= runOf(in)
	}
	rng := rand.New(rand.NewPCG(seed, 0x62697473))
	s, again, h := g.NewState(), g.NewState(), g.NewHistory()
	views := [2][]uint64{make([]uint64, len(known)), make([]uint64, len(known))}
	unpacked := make([]uint64, len(known))
	var chance []engine.Weighted
	var possible []engine.Action
	s.Start(h)
	for ply := range 1000 {
		if possible = engine.AppendPossible(possible[:0], &chance, s, h); len(possible) == 0 {
			return nil
		}
		fault := func(format string, args ...any) error {
			return fmt.Errorf("%s %s: position %s: %w", g.Info().Name, g.Rules(), s.AppendPosition(nil), fmt.Errorf(format, args...))
		}
		state, ok := s.(engine.BitState)
		if !ok {
			return errors.New(g.Info().Name + ": the states of an engine.Bitwise game must be engine.BitStates")
		}
		ones := [2]int{}
		for side, words := range views {
			for i := range words {
				words[i] = ^uint64(0) // what was there must not show
			}
			state.ViewBits(engine.Side(side), words)
			for i, w := range words {
				ones[side] += bits.OnesCount64(w)
				if w&^known[i] != 0 {
					return fault("word %d of side %d has bits without a name: %#x", i, side, w&^known[i])
				}
			}
			for _, in := range inputs {
				if in.Bits < 64 && bits.OnesCount64(words[in.First/64]&runOf(in)) > 1 {
					return fault("side %d: count %q has several bits", side, in.Name)
				}
			}
		}
		if ones[0] != ones[1] {
			return fault("side 0 sees %d bits, side 1 %d", ones[0], ones[1])
		}
		if decides(s) {
			if err := again.Unpack(s.Pack(nil)); err != nil {
				return err
			}
			again.(engine.BitState).ViewBits(1, unpacked)
			if !slices.Equal(unpacked, views[1]) {
				return fault("packed and unpacked it shows other bits")
			}
		}
		if ply%64 == 2 && allocations(func() { state.ViewBits(0, views[0]) }) > 0 {
			return fault("ViewBits allocates")
		}
		s.Apply(possible[rng.IntN(len(possible))], h)
	}
	return nil
}

func runOf(in engine.BitInput) uint64 { return ^uint64(0) >> (64 - in.Bits) << (in.First & 63) }
