package engine

import (
	"fmt"
	"slices"
)

// filterBits sizes the counting filter that lets Count answer "never seen"
// without a scan: 4096 counters against a few hundred positions a game.
const filterBits = 12

// History is the stack of positions that repetition rules compare: a hash for
// speed and an exact key for certainty, so a hash collision never changes a
// result. The owner of a game pushes through State.Apply; a search notes Len
// before a simulation and calls Truncate after it. A nil *History ignores
// pushes and has seen nothing. Not safe for concurrent use.
type History struct {
	words  int
	hashes []uint64
	keys   []uint64 // words per entry
	filter [1 << filterBits]uint16
}

// NewHistory returns an empty history of keys of keyWords words each.
func NewHistory(keyWords int) *History {
	return &History{words: keyWords}
}

// Len is the number of positions on the stack.
func (h *History) Len() int {
	if h == nil {
		return 0
	}
	return len(h.hashes)
}

// Push adds a position and returns the number of its occurrences on the stack, this one
// included. It allocates only when the stack outgrows its past size.
func (h *History) Push(hash uint64, key []uint64) int {
	if h == nil {
		return 1
	}
	if len(key) != h.words {
		panic(fmt.Sprintf("BUG: history of %d-word keys was given %d words", h.words, len(key)))
	}
	n := h.Count(hash, key, 0) + 1
	h.hashes = append(h.hashes, hash)
	h.keys = append(h.keys, key...)
	h.filter[hash>>(64-filterBits)]++
	return n
}

// Count returns how many of the entries since number from are this position.
func (h *History) Count(hash uint64, key []uint64, from int) int {
	if h == nil || h.filter[hash>>(64-filterBits)] == 0 {
		return 0
	}
	n := 0
scan:
	for i := from; i < len(h.hashes); i++ {
		if h.hashes[i] != hash {
			continue
		}
		for j, w := range h.keys[i*h.words : (i+1)*h.words] {
			if w != key[j] {
				continue scan
			}
		}
		n++
	}
	return n
}

// Equal reports whether both stacks hold the same positions in the same order.
func (h *History) Equal(o *History) bool {
	return slices.Equal(h.hashes, o.hashes) && slices.Equal(h.keys, o.keys)
}

// Truncate pops entries until n are left.
func (h *History) Truncate(n int) {
	if h == nil {
		return
	}
	for _, x := range h.hashes[n:] {
		h.filter[x>>(64-filterBits)]--
	}
	h.hashes = h.hashes[:n]
	h.keys = h.keys[:n*h.words]
}

// Clear empties the stack and keeps its memory.
func (h *History) Clear() { h.Truncate(0) }

// CopyFrom makes h equal to src, which may have keys of another size; nil empties it.
func (h *History) CopyFrom(src *History) {
	if src == nil {
		h.Clear()
		return
	}
	h.words = src.words
	h.hashes = append(h.hashes[:0], src.hashes...)
	h.keys = append(h.keys[:0], src.keys...)
	h.filter = src.filter
}
