package mcts

import (
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// folding finds canonical forms. Of the images of a position under those of
// Info.Symmetries that its SymmetryMask allows, the canonical one has the
// smallest EncodingHash; of the symmetries that lead to it the first is taken.
// All images of a position have one canonical form, so that what a network says
// of it does not depend on which of them came up.
//
// A position that is its own image has a canonical form like any other, but the
// network's logits of two actions that mirror each other there differ as they
// happen to.
type folding struct {
	symmetries  []engine.Symmetry
	image, best engine.State
	// order has an element for each legal action of the image: the action in
	// the upper half, the place of its original in the lower.
	order []uint64
	legal []engine.Action
}

func newFolding(g engine.Game) *folding {
	info := g.Info()
	return &folding{
		symmetries: info.Symmetries,
		image:      g.NewState(), best: g.NewState(),
		order: make([]uint64, 0, info.MaxLegal),
		legal: make([]engine.Action, 0, info.MaxLegal),
	}
}

// canonical returns the canonical form of s, its EncodingHash and its legal
// actions in ascending order; f.order says which of s's they come from. All of
// it holds until the next call. s may be returned itself.
func (f *folding) canonical(s engine.State, legal []engine.Action) (engine.State, uint64, []engine.Action) {
	form, key, by := s, s.EncodingHash(), 0
	mask := s.SymmetryMask()
	for i := 1; mask>>i != 0; i++ {
		if mask>>i&1 == 0 {
			continue
		}
		f.image.CopyFrom(s)
		f.image.Transform(i)
		if k := f.image.EncodingHash(); k < key {
			f.image, f.best = f.best, f.image
			form, key, by = f.best, k, i
		}
	}
	y := &f.symmetries[by]
	f.order = f.order[:0]
	for k, a := range legal {
		f.order = append(f.order, uint64(y.Action(a))<<32|uint64(k))
	}
	slices.Sort(f.order)
	f.legal = f.legal[:0]
	for _, o := range f.order {
		f.legal = append(f.legal, engine.Action(o>>32))
	}
	return form, key, f.legal
}

// appendOrigins appends, for each legal action of the last canonical form, the
// place of its original among the legal actions of the position.
func (f *folding) appendOrigins(dst []int32) []int32 {
	for _, o := range f.order {
		dst = append(dst, int32(uint32(o)))
	}
	return dst
}
