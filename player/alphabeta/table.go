package alphabeta

import (
	"math/bits"
	"sync"

	"github.com/ludozero/ludozero/engine"
)

// A bound says what a stored value is.
type bound uint8

const (
	none  bound = iota // an empty entry
	exact              // the value itself
	least              // at least that
	most               // at most that
)

// entryBytes is the size of an entry.
const entryBytes = 16

// entry is what is known of a position.
type entry struct {
	key   uint64
	value int32 // in the view of the player who decides, wins counted from the position
	// move is the best or the refuting action. It is tried first if it is among
	// the legal ones, and never played because it stands here.
	move  int16
	depth uint8 // player turns searched
	// mark is the bound in the low two bits and the search that wrote the entry
	// in the others.
	mark uint8
}

func (e *entry) bound() bound { return bound(e.mark & 3) }

// table is the transposition table: buckets of two entries, of which the first
// keeps the deeper search of the present decision and the second the latest. An
// entry is believed if all 64 bits of its key agree.
type table struct {
	entries []entry // a power of two of them
	size    int     // how many there are to be; 0: tableEntries
	age     uint8   // in the upper six bits, as in entry.mark
}

// SetTable makes the table that large, in MiB rounded down to a power of two, and empty.
func (e *Engine) SetTable(mib int) {
	size := 1 << (bits.Len(uint(mib)<<20/entryBytes) - 1)
	if size == tableEntries {
		size = 0
	}
	if size != e.table.size {
		e.table.give()
		e.table = table{size: size}
	}
}

func newTable(entries int) table { return table{entries: make([]entry, entries)} }

// spare are tables of tableEntries that no engine uses.
var spare sync.Pool

// take makes t an empty table of tableEntries, if it is none yet.
func (t *table) take() {
	if t.entries != nil {
		return
	}
	if t.size != 0 {
		*t = table{entries: make([]entry, t.size), size: t.size}
		return
	}
	if entries, ok := spare.Get().(*[]entry); ok {
		t.entries = *entries
		t.clear()
		return
	}
	*t = newTable(tableEntries)
}

// give makes t no table, for others to take.
func (t *table) give() {
	if entries := t.entries; entries != nil {
		t.entries = nil
		if t.size == 0 {
			spare.Put(&entries)
		}
	}
}

func (t *table) clear() {
	clear(t.entries)
	t.age = 0
}

// next starts a new search: what is in the table stays, but gives way.
func (t *table) next() { t.age += 4 }

// find returns the entry of key, nil if there is none.
func (t *table) find(key uint64) *entry {
	i := key & uint64(len(t.entries)-1) &^ 1
	for _, e := range [2]*entry{&t.entries[i], &t.entries[i+1]} {
		if e.key == key && e.bound() != none {
			return e
		}
	}
	return nil
}

func (t *table) store(key uint64, value int32, move engine.Action, depth int, b bound) {
	i := key & uint64(len(t.entries)-1) &^ 1
	e := &t.entries[i]
	if e.key != key && e.mark&^3 == t.age && e.bound() != none && int(e.depth) > depth {
		e = &t.entries[i+1]
	}
	*e = entry{key: key, value: value, move: int16(move), depth: uint8(depth), mark: uint8(b) | t.age}
}
