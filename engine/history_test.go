package engine

import (
	"testing"

	"pgregory.net/rapid"
)

// entry is a position as a naive history keeps it.
type entry struct {
	hash uint64
	key  [2]uint64
}

// TestHistoryAgreesWithList pushes, pops and counts positions with few
// different hashes and keys, so that collisions of both filter and hash happen
// all the time.
func TestHistoryAgreesWithList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := NewHistory(2)
		var list []entry
		count := func(e entry, from int) int {
			n := 0
			for i := from; i < len(list); i++ {
				if list[i] == e {
					n++
				}
			}
			return n
		}
		draw := rapid.Custom(func(t *rapid.T) entry {
			return entry{
				hash: rapid.Uint64Range(0, 3).Draw(t, "high")<<60 | rapid.Uint64Range(0, 2).Draw(t, "low"),
				key:  [2]uint64{rapid.Uint64Range(0, 2).Draw(t, "k0"), rapid.Uint64Range(0, 1).Draw(t, "k1")},
			}
		})
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0:
				n := rapid.IntRange(0, len(list)).Draw(t, "length")
				h.Truncate(n)
				list = list[:n]
			case 1:
				c := NewHistory(2)
				c.Push(9, []uint64{9, 9})
				c.CopyFrom(h)
				h = c
			default:
				e := draw.Draw(t, "entry")
				want := count(e, 0) + 1
				if got := h.Push(e.hash, e.key[:]); got != want {
					t.Fatalf("Push(%v) = %d, want %d", e, got, want)
				}
				list = append(list, e)
			}
			e := draw.Draw(t, "asked")
			from := rapid.IntRange(0, len(list)).Draw(t, "from")
			if got, want := h.Count(e.hash, e.key[:], from), count(e, from); got != want {
				t.Fatalf("Count(%v, since %d) = %d, want %d", e, from, got, want)
			}
			if h.Len() != len(list) {
				t.Fatalf("Len = %d, want %d", h.Len(), len(list))
			}
		}
	})
}

func TestEqualHashesAreNoProof(t *testing.T) {
	h := NewHistory(1)
	h.Push(7, []uint64{1})
	if got := h.Push(7, []uint64{2}); got != 1 {
		t.Errorf("another position of the same hash is counted as repeated: %d", got)
	}
}

func TestNilHistoryHasSeenNothing(t *testing.T) {
	var h *History
	for range 3 {
		if got := h.Push(1, nil); got != 1 {
			t.Errorf("Push on nil = %d, want 1", got)
		}
	}
	h.Truncate(h.Len())
	if got := h.Count(1, nil, 0); got != 0 {
		t.Errorf("Count on nil = %d, want 0", got)
	}
}

func TestHistoryDoesNotAllocateAgain(t *testing.T) {
	h := NewHistory(2)
	key := []uint64{1, 2}
	fill := func() {
		for i := range 200 {
			h.Push(uint64(i)<<52, key)
		}
		h.Clear()
	}
	fill()
	if n := testing.AllocsPerRun(10, fill); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
