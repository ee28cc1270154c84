package mcts

import "github.com/ludozero/ludozero/engine"

const (
	// cacheWays is how many entries one set of the index holds, side by side
	// in little more than a cache line.
	cacheWays = 4
	// cacheLegal is how many legal actions an entry has room for on average.
	// More than that, on average, and the cache holds fewer positions.
	cacheLegal = 32
)

// Cache remembers what one network said of positions. A position is known by
// its EncodingHash, which covers all that the network reads, and by its legal
// actions, for which it is asked; these are compared one by one.
//
// Two different encodings with the same 64-bit hash and the same legal actions
// would be taken for each other, and a search would go on with the evaluation
// of the wrong one. With n positions in the cache one lookup meets such a pair
// with a probability of n·2⁻⁶⁴ at most: in a run of 10¹⁰ lookups in 10⁵
// positions 5·10⁻⁵, if hashes spread as they should.
//
// The memory is fixed: an index of sets of four entries, and a ring in which the
// newest logits overwrite the oldest. Nothing is moved or deleted; an entry
// whose logits were overwritten is known by its place in the ring. A Cache
// allocates only when it is made. It serves one network at a time and one
// goroutine.
type Cache struct {
	entries []cacheEntry // [sets × cacheWays]
	sets    uint64
	// The ring: logits[i] is that of actions[i]. head is where the next entry
	// goes, counted from the beginning of time; its place is head mod length.
	actions []engine.Action
	logits  []float32
	head    uint64
}

// cacheEntry is one position. Its logits begin at place from of the ring.
type cacheEntry struct {
	key   uint64
	from  uint64
	value float32
	count int32 // of legal actions; 0 in an entry that was never used
}

// NewCache returns an empty cache for about the given number of positions, at
// least one, of the family info describes. It takes 24 bytes a position and 8
// for each legal action, of which it counts with 32 or Info.MaxLegal if that is
// less.
func NewCache(info *engine.Info, positions int) *Cache {
	sets := (max(positions, 1) + cacheWays - 1) / cacheWays
	room := max(sets*cacheWays*min(info.MaxLegal, cacheLegal), info.MaxLegal)
	return &Cache{
		entries: make([]cacheEntry, sets*cacheWays),
		sets:    uint64(sets),
		actions: make([]engine.Action, room),
		logits:  make([]float32, room),
	}
}

// Clear forgets all positions, for another network.
func (c *Cache) Clear() {
	clear(c.entries)
	c.head = 0
}

// Get returns what is known of the position with EncodingHash key and these
// legal actions: their logits, which the cache owns and which hold until the
// next Put, and the value.
func (c *Cache) Get(key uint64, legal []engine.Action) (logits []float32, value float32, ok bool) {
	e := c.find(c.set(key), key, legal)
	if e == nil {
		return nil, 0, false
	}
	from := e.from % uint64(len(c.logits))
	return c.logits[from : from+uint64(e.count)], e.value, true
}

// Put remembers a position. If it is there already nothing changes: one network
// says the same again. There are at least one and at most Info.MaxLegal legal
// actions, and as many logits.
func (c *Cache) Put(key uint64, legal []engine.Action, logits []float32, value float32) {
	set := c.set(key)
	if c.find(set, key, legal) != nil {
		return
	}
	victim := &set[0]
	for i := range set[1:] {
		if e := &set[1+i]; victim.count > 0 && (e.count == 0 || e.from < victim.from) {
			victim = e
		}
	}
	n, size := uint64(len(legal)), uint64(len(c.logits))
	if left := size - c.head%size; left < n { // an entry does not wrap round
		c.head += left
	}
	from := c.head % size
	copy(c.actions[from:], legal)
	copy(c.logits[from:], logits)
	*victim = cacheEntry{key: key, from: c.head, value: value, count: int32(n)}
	c.head += n
}

// set is where a position with this key can be. The games' hashes may be weak
// in single bits, so that they are stirred first.
func (c *Cache) set(key uint64) []cacheEntry {
	i := key * 0x9e3779b97f4a7c15 >> 32 * c.sets >> 32 * cacheWays
	return c.entries[i : i+cacheWays]
}

// find returns the entry of a position in its set, nil if there is none.
func (c *Cache) find(set []cacheEntry, key uint64, legal []engine.Action) *cacheEntry {
next:
	for i := range set {
		e := &set[i]
		if e.key != key || int(e.count) != len(legal) || c.head-e.from > uint64(len(c.logits)) {
			continue
		}
		from := e.from % uint64(len(c.logits))
		for k, a := range c.actions[from : from+uint64(e.count)] {
			if a != legal[k] {
				continue next
			}
		}
		return e
	}
	return nil
}
