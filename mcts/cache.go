package mcts

import "github.com/ludozero/ludozero/engine"

const (
	// cacheWays is how many entries one set of the index holds: a cache line.
	cacheWays = 8
	// cacheLegal is how many legal actions an entry has room for on average.
	// More than that, on average, and the cache holds fewer positions.
	cacheLegal = 32
	// cacheHead is what a record of the ring has before its legal actions.
	cacheHead = 3
	// An index entry has the time of its record in the upper bits and a tag, some
	// bits of its key, in the lower ones.
	tagBits  = 24
	tagMask  = 1<<tagBits - 1
	timeMask = 1<<(64-tagBits) - 1
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
// The memory is fixed: an index of sets of eight entries, and a ring of records
// in which the newest overwrite the oldest. Nothing is moved or deleted; an entry
// whose record was overwritten is known by its age. Between two lookups a network
// has emptied the processor's caches, so that what counts is the number of cache
// lines that are waited for: one, if the position is unknown, since Put only
// writes, where Get has found out. A Cache allocates only when it is made. It
// serves one network at a time and one goroutine.
type Cache struct {
	index []uint64 // [sets × cacheWays]
	sets  uint64
	// The ring. A record of n legal actions that begins at place i has the two
	// halves of the key and n at words[i] to words[i+2] and the actions behind
	// them, the value and the probability of a draw at floats[i] and floats[i+1],
	// nothing at floats[i+2], and the logits behind them.
	words  []uint32
	floats []float32
	// head is where the next record goes, counted in places from the beginning of
	// time; its place is head mod length. That is the time of a record, too.
	head uint64
}

// NewCache returns an empty cache for about the given number of positions, at
// least one, of the family info describes. It takes 32 bytes a position and 8
// for each legal action, of which it counts with 32 or Info.MaxLegal if that is
// less.
func NewCache(info *engine.Info, positions int) *Cache {
	sets := (max(positions, 1) + cacheWays - 1) / cacheWays
	room := max(sets*cacheWays*(cacheHead+min(info.MaxLegal, cacheLegal)), cacheHead+info.MaxLegal)
	c := &Cache{
		index:  make([]uint64, sets*cacheWays),
		sets:   uint64(sets),
		words:  make([]uint32, room),
		floats: make([]float32, room),
	}
	c.Clear()
	return c
}

// Clear forgets all positions, for another network.
func (c *Cache) Clear() {
	clear(c.index)
	c.head = 2 * uint64(len(c.words)) // entries of time 0 are too old
}

// Get returns what is known of the position with EncodingHash key and these
// legal actions: their logits, which the cache owns and which hold until the
// next Put, the value and the probability of a draw; place is Known then.
// Otherwise place is where Put has to enter the position.
func (c *Cache) Get(key uint64, legal []engine.Action) (logits []float32, value, draw float32, place int) {
	h := stir(key)
	first := int(h >> 32 * c.sets >> 32 * cacheWays)
	set := (*[cacheWays]uint64)(c.index[first:])
	oldest := uint64(0)
	for i, e := range set {
		age := (c.head - e>>tagBits) & timeMask
		if age > oldest {
			oldest, place = age, first+i
		}
		if (e^h)&tagMask == 0 && age <= uint64(len(c.words)) {
			if from := (c.head - age) % uint64(len(c.words)); c.holds(from, key, legal) {
				at := from + cacheHead
				return c.floats[at : at+uint64(len(legal))], c.floats[from], c.floats[from+1], Known
			}
		}
	}
	return nil, 0, 0, place
}

// holds tells whether the record at place from of the ring is of this position.
func (c *Cache) holds(from, key uint64, legal []engine.Action) bool {
	if c.words[from] != uint32(key) || c.words[from+1] != uint32(key>>32) || c.words[from+2] != uint32(len(legal)) {
		return false
	}
	for k, a := range c.words[from+cacheHead:][:len(legal)] {
		if engine.Action(a) != legal[k] {
			return false
		}
	}
	return true
}

// Put remembers a position that Get did not know, at the place that Get gave. Of
// several that were given one place the last stays. There are at least one and at
// most Info.MaxLegal legal actions, and as many logits.
func (c *Cache) Put(place int, key uint64, legal []engine.Action, logits []float32, value, draw float32) {
	n, size := uint64(cacheHead+len(legal)), uint64(len(c.words))
	if left := size - c.head%size; left < n { // a record does not wrap round
		c.head += left
	}
	from := c.head % size
	words, floats := c.words[from:from+n], c.floats[from:from+n]
	words[0], words[1], words[2] = uint32(key), uint32(key>>32), uint32(len(legal))
	for k, a := range legal {
		words[cacheHead+k] = uint32(a)
	}
	floats[0], floats[1] = value, draw
	copy(floats[cacheHead:], logits)
	c.index[place] = c.head<<tagBits | stir(key)&tagMask
	c.head += n
}

// stir spreads a key over set, in the upper half, and tag: the games' hashes may
// be weak in single bits.
func stir(key uint64) uint64 {
	h := key * 0x9e3779b97f4a7c15
	return h ^ h>>32
}
