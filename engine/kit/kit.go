// Package kit is what the rules of several games are built from: hashing, boards of
// letters, fields of position lines, observations, layouts, words of actions.
package kit

import (
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/invariants"
)

// Mix spreads a word over 64 bits: the finaliser of SplitMix64 (Steele, Lea and Flood
// 2014), a bijection.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// IsLegal tells whether an action is possible: a legal one of a player, or an outcome of
// chance. It writes them all.
func IsLegal(s engine.State, a engine.Action, h *engine.History) bool {
	return slices.Contains(engine.AppendPossible(nil, new([]engine.Weighted), s, h), a)
}

// Precondition panics about an action that is not possible, in builds with the tag
// invariants. Apply begins with it.
func Precondition(s engine.State, a engine.Action, h *engine.History) {
	if invariants.Enabled && !IsLegal(s, a, h) {
		panic(fmt.Sprintf("BUG: action %d is not legal in %s", a, s.AppendPosition(nil)))
	}
}

// ParseWord returns the legal action that s writes as word. It writes them all: for
// games with few actions.
func ParseWord(s engine.State, word string, h *engine.History) (engine.Action, error) {
	for _, a := range engine.AppendPossible(nil, new([]engine.Weighted), s, h) {
		if string(s.AppendAction(nil, a)) == word {
			return a, nil
		}
	}
	return 0, fmt.Errorf("move %q is not possible here", word)
}
