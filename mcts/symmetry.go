package mcts

import (
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// folding finds canonical forms. Of the images of a position under those of
// Info.Symmetries that its SymmetryMask allows, the canonical one has the
// smallest EncodingHash; of the symmetries that lead to it the first is taken.
// All images of a position have the same canonical form and so the same evaluation.
//
// If several symmetries lead to the canonical form, it is its own image, and the
// mapping of actions is not unique: the network may tell left from right, but the
// position does not. The logits of actions that are images of each other are then
// replaced by their mean.
type folding struct {
	symmetries  []engine.Symmetry
	image, best engine.State
	ways        []int // indices of the symmetries that lead to the canonical form

	// legal are the legal actions of the canonical form in ascending order, origins
	// their indices among the legal actions of the position.
	legal   []engine.Action
	origins []int32
	// orbits has for each action the lowest index in legal of its images; empty if
	// there is only one way.
	orbits []int32
	order  []uint64 // for sorting: action in the upper half, origin in the lower
}

func newFolding(g engine.Game) *folding {
	info := g.Info()
	return &folding{
		symmetries: info.Symmetries,
		image:      g.NewState(), best: g.NewState(),
		ways:    make([]int, 0, len(info.Symmetries)),
		legal:   make([]engine.Action, 0, info.MaxLegal),
		origins: make([]int32, 0, info.MaxLegal),
		orbits:  make([]int32, 0, info.MaxLegal),
		order:   make([]uint64, 0, info.MaxLegal),
	}
}

// canonical returns the canonical form of s, which may be s itself, and its
// EncodingHash, and fills in its legal actions from legal, those of s. Results are
// valid until the next call.
func (f *folding) canonical(s engine.State, legal []engine.Action) (engine.State, uint64) {
	form, key := s, s.EncodingHash()
	f.ways = append(f.ways[:0], 0)
	mask := s.SymmetryMask()
	for i := 1; mask>>i != 0; i++ {
		if mask>>i&1 == 0 {
			continue
		}
		f.image.CopyFrom(s)
		f.image.Transform(i)
		switch k := f.image.EncodingHash(); {
		case k < key:
			f.image, f.best = f.best, f.image
			form, key, f.ways = f.best, k, append(f.ways[:0], i)
		case k == key:
			f.ways = append(f.ways, i)
		}
	}
	y := &f.symmetries[f.ways[0]]
	f.order = f.order[:0]
	for k, a := range legal {
		f.order = append(f.order, uint64(y.Action(a))<<32|uint64(k))
	}
	slices.Sort(f.order)
	f.legal, f.origins, f.orbits = f.legal[:0], f.origins[:0], f.orbits[:0]
	for _, o := range f.order {
		f.legal = append(f.legal, engine.Action(o>>32))
		f.origins = append(f.origins, int32(uint32(o)))
	}
	if len(f.ways) > 1 {
		f.findOrbits(legal)
	}
	return form, key
}

// findOrbits fills in the orbits of a canonical form that is its own image: the
// actions that an action of the position maps to by different ways are images of each
// other.
func (f *folding) findOrbits(legal []engine.Action) {
	for k, from := range f.origins {
		lowest := k
		for _, i := range f.ways[1:] {
			if at, ok := slices.BinarySearch(f.legal, f.symmetries[i].Action(legal[from])); ok {
				lowest = min(lowest, at)
			}
		}
		f.orbits = append(f.orbits, int32(lowest))
	}
}

// averageOrbits replaces logits by the mean over each orbit, summed in ascending order
// of index. counts is scratch of the same length.
func averageOrbits(logits []float32, orbits []int32, counts []float32) {
	for k, o := range orbits {
		if int(o) == k {
			counts[k] = 1
			continue
		}
		logits[o] += logits[k]
		counts[o]++
	}
	for k, o := range orbits { // o <= k, so its mean is ready
		if int(o) == k {
			logits[k] /= counts[k]
		} else {
			logits[k] = logits[o]
		}
	}
}
