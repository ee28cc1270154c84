package mcts

import (
	"sync"

	"github.com/ludozero/ludozero/engine"
)

const (
	// cacheWays is how many entries one set of the index holds: a cache line.
	cacheWays = 8
	// cacheLegal is the mean number of legal actions that the ring is sized for. With
	// more of them the cache holds fewer positions.
	cacheLegal = 32
	// cacheHead is the number of words before the legal actions of a record.
	cacheHead = 3
	// An index entry has the time of its record in the upper bits and a tag, bits of
	// its mixed key, in the lower ones.
	tagBits  = 24
	tagMask  = 1<<tagBits - 1
	timeMask = 1<<(64-tagBits) - 1
)

// Cache holds one network's evaluations of positions. The key is a position's
// EncodingHash, which covers all that the network reads, together with its legal
// actions, which are compared one by one.
//
// Two different encodings with the same 64-bit hash and the same legal actions would
// be confused, and a search would use the wrong evaluation. With n positions in the
// cache, one lookup hits such a pair with a probability of at most n·2⁻⁶⁴: in a run
// of 10¹⁰ lookups in 10⁵ positions 5·10⁻⁵, if hashes are uniform.
//
// The memory is fixed: an index of sets of eight entries, and a ring of records in
// which the newest overwrite the oldest. Nothing is moved or deleted; the age of an
// entry shows that its record was overwritten. Between two lookups a network evicts
// the processor's caches, so the cost is the number of cache lines waited for: one
// for a miss, since Put only writes, at the place that Get found. A Cache allocates
// only in NewCache. It serves one network at a time, and several goroutines if they all
// compute that network alike, bit for bit: then it changes no answer who came first.
type Cache struct {
	lock  sync.Mutex
	index []uint64 // [sets × cacheWays]
	sets  uint64
	// The ring. A record of n legal actions that begins at place i has the two halves
	// of the key and n at words[i] to words[i+2], followed by the actions; the
	// evaluation at floats[i] to floats[i+2], followed by the logits.
	words  []uint32
	floats []float32
	// head is the time of the next record: places written since Clear, plus an offset.
	// Its place is head mod length.
	head uint64
}

// NewCache returns an empty cache for about the given number of positions, at least
// one, of the family that info describes. It takes 32 bytes a position and 8 for each
// of its legal actions, assumed to be 32 on average or Info.MaxLegal if that is less.
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

// Clear empties the cache, for use with another network.
func (c *Cache) Clear() {
	c.lock.Lock()
	defer c.lock.Unlock()
	clear(c.index)
	c.head = 2 * uint64(len(c.words)) // entries of time 0 are too old
}

// Get looks up the position with EncodingHash key and these legal actions. If it is
// there, place is Known, and Get writes its logits to logits, one for each action, and
// returns its evaluation. Otherwise place is where Put has to enter it.
func (c *Cache) Get(key uint64, legal []engine.Action, logits []float32) (evaluation Evaluation, place int) {
	c.lock.Lock()
	defer c.lock.Unlock()
	h := mixKey(key)
	first := int(h >> 32 * c.sets >> 32 * cacheWays)
	set := (*[cacheWays]uint64)(c.index[first:])
	oldest := uint64(0)
	for i, e := range set {
		age := (c.head - e>>tagBits) & timeMask
		if age > oldest {
			oldest, place = age, first+i
		}
		if (e^h)&tagMask == 0 && age <= uint64(len(c.words)) {
			if from := (c.head - age) % uint64(len(c.words)); c.contains(from, key, legal) {
				f := c.floats[from : from+cacheHead+uint64(len(legal))]
				copy(logits, f[cacheHead:])
				return Evaluation{Value: f[0], Draw: f[1], Turns: f[2]}, Known
			}
		}
	}
	return Evaluation{}, place
}

// contains reports whether the record at place from of the ring is of this position.
func (c *Cache) contains(from, key uint64, legal []engine.Action) bool {
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

// Put enters a position that Get did not find, at the place that Get returned. Of
// several positions with the same place the last one stays. There are between 1 and
// Info.MaxLegal legal actions, and one logit for each.
func (c *Cache) Put(place int, key uint64, legal []engine.Action, logits []float32, e Evaluation) {
	c.lock.Lock()
	defer c.lock.Unlock()
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
	floats[0], floats[1], floats[2] = e.Value, e.Draw, e.Turns
	copy(floats[cacheHead:], logits)
	c.index[place] = c.head<<tagBits | mixKey(key)&tagMask
	c.head += n
}

// mixKey mixes the bits of a key into set (upper half) and tag: the games' hashes may
// be weak in single bits.
func mixKey(key uint64) uint64 {
	h := key * 0x9e3779b97f4a7c15
	return h ^ h>>32
}
