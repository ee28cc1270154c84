package alphabeta

import (
	"math/bits"
	"sync"
	"sync/atomic"

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

// known is what the table knows of a position.
type known struct {
	value int32 // in the view of the player who decides, wins counted from the position
	// move is the best or the refuting action. It is tried first if it is among
	// the legal ones, and never played because it stands here; see action.
	move  int16
	depth uint8 // player turns searched
	// mark is the bound in the low two bits and the search that wrote the entry
	// in the others.
	mark uint8
}

func (k known) bound() bound { return bound(k.mark & 3) }

// action is the code that move stands for, -1 if there is none: codes are below
// engine.MaxActions, so that 16 bits hold them all.
func (k known) action() engine.Action { return engine.Action(uint16(k.move+1)) - 1 }

func (k known) pack() uint64 {
	return uint64(uint32(k.value)) | uint64(uint16(k.move))<<32 | uint64(k.depth)<<48 | uint64(k.mark)<<56
}

func unpack(x uint64) known {
	return known{value: int32(x), move: int16(x >> 32), depth: uint8(x >> 48), mark: uint8(x >> 56)}
}

// entry is the key of a position and what is known of it, packed. Engines that share a table
// write it without locks: check is the key xor known, so that halves of two entries match no
// key (Hyatt and Mann 2002).
type entry struct{ check, known atomic.Uint64 }

func (e *entry) load() (key uint64, k known) {
	x := e.known.Load()
	return e.check.Load() ^ x, unpack(x)
}

func (e *entry) store(key uint64, k known) {
	x := k.pack()
	e.check.Store(key ^ x)
	e.known.Store(x)
}

// table is the transposition table: buckets of two entries, of which the first
// keeps the deeper search of the present decision and the second the latest. An
// entry is believed if all 64 bits of its key agree.
type table struct {
	entries []entry // a power of two of them
	size    int     // how many there are to be; 0: tableEntries
	age     uint8   // in the upper six bits, as in known.mark
}

// SetTable makes the table that large, in MiB rounded down to a power of two, and empty.
func (e *Engine) SetTable(mib int) {
	size := 1 << (bits.Len(uint(mib)<<20/entryBytes) - 1)
	if size == tableEntries {
		size = 0
	}
	if size != e.table.size {
		e.table.give()
		*e.table = table{size: size}
	}
}

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
	t.entries, t.age = make([]entry, tableEntries), 0
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

// find returns what is known of key, with no bound if that is nothing.
func (t *table) find(key uint64) known {
	i := key & uint64(len(t.entries)-1) &^ 1
	if at, k := t.entries[i].load(); at == key && k.bound() != none {
		return k
	}
	if at, k := t.entries[i+1].load(); at == key && k.bound() != none {
		return k
	}
	return known{}
}

func (t *table) store(key uint64, value int32, move engine.Action, depth int, b bound) {
	i := key & uint64(len(t.entries)-1) &^ 1
	e := &t.entries[i]
	if at, k := e.load(); at != key && k.mark&^3 == t.age && k.bound() != none && int(k.depth) > depth {
		e = &t.entries[i+1]
	}
	e.store(key, known{value: value, move: int16(move), depth: uint8(depth), mark: uint8(b) | t.age})
}
