package enginetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/invariants"
)

// CheckAllocations plays one random game and reports every method of State
// that allocates though it must not. Builds with the tag invariants are not
// asked about Apply, which then checks its argument at any cost.
func CheckAllocations(g engine.Game, seed uint64) error {
	info := g.Info()
	rng := rand.New(rand.NewPCG(seed, 0x616c6c6f63))
	s, t, h := g.NewState(), g.NewState(), g.NewHistory()
	planes := make([]float32, info.Features.Planes*info.Features.Cells())
	globals := make([]float32, info.Features.Globals)
	legal := make([]engine.Action, 0, info.MaxLegal)
	possible := make([]engine.Action, 0, info.MaxLegal+info.NumChance)
	chance := make([]engine.Weighted, 0, info.NumChance)
	packed := make([]byte, 0, info.PackedBytes)
	var next engine.Action

	checks := []struct {
		name    string
		playing bool // asked only where a player decides
		call    func()
	}{
		{"Legal", false, func() { legal = s.Legal(legal[:0], h) }},
		{"Chance", false, func() { chance = s.Chance(chance[:0]) }},
		{"CopyFrom", false, func() { t.CopyFrom(s) }},
		{"Outcome", false, func() { s.Outcome() }},
		{"Actor", false, func() { s.Actor(); s.Side(); s.SideOf(engine.First); s.Turn() }},
		{"Hash", false, func() { s.Hash() }},
		{"Settled", true, func() { engine.Settled(s); engine.Neutral(s) }},
		{"TurnsLeft", true, func() { engine.TurnsLeft(s) }},
		{"Margin", false, func() {
			if m, ok := s.(engine.Margined); ok {
				m.Margin(engine.First)
			}
		}},
		{"EncodingHash", true, func() { s.EncodingHash() }},
		{"Encode", true, func() { s.Encode(planes, globals) }},
		{"Transform", false, func() {
			t.CopyFrom(s)
			for i := range info.Symmetries {
				if t.SymmetryMask()>>i&1 != 0 {
					t.Transform(i)
				}
			}
		}},
		{"Pack", false, func() { packed = s.Pack(packed[:0]) }},
		{"Apply", false, func() {
			mark := h.Len()
			t.CopyFrom(s)
			t.Apply(next, h)
			h.Truncate(mark)
		}},
		{"Start", false, func() { t.Start(nil); t.Begin(nil) }},
	}
	var errs []error
	failed := make([]bool, len(checks))
	s.Start(h)
	for ply := range 1000 {
		possible = engine.AppendPossible(possible[:0], &chance, s, h)
		if len(possible) == 0 {
			break
		}
		next = possible[rng.IntN(len(possible))]
		// Reading the counters stops the world, so that later positions are
		// sampled.
		if ply >= 16 && rng.IntN(32) > 0 {
			s.Apply(next, h)
			continue
		}
		for i, c := range checks {
			if failed[i] || invariants.Enabled && c.name == "Apply" || c.playing && !decides(s) {
				continue
			}
			c.call() // lets the history grow to its size
			if n := allocations(c.call); n > 0 {
				failed[i] = true
				errs = append(errs, fmt.Errorf("%s %s: %s allocates %d times in position %s", info.Name, g.Rules(), c.name, n, s.AppendPosition(nil)))
			}
		}
		s.Apply(next, h)
	}
	return errors.Join(errs...)
}

// allocations counts the allocations of one call: the least of several tries,
// since other goroutines allocate too.
func allocations(call func()) uint64 {
	least := ^uint64(0)
	var before, after runtime.MemStats
	for range 5 {
		runtime.ReadMemStats(&before)
		call()
		runtime.ReadMemStats(&after)
		if least = min(least, after.Mallocs-before.Mallocs); least == 0 {
			break
		}
	}
	return least
}
